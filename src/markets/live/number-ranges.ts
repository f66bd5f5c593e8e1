/** Maximum number of ranges; beyond it, the lowest is dropped. */
const maxRanges = 256;

/** A set of whole numbers, stored as ranges: for numbers that mostly count up. */
export class NumberRanges {
  /** Ascending; no two ranges are adjacent. */
  private readonly ranges: { from: number; to: number }[] = [];

  /** Whether any number in from..to has been added. */
  meets(from: number, to: number): boolean {
    for (let at = this.ranges.length - 1; at >= 0; at -= 1) {
      const range = this.ranges[at]!;
      if (range.to < from) return false;
      if (range.from <= to) return true;
    }
    return false;
  }

  /** Whether every number in from..to has been added. */
  covers(from: number, to: number): boolean {
    return to < from || this.ranges.some((range) => range.from <= from && to <= range.to);
  }

  /** Adds the numbers from..to. */
  add(from: number, to: number): void {
    let at = this.ranges.length;
    while (at > 0 && this.ranges[at - 1]!.to >= from - 1) at -= 1;
    let [low, high, joined] = [from, to, 0];
    while (at + joined < this.ranges.length && this.ranges[at + joined]!.from <= to + 1) {
      low = Math.min(low, this.ranges[at + joined]!.from);
      high = Math.max(high, this.ranges[at + joined]!.to);
      joined += 1;
    }
    this.ranges.splice(at, joined, { from: low, to: high });
    if (this.ranges.length > maxRanges) this.ranges.shift();
  }

  /** The highest number added; null if there is none. */
  get highest(): number | null {
    return this.ranges.at(-1)?.to ?? null;
  }
}
