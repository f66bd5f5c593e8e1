import { profitAt } from '../../../desk/risk/profit.ts';
import { textHash } from '../../../exchange/engine/random.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import {
  type Book,
  type Bot,
  type Order,
  type OrderRequest,
  type Parameters,
  type Position,
  type Quote,
  type Strategy,
  StrategyError,
} from './define-strategy.ts';
import { durationMs, looking, marketsOf, namedMarket, valuesOf } from './definition.ts';
import { type GridMarket, gridMarket, orderBody, priceOf, sizeOf } from './order-body.ts';
import { Paid } from './past.ts';
import { type AccountNews, type Asked, KnownOrders, type Refused, type View } from './side.ts';
import { Timers } from './timers.ts';
import { copyOfBook, isSameBook } from './wire.ts';

/** Dependencies of an actor besides its strategy. */
export interface ActorOptions {
  /** Every market of the host. */
  readonly markets: readonly Market[];
  readonly view: View;
  readonly parameters?: Parameters | undefined;
  /** Decides `random`. */
  readonly seed: number;
  /** Begins the client order ids. */
  readonly run: string;
  readonly log?: ((text: string, time: number) => void) | undefined;
}

const usualPace = '100ms';
/** More requests than this in one look mean that the strategy is out of control. */
const mostAsked = 1_000;
const longestClientId = 128;

/**
 * A running strategy: calls it at the right times, passes it events, and collects its requests. The host moves time,
 * carries out requests, and reports their outcome, so every host runs the same strategy the same way.
 */
export class Actor {
  readonly strategy: Strategy;
  readonly markets: readonly GridMarket[];
  readonly #options: ActorOptions;
  readonly #bot: Bot;
  readonly #view: View;
  readonly #byName = new Map<string, GridMarket>();
  readonly #timers: Timers;
  readonly #known = new KnownOrders();
  readonly #quotes = new Map<string, Quote>();
  readonly #books = new Map<string, Book>();
  readonly #paid = new Paid();
  #asked: Asked[] = [];
  #askedNow = 0;
  #placed = 0;
  #drawn = 0;
  #calls = 0;
  #at: string | undefined;
  #isOver = false;

