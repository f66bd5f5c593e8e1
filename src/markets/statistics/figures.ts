import {
  autocorrelation,
  correlation,
  deviation,
  dispersion,
  excessKurtosis,
  loudestPhase,
  mean,
  movesOf,
  quantile,
} from './moments.ts';
import type { Samples } from './samples.ts';

/** Periods of a rhythm that is looked for, in looks at the touch. */
const longestPeriod = 64;
const looksPerPhase = 300;

/** One figure of a market: what it is, and its value; NaN where there was not enough to tell. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

/** How a market is quoted and how it trades, from playing it. */
export function playedFigures(samples: Samples): Figure[] {
  const hours = (samples.to - samples.from) / 3_600_000;
  const seconds = movesOf(samples.mids);
  const looks = movesOf(samples.touchMids);
  // Where the grid depends on the price there is no one tick.
  const tick = (samples.definition.tick ?? Number.NaN) / 10 ** samples.definition.priceDecimals;
  const mid = mean(samples.mids);
  // In a short time some phase always happens to be the loudest.
  const phase = looks.length < looksPerPhase * longestPeriod ? Number.NaN : loudestPhase(looks, longestPeriod, 5);
  return [
    figure('played', 'h', hours),
    figure('books', '/s', samples.books / hours / 3600),
    figure('spread, mean', 'bps', (mean(samples.spreads) / mid) * 1e4),
    figure(
      'books one tick wide',
      '%',
      Number.isNaN(tick) ? tick : shareOf(samples.spreads, (spread) => spread < 1.5 * tick),
    ),
    figure('touch, median', 'USD', quantile(samples.touchUsd, 0.5)),
    figure('depth within 10 bps, one side', 'USD', mean(samples.depth10)),
    figure('depth within 25 bps, one side', 'USD', mean(samples.depth25)),
    figure('move in 1 s', 'bps', deviation(seconds) * 1e4),
    figure(
      'mid unchanged after 450 ms',
      '%',
      shareOf(looks, (move) => move === 0),
    ),
    figure('kurtosis of 1 s moves, without the 5 largest', '', excessKurtosis(seconds, 5)),
    figure('autocorrelation of 1 s moves, largest of lags 1 to 10', '', largestOf(seconds, 10)),
    figure('loudest phase of 2 to 64 looks, without the 5 largest', 'x fair', phase),
    figure('prints', '/s', mean(samples.counts)),
    figure('prints per second, variance / mean', '', dispersion(samples.counts)),
    figure('traded', 'USD/s', mean(samples.notionals)),
    figure("takers' sides, autocorrelation at lag 1", '', autocorrelation(samples.signs, 1)),
    figure("takers' sides, autocorrelation at lag 10", '', autocorrelation(samples.signs, 10)),
    figure('flow and move in 1 s, correlation', '', correlation(samples.flows, seconds)),
    figure('touch before it gives way / other side', '', thinning(samples)),
    figure('imbalance and next move (450 ms), correlation', '', imbalance(samples, looks)),
    figure('markout against makers after 1 s', 'bps', mean(samples.markouts)),
  ];
}

/** How a market's price moves over minutes and hours, from closes a minute apart. */
export function minuteFigures(closes: ArrayLike<number>): Figure[] {
  const minutes = movesOf(closes);
  const hours = movesOf(closes, 60);
  const sizes = minutes.map(Math.abs);
  return [
    figure('closes', 'days', closes.length / 1440),
    figure('move in a day', '%', deviation(movesOf(closes, 1440)) * 100),
    figure('kurtosis of 1 min moves, without the 5 largest', '', excessKurtosis(minutes, 5)),
    figure('kurtosis of 1 h moves, without the 5 largest', '', excessKurtosis(hours, 5)),
    figure('autocorrelation of move sizes, lag 1 min', '', autocorrelation(sizes, 1)),
    figure('autocorrelation of move sizes, lag 5 min', '', autocorrelation(sizes, 5)),
    figure('autocorrelation of move sizes, lag 30 min', '', autocorrelation(sizes, 30)),
    figure('largest move in 1 h', '%', 100 * Math.max(...hours.map(Math.abs))),
  ];
}

/** Share of values, in percent. */
function shareOf(values: Iterable<number> & { length: number }, holds: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (holds(value)) count += 1;
  return (100 * count) / values.length;
}

/** Correlation of two markets' moves in a second. */
export function togetherness(one: Samples, other: Samples): number {
  return correlation(movesOf(one.mids), movesOf(other.mids));
}

function figure(name: string, unit: string, value: number): Figure {
  return { name, unit, value };
}

function largestOf(moves: ArrayLike<number>, lags: number): number {
  let largest = 0;
  for (let lag = 1; lag <= lags; lag += 1) {
    const here = autocorrelation(moves, lag);
    if (Math.abs(here) > Math.abs(largest)) largest = here;
  }
  return largest;
}

/** Mean size of the side of the touch that the price goes through before the next look, over that of the other side. */
function thinning({ touchMids, bidSizes, askSizes }: Samples): number {
  let [thin, other] = [0, 0];
  for (let i = 0; i + 1 < touchMids.length; i += 1) {
    const move = touchMids[i + 1]! - touchMids[i]!;
    if (move === 0) continue;
    thin += move > 0 ? askSizes[i]! : bidSizes[i]!;
    other += move > 0 ? bidSizes[i]! : askSizes[i]!;
  }
  return thin / other;
}

/** Correlation of the touch's imbalance with the direction of the move until the next look, 0 where there is none. */
function imbalance({ bidSizes, askSizes }: Samples, looks: Float64Array): number {
  const tilts = Array.from(looks, (_, i) => (bidSizes[i]! - askSizes[i]!) / (bidSizes[i]! + askSizes[i]!));
  return correlation(tilts, looks.map(Math.sign));
}
