import { fraction, hash32, keyOf, nextHash, signedUnit } from '../../../base/terms/hash.ts';

/** The shared factors that move a market, and their weights. The rest of its movement is its own. */
export type Loads = readonly (readonly [factor: string, load: number])[];

/** How unequal the variance of two halves is: the swing shared with the market's factor, and its own. */
export interface Swing {
  readonly sharedSwing: number;
  readonly ownSwing: number;
}

/**
 * The random draws at each cut of one market's time. Each is partly shared with all markets of the same factors, so
 * these markets move together, and are busy together, on every scale. Two integers identify a cut.
 */
export class Chance {
  /** The keys of the draws of its first factor, and of its own. */
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

  /**
   * The earlier half's share of the variance of a stretch with these hashes, which moves by `move`; it has the share
   * `even` of the time. Of every 256 stretches, `lulls` move in one half alone: the one in which the first factor moves
   * more that way.
   */
  earlyShare(even: number, move: number, ownHash: number, sharedHash: number, lulls: number, swing: Swing): number {
    const sharedNext = nextHash(sharedHash);
    const ownNext = nextHash(ownHash);
    if (nextHash(sharedNext) >>> 24 < lulls) {
      const rises = move > 0 === this.firstLoad >= 0;
      return (rises ? fraction(sharedHash) >= 1 - even : fraction(sharedHash) < even) ? 1 : 0;
    }
    const sharedTilt = swing.sharedSwing * signedUnit(sharedNext);
    const ownTilt = swing.ownSwing * signedUnit(ownNext);
    const left = even * (1 + sharedTilt) * (1 + ownTilt);
    return left / (left + (1 - even) * (1 - sharedTilt) * (1 - ownTilt));
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

/** The normal tables span this many standard deviations on either side, in steps of 2^-6. */
const reach = 4;
const perDeviation = 64;
const gridCount = 2 * reach * perDeviation;
const quantileCount = 1024;

/** Normal quantiles at 0, 1/1024, ... 1 (the ends at 4 standard deviations). */
const normalTable = new Float64Array(quantileCount + 1);
/** -ln(1 - Phi(z)) by z: the exponential variate at the same quantile as the normal one. */
const exponentTable = new Float64Array(gridCount + 2);
fillTables();

/** A standard normal variate, within 4 standard deviations, from the 32 bits of a hash. */
export function normal(hash: number): number {
  const bin = hash >>> 22;
  const low = normalTable[bin]!;
  return low + (normalTable[bin + 1]! - low) * ((hash & 0x3fffff) * 2 ** -22);
}

/** The exponential variate of mean 1 at the same quantile as a normal one: it rises from 0 at -4 to about 10 at 4. */
export function exponentOf(z: number): number {
  const place = z < -reach ? 0 : z > reach ? gridCount : (z + reach) * perDeviation;
  const bin = Math.floor(place);
  const low = exponentTable[bin]!;
  return low + (exponentTable[bin + 1]! - low) * (place - bin);
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

function fillTables(): void {
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
  // The exponent grows by the hazard: the share of the remaining probability between this grid point and the next.
  for (let i = 1; i <= gridCount; i += 1) {
    const tail = below[gridCount - i + 1]! + total * 2 ** -15;
    const share = (below[i]! - below[i - 1]!) / tail;
    exponentTable[i] = exponentTable[i - 1]! + share + (share * share) / 2 + share ** 3 / 3 + share ** 4 / 4;
  }
  exponentTable[gridCount + 1] = exponentTable[gridCount]!;
}

/** How a market's moves are spread over a minute. */
export interface Rhythm {
  slotsPerMinute: number;
  /** Moves a second in an ordinary minute. */
  moves: number;
  /**
   * Of every 256 cuts of a minute, those that leave one half without any move, by level: four of spans, then of slots;
   * for calm minutes first, with fewer moves, then for busier ones (see `paceOf`).
   */
  lulls: readonly (readonly number[])[];
}

/** Moves relative to an ordinary minute's, and the variance, relative to an ordinary minute's, up to which it is so. */
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
/** Over how many levels of cuts lulls become certain. */
const lullWidth = 4;

/** The rhythm with this many moves a second on average; the more the price moves, the more often. */
export function rhythmOf(slotsPerMinute: number, movesPerSecond: number): Rhythm {
  const lulls = paces.map(({ moves }) => lullsOf(slotsPerMinute, Math.max(1, 60 * movesPerSecond * moves)));
  return { slotsPerMinute, moves: movesPerSecond, lulls };
}

/** The later the cuts, the more of them are lulls: moves come in clusters, but not all at once. */
function lullsOf(slotsPerMinute: number, movesPerMinute: number): number[] {
  const levels = spanLevels + Math.ceil(ln(slotsPerMinute / spansPerMinute) / Math.LN2);
  const lullsFrom = (start: number) =>
    Array.from({ length: levels }, (_, level) => Math.max(0, Math.min(1, 0.5 + (level - start) / lullWidth)));
  let [low, high] = [-lullWidth, 2 * levels];
  for (let turn = 0; turn < 30; turn += 1) {
    const middle = (low + high) / 2;
    // A cut without a lull doubles the number of parts that move.
    const moves = lullsFrom(middle).reduce((product, lull) => product * (2 - lull), 1);
    if (moves < movesPerMinute) low = middle;
    else high = middle;
  }
  return lullsFrom(low).map((lull) => Math.round(256 * lull));
}