  constructor(strategy: Strategy, options: ActorOptions) {
    this.strategy = strategy;
    this.#options = options;
    this.#view = options.view;
    this.markets = marketsOf(strategy, options.markets).map((market) => gridMarket(market));
    for (const market of this.markets) this.#byName.set(market.record.market_id, market);
    const { pace = usualPace, every = {} } = strategy;
    const looks = looking.some((callback) => strategy[callback] !== undefined);
    this.#timers = new Timers(this.#view.now, {
      paceMs: looks ? durationMs(pace, 'pace', 'definition') : null,
      every: Object.entries(every).map(([name, callback]) => [
        durationMs(name, `every ${name}`, 'definition'),
        () => this.#call(`every ${name}`, () => callback(this.#bot)),
      ]),
    });
    this.#bot = this.#makeBot(valuesOf(strategy, options.parameters));
  }

  /** The number of calls of a callback so far. */
  get calls(): number {
    return this.#calls;
  }

  /** When it looks next, Unix ms; Infinity if nothing is due. */
  get next(): number {
    return this.#timers.next;
  }

  /** Begins: delivers the account's existing state, then calls the strategy's `start`. */
  start(known: readonly Order[] = []): void {
    for (const order of known) this.#known.note(order);
    // Earlier payments aren't news.
    for (const { record } of this.markets) this.#paid.since(this.#view.holding(record));
    if (this.strategy.start !== undefined) this.#call('start', () => this.strategy.start?.(this.#bot));
  }

  /** Looks, at a time at which something was due: what happened, the markets, then timers. */
  look(news: AccountNews): void {
    this.#askedNow = 0;
    this.react(news);
    const { onTick, onBook, onFunding, onTrade } = this.strategy;
    const view = this.#view;
    const records = this.markets.map(({ record }) => record);
    if (onFunding !== undefined)
      for (const record of records) {
        const amount = this.#paid.since(view.holding(record));
        if (amount !== 0) this.#tell('onFunding', { market: record.market_id, amount, time: view.now });
      }
    if (onTrade !== undefined)
      for (const record of records) for (const trade of view.takeTrades(record)) this.#tell('onTrade', trade);
    if (onTick !== undefined)
      for (const record of records) {
        const quote = view.quote(record);
        // Until there is a price, there is nothing new.
        const { bid = null, ask = null } = this.#quotes.get(record.market_id) ?? {};
        if (bid === quote.bid && ask === quote.ask) continue;
        // Copies: the strategy can't change anything through its arguments.
        this.#quotes.set(record.market_id, { ...quote });
        this.#tell('onTick', quote);
      }
    if (onBook !== undefined)
      for (const record of records) {
        const book = view.book(record);
        const last = this.#books.get(record.market_id);
        if (last !== undefined && isSameBook(last, book)) continue;
        this.#books.set(record.market_id, copyOfBook(book));
        this.#tell('onBook', book);
      }
    this.#timers.run(this.#view.now);
  }

  /** Gives the strategy the outcome of its requests, at the same moment. */
  react({ fills, orders: changed, refused }: AccountNews): void {
    if (fills.length === 0 && changed.length === 0 && refused.length === 0) return;
    const all = refused.length === 0 ? changed : [...changed, ...this.#rejected(refused)];
    // Values that a callback reads are as current as its arguments.
    const orders = all.filter((order) => this.#known.note(order));
    for (const fill of fills) this.#tell('onFill', fill);
    for (const order of orders) this.#tell('onOrder', order);
    for (const { asked, code, message } of refused)
      this.#tell('onRefusal', { asked: asked.kind, order: nameOf(asked), code, message });
  }

  /** The exchange's id of a new order, before its record is among the news. */
  accept(clientId: string, id: string): void {
    this.#known.accept(clientId, id);
  }

  /** The strategy's requests since the last call. */
  takeAsked(): readonly Asked[] {
    const asked = this.#asked;
    if (asked.length > 0) this.#asked = [];
    return asked;
  }

  /** The exchange's id of an order, by either id; undefined if it never got one. */
  idOf(order: string): string | undefined {
    return this.#known.idOf(order);
  }

  /** Ends: the strategy's `end`. Its later requests can still be taken; after `close`, its `Bot` refuses everything. */
  end(): void {
    this.#askedNow = 0;
    if (this.strategy.end !== undefined) this.#call('end', () => this.strategy.end?.(this.#bot));
  }

  /** From now on, the strategy can read and ask nothing. */
  close(): void {
    this.#isOver = true;
  }

  /** New orders of which the exchange keeps no record. */
  #rejected(refused: readonly Refused[]): Order[] {
    return refused.flatMap(({ asked, code, message, hasRecord }) => {
      const sent = asked.kind === 'place' && !hasRecord ? this.#known.working.get(asked.clientId) : undefined;
      return sent === undefined ? [] : [{ ...sent, status: 'rejected', reason: code, message }];
    });
  }

  /** Calls a callback with something that happened, if the strategy has it. */
  #tell<Name extends (typeof looking)[number]>(name: Name, what: Told<Name>): void {
    const { strategy } = this;
    const callback = strategy[name] as ((bot: Bot, what: unknown) => unknown) | undefined;
    if (callback !== undefined) this.#call(name, () => callback.call(strategy, this.#bot, what));
  }

  #call(at: string, callback: () => unknown): void {
    this.#calls += 1;
    const before = this.#at;
    this.#at = at;
    try {
      const result = callback();
      if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function')
        throw new StrategyError('callback', `${at} returned a promise: callbacks are synchronous.`);
    } catch (error) {
      throw placed(error, at, this.#view.now);
    } finally {
      this.#at = before;
    }
  }

  #makeBot(parameters: Bot['parameters']): Bot {
    const view = this.#view;
    return Object.freeze({
      parameters,
      markets: Object.freeze(this.markets.map(({ record }) => record.market_id)),
      get now() {
        return view.now;
      },
      random: () => textHash(`${this.#options.seed}/strategy/${this.#drawn++}`) / 2 ** 53,
      market: (name: string) => this.#market(name).facts,
      quote: (name: string) => view.quote(this.#market(name).record),
      book: (name: string) => view.book(this.#market(name).record),
      marks: (name: string) => view.marks(this.#market(name).record),
      candles: (name: string) => view.candles(this.#market(name).record),
      position: (name: string) => this.#position(this.#market(name).record),
      account: () => {
        this.#checkOpen();
        return view.account();
      },
      orders: (name?: string) => this.#orders(name),
      place: (order: OrderRequest) => this.#place(order),
      amend: (id: string, change: { price: number; size?: number }) => this.#amend(id, change),
      cancel: (id: string) => this.#ask({ kind: 'cancel', order: this.#named(id) }),
      cancelAll: (name?: string) => this.#cancelAll(name),
      close: (name: string, size?: number) => this.#close(name, size),
      after: (duration: string | number, callback: () => void) =>
        this.#callAt(view.now + durationMs(duration, 'duration'), callback),
      at: (time: number, callback: () => void) => this.#callAt(time, callback),
      log: (text: string) => {
        this.#checkOpen();
        this.#options.log?.(String(text), view.now);
      },
    });
  }

  #market(name: string): GridMarket {
    this.#checkOpen();
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const named = this.#byName.get(namedMarket(name, this.#options.markets).market_id);
    if (named === undefined)
      throw new StrategyError('market', `The strategy does not list ${name} in its markets.`, { field: 'market' });
    this.#byName.set(name, named);
    return named;
  }

  #position(market: Market): Position {
    const holding = this.#view.holding(market);
    if (holding.size === 0 || holding.entryPrice === null) return { ...holding, pnl: null };
    const { mid } = this.#view.quote(market);
    const { size, entryPrice } = holding;
    return { ...holding, pnl: mid === null ? null : profitAt({ size, entryPrice }, mid) };
  }

  #orders(name?: string): readonly Order[] {
    this.#checkOpen();
    const all = [...this.#known.working.values()];
    if (name === undefined) return all;
    const { market_id } = this.#market(name).record;
    return all.filter(({ market }) => market === market_id);
  }

  #place(order: OrderRequest): string {
    if (typeof order !== 'object' || order === null)
      throw badRequest('order', 'place needs an order: { market, side, size }.');
    const market = this.#market(order.market);
    const triggerMarket = order.triggerMarket === undefined ? market : this.#market(order.triggerMarket);
    const clientId = order.clientId ?? `${this.#options.run}-${++this.#placed}`;
    if (typeof clientId !== 'string' || clientId === '' || clientId.length > longestClientId)
      throw badRequest('clientId', 'clientId must be a string of 1 to 128 characters.');
    if (this.#known.hasName(clientId))
      throw badRequest('clientId', `clientId ${clientId} was already used in this run.`);
    const body = orderBody(order, clientId, market, triggerMarket);
    this.#ask({ kind: 'place', clientId, body });
    this.#known.note({
      id: null,
      clientId,
      market: body.market_id,
      side: body.side,
      type: body.type ?? 'market',
      size: body.size,
      filled: 0,
      price: body.limit_price ?? null,
      triggerPrice: body.trigger_price ?? null,
      reduceOnly: body.reduce_only === true,
      status: 'sent',
      reason: null,
      message: null,
    });
    return clientId;
  }

  #amend(id: string, wanted: { price: number; size?: number }): void {
    if (typeof wanted !== 'object' || wanted === null) throw badRequest('change', 'amend needs the id and { price }.');
    const { price, size } = wanted;
    const order = this.#named(id);
    const known = this.#known.working.get(this.idOf(order) ?? order);
    const market = known === undefined ? undefined : this.#byName.get(known.market);
    const change = {
      price: market === undefined ? price : priceOf(market, price, 'price'),
      ...(size !== undefined && { size: market === undefined ? size : sizeOf(market, size, 'size') }),
    };
    this.#ask({ kind: 'amend', order, change });
  }

  #cancelAll(name?: string): number {
    const orders = this.#orders(name);
    for (const { id, clientId } of orders) this.#ask({ kind: 'cancel', order: clientId ?? id! });
    return orders.length;
  }

  #close(name: string, size?: number): string | null {
    const { record } = this.#market(name);
    const { size: open } = this.#view.holding(record);
    if (open === 0) return null;
    const side = open > 0 ? 'sell' : 'buy';
    return this.#place({ market: name, side, size: size ?? Math.abs(open), reduceOnly: true });
  }

  #callAt(time: number, callback: () => void): void {
    this.#checkOpen();
    if (typeof callback !== 'function') throw badRequest('callback', 'callback must be a function.');
    if (!Number.isSafeInteger(time))
      throw badRequest('time', `time is ${time}; it must be in whole Unix milliseconds.`);
    this.#timers.add(Math.max(time, this.#view.now + 1), () => this.#call('timer', callback));
  }

  /** An id that the run has seen. */
  #named(id: string): string {
    this.#checkOpen();
    if (this.#known.hasName(id) || this.#known.working.has(id) || /^ord_/.test(String(id))) return id;
    throw badRequest('id', `There is no order ${JSON.stringify(id)} in this run.`);
  }

  #ask(asked: Asked): void {
    this.#checkOpen();
    this.#askedNow += 1;
    if (this.#askedNow > mostAsked)
      throw new StrategyError('flood', `The strategy made more than ${mostAsked} requests at one moment.`);
    this.#asked.push(asked);
  }

  #checkOpen(): void {
    if (this.#isOver) throw new StrategyError('ended', 'The run is over: nothing can be read or requested anymore.');
  }
}

/** What a callback is told. */
type Told<Name extends (typeof looking)[number]> =
  NonNullable<Strategy[Name]> extends (bot: never, what: infer What) => void ? What : never;

function badRequest(field: string, message: string): StrategyError {
  return new StrategyError('request', message, { field });
}

/** The order that a request names. */
function nameOf(asked: Asked): string {
  return asked.kind === 'place' ? asked.clientId : asked.order;
}

/** The error of a callback, with its location. */
function placed(error: unknown, at: string, now: number): StrategyError {
  const known =
    error instanceof StrategyError
      ? error
      : new StrategyError('callback', Error.isError(error) ? error.message : String(error), { cause: error });
  if (known.at === undefined) {
    known.at = at;
    known.message = `${at}: ${known.message} (market time ${new Date(now).toISOString()})`;
  }
  return known;
}

/** The message about an order request that no market took. */
export function neverAccepted(order: string): string {
  return `The order ${order} was never accepted.`;
}
