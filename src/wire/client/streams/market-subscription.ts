import {
  type CandleEvent,
  type Channel,
  type MarketStreamEvent,
  maxHistoryPage,
  type StreamError,
  type TradeEvent,
} from '../../contract/streams.ts';

/** A time span whose events are missing: trades permanently, candles if history has none. Unix ms. */
export interface StreamGap {
  channel: 'trades' | 'candles';
  provider: string;
  symbol: string;
  from: number;
  to: number;
}

/** Callbacks of a subscription. */
export interface SubscriptionEvents {
  /** The service has confirmed the subscription, on this connection or another. */
  accepted?(): void;
  /** New events, in order, each once, even if several connections deliver them. */
  events(events: MarketStreamEvent[]): void;
  /** The subscription failed and will not be renewed. */
  refused(error: StreamError): void;
  gap?(gap: StreamGap): void;
  /** The replay is over. */
  live?(): void;
}

/** The type of a channel's events; others are ignored. */
const typeIn: Readonly<Record<Channel, MarketStreamEvent['type']>> = {
  ticks: 'tick',
  books: 'book',
  trades: 'trade',
  candles: 'candle',
  marketStats: 'marketStats',
  status: 'status',
};

/** Maximum number of closed candles replayed after a loss; older ones come from history. */
const replayAfterLoss = 10;

/** One subscription, over all connections that carry it. */
export class MarketSubscription {
  readonly channel: Channel;
  isOver = false;
  readonly #payload: object;
  readonly #events: SubscriptionEvents;
  readonly #ask: AskHistory;
  #seen = new SeenEvents();
  readonly #candles = new Map<string, CandleSequence>();
  /** Markets that have had trades. */
  readonly #markets = new Set<string>();
  /** Candles in a frame are reported with its other events; those from history separately. */
  #batch: MarketStreamEvent[] | null = null;
  /** Markets whose next trade shows whether trades are missing. */
  readonly #rejoined = new Set<string>();
  #hasBegun = false;
  #isLive = false;

  constructor(channel: Channel, payload: object, events: SubscriptionEvents, ask: AskHistory) {
    this.channel = channel;
    this.#payload = payload;
    this.#events = events;
    this.#ask = ask;
  }

