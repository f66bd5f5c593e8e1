import type { Samples } from './samples.ts';

/** Longest period of the rhythms that are tested, in samples of the touch. */
const longestPeriod = 64;
/** Minimum data for figures over hours and days. */
const minMinutes = 180;
const looksPerPhase = 900;
/** Minimum samples of the touch for the `thinning` figure. */
const minLooks = 100;

/** One figure of a market: its name and value; NaN without enough data. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

/** Figures on how a market is quoted and traded, from playing it. */
export function playedFigures(samples: Samples): Figure[] {
  const seconds = samples.knownMs / 1000;
  const moves = movesOf(samples.mids);
  const looks = movesOf(samples.touchMids);
  // A grid that depends on the price has no single tick.
  const tick = (samples.definition.tick ?? Number.NaN) / 10 ** samples.definition.priceDecimals;
  const mid = mean(samples.mids);
  // Over a short time, some phase always dominates by chance.
  const phase =
    knownCount(looks) < looksPerPhase * longestPeriod ? Number.NaN : strongestPhase(looks, longestPeriod, 5);
  return [
    figure('book known', 'h', seconds / 3600),
    figure('books', '/s', seconds < 1 ? Number.NaN : samples.books / seconds),
    figure('spread, mean', 'bps', (mean(samples.spreads) / mid) * 1e4),
    figure(
      'spread of one tick',
      '%',
      Number.isNaN(tick) ? tick : shareOf(samples.spreads, (spread) => spread < 1.5 * tick),
    ),
    figure('touch, median', 'USD', quantile(samples.touchUsd, 0.5)),
    figure('depth within 10 bps, one side', 'USD', mean(samples.depth10)),
    figure('depth within 25 bps, one side', 'USD', mean(samples.depth25)),
    figure('move in 1 s', 'bps', deviation(moves) * 1e4),
    figure(
      'mid unchanged after 450 ms',
      '%',
      shareOf(looks, (move) => move === 0),
    ),
    figure('kurtosis of 1 s moves, without the 5 largest', '', excessKurtosis(moves, 5)),
    figure('autocorrelation of 1 s moves, largest of lags 1 to 10', '', largestOf(moves, 10)),
    figure('strongest phase of 2 to 64 samples, without the 5 largest', 'x fair share', phase),
    figure('prints', '/s', mean(samples.counts)),
    figure('prints per second, variance / mean', '', dispersion(samples.counts)),
    figure('traded', 'USD/s', mean(samples.notionals)),
    figure("takers' sides, autocorrelation at lag 1", '', autocorrelation(samples.signs, 1)),
    figure("takers' sides, autocorrelation at lag 10", '', autocorrelation(samples.signs, 10)),
    figure('flow and move in 1 s, correlation', '', correlation(samples.flows, moves)),
    figure('touch before it gives way / other side', '', thinning(samples)),
    figure('imbalance and next move (450 ms), correlation', '', imbalance(samples, looks)),
    figure('markout against makers after 1 s', 'bps', mean(samples.markouts)),
  ];
}

/** Figures on how a market's price moves over minutes and hours, from prices one minute apart (NaN where unknown). */
export function minuteFigures(closes: ArrayLike<number>): Figure[] {
  const known = knownCount(closes);
  if (known < minMinutes) return [];
  const minutes = movesOf(closes);
  const hours = movesOf(closes, 60);
  const sizes = minutes.map(Math.abs);
  return [
    figure('minutes known', 'days', known / 1440),
    figure('move in a day', '%', deviation(movesOf(closes, 1440)) * 100),
    figure('kurtosis of 1 min moves, without the 5 largest', '', excessKurtosis(minutes, 5)),
    figure('kurtosis of 1 h moves, without the 5 largest', '', excessKurtosis(hours, 5)),
    figure('autocorrelation of move sizes, lag 1 min', '', autocorrelation(sizes, 1)),
    figure('autocorrelation of move sizes, lag 5 min', '', autocorrelation(sizes, 5)),
    figure('autocorrelation of move sizes, lag 30 min', '', autocorrelation(sizes, 30)),
    figure('largest move in 1 h', '%', 100 * quantile(hours.map(Math.abs), 1)),
  ];
}

/** Share of the known values, in percent. */
function shareOf(values: Iterable<number>, holds: (value: number) => boolean): number {
  let [held, count] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count += 1;
    if (holds(value)) held += 1;
  }
  return (100 * held) / count;
}

/** Correlation of two markets' moves, second by second. */
export function moveCorrelation(one: Samples, other: Samples): number {
  if (one === other) return 1;
  const moves = movesOf(one.mids);
  const moveFrom = new Map(Array.from(moves, (move, i) => [one.times[i]!, move]));
  const sameMoves = Array.from(other.times, (time) => moveFrom.get(time) ?? Number.NaN);
  return correlation(sameMoves, movesOf(other.mids));
}

/** A figure. */
export function figure(name: string, unit: string, value: number): Figure {
  return { name, unit, value };
}

function largestOf(moves: ArrayLike<number>, lags: number): number {
  let largest = autocorrelation(moves, 1);
  for (let lag = 2; lag <= lags; lag += 1) {
    const here = autocorrelation(moves, lag);
    if (Math.abs(here) > Math.abs(largest)) largest = here;
  }
  return largest;
}

