import { normal } from './draws.ts';
import { fraction, hash32, keyOf } from './hashing.ts';

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
