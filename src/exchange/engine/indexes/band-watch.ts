import { firstPlace } from '../../../base/terms/sorted.ts';
import type { HalfPrice } from '../model.ts';

/** A range of marks, both ends included, in which nothing happens. */
export interface MarkBand {
  low: HalfPrice;
  high: HalfPrice;
}

/** Nothing depends on the market: regardless of its mark, its events change nothing. */
export const alwaysQuiet: MarkBand = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
/** Any event may change something. */
export const neverQuiet: MarkBand = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

/** Whether a mark is inside a band by at least `margin`. */
export function isInside(band: MarkBand, mark: number, margin: number): boolean {
  return mark - margin >= band.low && mark + margin <= band.high;
}

/** Keys with a number each, ascending, ties by key. */
class SortedKeys {
  /** The greatest number; -Infinity without keys. */
  top = Number.NEGATIVE_INFINITY;
  private readonly numbers: number[] = [];
  private readonly keys: string[] = [];

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  add(number: number, key: string): void {
    const at = this.indexOf(number, key);
    this.numbers.splice(at, 0, number);
    this.keys.splice(at, 0, key);
    this.top = this.numbers.at(-1)!;
  }

  remove(number: number, key: string): void {
    const at = this.indexOf(number, key);
    this.numbers.splice(at, 1);
    this.keys.splice(at, 1);
    this.top = this.numbers.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Keys whose number is greater than `bound`. */
  above(bound: number): string[] {
    let at = this.numbers.length;
    while (at > 0 && this.numbers[at - 1]! > bound) at -= 1;
    return this.keys.slice(at);
  }

  /** First index at or after (number, key). */
  private indexOf(number: number, key: string): number {
    const { numbers, keys } = this;
    return firstPlace(
      numbers.length,
      (place) => numbers[place]! < number || (numbers[place] === number && keys[place]! < key),
    );
  }
}

/**
 * Owners to check once one market's mark leaves their band. Checking costs nothing while the mark stays inside every
 * band, however many there are.
 */
interface MarketBands {
  /** By their lower bound: a falling mark reaches the last one first. */
  readonly byLow: SortedKeys;
  /** By their negated upper bound: a rising mark reaches the last one first. */
  readonly byHigh: SortedKeys;
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
  /** Those to check; an owner whose bands were derived from data that has changed is added. */
  readonly changed = new Set<string>();
  private readonly markets = new Map<string, MarketBands>();
  private readonly bandsOf = new Map<string, ReadonlyMap<string, MarkBand>>();

  /** A market has a new mark. Without a mark (NaN), no band applies. */
  markMoved(marketId: string, mark: HalfPrice): void {
    const market = this.markets.get(marketId);
    if (market === undefined || (mark >= market.byLow.top && -mark >= market.byHigh.top)) return;
    for (const id of market.byLow.above(mark)) this.changed.add(id);
    for (const id of market.byHigh.above(-mark)) this.changed.add(id);
  }

  /** The marks of a market at which no owner needs to be checked; `alwaysQuiet` if none waits for them. */
  quiet(marketId: string): MarkBand {
    const market = this.markets.get(marketId);
    return market === undefined ? alwaysQuiet : { low: market.byLow.top, high: -market.byHigh.top };
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
    for (const [marketId, { low, high }] of before) {
      const market = this.markets.get(marketId)!;
      market.byLow.remove(low, id);
      market.byHigh.remove(-high, id);
      if (market.byLow.isEmpty) this.markets.delete(marketId);
    }
    if (bands.size === 0) this.bandsOf.delete(id);
    else this.bandsOf.set(id, bands);
    for (const [marketId, { low, high }] of bands) {
      const market = this.markets.get(marketId) ?? { byLow: new SortedKeys(), byHigh: new SortedKeys() };
      this.markets.set(marketId, market);
      market.byLow.add(low, id);
      market.byHigh.add(-high, id);
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
