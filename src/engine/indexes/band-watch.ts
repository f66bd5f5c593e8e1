import type { HalfPrice } from '../model.ts';
import { BandIndex } from './band-index.ts';
import type { MarkBand } from './mark-band.ts';
import { alwaysQuiet } from './mark-band.ts';

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
