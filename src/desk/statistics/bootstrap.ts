import { fraction, keyOf, nextHash } from '../../base/terms/hash.ts';
import { momentsOf, sharpeOf } from './sharpe.ts';

/** A value, and how sure it is. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Draws places in a series by the stationary bootstrap of Politis and Romano, Journal of the American Statistical
 * Association 89 (428), 1994: blocks of random length, which begin anywhere and wrap around.
 */
export class BlockDraws {
  /** The record to draw from, as places in the table; itself resampled, or all of it in order. */
  places: Int32Array;
  /** The state that the next draw depends on. */
  hash = 0;
  #at = -1;
  readonly #ends: number;

  /** `block`: the mean length of a block. */
  constructor(count: number, block: number) {
    this.places = Int32Array.from({ length: count }, (_, at) => at);
    this.#ends = 1 / block;
  }

  /** Starts a new series of draws, which depends on this hash alone. */
  begin(hash: number): void {
    this.hash = hash;
    this.#at = -1;
  }

  next(): number {
    const { places } = this;
    this.hash = nextHash(this.hash);
    if (this.#at < 0 || fraction(this.hash) < this.#ends) {
      this.hash = nextHash(this.hash);
      this.#at = Math.floor(fraction(this.hash) * places.length);
    } else this.#at = this.#at + 1 === places.length ? 0 : this.#at + 1;
    return places[this.#at]!;
  }

  /** A number from 0 to 1. */
  chance(): number {
    this.hash = nextHash(this.hash);
    return fraction(this.hash);
  }
}

/**
 * Compares two series by the stationary bootstrap, with blocks of both taken together, so that common moves stay in
 * both, and with intervals of 95 %. The mean length is the cube root of the number of periods.
 */
export function comparison(one: ArrayLike<number>, other: ArrayLike<number>, draws = 2_000) {
  const count = one.length;
  const block = Math.max(1, Math.round(Math.cbrt(count)));
  const meanOf = (values: ArrayLike<number>) => momentsOf(values).mean;
  const sharpe = (values: ArrayLike<number>) => sharpeOf(momentsOf(values));
  const [first, second] = [new Float64Array(count), new Float64Array(count)];
  const [means, sharpes]: [number[], number[]] = [[], []];
  const drawn = new BlockDraws(count, block);
  let hash = keyOf(1, 'lab', 'bootstrap');
  for (let draw = 0; draw < draws; draw += 1) {
    drawn.begin(hash);
    for (let i = 0; i < count; i += 1) {
      const at = drawn.next();
      first[i] = one[at]!;
      second[i] = other[at]!;
    }
    hash = drawn.hash;
    means.push(meanOf(first) - meanOf(second));
    const [a, b] = [sharpe(first), sharpe(second)];
    if (a !== null && b !== null) sharpes.push(a - b);
  }
  const [a, b] = [sharpe(one), sharpe(other)];
  return {
    /** Of the mean returns for one period. */
    mean: between(meanOf(one) - meanOf(other), means, 0.95),
    /** Of the Sharpe ratios for one period; null if one of them is undefined. */
    sharpe: a === null || b === null ? null : between(a - b, sharpes, 0.95),
    draws,
    /** Mean length of the resampled blocks, periods. */
    block,
  };
}

/** A value with the bounds that contain this share of the draws. */
export function between(value: number, drawn: ArrayLike<number>, share: number): Interval {
  const sorted = Float64Array.from(drawn).sort();
  const outside = (1 - share) / 2;
  return { value, low: quantileOf(sorted, outside), high: quantileOf(sorted, 1 - outside) };
}

/** A quantile of sorted values, interpolated as numpy does by default. */
export function quantileOf(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const next = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return sorted[low]! + (next - sorted[low]!) * (place - low);
}

/**
 * The mean length of blocks that suits a series: Politis and White, "Automatic Block-Length Selection for the Dependent
 * Bootstrap", Econometric Reviews 23 (1), 2004, as corrected by Patton, Politis and White, 28 (4), 2009. At least 1,
 * which draws each value by itself.
 */
export function blockLengthOf(values: ArrayLike<number>): number {
  const count = values.length;
  const { mean, deviation } = momentsOf(values);
  if (count < 10 || deviation === 0) return 1;
  const covariance = (lag: number) => {
    let sum = 0;
    for (let at = lag; at < count; at += 1) sum += (values[at]! - mean) * (values[at - lag]! - mean);
    return sum / count;
  };
  const quiet = Math.max(5, Math.ceil(Math.sqrt(Math.log10(count))));
  const most = Math.ceil(Math.sqrt(count)) + quiet;
  const threshold = 2 * Math.sqrt(Math.log10(count) / count);
  const variance = covariance(0);
  const isLoud = Array.from(
    { length: most + quiet },
    (_, at) => at + 1 < count && Math.abs(covariance(at + 1) / variance) >= threshold,
  );
  // The lag after which `quiet` autocorrelations in a row are insignificant; if there is none, the last significant
  // one.
  let lag = isLoud.findIndex((_, at) => at < most && !isLoud.slice(at, at + quiet).includes(true));
  if (lag < 0) lag = isLoud.lastIndexOf(true) + 1;
  if (lag === 0) return 1;
  const reach = Math.min(2 * lag, most);
  let [spectrum, slope] = [variance, 0];
  for (let at = 1; at <= reach && at < count; at += 1) {
    const weight = at / reach <= 0.5 ? 1 : 2 * (1 - at / reach);
    const both = 2 * weight * covariance(at);
    spectrum += both;
    slope += both * at;
  }
  const length = Math.cbrt((slope * slope) / (spectrum * spectrum)) * Math.cbrt(count);
  return Math.max(1, Math.min(length, Math.ceil(Math.min(3 * Math.sqrt(count), count / 3))));
}
