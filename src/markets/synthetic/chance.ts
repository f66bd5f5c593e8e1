import { normal } from './draws.ts';
import { hash32, keyOf } from './hashing.ts';

/** What moves a market: shared factors and their weights. The rest is its own. */
export type Loads = readonly (readonly [factor: string, load: number])[];

/**
 * What chance decides at each cut of one market's time, drawn in part from what all markets of its factors share: so
 * they move together, and are busy together, on every scale. A cut is named by two integers.
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

  /** 32 bits of the market's own. */
  ownHash(one: number, other: number): number {
    return hash32(this.own, one, other);
  }

  /** 32 bits of the market's first factor. */
  sharedHash(one: number, other: number): number {
    return hash32(this.first, one, other);
  }

  /** The normal number that sets the price at a cut with these hashes. */
  move(ownHash: number, sharedHash: number, one: number, other: number): number {
    const move = this.ownLoad * normal(ownHash) + this.firstLoad * normal(sharedHash);
    return this.secondLoad === 0 ? move : move + this.secondLoad * normal(hash32(this.second, one, other));
  }
}
