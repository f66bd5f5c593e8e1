/**
 * Converts path values to prices in grid ticks: base x (2 + x) / (2 - x), which is close to base x e^x, increasing, and
 * exact on every machine.
 */
export class Scale {
  /** Price at value 0, in grid ticks. */
  readonly base: number;
  /** The spread, in grid ticks. */
  readonly spread: number;

  constructor(base: number, spread: number) {
    this.base = base;
    this.spread = spread;
  }

  /** A value's price in grid ticks, not rounded. */
  gridOf(value: number): number {
    return (this.base * (2 + value)) / (2 - value);
  }

  /** The best bid at a value, in grid ticks. */
  bidOf(value: number): number {
    return Math.floor((this.base * (2 + value)) / (2 - value));
  }

  /** The lowest print for the path's lowest value: a sale at the bid. */
  lowestPrint(value: number): number {
    return this.bidOf(value);
  }

  /** The highest print for the path's highest value: a purchase at the ask. */
  highestPrint(value: number): number {
    return this.bidOf(value) + this.spread;
  }
}
