import type { HalfPrice } from '../model.ts';

/** Marks between which nothing happens, both included. */
export interface MarkBand {
  low: HalfPrice;
  high: HalfPrice;
}

/** Nothing of ours hangs on the market: whatever its mark, its events change nothing. */
export const everQuiet: MarkBand = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
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
