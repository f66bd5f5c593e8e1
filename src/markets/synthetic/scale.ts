/**
 * Converts path values to prices in grid steps: base x (2 + x) / (2 - x), which is close to base x e^x, increasing, and
 * exact on every machine.
 */
export class Scale {
  /** Price at value 0, in grid steps. */
  readonly base: number;
  /** Prints and quotes stay within this many steps of the path's bid and ask. */
  readonly margin: number;

  constructor(base: number, margin: number) {
    this.base = base;
    this.margin = margin;
  }

  /** A value's price in grid steps, not rounded. */
  gridOf(value: number): number {
    return (this.base * (2 + value)) / (2 - value);
  }

  /** The bid of a one-step spread at a value, in grid steps. */
  bidOf(value: number): number {
    return Math.floor((this.base * (2 + value)) / (2 - value));
  }

  /** The lowest print, in grid steps, for the path's lowest value. */
  lowestPrint(value: number): number {
    return this.bidOf(value) - this.margin;
  }

  /** The highest print, in grid steps, for the path's highest value. */
  highestPrint(value: number): number {
    return this.bidOf(value) + 1 + this.margin;
  }
}
