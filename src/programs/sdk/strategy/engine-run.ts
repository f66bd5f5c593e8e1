import { requestFields } from '../../../base/terms/order-fields.ts';
import type { Changes, Outcome } from '../../../exchange/engine/commands.ts';
import { defaultStartingBalance, plans } from '../../../exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../exchange/engine/exchange.ts';
import type { MarketDefinition, Ms, Policy } from '../../../exchange/engine/model.ts';
import type { MarketSource, Tape } from '../../../exchange/engine/source.ts';
import { type BarSource, closedBars, startBefore } from '../../../exchange/markets/bars.ts';
import { barsOf } from '../../../exchange/markets/played-bars.ts';
import { commandFields } from '../../../service/handlers/requested.ts';
import {
  presentBook,
  presentCandle,
  presentMarket,
  presentMarks,
  presentTrades,
} from '../../../service/present/market.ts';
import { presentOrder } from '../../../service/present/presenters.ts';
import { averagePrice, decimal, usd } from '../../../service/present/wire-form.ts';
import { localOwner } from '../../../service/simulation/keys.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Order as WireOrder } from '../../../wire/contract/orders.ts';
import { Actor, neverAccepted } from './actor.ts';
import type { AccountState, Book, Candle, Marks, Order, Position, Quote, Strategy, Trade } from './define-strategy.ts';
import { checkedStrategy } from './definition.ts';
import { Past } from './past.ts';
import type { BacktestOptions } from './results.ts';
import type { AccountNews, Asked, Refused, View } from './side.ts';
import { fillOf, isPart, marksOf, nothingOpen, orderIdOf, orderOf, quoteOf } from './wire.ts';

/** Dependencies of a run on the engine besides its strategy. */
export interface EngineRunOptions extends Pick<BacktestOptions, 'parameters' | 'seed' | 'plan' | 'run' | 'log'> {
  readonly source: MarketSource;
  /** Market time at which it starts, Unix ms. */
  readonly start: Ms;
  /** USD. Default 100,000. */
  readonly startingBalance?: number | undefined;
  /** Replaces the account's policy; default: that of every new account. */
  readonly policy?: Policy | undefined;
  /**
   * The duration of a decision, whole ms of market time: its requests reach the exchange that much later, and it
   * doesn't look before. A function receives the actual duration of a look, ms. Default 0.
   */
  readonly thinkMs?: number | ((tookMs: number) => number) | undefined;
  /** Every request as it reaches the exchange, with its refusal; null if it was accepted. */
  readonly onAsked?: ((asked: Asked, time: Ms, refusal: { code: string; message: string } | null) => void) | undefined;
  /** Fills and changed orders, as the strategy receives them. */
  readonly onNews?: ((news: AccountNews, time: Ms) => void) | undefined;
  /** Every change of a record, in the engine's own units. */
  readonly onChanges?: ((changes: Changes) => void) | undefined;
}

const nothing: AccountNews = { fills: [], orders: [], refused: [] };

/**
 * A strategy directly on the engine: no store, no service, no wire. The exchange is set up like a new simulation with
 * the same seed and start, so that ids and fills are the same there.
 */
export class EngineRun implements View {
  readonly exchange: Exchange;
  readonly accountId: string;
  readonly #actor: Actor;
  readonly #options: EngineRunOptions;
  readonly #definitions: ReadonlyMap<string, MarketDefinition>;
  readonly #past: Past;
  /** Markets whose trades are reported, and their positions. */
  readonly #tapes = new Map<string, Tape>();
  #bars: BarSource | undefined;
  readonly #clientIds = new Map<string, string | null>();
  readonly #delayed: { readonly at: Ms; readonly asked: Asked }[] = [];
  #refused: Refused[] = [];
  #revision: number;
  /** The number of looks so far. */
  looks = 0;
  /** Its last decision takes until then. */
  #busyUntil: Ms = 0;

