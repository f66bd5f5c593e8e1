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
