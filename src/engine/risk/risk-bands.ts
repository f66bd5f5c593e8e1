import type { MarkBand } from '../indexes/mark-band.ts';
import type { HalfPrice } from '../model.ts';

/**
 * Something that happens once a sum over marks falls to zero or below: a liquidation, a floor. `slope` is how much one
 * half price of the mark changes the sum, in the unit of `surplus`.
 */
export interface LinearRisk {
  /** The sum at the current marks. */
  readonly surplus: bigint;
  readonly terms: readonly { readonly marketId: string; readonly mark: HalfPrice; readonly slope: bigint }[];
}

/**
 * For each market a band of marks such that none of the risks happens while every market stays in its own. The surplus
 * is divided so that all markets may move by the same fraction. null if something happens at the current marks already.
 */
export function quietBands(risks: readonly LinearRisk[]): Map<string, MarkBand> | null {
  const bands = new Map<string, MarkBand>();
  for (const risk of risks) {
    if (risk.surplus <= 0n) return null;
    const exposure = risk.terms.reduce((sum, { mark, slope }) => sum + BigInt(mark) * magnitude(slope), 0n);
    for (const { marketId, mark, slope } of risk.terms) {
      const band = bands.get(marketId) ?? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
      bands.set(marketId, band);
      if (slope === 0n) continue;
      // With every market at its bound, at most surplus - 1 is used, so the sum stays above zero.
      const distance = Number(((risk.surplus - 1n) * BigInt(mark)) / exposure);
      if (slope > 0n) band.low = Math.max(band.low, mark - distance);
      else band.high = Math.min(band.high, mark + distance);
    }
  }
  return bands;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