  /** Sets up the exchange and its account, and calls the strategy's `start`. Throws a StrategyError. */
  constructor(strategy: Strategy, options: EngineRunOptions) {
    const { source, start, seed = 1 } = options;
    this.#options = options;
    this.exchange = new Exchange(source, emptyState(seed, start));
    this.accountId = openAccounts(this.exchange, options);
    this.#definitions = new Map(source.definitions.map((definition) => [definition.marketId, definition]));
    const checked = checkedStrategy(strategy);
    this.#past = new Past(checked);
    this.exchange.takeChanges();
    this.#revision = this.exchange.revision;
    this.#actor = new Actor(checked, {
      markets: source.definitions.map(
        (market): Market => presentMarket(source.definitionAt?.(market.marketId, start) ?? market, this.exchange.halt),
      ),
      view: this,
      parameters: options.parameters,
      seed,
      run: options.run ?? 'run',
      log: options.log,
    });
    const began = this.#begin();
    this.#actor.start();
    this.#decided(began);
  }

  get now(): Ms {
    return this.exchange.time;
  }

  /** The number of calls of a callback so far. */
  get calls(): number {
    return this.#actor.calls;
  }

  /** Whether the account still trades: it has neither passed nor failed. */
  get isActive(): boolean {
    return this.exchange.account(this.accountId).status === 'active';
  }

  /**
   * Plays the market up to and including `to`, and lets the strategy look whenever something is due; stops once the
   * account has ended.
   */
  advance(to: Ms): void {
    const { exchange } = this;
    const actor = this.#actor;
    // Who thinks does not look.
    for (let at = actor.next; at <= to; at = actor.next) {
      if (this.#busyUntil > at) at = this.#busyUntil;
      if (at > to) break;
      this.#moveTo(at);
      this.looks += 1;
      const began = this.#begin();
      actor.look(this.#takeNews());
      this.#decided(began);
      if (!this.isActive) return;
    }
    this.#moveTo(Math.max(to, exchange.time));
  }

  /** Ends the run: `end`, and its last requests. Afterward the strategy can read nothing. */
  finish(): void {
    const began = this.#begin();
    this.#actor.react(this.#takeNews());
    this.#actor.end();
    this.#decided(began);
    for (const { asked } of this.#delayed.splice(0)) this.#carryOut(asked);
    this.#actor.close();
  }

  /** When a decision begins, if that is measured. */
  #begin(): number {
    return typeof this.#options.thinkMs === 'function' ? performance.now() : 0;
  }

  /** The strategy has decided: carries out its requests, immediately or later by the duration of the decision. */
  #decided(began: number): void {
    const { thinkMs = 0 } = this.#options;
    const ms = typeof thinkMs === 'number' ? thinkMs : thinkMs(performance.now() - began);
    if (ms > 0) this.#busyUntil = this.now + ms;
    this.#carryOutAll(ms);
  }

  #moveTo(time: Ms): void {
    while (this.#delayed.length > 0 && this.#delayed[0]!.at <= time) {
      const { at, asked } = this.#delayed.shift()!;
      this.exchange.advance(at);
      this.#carryOut(asked);
    }
    this.exchange.advance(time);
  }

  /** The requests, their outcome, and the strategy's reaction, repeated until it requests nothing more. */
  #carryOutAll(thinkMs: number): void {
    for (let all = this.#actor.takeAsked(); all.length > 0; all = this.#actor.takeAsked()) {
      if (thinkMs > 0) {
        for (const asked of all) this.#delayed.push({ at: this.now + thinkMs, asked });
        continue;
      }
      for (const asked of all) this.#carryOut(asked);
      this.#actor.react(this.#takeNews());
    }
  }

  #carryOut(asked: Asked): void {
    const outcome = this.#execute(asked);
    const refusal = outcome.ok ? null : { code: outcome.code, message: outcome.message };
    this.#options.onAsked?.(asked, this.now, refusal);
    if (!outcome.ok) this.#refused.push({ asked, ...refusal!, hasRecord: outcome.order !== undefined });
    else if (asked.kind === 'place') this.#actor.accept(asked.clientId, outcome.order!.id);
  }

  #execute(asked: Asked): Outcome {
    if (asked.kind === 'place') {
      const { body } = asked;
      const fields = commandFields(requestFields, { ...body, account_id: this.accountId });
      return this.exchange.execute({ kind: 'place_order', ...fields, mode: body.type ?? 'market' });
    }
    const orderId = this.#actor.idOf(asked.order);
    if (orderId === undefined) return { ok: false, code: 'not_found', message: neverAccepted(asked.order) };
    if (asked.kind === 'cancel') return this.exchange.execute({ kind: 'cancel_order', orderId });
    const { price, size = null } = asked.change;
    return this.exchange.execute({ kind: 'amend_order', orderId, price, size });
  }

  #takeNews(): AccountNews {
    const refused = this.#refused;
    if (this.exchange.revision === this.#revision && refused.length === 0) return nothing;
    if (refused.length > 0) this.#refused = [];
    this.#revision = this.exchange.revision;
    const changes = this.exchange.takeChanges();
    this.#options.onChanges?.(changes);
    const news = { ...this.#newsOf(changes), refused };
    this.#options.onNews?.(news, this.now);
    return news;
  }

  #newsOf(changes: Changes): Omit<AccountNews, 'refused'> {
    if (changes.orders.size === 0) return nothing;
    const orders: Order[] = [];
    const filled: { readonly settled: number; readonly wire: WireOrder }[] = [];
    const changed = [...changes.orders.values()];
    // Mostly, there is one.
    if (changed.length > 1) changed.sort((one, other) => one.sequence - other.sequence);
    for (const order of changed) {
      if (order.accountId !== this.accountId) continue;
      const wire = presentOrder(order, this.#definitions.get(order.marketId)!);
      if (!isPart(wire)) {
        this.#clientIds.set(order.id, order.clientOrderId);
        orders.push(orderOf(wire));
      }
      if (order.status === 'filled') filled.push({ settled: order.settleSequence ?? 0, wire });
    }
    if (filled.length > 1) filled.sort((one, other) => one.settled - other.settled);
    const fills = filled.map(({ wire }) => fillOf(wire, this.#clientIds.get(orderIdOf(wire)) ?? null));
    return { fills, orders };
  }

  quote({ market_id }: Market): Quote {
    const book = this.exchange.quotedBook(market_id);
    if (book === null) return quoteOf(market_id, null);
    const { priceDecimals } = this.#definitions.get(market_id)!;
    const bid = book.bids.best;
    const ask = book.asks.best;
    // A side without levels has no best price.
    return {
      market: market_id,
      bid: Number.isNaN(bid) ? null : decimal(bid, priceDecimals),
      ask: Number.isNaN(ask) ? null : decimal(ask, priceDecimals),
      mid: Number.isNaN(bid + ask) ? null : decimal((bid + ask) * 5, priceDecimals + 1),
      time: book.time,
    };
  }

  book({ market_id }: Market): Book {
    const market = this.#definitions.get(market_id)!;
    const { bids, asks, time } = presentBook(market, this.exchange.book(market_id), null);
    return { market: market_id, bids: bids as unknown as Book['bids'], asks: asks as unknown as Book['asks'], time };
  }

  marks({ market_id }: Market): Marks {
    const marks = presentMarks(this.#definitions.get(market_id)!, this.exchange.marks(market_id));
    return marksOf(market_id, marks);
  }

  candles({ market_id }: Market): readonly Candle[] {
    const { now } = this;
    const missing = this.#past.missing(market_id, now);
    if (missing !== null) {
      // Where it has no end, it is played from the day before the first candle.
      this.#bars ??= barsOf(this.#options.source, startBefore({ ...missing, now }) - dayMs);
      const bars = closedBars(this.#bars, market_id, { ...missing, now });
      const market = this.#definitions.get(market_id)!;
      const candles = bars.flatMap((bar) => presentCandle(market, bar));
      this.#past.take(market_id, candles, now);
    }
    return this.#past.of(market_id);
  }

  takeTrades({ market_id }: Market): readonly Trade[] {
    let tape = this.#tapes.get(market_id);
    if (tape === undefined) {
      tape = this.#options.source.open(this.#options.start);
      tape.watch(market_id, true);
      this.#tapes.set(market_id, tape);
    }
    const trades = presentTrades(this.#definitions.get(market_id)!, tape, this.now);
    return trades.map((trade) => ({ market: market_id, ...trade }));
  }

  holding({ market_id }: Market): Omit<Position, 'pnl'> {
    const open = this.exchange.position(this.accountId, market_id);
    if (open === null) return nothingOpen(market_id);
    const { sizeDecimals } = this.#definitions.get(market_id)!;
    const size = decimal(open.size, sizeDecimals);
    return {
      market: market_id,
      size: open.direction === 'long' ? size : -size,
      entryPrice: averagePrice(open.cost, open.size, sizeDecimals),
      leverage: open.leverage,
      marginMode: open.marginMode,
      openedAt: open.openedAt,
      funding: usd(open.funding),
    };
  }

  /** The account's equity, USD; null while a mark is unknown. */
  get equity(): number | null {
    const equity = this.exchange.equity(this.accountId);
    return equity === null ? null : usd(equity);
  }

  account(): AccountState {
    const { status, balance } = this.exchange.account(this.accountId);
    const risk = this.exchange.risk(this.accountId);
    const orNull = (money: bigint | null) => (money === null ? null : usd(money));
    return {
      status,
      balance: usd(balance),
      equity: orNull(risk.equity),
      available: usd(risk.availableBalance),
      dailyLossRoom: orNull(risk.dailyLossRoom),
      drawdownRoom: orNull(risk.maxDrawdownRoom),
      targetRoom: orNull(risk.remainingProfit),
    };
  }
}

/** As a new simulation does: an account on each host; returns the id of the one that trades. */
function openAccounts(exchange: Exchange, { plan = 'select', startingBalance, policy }: EngineRunOptions): string {
  const [accountId] = (['live', 'test'] as const).map((environment) => {
    const opened = exchange.execute({
      kind: 'open_account',
      owner: localOwner,
      environment,
      name: `${environment === 'live' ? 'Challenge' : 'Sandbox'} 1`,
      plan: plans[plan],
      startingBalance: startingBalance ?? defaultStartingBalance,
    });
    if (!opened.ok || opened.account === undefined) throw new Error('The engine opened no account.');
    return opened.account.id;
  });
  if (policy !== undefined) exchange.execute({ kind: 'set_policy', accountId: accountId!, policy });
  return accountId!;
}

const dayMs = 86_400_000;
