import { keyOf, nextHash } from '../../base/terms/hash.ts';
import { normalBelow } from './sharpe.ts';

/** The result of combinatorially symmetric cross-validation for choosing the best of several trials. */
export interface Overfitting {
  /** How often the best in one half of the time is at or below the median of all in the other half: 0 to 1. */
  readonly probability: number;
  /** Its Sharpe ratio for one period where it was chosen and in the other half: one pair for each split. */
  readonly pairs: readonly (readonly [chosen: number, other: number])[];
}

/**
 * The probability of backtest overfitting by CSCV: Bailey, Borwein, Lopez de Prado and Zhu, "The Probability of
 * Backtest Overfitting", Journal of Computational Finance 20 (4), 2017. `columns` are returns of trials over the same
 * periods, cut into `parts` (an even number) of the same length, the remainder at the start left out. A trial that did
 * nothing in a half has a Sharpe ratio of 0 there.
 */
export function overfittingOf(columns: readonly ArrayLike<number>[], parts: number): Overfitting {
  const sums = columns.map((column) => partSums(column, parts));
  const length = Math.floor(columns[0]!.length / parts);
  const half = (length * parts) / 2;
  const pairs: [number, number][] = [];
  let worse = 0;
  const inside = new Float64Array(columns.length);
  const outside = new Float64Array(columns.length);
  for (const chosen of halves(parts)) {
    for (let trial = 0; trial < columns.length; trial += 1) {
      const { first, second, total, totalSquares } = sums[trial]!;
      let [sum, squares] = [0, 0];
      for (const part of chosen) {
        sum += first[part]!;
        squares += second[part]!;
      }
      inside[trial] = ratio(sum, squares, half);
      outside[trial] = ratio(total - sum, totalSquares - squares, half);
    }
    const best = indexOfLargest(inside);
    pairs.push([inside[best]!, outside[best]!]);
    // The logit of the relative rank is at most 0.
    if (rankIn(outside, best) / (columns.length + 1) <= 0.5) worse += 1;
  }
  return { probability: worse / pairs.length, pairs };
}

interface PartSums {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly total: number;
  readonly totalSquares: number;
}

function partSums(column: ArrayLike<number>, parts: number): PartSums {
  const length = Math.floor(column.length / parts);
  const from = column.length - length * parts;
  const [first, second] = [new Float64Array(parts), new Float64Array(parts)];
  let [total, totalSquares] = [0, 0];
  for (let part = 0; part < parts; part += 1) {
    for (let i = from + part * length; i < from + (part + 1) * length; i += 1) {
      first[part]! += column[i]!;
      second[part]! += column[i]! ** 2;
    }
    total += first[part]!;
    totalSquares += second[part]!;
  }
  return { first, second, total, totalSquares };
}

/** Every choice of half of the parts, in lexicographic order. */
function* halves(parts: number): Generator<readonly number[]> {
  const size = parts / 2;
  const chosen = Array.from({ length: size }, (_, at) => at);
  for (;;) {
    yield chosen;
    let at = size - 1;
    while (at >= 0 && chosen[at] === parts - size + at) at -= 1;
    if (at < 0) return;
    chosen[at]! += 1;
    for (let next = at + 1; next < size; next += 1) chosen[next] = chosen[next - 1]! + 1;
  }
}

/** A Sharpe ratio from a sum and a sum of squares; 0 if nothing varies. */
function ratio(sum: number, squares: number, count: number): number {
  const variance = (squares - (sum * sum) / count) / (count - 1);
  return variance <= (squares / count) * 1e-12 ? 0 : sum / count / Math.sqrt(variance);
}

function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i += 1) if (values[i]! > values[best]!) best = i;
  return best;
}

/** The rank of one value, 1 for the smallest; equal ones share the mean of their ranks. */
function rankIn(values: Float64Array, at: number): number {
  let [below, equal] = [0, 0];
  for (const value of values) {
    if (value < values[at]!) below += 1;
    else if (value === values[at]!) equal += 1;
  }
  return below + (equal + 1) / 2;
}

/**
 * The number of signs drawn, and the maximum work for them: more trials over more periods get fewer, though never too
 * few to judge.
 */
const mostDraws = 4_999;
const leastDraws = 499;
const mostWork = 1e9;

/**
 * A randomization test of the best of many trials, as in White, "A Reality Check for Data Snooping", Econometrica 68
 * (5), 2000, with signs instead of a bootstrap: if nothing but luck decides, a period's gains could as well have been
 * losses. So in each draw every period gets a sign, the same for all trials, and the best score of all trials is
 * compared with the real best. Similar trials thus count as one. `columns` are returns over the same periods, 0 where a
 * trial did not run.
 */
export function luckOf(columns: readonly Float64Array[], level: number, draws = affordable(columns)) {
  const rows = columns[0]!.length;
  const scaled = columns.map(normalized);
  const scores = scaled.map((column) => column.reduce((sum, value) => sum + value, 0));
  const best = scores.reduce((top, score, at) => (score > scores[top]! ? at : top), 0);
  const score = scores[best]!;
  const signs = new Float64Array(rows);
  const drawn = new Float64Array(draws);
  let hash = keyOf(1, 'lab', 'signs');
  for (let draw = 0; draw < draws; draw += 1) {
    for (let row = 0; row < rows; row += 1) {
      hash = nextHash(hash);
      signs[row] = hash < 0 ? -1 : 1;
    }
    drawn[draw] = scaled.reduce((top, column) => Math.max(top, product(column, signs)), Number.NEGATIVE_INFINITY);
  }
  const reached = drawn.filter((top) => top >= score - 1e-12).length;
  const needed = drawn.sort()[Math.floor((1 - level) * draws)]!;
  const independent = Math.log(1 - level) / Math.log(normalBelow(needed));
  const within = Math.max(1, Math.min(columns.length, independent));
  return {
    /** Index of the best trial by `score`. */
    best,
    /**
     * Its score: the sum of its returns over the root of the sum of their squares. About its Sharpe ratio times the root
     * of the number of periods.
     */
    score,
    /** The probability that luck alone gives the best of all trials such a score: 1/(draws + 1) to 1. */
    probability: (reached + 1) / (draws + 1),
    /** The score that the best of all trials exceeds by luck with probability `level`. */
    needed,
    /** The number of independent trials that would need the same score: similar trials count as one. */
    independent: within,
    draws,
  };
}

function affordable(columns: readonly Float64Array[]): number {
  const work = columns.length * columns[0]!.length;
  return Math.round(Math.max(leastDraws, Math.min(mostDraws, mostWork / work)));
}

function normalized(column: Float64Array): Float64Array {
  const norm = Math.sqrt(product(column, column));
  return norm === 0 ? column : column.map((value) => value / norm);
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 1) sum += one[i]! * other[i]!;
  return sum;
}
