import type { HalfPrice, Order, Price } from '../model.ts';
import { isWorking } from '../orders/working-orders.ts';
import { isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio, World } from '../world/world.ts';
import { bookTaking, clippedLots, endClipped, toleranceOf, walkFor } from './take.ts';

/** Tolerances are exact to a millionth of a basis point. */
const toleranceScale = 10_000_000_000n;

/**
 * A triggered reduction by market order: fills what the book offers within its tolerance, stays pending and continues
 * with later books (simulation 3.1).
 */
export function takeAvailable(world: World, portfolio: Portfolio, market: Market, order: Order): void {
  const lots = clippedLots(portfolio, order);
  if (lots === 0) {
    endClipped(world, order);
    return;
  }
  market.unfinished.set(order.id, order);
  if (!isFresh(world, portfolio, market)) return;
  const tolerance = toleranceOf(portfolio, market, order);
  const walk = walkFor(portfolio, market, order, lots, worstPrice(order, market.book.mid, tolerance));
  if (walk.filled > 0) bookTaking(world, portfolio, market, order, walk, { tolerance_bps: tolerance });
  if (!isWorking(order)) market.unfinished.delete(order.id);
}

/** The worst price within a tolerance of the mid, for the taker's side. */
function worstPrice(order: Order, mid: HalfPrice, toleranceBps: number): Price {
  const tolerance = BigInt(Math.round(toleranceBps * 1_000_000));
  const sum = order.side === 'buy' ? toleranceScale + tolerance : toleranceScale - tolerance;
  const doubled = BigInt(mid) * sum;
  const whole = doubled / (2n * toleranceScale);
  const isExact = doubled % (2n * toleranceScale) === 0n;
  return Number(order.side === 'buy' || isExact ? whole : whole + 1n);
}