  /** The request for one more connection. `afterLoss`: no other connection carried it in the meantime. */
  begin(afterLoss: boolean): object {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (afterLoss) for (const market of this.#markets) this.#rejoined.add(market);
    if (isFirst || this.channel !== 'candles') return this.#payload;
    const { historyLimit = 0 } = this.#payload as { historyLimit?: number };
    // Before the first candle, nothing tells which are missing.
    const missed = this.#candles.size > 0 ? replayAfterLoss : Math.max(historyLimit, replayAfterLoss);
    return { ...this.#payload, historyLimit: missed };
  }

  /** Forgets what was reported: another run of a simulation begins. */
  beginAnew(): void {
    this.#seen = new SeenEvents();
    this.#candles.clear();
    this.#markets.clear();
    this.#rejoined.clear();
    this.#hasBegun = false;
  }

  take(events: readonly MarketStreamEvent[]): void {
    if (this.isOver) return;
    const newEvents: MarketStreamEvent[] = [];
    for (const event of events) {
      if (event.type !== typeIn[this.channel]) continue;
      if (event.type === 'candle') this.#takeCandle(event, newEvents);
      else {
        if (event.type === 'trade') this.#lookForGap(event);
        if (this.#seen.isNew(event)) newEvents.push(event);
      }
    }
    if (newEvents.length > 0) this.#events.events(newEvents);
  }

  accepted(): void {
    if (!this.isOver) this.#events.accepted?.();
  }

  live(): void {
    if (this.#isLive || this.isOver) return;
    this.#isLive = true;
    this.#events.live?.();
  }

  refused(error: StreamError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#events.refused(error);
  }

  end(): void {
    this.isOver = true;
  }

  #takeCandle(event: CandleEvent, newEvents: MarketStreamEvent[]): void {
    const key = `${marketOf(event)} ${event.interval}`;
    let sequence = this.#candles.get(key);
    if (sequence === undefined) {
      const { provider, symbol } = event;
      sequence = new CandleSequence(
        (candles) => this.#sendCandles(candles),
        this.#ask,
        (from, to) => this.#events.gap?.({ channel: 'candles', provider, symbol, from, to }),
      );
      this.#candles.set(key, sequence);
    }
    this.#batch = newEvents;
    sequence.take(event);
    this.#batch = null;
  }

  #sendCandles(candles: CandleEvent[]): void {
    if (this.isOver) return;
    if (this.#batch !== null) this.#batch.push(...candles);
    else this.#events.events(candles);
  }

  /** After a loss, the replay starts with trades that were already reported; if not, some are missing. */
  #lookForGap(event: TradeEvent): void {
    const market = marketOf(event);
    this.#markets.add(market);
    if (!this.#rejoined.delete(market)) return;
    const from = this.#seen.lastTradeTime(event);
    const { provider, symbol, time } = event;
    if (from !== null && time > from) this.#events.gap?.({ channel: 'trades', provider, symbol, from, to: time });
  }
}

/** Trade ids remembered for each market: more than a service replays. */
const rememberedTrades = 4_000;

/** Remembers the events reported for each market, so that a second connection repeats none. */
export class SeenEvents {
  readonly #trades = new Map<string, Set<string>>();
  /** Time of the newest tick, book or trade, by market and kind. */
  readonly #newest = new Map<string, { time: number; text: string }>();

  /**
   * Whether an event is new; it is treated as reported from now on. Candles are checked by bar, in `CandleSequence`.
   */
  isNew(event: MarketStreamEvent): boolean {
    if (event.type === 'trade') return this.#isNewTrade(event);
    if (event.type !== 'tick' && event.type !== 'book') return true;
    const key = `${event.type} ${marketOf(event)} ${event.type === 'tick' ? event.kind : ''}`;
    const newest = this.#newest.get(key);
    const text = event.type === 'tick' ? event.price : JSON.stringify([event.bids, event.asks]);
    if (newest !== undefined && (event.time < newest.time || (event.time === newest.time && text === newest.text)))
      return false;
    this.#newest.set(key, { time: event.time, text });
    return true;
  }

  /** Time of the last trade reported for a market; null if none was. */
  lastTradeTime(event: TradeEvent): number | null {
    return this.#newest.get(`trade ${marketOf(event)}`)?.time ?? null;
  }

  #isNewTrade(event: TradeEvent): boolean {
    const market = marketOf(event);
    let ids = this.#trades.get(market);
    if (ids === undefined) {
      ids = new Set();
      this.#trades.set(market, ids);
    }
    if (ids.has(event.tradeId)) return false;
    ids.add(event.tradeId);
    if (ids.size > rememberedTrades) ids.delete(ids.values().next().value!);
    const time = Math.max(event.time, this.lastTradeTime(event) ?? 0);
    this.#newest.set(`trade ${market}`, { time, text: '' });
    return true;
  }
}

/** Provider and symbol as one string. */
function marketOf({ provider, symbol }: { provider: string; symbol?: string }): string {
  return `${provider} ${symbol ?? ''}`;
}

/** Maximum number of pages of history used to fill one gap. */
const maxPages = 20;

/** Asks for `candles.history`. */
type AskHistory = (payload: object) => Promise<unknown>;

/**
 * The candles of one market and interval in order: each bar is finished once, nothing follows its end, and bars that
 * the stream skipped are filled in from history before later ones.
 */
class CandleSequence {
  readonly #onCandles: (candles: CandleEvent[]) => void;
  readonly #ask: AskHistory;
  readonly #onGap: (from: number, to: number) => void;
  /** Start of the bar after the last finished one; null if none is finished yet. */
  #next: number | null = null;
  /** Candles that came while history was requested; null if no request is open. */
  #held: CandleEvent[] | null = null;

  constructor(onCandles: (candles: CandleEvent[]) => void, ask: AskHistory, onGap: (from: number, to: number) => void) {
    this.#onCandles = onCandles;
    this.#ask = ask;
    this.#onGap = onGap;
  }

  take(candle: CandleEvent): void {
    if (this.#held !== null) {
      this.#held.push(candle);
      return;
    }
    if (this.#next !== null && candle.openTime < this.#next) return;
    if (this.#next !== null && candle.openTime > this.#next) {
      this.#held = [candle];
      void this.#fill(candle, this.#next);
      return;
    }
    if (candle.isFinal) this.#next = candle.closeTime + 1;
    this.#onCandles([candle]);
  }

  async #fill(candle: CandleEvent, from: number): Promise<void> {
    const missing = await this.#history(candle, from).catch(() => []);
    const known = this.#next!;
    if (missing[0]?.openTime !== known) this.#onGap(known, missing[0]?.openTime ?? candle.openTime);
    const last = missing.at(-1);
    this.#next = last === undefined ? candle.openTime : last.closeTime + 1;
    if (missing.length > 0) this.#onCandles(missing);
    const held = this.#held!;
    this.#held = null;
    // A hole that history can't fill is reported as a gap, and the bars continue after it.
    if (this.#next < candle.openTime) this.#next = candle.openTime;
    for (const one of held) this.take(one);
  }

  /** Finished bars from `from` on, before the current candle; pages go backward. */
  async #history({ provider, symbol, interval, openTime }: CandleEvent, from: number): Promise<CandleEvent[]> {
    const found = new Map<number, CandleEvent>();
    let endTime = openTime - 1;
    for (let page = 0; page < maxPages; page++) {
      const payload = { provider, symbol, interval, limit: maxHistoryPage, startTime: from, endTime };
      const candles = ((await this.#ask(payload)) as CandleEvent[]).filter(
        (one) => one.isFinal && one.openTime >= from && one.openTime <= endTime,
      );
      for (const one of candles) found.set(one.openTime, { ...one, type: 'candle' });
      const oldest = Math.min(...candles.map((one) => one.openTime));
      if (candles.length === 0 || oldest <= from) break;
      endTime = oldest - 1;
    }
    return [...found.values()].sort((one, other) => one.openTime - other.openTime);
  }
}
