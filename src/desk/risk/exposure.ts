/** An open or planned position: signed size (long above zero), average entry, leverage and margin mode. */
export interface Exposure {
  size: number;
  entry: number;
  leverage: number;
  marginMode: 'cross' | 'isolated';
  /** Extra isolated margin, USD. */
  extraMargin: number;
}

/** The exposure after a trade of `size` (signed) at `price`; null: flat. */
export function afterTrade(
  before: Exposure | null,
  trade: { size: number; price: number; leverage: number; marginMode: 'cross' | 'isolated' },
): Exposure | null {
  const { size, price, leverage, marginMode } = trade;
  if (before === null) return { size, entry: price, leverage, marginMode, extraMargin: 0 };
  const total = rounded(before.size + size);
  if (total === 0) return null;
  if (Math.sign(total) !== Math.sign(before.size))
    return { size: total, entry: price, leverage, marginMode, extraMargin: 0 };
  if (Math.sign(size) !== Math.sign(before.size)) return { ...before, size: total };
  return { ...before, size: total, entry: (before.entry * before.size + price * size) / total };
}

/** Removes binary rounding noise; a billionth of a lot is flat. */
function rounded(size: number): number {
  return Math.abs(size) < 1e-12 ? 0 : Number(size.toPrecision(14));
}
