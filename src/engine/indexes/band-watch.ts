import type { HalfPrice } from '../model.ts';

/** A range of marks, both ends included, in which nothing happens. */
export interface MarkBand {
  low: HalfPrice;
  high: HalfPrice;
}

/** Nothing depends on the market: whatever its mark, its events change nothing. */
export const alwaysQuiet: MarkBand = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
/** Any event may change something. */
export const neverQuiet: MarkBand = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

/** The marks that are quiet in both bands. */
export function bothQuiet(left: MarkBand, right: MarkBand): MarkBand {
  return { low: Math.max(left.low, right.low), high: Math.min(left.high, right.high) };
}

/** Whether a mark is inside a band by at least `margin`. */
export function isInside(band: MarkBand, mark: number, margin: number): boolean {
  return mark - margin >= band.low && mark + margin <= band.high;
}

/**
 * Keys to check once one market's mark leaves their band. Checking costs nothing while the mark stays inside every
 * band, however many there are.
 */
export class BandIndex {
  private readonly bands = new Map<string, MarkBand>();
  /** Keys by their lower bound, ascending: a falling mark reaches the last one first. */
  private readonly byLow = new SortedKeys();
  /** Keys by their negated upper bound, ascending: a rising mark reaches the last one first. */
  private readonly byHigh = new SortedKeys();

  get isEmpty(): boolean {
    return this.bands.size === 0;
  }

  /** The marks at which no key needs to be checked. */
  get quiet(): MarkBand {
    return { low: this.byLow.top, high: -this.byHigh.top };
  }

  set(key: string, band: MarkBand): void {
    this.delete(key);
    this.bands.set(key, band);
    this.byLow.add(band.low, key);
    this.byHigh.add(-band.high, key);
  }

  delete(key: string): void {
    const band = this.bands.get(key);
    if (band === undefined) return;
    this.bands.delete(key);
    this.byLow.remove(band.low, key);
    this.byHigh.remove(-band.high, key);
  }

  /** Keys whose band does not contain this mark. */
  left(mark: HalfPrice): string[] {
    if (mark >= this.byLow.top && -mark >= this.byHigh.top) return [];
    return [...this.byLow.above(mark), ...this.byHigh.above(-mark)];
  }
}

/** Keys with a number each, ascending, ties by key. */
class SortedKeys {
  private readonly numbers: number[] = [];
  private readonly keys: string[] = [];

  get top(): number {
    return this.numbers.length === 0 ? Number.NEGATIVE_INFINITY : this.numbers[this.numbers.length - 1]!;
  }

  add(number: number, key: string): void {
    const at = this.indexOf(number, key);
    this.numbers.splice(at, 0, number);
    this.keys.splice(at, 0, key);
  }

  remove(number: number, key: string): void {
    const at = this.indexOf(number, key);
    this.numbers.splice(at, 1);
    this.keys.splice(at, 1);
  }

  /** Keys whose number is greater than `bound`. */
  above(bound: number): string[] {
    let at = this.numbers.length;
    while (at > 0 && this.numbers[at - 1]! > bound) at -= 1;
    return this.keys.slice(at);
  }

  /** First index at or after (number, key). */
  private indexOf(number: number, key: string): number {
    let low = 0;
    let high = this.numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.numbers[middle]!;
      if (there < number || (there === number && this.keys[middle]! < key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The key of a market's bands that are about its venue's own mark, not its midpoint. */
export function venueKey(marketId: string): string {
  return `${marketId} venue`;
}

/**
 * Owners to check (accounts for risk, strategies for prices): those that changed, and those with a market whose mark
 * left the band in which nothing can happen to them. All others cost nothing.
 */
export class BandWatch {
  private readonly changed = new Set<string>();
  private readonly indexes = new Map<string, BandIndex>();
  private readonly bandsOf = new Map<string, ReadonlyMap<string, MarkBand>>();

  /** The data that this owner's bands were derived from has changed. */
  noteChange(id: string): void {
    this.changed.add(id);
  }

  /** A market has a new mark. Without a mark (NaN), no band applies. */
  markMoved(marketId: string, mark: HalfPrice): void {
    const index = this.indexes.get(marketId);
    if (index === undefined) return;
    for (const id of index.left(mark)) this.changed.add(id);
  }

  /** The marks of a market at which no owner needs to be checked. */
  quiet(marketId: string): MarkBand {
    return this.indexes.get(marketId)?.quiet ?? alwaysQuiet;
  }

  /** Whether anyone waits for marks of a market. */
  watches(marketId: string): boolean {
    return this.indexes.has(marketId);
  }

  get hasChanged(): boolean {
    return this.changed.size > 0;
  }

  /** The owners to check now, in order of creation; they are removed from the list. */
  takeChanged(): string[] {
    const ids = [...this.changed].sort();
    this.changed.clear();
    return ids;
  }

  /**
   * Sets the bands by market in which this owner needs no check; an empty map means never. Returns whether they
   * changed: then the set of events that may be skipped has changed.
   */
  setBands(id: string, bands: ReadonlyMap<string, MarkBand>): boolean {
    const before = this.bandsOf.get(id) ?? noBands;
    if (areEqual(before, bands)) return false;
    for (const marketId of before.keys()) {
      const index = this.indexes.get(marketId)!;
      index.delete(id);
      if (index.isEmpty) this.indexes.delete(marketId);
    }
    if (bands.size === 0) this.bandsOf.delete(id);
    else this.bandsOf.set(id, bands);
    for (const [marketId, band] of bands) {
      const index = this.indexes.get(marketId) ?? new BandIndex();
      this.indexes.set(marketId, index);
      index.set(id, band);
    }
    return true;
  }
}

const noBands: ReadonlyMap<string, MarkBand> = new Map();

function areEqual(left: ReadonlyMap<string, MarkBand>, right: ReadonlyMap<string, MarkBand>): boolean {
  if (left.size !== right.size) return false;
  for (const [marketId, { low, high }] of left) {
    const other = right.get(marketId);
    if (other === undefined || other.low !== low || other.high !== high) return false;
  }
  return true;
}
