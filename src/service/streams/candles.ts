import { type HistoryPayload, type Interval, maxHistoryPage } from '../../contract/streams.ts';
import type { Ms } from '../../engine/model.ts';
import type { PrintEvent } from '../../engine/source.ts';
import { type Bar, type BarSource, barStart, barsInPieces, nextBarStart } from '../../markets/bars.ts';
import type { Pieces } from '../turns.ts';
import type { EventText } from './event-text.ts';

/** Bars of one market, as known now. */
export interface BarsOfMarket {
  readonly marketId: string;
  readonly text: EventText;
  readonly bars: BarSource;
}

/** Default number of bars in a `candles.history` answer. */
const defaultHistoryPage = 500;

/**
 * A page of candles, oldest first, including the forming one: the newest up to `endTime`, or with only a `startTime`
 * the oldest from there on. Both bound opening times, and both are inclusive.
 */
export function* historyPage(market: BarsOfMarket, request: HistoryPayload, now: Ms): Pieces<string[]> {
  const { startTime, endTime } = request;
  const interval = request.interval as Interval;
  const count = Math.min(request.limit ?? defaultHistoryPage, maxHistoryPage);
  const first = startTime === undefined ? 0 : Math.max(0, startOnOrAfter(interval, startTime));
  const last = barStart(interval, Math.min(now, endTime ?? now));
  if (last < first) return [];
  if (startTime !== undefined && endTime === undefined) return yield* candlesFrom(market, interval, first, count, now);
  let start = last;
  let length = 1;
  for (; length < count; length += 1) {
    const before = barStart(interval, start - 1);
    if (before < first) break;
    start = before;
  }
  return yield* candlesFrom(market, interval, start, length, now);
}

/** The last `closed` closed bars, and the forming one. */
export function newestCandles(market: BarsOfMarket, interval: Interval, closed: number, now: Ms): Pieces<string[]> {
  return historyPage(market, { provider: '', symbol: '', interval, limit: Math.min(closed + 1, maxHistoryPage) }, now);
}

/** At most `count` candles, starting with the one at `from`; none from the future, none before the first print. */
export function* candlesFrom(
  { marketId, text, bars }: BarsOfMarket,
  interval: Interval,
  from: Ms,
  count: number,
  now: Ms,
): Pieces<string[]> {
  let length = 0;
  for (let start = from; length < count && start <= now; start = nextBarStart(interval, start)) length += 1;
  if (length === 0) return [];
  const found = yield* barsInPieces(bars, marketId, interval, from, length, now);
  return found.flatMap((bar) => text.candle(interval, bar, bar.endTime <= now) ?? []);
}

function startOnOrAfter(interval: Interval, time: Ms): Ms {
  const start = barStart(interval, time);
  return start < time ? nextBarStart(interval, start) : start;
}

/** The forming bar, updated with each print. */
export class FormingCandle {
  readonly interval: Interval;
  readonly #text: EventText;
  #bar: { -readonly [K in keyof Bar]: Bar[K] };
  /** Whether it has changed since `current` was last asked. */
  hasChanged = false;

  /** Continues from the current bar of `now`. */
  constructor({ marketId, text, bars }: BarsOfMarket, interval: Interval, now: Ms) {
    this.interval = interval;
    this.#text = text;
    this.#bar = { ...bars.bars(marketId, interval, now, 1, now)[0]! };
  }

  get openTime(): Ms {
    return this.#bar.openTime;
  }

  /** As it is now; null before the first print. */
  current(): string | null {
    this.hasChanged = false;
    return this.#text.candle(this.interval, this.#bar, false);
  }

  /** Finishes every bar that ends at or before `time`; returns their final values, in order. */
  finishUntil(time: Ms): string[] {
    const finished: string[] = [];
    while (this.#bar.endTime <= time) {
      const { endTime: openTime, close } = this.#bar;
      const text = this.#text.candle(this.interval, this.#bar, true);
      if (text !== null) finished.push(text);
      const endTime = nextBarStart(this.interval, openTime);
      const prices = { open: close, high: close, low: close, close };
      this.#bar = { openTime, endTime, ...prices, volume: 0, quoteVolume: 0n, count: 0 };
      this.hasChanged = true;
    }
    return finished;
  }

  /** A print within the bar. */
  add({ price, size }: PrintEvent): void {
    const bar = this.#bar;
    if (bar.count === 0) bar.open = bar.high = bar.low = price;
    bar.high = Math.max(bar.high!, price);
    bar.low = Math.min(bar.low!, price);
    bar.close = price;
    bar.volume += size;
    bar.quoteVolume += BigInt(price) * BigInt(size);
    bar.count += 1;
    this.hasChanged = true;
  }
}
