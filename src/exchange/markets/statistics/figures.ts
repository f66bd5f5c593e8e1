import type { Samples } from './samples.ts';
import {
  autocorrelation,
  correlation,
  deviation,
  dispersion,
  excessKurtosis,
  knownCount,
  mean,
  movesOf,
  quantile,
  strongestPhase,
} from './series.ts';

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
