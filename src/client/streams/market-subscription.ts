import type { CandleEvent, Channel, MarketStreamEvent, StreamError, TradeEvent } from '../../contract/streams.ts';
import { type AskHistory, CandleSequence } from './candle-sequence.ts';
import { marketOf, SeenEvents } from './seen-events.ts';

/** A time span whose events are missing: trades permanently, candles if history has none. Unix ms. */
export interface StreamGap {
  channel: 'trades' | 'candles';
  provider: string;
  symbol: string;
  from: number;
  to: number;
}

/** What a subscription tells its reader. */
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
  readonly #seen = new SeenEvents();
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
    return isFirst || this.channel !== 'candles' ? this.#payload : { ...this.#payload, historyLimit: replayAfterLoss };
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
