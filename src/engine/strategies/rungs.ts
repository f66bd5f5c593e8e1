import type { Lots, Price, Side } from '../model.ts';
import { cumulativeShares } from './plan.ts';

/** How a ladder's size is spread from its first rung to its last. */
export type Distribution = 'flat' | 'ascending' | 'descending';

/** Rounds a price down or up to its market's grid; a price on the grid is unchanged. */
export type SnapToGrid = (price: Price, toward: 'down' | 'up') => Price;

/**
 * Prices of a ladder: rung i at start + i x (end - start) / (count - 1), on the grid (simulation 7.3). A price between
 * two grid prices is rounded away from the market: down for a buy, up for a sell.
 */
export function rungPrices(
  ladder: { startPrice: Price; endPrice: Price; rungCount: number; side: Side },
  snap: SnapToGrid,
): Price[] {
  const { startPrice, endPrice, rungCount, side } = ladder;
  const steps = rungCount - 1;
  return Array.from({ length: rungCount }, (_, rung) => {
    // Two products, each of a price and at most nine steps: exact in doubles.
    const scaled = startPrice * (steps - rung) + endPrice * rung;
    return side === 'buy' ? snap(Math.floor(scaled / steps), 'down') : snap(Math.ceil(scaled / steps), 'up');
  });
}

/**
 * Sizes of a ladder: differences of floored cumulative sizes, so that they sum to the total exactly (simulation 7.3).
 */
export function rungSizes(totalSize: Lots, rungCount: number, distribution: Distribution): Lots[] {
  const weights = Array.from({ length: rungCount }, (_, rung) => {
    if (distribution === 'flat') return 1;
    return distribution === 'ascending' ? rung + 1 : rungCount - rung;
  });
  const cumulative = cumulativeShares(totalSize, weights);
  return cumulative.map((share, rung) => share - (cumulative[rung - 1] ?? 0));
}
