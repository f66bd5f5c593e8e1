import { BandIndex } from './band-index.ts';
import type { HalfPrice } from './model.ts';
import { everQuiet } from './quiet.ts';
import type { MarkBand } from './risk-bands.ts';

/**
 * Who must be looked at (accounts by their risk, strategies by their prices): those that changed, and those one of
 * whose markets left the band in which nothing can happen to them. Everybody else costs nothing.
 */
export class BandWatch {
  private readonly changed = new Set<string>();
  private readonly indexes = new Map<string, BandIndex>();
  private readonly marketsOf = new Map<string, string[]>();

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

  /** Sets the bands by market in which this one need not be looked at; an empty map: never. */
  setBands(id: string, bands: ReadonlyMap<string, MarkBand>): void {
    for (const marketId of this.marketsOf.get(id) ?? []) {
      const index = this.indexes.get(marketId)!;
      index.delete(id);
      if (index.isEmpty) this.indexes.delete(marketId);
    }
    this.marketsOf.delete(id);
    if (bands.size === 0) return;
    this.marketsOf.set(id, [...bands.keys()]);
    for (const [marketId, band] of bands) {
      const index = this.indexes.get(marketId) ?? new BandIndex();
      this.indexes.set(marketId, index);
      index.set(id, band);
    }
  }
}
