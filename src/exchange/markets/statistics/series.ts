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
export function deviation(moves: ArrayLike<number>): number {
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
export function dispersion(counts: ArrayLike<number>): number {
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
export function knownCount(values: ArrayLike<number>): number {
  return known(values).length;
}
