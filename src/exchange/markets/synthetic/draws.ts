import { hash32, keyOf } from '../../../base/terms/hash.ts';

/** The shared factors that move a market, and their weights. The rest of its movement is its own. */
export type Loads = readonly (readonly [factor: string, load: number])[];

/**
 * The random draws at each cut of one market's time. Each is partly shared with all markets of the same factors, so
 * these markets move together, and are busy together, on every scale. Two integers identify a cut.
 */
export class Chance {
  /** The keys of the draws of its first factor, and its own key. */
  readonly first: number;
  readonly own: number;
  private readonly firstLoad: number;
  private readonly second: number;
  private readonly secondLoad: number;
  private readonly ownLoad: number;

  constructor(seed: number, marketId: string, loads: Loads, purpose: string) {
    const [one, other] = loads;
    this.own = keyOf(seed, marketId, purpose);
    this.first = one === undefined ? this.own : keyOf(seed, one[0], purpose);
    this.firstLoad = one?.[1] ?? 0;
    this.second = other === undefined ? 0 : keyOf(seed, other[0], purpose);
    this.secondLoad = other?.[1] ?? 0;
    this.ownLoad = Math.sqrt(1 - this.firstLoad ** 2 - this.secondLoad ** 2);
  }

  /** The normal variate that sets the price at a cut with these hashes. */
  move(ownHash: number, sharedHash: number, one: number, other: number): number {
    const move = this.ownLoad * normal(ownHash) + this.firstLoad * normal(sharedHash);
    return this.secondLoad === 0 ? move : move + this.secondLoad * normal(hash32(this.second, one, other));
  }
}

/**
 * Random variates from hashes. Only additions, multiplications, divisions and square roots are used, which IEEE 754
 * defines to the last bit, so every machine draws the same numbers.
 */

/** The table of the normal distribution spans this many standard deviations on either side, in steps of 2^-6. */
const reach = 4;
const perDeviation = 64;
const gridCount = 2 * reach * perDeviation;
const quantileCount = 1024;

/** Normal quantiles at 0, 1/1024, ... 1 (the ends at 4 standard deviations). */
const normalTable = new Float64Array(quantileCount + 1);
fillTable();

/** A standard normal variate, within 4 standard deviations, from the 32 bits of a hash. */
export function normal(hash: number): number {
  const bin = hash >>> 22;
  const low = normalTable[bin]!;
  return low + (normalTable[bin + 1]! - low) * ((hash & 0x3fffff) * 2 ** -22);
}

/** Natural logarithm of a positive number, to about 10 digits. */
export function ln(value: number): number {
  let mantissa = value;
  let exponent = 0;
  for (; mantissa > 1.4; mantissa /= 2) exponent += 1;
  for (; mantissa < 0.7; mantissa *= 2) exponent -= 1;
  const t = (mantissa - 1) / (mantissa + 1);
  let sum = 0;
  for (let odd = 13; odd >= 1; odd -= 2) sum = sum * t * t + 1 / odd;
  return 2 * t * sum + exponent * Math.LN2;
}

/** e to the power of a number between -700 and 700, to about 10 digits. */
export function exp(value: number): number {
  const halvings = 12;
  const small = value / 2 ** halvings;
  let power = 1 + small * (1 + (small / 2) * (1 + (small / 3) * (1 + small / 4)));
  for (let i = 0; i < halvings; i += 1) power *= power;
  return power;
}

function fillTable(): void {
  const step = 1 / perDeviation;
  // The ratio of the densities at successive grid points falls by a constant factor.
  const below = new Float64Array(gridCount + 1);
  const bend = exp(-step * step);
  let ratio = exp(reach * step - (step * step) / 2);
  let density = exp((-reach * reach) / 2);
  for (let i = 1; i <= gridCount; i += 1, ratio *= bend) {
    below[i] = below[i - 1]! + density * (1 + ratio);
    density *= ratio;
  }
  const total = below[gridCount]!;
  for (let i = 0, at = 0; i <= quantileCount; i += 1) {
    const wanted = (total * i) / quantileCount;
    while (at + 1 < gridCount && below[at + 1]! <= wanted) at += 1;
    normalTable[i] = (at + (wanted - below[at]!) / (below[at + 1]! - below[at]!)) * step - reach;
  }
  // Between quantiles, draws are even, so a little too far out: a cut that strays too far is taken back after it.
  let squares = 0;
  for (let i = 0; i < quantileCount; i += 1) {
    const [low, high] = [normalTable[i]!, normalTable[i + 1]!];
    squares += low * low + low * high + high * high;
  }
  const deviation = Math.sqrt(squares / (3 * quantileCount));
  for (let i = 0; i <= quantileCount; i += 1) normalTable[i] = normalTable[i]! / deviation;
}

