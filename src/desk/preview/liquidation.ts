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

/**
 * The mark at which the exposure would be liquidated, with other marks fixed (simulation 5); undefined if out of reach:
 * a price can fall by at most 100%, and a short uses the same limit upward. `pool` is the margin behind it: for an
 * isolated position its own margin, extra margin and profit; for a cross position the cross equity and the maintenance
 * of all cross positions, including this one.
 */
export function liquidationPrice(
  exposure: Exposure,
  mark: number,
  maintenanceRatio: number,
  pool: { equity: number; maintenance: number },
): number | undefined {
  const side = Math.sign(exposure.size);
  const room = pool.equity - pool.maintenance;
  const price = mark - (side * room) / Math.abs(exposure.size) / (1 - side * maintenanceRatio);
  return Math.abs(price - mark) < mark * (1 - dust) ? price : undefined;
}

/** A liquidation price this close to zero, as a share of the mark, is a rounding error. */
const dust = 1e-4;

/** The pool of an isolated exposure. */
export function isolatedPool(
  exposure: Exposure,
  mark: number,
  maintenanceRatio: number,
): { equity: number; maintenance: number } {
  const size = Math.abs(exposure.size);
  const margin = (size * exposure.entry) / exposure.leverage;
  const profit = (mark - exposure.entry) * exposure.size;
  return { equity: margin + exposure.extraMargin + profit, maintenance: size * mark * maintenanceRatio };
}

/** Removes binary rounding noise; a billionth of a lot is flat. */
function rounded(size: number): number {
  return Math.abs(size) < 1e-12 ? 0 : Number(size.toPrecision(14));
}
