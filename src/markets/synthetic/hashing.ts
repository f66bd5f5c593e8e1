import { normal } from './draws.ts';

/**
 * Integer hashing is the only source of randomness for synthetic markets. The same inputs give the same 32 bits on
 * every machine, unlike Math.random and the transcendental functions of Math.
 */

const unit = 2 ** -32;

/** A 32-bit hash of two integers under a key; larger integers are reduced modulo 2^32. */
export function hash32(key: number, first: number, second: number): number {
  let hash = key ^ Math.imul(first, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash ^= Math.imul(second, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 16), 0x165667b1);
  return hash ^ (hash >>> 15);
}

/** The next 32 bits of the stream that a hash starts. */
export function nextHash(hash: number): number {
  let next = (hash + 0x6d2b79f5) | 0;
  next = Math.imul(next ^ (next >>> 15), 0x2c1b3c6d);
  next = Math.imul(next ^ (next >>> 12), 0x297a2d39);
  return next ^ (next >>> 15);
}

/** A hash as a fraction in [0, 1). */
export function fraction(hash: number): number {
  return (hash >>> 0) * unit;
}

/** A hash as a number in [-1, 1). */
export function signedUnit(hash: number): number {
  return (hash | 0) * (unit * 2);
}

/** The key for one purpose of one subject (a market, a factor) under a seed; `seed` may be any finite number. */
export function keyOf(seed: number, subject: string, purpose: string): number {
  const whole = Math.trunc(seed);
  let key = hash32(0x51ed270b, whole % 2 ** 32, Math.floor(whole / 2 ** 32));
  for (const text of [subject, purpose]) {
    for (let i = 0; i < text.length; i += 1) key = hash32(key, text.charCodeAt(i), i);
    key = hash32(key, text.length, -1);
  }
  return key;
}

/** The shared factors that move a market, and their weights. The rest of its movement is its own. */
export type Loads = readonly (readonly [factor: string, load: number])[];

/**
 * The random draws at each cut of one market's time. Each is partly shared with all markets of the same factors, so
 * these markets move together, and are busy together, on every scale. Two integers identify a cut.
 */
export class Chance {
  private readonly first: number;
  private readonly firstLoad: number;
  private readonly second: number;
  private readonly secondLoad: number;
  private readonly own: number;
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

  /** 32 random bits of the market's own. */
  ownHash(one: number, other: number): number {
    return hash32(this.own, one, other);
  }

  /** 32 random bits of the market's first factor. */
  sharedHash(one: number, other: number): number {
    return hash32(this.first, one, other);
  }

  /**
   * Whether a stretch with these hashes that moves by `move` in one of two halves does so in the earlier one, which has
   * the share `even` of the time: the half in which its first factor moves more that way.
   */
  isEarly(sharedHash: number, move: number, even: number): boolean {
    const rises = move > 0 === this.firstLoad >= 0;
    return rises ? fraction(sharedHash) >= 1 - even : fraction(sharedHash) < even;
  }

  /** The normal variate that sets the price at a cut with these hashes. */
  move(ownHash: number, sharedHash: number, one: number, other: number): number {
    const move = this.ownLoad * normal(ownHash) + this.firstLoad * normal(sharedHash);
    return this.secondLoad === 0 ? move : move + this.secondLoad * normal(hash32(this.second, one, other));
  }
}
