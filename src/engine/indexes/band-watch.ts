import type { HalfPrice } from '../model.ts';
import { BandIndex } from './band-index.ts';
import type { MarkBand } from './mark-band.ts';
import { everQuiet } from './mark-band.ts';

/**
 * Who must be looked at (accounts by their risk, strategies by their prices): those that changed, and those one of
 * whose markets left the band in which nothing can happen to them. Everybody else costs nothing.
 */
export class BandWatch {
  private readonly changed = new Set<string>();
  private readonly indexes = new Map<string, BandIndex>();
  private readonly bandsOf = new Map<string, ReadonlyMap<string, MarkBand>>();

  /** What the bands of this one were derived from has changed. */
  noteChange(id: string): void {
    this.changed.add(id);
  }

  /** A market has a new mark; without a mark (NaN) no band is left, for nothing can be told by it. */
  markMoved(marketId: string, mark: HalfPrice): void {
    const index = this.indexes.get(marketId);
    if (index === undefined) return;
    for (const id of index.left(mark)) this.changed.add(id);
  }

  /** The marks of a market at which nobody needs looking at. */
  quiet(marketId: string): MarkBand {
    return this.indexes.get(marketId)?.quiet ?? everQuiet;
  }

  get hasChanged(): boolean {
    return this.changed.size > 0;
  }

  /** Those to look at now, in order of creation; taken off the list. */
  takeChanged(): string[] {
    const ids = [...this.changed].sort();
    this.changed.clear();
    return ids;
  }

  /**
   * Sets the bands by market in which this one need not be looked at; an empty map: it never need be. Tells whether they
   * are other than before: then what may be skipped has changed.
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
