import type { Lots, Ms, Price } from '../engine/model.ts';
import type { MarketSource } from '../engine/source.ts';

/**
 * Bar lengths. Those up to a day, and `3d`, are counted from the Unix epoch; weeks start on Monday; months are UTC
 * months.
 */
export type BarInterval =
  | '1s'
  | '1m'
  | '3m'
  | '5m'
  | '15m'
  | '30m'
  | '1h'
  | '2h'
  | '4h'
  | '8h'
  | '12h'
  | '1d'
  | '3d'
  | '1w'
  | '1M';

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
  /** Does in small pieces what `bars` would first have to do all at once for these; absent: nothing much. */
  prepareBars?(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Generator<void, void>;
}

/** The bars of a market, and how to prepare them. */
export type BarSource = Pick<MarketData, 'bars' | 'prepareBars'>;

/** Target duration of one piece of a computation, ms; its size is adjusted to meet it. */
const pieceMs = 1;

/** Finds how much to do at once, from how long the last piece took. */
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

const lengths: Record<Exclude<BarInterval, '1M'>, Ms> = {
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

/** Some bars that had ended by a time: how many, and of which length. */
interface BarsBefore {
  readonly interval: BarInterval;
  readonly count: number;
  readonly now: Ms;
}

/** When the first of the last `count` bars starts that had ended by `now`. */
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
