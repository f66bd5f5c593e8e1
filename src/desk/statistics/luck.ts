import { keyOf, nextHash } from '../../base/terms/hash.ts';
import { normalBelow } from './normal.ts';

/** Signs drawn, and how much work they may be: more trials over more periods get fewer, though never too few to judge. */
const mostDraws = 4_999;
const leastDraws = 499;
const mostWork = 1e9;

/** How well the best of several trials did, compared with luck. */
export interface Luck {
  /** Index of the best trial by `score`. */
  readonly best: number;
  /** Its score: the sum of its returns over the root of the sum of their squares. About its Sharpe ratio times the root of the number of periods. */
  readonly score: number;
  /** The probability that luck alone gives the best of all trials such a score: 1/(draws + 1) to 1. */
  readonly probability: number;
  /** The score that the best of all trials exceeds by luck with probability `level`. */
  readonly needed: number;
  /** How many independent trials would need the same score: trials that did much the same count as one. */
  readonly independent: number;
  readonly draws: number;
}

/**
 * A randomization test of the best of many trials, as in White, "A Reality Check for Data Snooping", Econometrica 68 (5),
 * 2000, with signs instead of a bootstrap: if nothing but luck decides, a period's gains could as well have been losses.
 * So in each draw every period gets a sign, the same for all trials, and the best score of all trials is compared with
 * the real best. Trials that did much the same thus count as one. `columns` are returns over the same periods, 0 where a
 * trial did not run.
 */
export function luckOf(columns: readonly Float64Array[], level: number, draws = affordable(columns)): Luck {
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
  return { best, score, probability: (reached + 1) / (draws + 1), needed, independent: within, draws };
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