/** Mean size of the touch on the side that the price crosses before the next sample, relative to the other side. */
function thinning({ touchMids, bidSizes, askSizes }: Samples): number {
  let [thin, other] = [0, 0];
  for (let i = 0; i + 1 < touchMids.length; i += 1) {
    const move = touchMids[i + 1]! - touchMids[i]!;
    if (move === 0 || Number.isNaN(move)) continue;
    thin += move > 0 ? askSizes[i]! : bidSizes[i]!;
    other += move > 0 ? bidSizes[i]! : askSizes[i]!;
  }
  return touchMids.length < minLooks ? Number.NaN : thin / other;
}

/** Correlation of the touch's imbalance with the direction of the move until the next sample (0 for no move). */
function imbalance({ bidSizes, askSizes }: Samples, looks: Float64Array): number {
  const tilts = Array.from(looks, (_, i) => (bidSizes[i]! - askSizes[i]!) / (bidSizes[i]! + askSizes[i]!));
  return correlation(tilts, looks.map(Math.sign));
}

/**
 * Statistics of series with gaps: NaN values are skipped, and so are pairs that contain one. With too few values, the
 * result is NaN.
 */

/** Minimum number of values, or pairs, for a kurtosis or a correlation. */
const minValues = 30;

/** Arithmetic mean; NaN if empty. */
export function mean(values: ArrayLike<number>): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i += 1) {
    if (Number.isNaN(values[i]!)) continue;
    sum += values[i]!;
    count += 1;
  }
  return sum / count;
}

/** The quantile at `share`; NaN if empty. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = known(values).sort();
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Root of the mean square. */
function deviation(moves: ArrayLike<number>): number {
  return Math.sqrt(mean(Float64Array.from(moves, (move) => move ** 2)));
}

/** Excess kurtosis about 0, without the `leaveOut` largest moves; 0 for a normal distribution. */
export function excessKurtosis(moves: ArrayLike<number>, leaveOut = 0): number {
  const sizes = known(moves).map(Math.abs).sort();
  if (sizes.length - leaveOut < minValues) return Number.NaN;
  const kept = sizes.subarray(0, sizes.length - leaveOut);
  let [second, fourth] = [0, 0];
  for (const size of kept) {
    second += size ** 2;
    fourth += size ** 4;
  }
  return (fourth * kept.length) / second ** 2 - 3;
}

/** Pearson's correlation of the first `count` values of both. */
export function correlation(one: ArrayLike<number>, other: ArrayLike<number>): number {
  return laggedCorrelation(one, other, 0);
}

/** Correlation of a series with itself shifted by `lag`. */
export function autocorrelation(values: ArrayLike<number>, lag: number): number {
  return laggedCorrelation(values, values, lag);
}

function laggedCorrelation(one: ArrayLike<number>, other: ArrayLike<number>, lag: number): number {
  const length = Math.min(one.length, other.length) - lag;
  let [sumOne, sumOther, count] = [0, 0, 0];
  for (let i = 0; i < length; i += 1) {
    if (Number.isNaN(one[i]! + other[i + lag]!)) continue;
    sumOne += one[i]!;
    sumOther += other[i + lag]!;
    count += 1;
  }
  if (count < minValues) return Number.NaN;
  let [both, squaresOne, squaresOther] = [0, 0, 0];
  for (let i = 0; i < length; i += 1) {
    if (Number.isNaN(one[i]! + other[i + lag]!)) continue;
    const a = one[i]! - sumOne / count;
    const b = other[i + lag]! - sumOther / count;
    both += a * b;
    squaresOne += a * a;
    squaresOther += b * b;
  }
  return both / Math.sqrt(squaresOne * squaresOther);
}

/** Variance over mean: 1 for independent events. */
function dispersion(counts: ArrayLike<number>): number {
  const seconds = known(counts);
  if (seconds.length < minValues) return Number.NaN;
  const average = mean(seconds);
  return mean(seconds.map((count) => (count - average) ** 2)) / average;
}

/** Relative moves from each value to the one `step` later, without overlap; NaN if either is NaN. */
export function movesOf(values: ArrayLike<number>, step = 1): Float64Array {
  const moves = new Float64Array(Math.max(0, Math.floor((values.length - 1) / step)));
  for (let i = 0; i < moves.length; i += 1) moves[i] = values[(i + 1) * step]! / values[i * step]! - 1;
  return moves;
}

/**
 * The largest share of the moves' variance in one phase of any period from 2 to `longest`, relative to its fair share;
 * 1 if there is no rhythm. Ignores the `leaveOut` largest moves.
 */
export function strongestPhase(moves: ArrayLike<number>, longest: number, leaveOut: number): number {
  const squares = Float64Array.from(moves, (move) => move ** 2);
  const largest = quantile(squares, 1 - leaveOut / squares.length);
  let strongest = 0;
  for (let period = 2; period <= longest; period += 1) {
    const parts = new Float64Array(period);
    let total = 0;
    for (let i = 0; i < squares.length; i += 1) {
      if (!(squares[i]! < largest)) continue;
      parts[i % period]! += squares[i]!;
      total += squares[i]!;
    }
    for (const part of parts) strongest = Math.max(strongest, (part * period) / total);
  }
  return strongest;
}

/** The values that are not NaN. */
function known(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).filter((value) => !Number.isNaN(value));
}

/** How many values are not NaN. */
function knownCount(values: ArrayLike<number>): number {
  return known(values).length;
}