/** How a market's moves are spread over a minute. */
export interface MoveTiming {
  slotsPerMinute: number;
  /**
   * Of every 256 cuts of a minute into spans, and of these into slots, those that leave one half without any move, by
   * level; for calm minutes first, with fewer moves, then for busier ones (see `paceOf`).
   */
  spanLulls: readonly (readonly number[])[];
  slotLulls: readonly (readonly number[])[];
}

/**
 * Moves relative to an ordinary minute's, and the maximum variance, relative to an ordinary minute's, for which that
 * holds.
 */
const paces = [
  { moves: 1 / 16, variance: 1 / 32 },
  { moves: 1 / 8, variance: 1 / 10 },
  { moves: 1 / 4, variance: 1 / 5 },
  { moves: 1 / 2, variance: 1 / 2 },
  { moves: 1, variance: 2 },
  { moves: 2, variance: Number.POSITIVE_INFINITY },
] as const;

/** Which of the lulls a minute with this variance, relative to an ordinary minute's, has. */
export function paceOf(variance: number): number {
  let pace = 0;
  while (variance > paces[pace]!.variance) pace += 1;
  return pace;
}

/** A minute is cut into spans of five seconds, and these into slots. */
export const spansPerMinute = 12;
const spanLevels = 4;
/** The number of levels of cuts over which lulls become certain. */
const lullWidth = 4;
/**
 * Markets that move this often a second are still in the same halves, down to a level of cuts: a shared influence moves
 * them at the same time, to about a second or to five seconds. Slower ones do so to a minute.
 */
const commonMoves = 0.8;
const common = [
  { moves: 0.4, levels: 6 },
  { moves: 0.2, levels: spanLevels },
  { moves: 0, levels: 0 },
] as const;

/** The rhythm with this many moves a second on average; the more the price moves, the more often. */
export function moveTimingOf(slotsPerMinute: number, movesPerSecond: number): MoveTiming {
  const levels = spanLevels + Math.ceil(ln(slotsPerMinute / spansPerMinute) / Math.LN2);
  const shared = common.find(({ moves }) => movesPerSecond >= moves)!.levels;
  const lulls = paces.map(({ moves }) => {
    const first = lullsOf(common[0].levels, 60 * commonMoves * moves).slice(0, shared);
    return [...first, ...lullsOf(levels - shared, (60 * movesPerSecond * moves) / movesOf(first), shared)];
  });
  return {
    slotsPerMinute,
    spanLulls: lulls.map((all) => all.slice(0, spanLevels)),
    slotLulls: lulls.map((all) => all.slice(spanLevels)),
  };
}

/** The later the cuts, the more of them are lulls: moves come in clusters, but not all at once. */
function lullsOf(levels: number, wanted: number, first = 0): number[] {
  const lullsFrom = (start: number) =>
    Array.from({ length: levels }, (_, level) => {
      const lull = Math.max(0, Math.min(1, 0.5 + (first + level - start) / lullWidth));
      return Math.round(256 * lull);
    });
  let [low, high] = [-lullWidth, first + 2 * levels];
  for (let turn = 0; turn < 30; turn += 1) {
    const middle = (low + high) / 2;
    if (movesOf(lullsFrom(middle)) < Math.max(1, wanted)) low = middle;
    else high = middle;
  }
  return lullsFrom(low);
}

/** How many parts move with these lulls: a cut without one doubles their number. */
function movesOf(lulls: readonly number[]): number {
  return lulls.reduce((product, lull) => product * (2 - lull / 256), 1);
}
