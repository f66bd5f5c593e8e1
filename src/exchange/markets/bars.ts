import { firstPlace } from '../../base/terms/sorted.ts';
import type { Lots, Ms, Price } from '../engine/model.ts';
import type { MarketSource } from '../engine/source.ts';

/**
 * Bar lengths. Those up to a day, and `3d`, are counted from the Unix epoch; weeks start on Monday; months are UTC
 * months.
 */
export type BarInterval = keyof typeof lengths | '1M';

/** The prints of a period, summed up. Shorter bars add up to longer ones exactly. */
export interface Bar {
  /** First millisecond of the bar, and of the next one. */
  readonly openTime: Ms;
  readonly endTime: Ms;
  /**
   * First, highest, lowest and last price. Without prints: the last price before the bar, or null if there was none.
   */
  readonly open: Price | null;
  readonly high: Price | null;
  readonly low: Price | null;
  readonly close: Price | null;
  readonly volume: Lots;
  /** Sum of price x size over the prints, in price units x lots. */
  readonly quoteVolume: bigint;
  readonly count: number;
}

/** A market source that knows the history of its prints. */
export interface MarketData extends MarketSource {
  /**
   * `count` consecutive bars of the market's prints, starting with the one that contains `from`. Ignores prints after
   * `until`.
   */
  bars(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Bar[];
  /** Does in small pieces the work that `bars` would otherwise do all at once for these; absent: hardly any. */
  prepareBars?(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Generator<void, void>;
}

/** The bars of a market, and how to prepare them. */
export type BarSource = Pick<MarketData, 'bars' | 'prepareBars'>;

/** Target duration of one piece of a computation, ms; its size is adjusted to meet it. */
const pieceMs = 1;

/** Adjusts the amount of work per piece to how long the last piece took. */
export class PieceSize {
  #size: number;
  #startedAt = 0;

  constructor(first: number) {
    this.#size = first;
  }

  /** The size of the piece that starts now. */
  start(): number {
    this.#startedAt = performance.now();
    return Math.max(1, Math.floor(this.#size));
  }

  /** The piece is done. */
  end(): void {
    const ratio = pieceMs / Math.max(performance.now() - this.#startedAt, 0.01);
    this.#size = Math.max(1, this.#size * Math.min(4, ratio));
  }
}

/** `bars` in pieces of about a millisecond. */
export function* barsInPieces(
  source: BarSource,
  ...[marketId, interval, from, count, until]: Parameters<MarketData['bars']>
): Generator<void, Bar[]> {
  if (source.prepareBars !== undefined) yield* source.prepareBars(marketId, interval, from, count, until);
  const bars: Bar[] = [];
  const size = new PieceSize(4);
  let start = barStart(interval, from);
  while (bars.length < count) {
    const piece = source.bars(marketId, interval, start, Math.min(size.start(), count - bars.length), until);
    for (const bar of piece) bars.push(bar);
    start = piece.at(-1)!.endTime;
    size.end();
    yield;
  }
  return bars;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The Unix epoch was a Thursday; weeks begin on Monday. */
const epochWeekMs = 4 * dayMs;

const lengths = {
  '1s': secondMs,
  '1m': minuteMs,
  '3m': 3 * minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': hourMs,
  '2h': 2 * hourMs,
  '4h': 4 * hourMs,
  '8h': 8 * hourMs,
  '12h': 12 * hourMs,
  '1d': dayMs,
  '3d': 3 * dayMs,
  '1w': 7 * dayMs,
};

/** All bar lengths, shortest first. */
export const barIntervals: readonly BarInterval[] = [...(Object.keys(lengths) as BarInterval[]), '1M'];

/** Start of the bar that contains a time. */
export function barStart(interval: BarInterval, time: Ms): Ms {
  if (interval === '1M') {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const length = lengths[interval];
  const offset = interval === '1w' ? epochWeekMs : 0;
  return Math.floor((time - offset) / length) * length + offset;
}

/** Start of the bar after the one that starts at `start`. */
export function nextBarStart(interval: BarInterval, start: Ms): Ms {
  if (interval !== '1M') return start + lengths[interval];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** A number of bars that had ended by a time, and their length. */
interface BarsBefore {
  readonly interval: BarInterval;
  readonly count: number;
  readonly now: Ms;
}

/** The start of the last `count` bars that had ended by `now`. */
export function startBefore({ interval, count, now }: BarsBefore): Ms {
  let start = barStart(interval, now);
  for (let missing = count; missing > 0; missing -= 1) start = barStart(interval, start - 1);
  return start;
}

/** The last `count` bars of a market that had ended by `now`, oldest first. */
export function closedBars(source: BarSource, marketId: string, before: BarsBefore): Bar[] {
  const { interval, count, now } = before;
  return source.bars(marketId, interval, startBefore(before), count, barStart(interval, now) - 1);
}

/** The prints from `time` on, summed up as in a bar. */
export interface PrintSum {
  time: Ms;
  open: Price;
  high: Price;
  low: Price;
  close: Price;
  volume: Lots;
  /** Sum of price x size. */
  quoteVolume: bigint;
  count: number;
}

/** The sum of one print; it starts at `time`. */
function sumOf(time: Ms, price: Price, size: Lots): PrintSum {
  const quoteVolume = BigInt(price) * BigInt(size);
  return { time, open: price, high: price, low: price, close: price, volume: size, quoteVolume, count: 1 };
}

/** Adds a later sum to an earlier one. */
export function joined(sum: PrintSum, next: PrintSum): PrintSum {
  if (next.high > sum.high) sum.high = next.high;
  if (next.low < sum.low) sum.low = next.low;
  sum.close = next.close;
  sum.volume += next.volume;
  sum.quoteVolume += next.quoteVolume;
  sum.count += next.count;
  return sum;
}

/** Index of the first sum that starts at `time` or later. */
export function firstFrom(sums: readonly PrintSum[], time: Ms): number {
  return firstPlace(sums.length, (place) => sums[place]!.time < time);
}

/** All of these sums together, in order; null if there are none. */
export function total(sums: Iterable<PrintSum | null>): PrintSum | null {
  let all: PrintSum | null = null;
  for (const sum of sums) if (sum !== null) all = all === null ? { ...sum } : joined(all, sum);
  return all;
}

/** The bar of a sum, or of no prints, if `last` is the last price before. */
export function barOf(openTime: Ms, endTime: Ms, sum: PrintSum | null, last: Price | null): Bar {
  return {
    openTime,
    endTime,
    open: sum?.open ?? last,
    high: sum?.high ?? last,
    low: sum?.low ?? last,
    close: sum?.close ?? last,
    volume: sum?.volume ?? 0,
    quoteVolume: sum?.quoteVolume ?? 0n,
    count: sum?.count ?? 0,
  };
}

/** The sum of a bar's prints; null if it has none. */
export function sumOfBar({ openTime, open, high, low, close, volume, quoteVolume, count }: Bar): PrintSum | null {
  if (count === 0 || open === null || high === null || low === null || close === null) return null;
  return { time: openTime, open, high, low, close, volume, quoteVolume, count };
}

/** The starts of bars, and of the one after them. */
export function startsOf(interval: BarInterval, from: Ms, count: number): Ms[] {
  const starts = [barStart(interval, from)];
  while (starts.length <= count) starts.push(nextBarStart(interval, starts.at(-1)!));
  return starts;
}

/** Sums of prints, which come in time order, over spans of equal length; omits spans without prints. */
export class PrintSums {
  readonly sums: PrintSum[] = [];
  private readonly length: Ms;

  constructor(length: Ms) {
    this.length = length;
  }

  add(time: Ms, price: Price, size: Lots): void {
    const start = Math.floor(time / this.length) * this.length;
    const next = sumOf(start, price, size);
    const last = this.sums.at(-1);
    if (last?.time === start) joined(last, next);
    else this.sums.push(next);
  }

  /** Makes the price unit finer by a factor. */
  refine(factor: number): void {
    for (const sum of this.sums) {
      sum.open *= factor;
      sum.high *= factor;
      sum.low *= factor;
      sum.close *= factor;
      sum.quoteVolume *= BigInt(factor);
    }
  }
}
