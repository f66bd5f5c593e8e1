import { fraction, keyOf, nextHash } from '../../../exchange/markets/synthetic/draws.ts';
import { momentsOf, sharpeOf } from './sharpe.ts';

/** A difference between two series, and how sure it is. */
export interface Difference {
  readonly value: number;
  /** The bounds between which 95 % of the resampled differences are. */
  readonly low: number;
  readonly high: number;
}

/** A paired comparison of two series of returns over the same periods. */
export interface Comparison {
  /** Of the mean returns for one period. */
  readonly mean: Difference;
  /** Of the Sharpe ratios for one period; null if one of them is undefined. */
  readonly sharpe: Difference | null;
  readonly draws: number;
  /** Mean length of the resampled blocks, periods. */
  readonly block: number;
}

/**
 * Compares two series by the stationary bootstrap of Politis and Romano, Journal of the American Statistical Association
 * 89 (428), 1994: blocks of random length of both, taken together, so that what moved both stays in both. The mean length
 * is the cube root of the number of periods.
 */
export function comparison(one: ArrayLike<number>, other: ArrayLike<number>, draws = 2_000): Comparison {
  const count = one.length;
  const block = Math.max(1, Math.round(Math.cbrt(count)));
  const meanOf = (values: ArrayLike<number>) => momentsOf(values).mean;
  const sharpe = (values: ArrayLike<number>) => sharpeOf(momentsOf(values));
  const [first, second] = [new Float64Array(count), new Float64Array(count)];
  const [means, sharpes]: [number[], number[]] = [[], []];
  let hash = keyOf(1, 'lab', 'bootstrap');
  for (let draw = 0; draw < draws; draw += 1) {
    let at = 0;
    for (let i = 0; i < count; i += 1) {
      hash = nextHash(hash);
      const begins = i === 0 || fraction(hash) < 1 / block;
      if (begins) {
        hash = nextHash(hash);
        at = Math.floor(fraction(hash) * count);
      } else at = (at + 1) % count;
      first[i] = one[at]!;
      second[i] = other[at]!;
    }
    means.push(meanOf(first) - meanOf(second));
    const [a, b] = [sharpe(first), sharpe(second)];
    if (a !== null && b !== null) sharpes.push(a - b);
  }
  const [a, b] = [sharpe(one), sharpe(other)];
  return {
    mean: between(meanOf(one) - meanOf(other), means),
    sharpe: a === null || b === null ? null : between(a - b, sharpes),
    draws,
    block,
  };
}

function between(value: number, drawn: number[]): Difference {
  const sorted = Float64Array.from(drawn).sort();
  return { value, low: quantileOf(sorted, 0.025), high: quantileOf(sorted, 0.975) };
}

/** A quantile of sorted values, interpolated as numpy does by default. */
function quantileOf(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const next = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return sorted[low]! + (next - sorted[low]!) * (place - low);
}
