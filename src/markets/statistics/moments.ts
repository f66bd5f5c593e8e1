/** Arithmetic mean; NaN of nothing. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i]!;
  return sum / values.length;
}

/** The value at a share of the sorted values; NaN of nothing. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Root of the mean square. */
export function deviation(moves: ArrayLike<number>): number {
  let squares = 0;
  for (let i = 0; i < moves.length; i += 1) squares += moves[i]! ** 2;
  return Math.sqrt(squares / moves.length);
}

/** Excess kurtosis about 0, the `leaveOut` largest moves left out: 0 for normal moves. */
export function excessKurtosis(moves: ArrayLike<number>, leaveOut = 0): number {
  const sizes = Float64Array.from({ length: moves.length }, (_, i) => Math.abs(moves[i]!)).sort();
  const kept = sizes.subarray(0, Math.max(0, sizes.length - leaveOut));
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

/** Correlation of a series with itself `lag` places on. */
export function autocorrelation(values: ArrayLike<number>, lag: number): number {
  return laggedCorrelation(values, values, lag);
}

function laggedCorrelation(one: ArrayLike<number>, other: ArrayLike<number>, lag: number): number {
  const count = Math.min(one.length, other.length) - lag;
  let [sumOne, sumOther] = [0, 0];
  for (let i = 0; i < count; i += 1) {
    sumOne += one[i]!;
    sumOther += other[i + lag]!;
  }
  let [both, squaresOne, squaresOther] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const a = one[i]! - sumOne / count;
    const b = other[i + lag]! - sumOther / count;
    both += a * b;
    squaresOne += a * a;
    squaresOther += b * b;
  }
  return both / Math.sqrt(squaresOne * squaresOther);
}

/** Variance over mean: 1 for events that come independently. */
export function dispersion(counts: ArrayLike<number>): number {
  const average = mean(counts);
  let squares = 0;
  for (let i = 0; i < counts.length; i += 1) squares += (counts[i]! - average) ** 2;
  return squares / counts.length / average;
}

/** Relative moves from each value to the one `step` later, without overlap. */
export function movesOf(values: ArrayLike<number>, step = 1): Float64Array {
  const moves = new Float64Array(Math.max(0, Math.floor((values.length - 1) / step)));
  for (let i = 0; i < moves.length; i += 1) moves[i] = values[(i + 1) * step]! / values[i * step]! - 1;
  return moves;
}

/**
 * The most that one phase of any period from 2 to `longest` holds of the moves' variance, over its fair share of it: 1 if
 * there is no rhythm at all. The `leaveOut` largest moves do not count.
 */
export function loudestPhase(moves: ArrayLike<number>, longest: number, leaveOut: number): number {
  const squares = Float64Array.from({ length: moves.length }, (_, i) => moves[i]! ** 2);
  const largest = quantile(squares, 1 - leaveOut / squares.length);
  let loudest = 0;
  for (let period = 2; period <= longest; period += 1) {
    const parts = new Float64Array(period);
    let total = 0;
    for (let i = 0; i < squares.length; i += 1) {
      if (squares[i]! >= largest) continue;
      parts[i % period]! += squares[i]!;
      total += squares[i]!;
    }
    for (const part of parts) loudest = Math.max(loudest, (part * period) / total);
  }
  return loudest;
}
