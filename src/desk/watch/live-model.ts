import { StreamTable } from '../../wire/client/streams/stream-state.ts';
import type { AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import {
  type AccountFrame,
  type BookEvent,
  type CandleEvent,
  type Interval,
  intervals,
  type MarketStatsEvent,
  type MarketStreamEvent,
  type TickEvent,
  type TradeEvent,
} from '../../wire/contract/streams.ts';
import {
  type AccountStates,
  areFillsRead,
  begin,
  known,
  lastKnown,
  type OpenAccount,
  openIn,
} from '../account/account-state.ts';
import { type Acting, actingOf } from '../account/acting.ts';
import type { Ending } from '../reading/endings.ts';
import type { AccountHolder } from '../reading/follow.ts';
import type { HeldLock } from '../reading/locks.ts';
import type { PriceGrid } from '../resolve/grid.ts';
import type { Mark, Marks } from '../risk/path-account.ts';
import { filledAt } from '../risk/trade.ts';

/** The newest prices of a market, as the stream sends them. */
export type Prices = Readonly<Partial<Record<TickEvent['kind'], string>>>;

/** How many intervals further the second chart is: 15m beside 1m. */
const contextSteps = 3;
/** Maximum number of candles kept: more than the widest terminal shows. */
export const maxCandles = 500;
/** Maximum number of own fills kept, over all accounts. */
const maxFills = 500;
/** Trades that the chosen market's ladder counts: their maximum age, ms, and number. */
const printsMs = 30_000;
const maxPrints = 1_000;
/** The ids of the latest own orders that the account stream has reported. */
const maxHeard = 256;

/** Values that an account and its end depend on and no stream reports. Undefined parts are not known. */
export interface Unstreamed {
  readonly twaps: readonly TwapOrder[] | undefined;
  /** Also undefined if the host has none. */
  readonly policy: AccountTradingPolicy | undefined;
  /** For each market of the account: fee, tick, and the prices for its exits. */
  readonly marks: Marks;
  /** 1R of each position, USD, by position id. */
  readonly oneR: ReadonlyMap<string, number>;
}

/** States as displayed: accounts, and their fills, newest first. */
interface Shown {
  readonly states: AccountStates;
  readonly accounts: ReadonlyMap<string, OpenAccount>;
  readonly fills: readonly Order[];
}

/**
 * The live screen's data: the sum of both streams' events, and its age. It does no I/O. The same events always give the
 * same state, and its size does not grow with their number.
 */
export class LiveModel implements AccountHolder {
  /** The known state of the credential's accounts. */
  states: AccountStates = begin();
  /** The same as displayed, with the states from which it was made. */
  #shown: Shown | undefined;
  /** All markets, by the provider and coin in events. */
  readonly #known: ReadonlyMap<string, Market>;
  readonly #byId: ReadonlyMap<string, Market>;
  /** By market id. */
  readonly #prices = new Map<string, Prices>();
  /** Change over 24 hours in percent, by market id. */
  readonly #changes = new Map<string, number>();
  /** Candles of the chosen market and interval, oldest first. */
  candles: readonly CandleEvent[] = [];
  /** The same for the longer interval, for a second chart. */
  context: readonly CandleEvent[] = [];
  /** Shown in the strip, in this order. */
  watched: readonly Market[];
  chosen: Market;
  interval: Interval;
  accountId: string | undefined;
  book: BookEvent | undefined;
  /** Known price facts of the chosen market; undefined until they are known. */
  grid: PriceGrid | undefined;
  /** The queue ahead of own resting orders, base asset, by order id; only the simulation reports it. */
  ahead: ReadonlyMap<string, number> = new Map();
  /** The latest trades of the chosen market, oldest first. */
  prints: readonly TradeEvent[] = [];
  readonly #heard = new Set<string>();
  /** The exchange's time, Unix ms; 0 until it is known. */
  time = 0;
  readonly streams: StreamTable;
  /** How accounts ended, and the guard's locks, by account id. */
  readonly endings = new Map<string, Ending>();
  locks: ReadonlyMap<string, HeldLock> = new Map();
  /** The prices that the books would give the exits of one account. */
  #exits: (Pick<Unstreamed, 'marks' | 'oneR'> & { readonly account_id: string }) | undefined;
  /** Whether locks have been looked for. */
  areLocksKnown = false;

  constructor(options: {
    markets: readonly Market[];
    watched: readonly Market[];
    interval: Interval;
    streams?: StreamTable;
  }) {
    this.streams = options.streams ?? new StreamTable();
    this.#known = new Map(options.markets.map((market) => [keyOf(market.provider, market.coin), market]));
    this.#byId = new Map(options.markets.map((market) => [market.market_id, market]));
    this.watched = options.watched;
    this.chosen = options.watched[0]!;
    this.interval = options.interval;
  }

  /** The credential's accounts as last known, by id. */
  get accounts(): ReadonlyMap<string, OpenAccount> {
    return this.#show().accounts;
  }

  #show(): Shown {
    const { states } = this;
    if (this.#shown?.states === states) return this.#shown;
    const all = [...states.accounts.values()];
    const accounts = new Map(all.flatMap((state) => openIn(state) ?? []).map((open) => [open.account.id, open]));
    const fills = all.flatMap(({ parts }) => [...(lastKnown(parts.fills)?.values() ?? [])]);
    const sorted = all.length === 1 ? fills : fills.sort((one, other) => filledAt(other) - filledAt(one));
    this.#shown = { states, accounts, fills: sorted.slice(0, maxFills) };
    return this.#shown;
  }

  /** Whether past fills have been read; before that, an empty list means nothing. */
  get areFillsKnown(): boolean {
    return this.states.accounts.size > 0 && [...this.states.accounts.values()].every(areFillsRead);
  }

  /** The account on the screen; undefined until it is known. */
  get account(): OpenAccount | undefined {
    return this.accountId === undefined ? undefined : this.accounts.get(this.accountId);
  }

  /** Own fills in all accounts, newest first. */
  get fills(): readonly Order[] {
    return this.#show().fills;
  }

  /** The interval of the second chart; the longest one has none. */
  get contextInterval(): Interval | undefined {
    return intervals[intervals.indexOf(this.interval) + contextSteps];
  }

  /** Whether the account stream has reported an order. */
  hasHeardOf(orderId: string): boolean {
    return this.#heard.has(orderId) || (this.account?.orders.has(orderId) ?? false);
  }

  /** Values of this account read outside its stream; undefined until read, and after another account was chosen. */
  unstreamedOf(accountId: string | undefined): Unstreamed | undefined {
    if (accountId === undefined || this.#exits?.account_id !== accountId) return undefined;
    return { ...this.besides(accountId), marks: this.#exits.marks, oneR: this.#exits.oneR };
  }

  /** Sources of automatic orders in the account on the screen, as far as they were read. */
  get acting(): readonly Acting[] {
    const { accountId: id } = this;
    const state = id === undefined ? undefined : this.states.accounts.get(id);
    if (state === undefined) return [];
    const { working, parents, copies } = state.parts;
    const orders = [...(lastKnown(working)?.values() ?? [])];
    return actingOf(id!, { working: orders, twaps: lastKnown(parents), copies: lastKnown(copies) });
  }

  /** The same without the books' prices for its exits. */
  besides(accountId: string): Omit<Unstreamed, 'marks' | 'oneR'> {
    const { parents, policy } = this.states.accounts.get(accountId)?.parts ?? {};
    return { twaps: parents && known(parents), policy: (policy && known(policy)) ?? undefined };
  }

  /** The prices that the books would give an account's exits, and 1R of its positions. */
  takeExits(account_id: string, marks: Marks, oneR: Unstreamed['oneR'] = new Map()): void {
    this.#exits = { account_id, marks, oneR };
  }

  /** All markets: held and watched ones first. */
  get markets(): readonly Market[] {
    return [...new Set([...this.watched, ...this.#byId.values()])];
  }

  market(id: string): Market | undefined {
    return this.#byId.get(id);
  }

  prices(marketId: string): Prices {
    return this.#prices.get(marketId) ?? {};
  }

  /** Change over 24 hours in percent; undefined if it is not known. */
  change(marketId: string): number | undefined {
    return this.#changes.get(marketId);
  }

  /** The midpoint at which positions are valued; undefined without a price. */
  mid(marketId: string): number | undefined {
    const { mid } = this.prices(marketId);
    return mid === undefined ? undefined : Number(mid);
  }

  /** The marks of the markets of these; those without a price are absent. */
  marks(of: Iterable<{ readonly market_id: string }>): Map<string, Mark> {
    const marks = new Map<string, Mark>();
    for (const { market_id: id } of of) {
      const price = this.mid(id);
      const { tick_size: tick, category } = this.market(id) ?? {};
      if (price !== undefined) marks.set(id, { price, at: this.time, tick, category });
    }
    return marks;
  }

  /** The account's open position in the chosen market. */
  get position(): Position | undefined {
    return [...(this.account?.positions.values() ?? [])].find((one) => one.market_id === this.chosen.market_id);
  }

  /** The account's working orders in the chosen market. */
  get orders(): Order[] {
    return [...(this.account?.orders.values() ?? [])].filter((one) => one.market_id === this.chosen.market_id);
  }

  /** Applies events of the market stream. */
  takeEvents(events: readonly MarketStreamEvent[]): void {
    for (const event of events) {
      const market = this.#known.get(keyOf(event.provider, event.symbol ?? ''));
      if (market === undefined) continue;
      const isChosen = market.market_id === this.chosen.market_id;
      if (event.type === 'tick') this.#takeTick(event, market.market_id);
      else if (event.type === 'marketStats') this.#takeStats(event, market.market_id);
      else if (event.type === 'book' && isChosen) this.#takeBook(event);
      else if (event.type === 'candle' && isChosen) this.#takeCandle(event);
      else if (event.type === 'trade' && isChosen) this.#takePrint(event);
    }
  }

  /** A frame of the account stream has been applied. */
  tookFrame(frame: AccountFrame): void {
    if (frame.type === 'order') this.#heardOf(frame.order.id);
    if ('time' in frame) this.#passed(frame.time);
    if (frame.type === 'snapshot_end') this.#chooseAccount();
    this.#watchWhatIsOpen();
  }

  /** Accounts have been read. */
  tookReads(): void {
    this.#chooseAccount();
    this.#watchWhatIsOpen();
  }

  /** A midpoint that was read over REST. */
  takeMid(marketId: string, mid: number, time: number): void {
    this.#prices.set(marketId, { ...this.prices(marketId), mid: String(mid) });
    this.#passed(time);
  }

  /** Sets the exchange's time, which may be earlier than before: clocks are set back, states are reset. */
  takeTime(time: number): void {
    this.time = time;
  }

  /** Drops what a new connection will send again; accounts are kept until then. */
  startOver(): void {
    this.endings.clear();
    this.#exits = undefined;
    this.candles = [];
    this.context = [];
    this.prints = [];
    this.#heard.clear();
    this.book = undefined;
    this.time = 0;
  }

  /** Drops everything of an earlier run of the simulation. */
  startAnew(): void {
    this.startOver();
    this.streams.forget();
    this.#prices.clear();
    this.#changes.clear();
    this.ahead = new Map();
    this.grid = undefined;
    this.locks = new Map();
    this.areLocksKnown = false;
  }

  /** Shows another market or interval; drops the data of the previous one. */
  choose(market: Market, interval: Interval): void {
    if (market.market_id !== this.chosen.market_id) {
      this.book = undefined;
      this.grid = undefined;
      this.prints = [];
    }
    if (market.market_id !== this.chosen.market_id || interval !== this.interval) {
      this.candles = [];
      this.context = [];
    }
    this.chosen = market;
    this.interval = interval;
    if (!this.watched.includes(market)) this.watched = [...this.watched, market];
  }

  #takeTick({ kind, price, time }: TickEvent, marketId: string): void {
    this.#prices.set(marketId, { ...this.prices(marketId), [kind]: price });
    this.#passed(time);
  }

  #takeStats({ change24hPct: change }: MarketStatsEvent, marketId: string): void {
    if (change === null) this.#changes.delete(marketId);
    else if (change !== undefined) this.#changes.set(marketId, change);
  }

  #takeBook(event: BookEvent): void {
    this.book = event;
    this.#passed(event.time);
  }

  #takePrint(event: TradeEvent): void {
    const from = event.time - printsMs;
    const first = this.prints.findIndex(({ time }) => time > from);
    this.prints = [...(first < 0 ? [] : this.prints.slice(first)), event].slice(-maxPrints);
    this.#passed(event.time);
  }

  #heardOf(orderId: string): void {
    this.#heard.add(orderId);
    for (const oldest of this.#heard) {
      if (this.#heard.size <= maxHeard) break;
      this.#heard.delete(oldest);
    }
  }

  #takeCandle(event: CandleEvent): void {
    if (event.interval === this.interval) this.candles = withCandle(this.candles, event);
    else if (event.interval === this.contextInterval) this.context = withCandle(this.context, event);
  }

  #passed(time: number): void {
    if (time > this.time) this.time = time;
  }

  /** Without a choice: an active account, otherwise the newest one, so that its end is seen. */
  #chooseAccount(): void {
    if (this.account !== undefined) return;
    const known = [...this.accounts.values()].map(({ account }) => account);
    const newest = known.toSorted((one, other) => (other.created_at ?? 0) - (one.created_at ?? 0));
    this.accountId = (known.find(({ status }) => status === 'active') ?? newest[0])?.id;
  }

  /** A market with a position or an order is added to the strip, because its price matters now. */
  #watchWhatIsOpen(): void {
    for (const { positions, orders } of this.accounts.values()) {
      for (const { market_id } of [...positions.values(), ...orders.values()]) {
        const market = this.#byId.get(market_id);
        if (market !== undefined && !this.watched.some((one) => one.market_id === market_id))
          this.watched = [...this.watched, market];
      }
    }
  }
}

/** Candles with a new one, or an updated one. */
function withCandle(candles: readonly CandleEvent[], event: CandleEvent): readonly CandleEvent[] {
  const last = candles.at(-1);
  if (last === undefined || event.openTime > last.openTime) return [...candles, event].slice(-maxCandles);
  const at = candles.findLastIndex(({ openTime }) => openTime <= event.openTime);
  const isKnown = candles[at]?.openTime === event.openTime;
  return candles.toSpliced(isKnown ? at : at + 1, isKnown ? 1 : 0, event).slice(-maxCandles);
}

function keyOf(provider: string, coin: string): string {
  return `${provider} ${coin}`;
}
