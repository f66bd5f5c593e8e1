import type { PricePath } from '../../../src/exchange/markets/synthetic/path.ts';

/**
 * Whether adjacent moves of a path know each other: their correlation at each scale and each phase of the clock, for
 * markets, pairs of them and their principal components. The seed is the unit, since errors within one are correlated.
 */

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Logarithms of prices, one `step` apart. */
export interface Series {
  readonly name: string;
  readonly logs: Float64Array;
}

/** Scales of moves, in ms, by the resolution of the path that shows them; a cut's phase is its place in `period`. */
const scales: readonly { step: number; scale: number; period: number }[] = [
  ...[1, 2, 5, 10, 15, 20, 30].map((of) => ({ step: second, scale: of * second, period: minute })),
  ...[1, 2, 5, 10, 15, 20, 30].map((of) => ({ step: minute, scale: of * minute, period: hour })),
  ...[1, 2, 3, 4, 6, 8, 12].map((of) => ({ step: hour, scale: of * hour, period: day })),
  ...[1, 2, 4, 8].map((of) => ({ step: day, scale: of * day, period: 4 * of * day })),
];

/** Phases are counted up to this many: those of a longer period share a group. */
const mostPhases = 4;

/** What is measured of one seed: the correlation of adjacent moves, by `name scale phase`. */
export type Memories = Map<string, number>;

/** Markets, their pairs, and their first two principal components. */
export function withPairs(series: readonly Series[]): Series[] {
  const normed = series.map(({ name, logs }) => ({ name, logs: divided(logs, deviationOf(logs)) }));
  const pairs = normed.flatMap((one, at) =>
    normed
      .slice(at + 1)
      .map((other) => ({ name: `${one.name}-${other.name}`, logs: difference(one.logs, other.logs) })),
  );
  return [...normed, ...pairs, ...components(normed)];
}

/** Correlations of adjacent moves at the scales of this step; `from` is the time of the first price. */
export function memoriesOf(series: readonly Series[], step: number, from: number): Memories {
  const found: Memories = new Map();
  for (const { scale, period } of scales.filter((one) => one.step === step)) {
    const length = scale / step;
    const phases = Math.min(mostPhases, Math.max(1, period / scale));
    for (const { name, logs } of series) {
      const sums = Array.from({ length: phases }, () => ({ product: 0, squares: 0 }));
      const offset = Math.round(from / step) % length;
      for (let at = 2 * length - offset; at + length < logs.length; at += length) {
        const phase = Math.round((from + at * step) / scale) % phases;
        const before = logs[at]! - logs[at - length]!;
        const after = logs[at + length]! - logs[at]!;
        const sum = sums[phase]!;
        sum.product += before * after;
        sum.squares += (before * before + after * after) / 2;
      }
      for (const [phase, { product, squares }] of sums.entries())
        if (squares > 0) found.set(`${name} ${textOf(scale)} ${phase}`, product / squares);
    }
  }
  return found;
}

export interface Verdict {
  readonly name: string;
  readonly mean: number;
  readonly error: number;
  /** How many errors the mean is away from 0: of a normal distribution, as unlikely as it is with so few seeds. */
  readonly errors: number;
}

/** Means over seeds, the most conspicuous first. */
export function verdicts(seeds: readonly Memories[]): Verdict[] {
  return [...seeds[0]!.keys()]
    .map((name) => {
      const values = seeds.map((one) => one.get(name) ?? 0);
      return { name, ...meanOf(values) };
    })
    .sort((one, other) => Math.abs(other.errors) - Math.abs(one.errors));
}

/** The mean of independent values, and how far it is from 0. */
export function meanOf(values: readonly number[]): Omit<Verdict, 'name'> {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const error = Math.sqrt(variance / values.length);
  return { mean, error, errors: error > 0 ? normalOf(mean / error, values.length - 1) : 0 };
}

/** The normal variate that is as unlikely as this one of Student's distribution (Wallace 1959). */
function normalOf(t: number, freedom: number): number {
  const scale = (8 * freedom + 1) / (8 * freedom + 3);
  return Math.sign(t) * scale * Math.sqrt(freedom * Math.log(1 + (t * t) / freedom));
}

/** Logarithms of a path's prices from one time to another, one `step` apart: a day, an hour, a minute or a second. */
export function logsOf(
  path: PricePath,
  slotsPerSecond: number,
  step: number,
  [from, until]: [number, number],
): Float64Array {
  const values: number[] = [];
  if (step === day) for (let at = from; at < until; at += day) values.push(path.valueAt(at / minute));
  else if (step === hour)
    for (let at = from; at < until; at += day) {
      path.openDay(at / day);
      path.hours.complete();
      values.push(...path.hours.values.subarray(0, 24));
    }
  else if (step === minute)
    for (let at = from; at < until; at += hour) {
      path.openHour(at / hour);
      path.minutes.complete();
      values.push(...path.minutes.values.subarray(0, 60));
    }
  else
    for (let at = from; at < until; at += 5 * second) {
      path.openMinute(Math.floor(at / minute));
      path.openSpan((at % minute) / (5 * second));
      path.slots.complete();
      for (let of = 0; of < 5; of += 1) values.push(path.slots.values[of * slotsPerSecond]!);
    }
  return Float64Array.from(values, Math.log);
}

function textOf(scale: number): string {
  if (scale >= day) return `${scale / day}d`;
  if (scale >= hour) return `${scale / hour}h`;
  return scale >= minute ? `${scale / minute}m` : `${scale / second}s`;
}

/** Standard deviation of the moves of one step. */
export function deviationOf(logs: Float64Array): number {
  let squares = 0;
  for (let at = 1; at < logs.length; at += 1) squares += (logs[at]! - logs[at - 1]!) ** 2;
  return Math.sqrt(squares / (logs.length - 1));
}

function divided(logs: Float64Array, by: number): Float64Array {
  return logs.map((value) => value / by);
}

function difference(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((value, at) => value - other[at]!);
}

/** The first two principal components of the moves, by the power method. */
function components(series: readonly Series[]): Series[] {
  const count = series.length;
  const covariance = series.map(({ logs: one }) =>
    series.map(({ logs: other }) => {
      let sum = 0;
      for (let at = 1; at < one.length; at += 1) sum += (one[at]! - one[at - 1]!) * (other[at]! - other[at - 1]!);
      return sum / (one.length - 1);
    }),
  );
  return ['first component', 'second component'].map((name) => {
    let weights = series.map((_, at) => 1 + at / count);
    for (let turn = 0; turn < 60; turn += 1) {
      const next = covariance.map((row) => row.reduce((sum, value, at) => sum + value * weights[at]!, 0));
      const norm = Math.hypot(...next);
      weights = next.map((value) => value / norm);
    }
    const size = weights.reduce(
      (sum, weight, at) => sum + weight * covariance[at]!.reduce((row, value, to) => row + value * weights[to]!, 0),
      0,
    );
    for (const [at, row] of covariance.entries())
      for (const to of row.keys()) row[to]! -= size * weights[at]! * weights[to]!;
    const logs = new Float64Array(series[0]!.logs.length);
    for (const [at, one] of series.entries())
      for (let i = 0; i < logs.length; i += 1) logs[i]! += weights[at]! * one.logs[i]!;
    return { name, logs };
  });
}
