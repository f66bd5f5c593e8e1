import { bookTaking, clippedLots, endClipped, insufficientDepth, unusableBook, walkFor } from '../fills/take.ts';
import type { Order } from '../model.ts';
import { end, isWorking, rest } from '../orders/working-orders.ts';
import { fillViolation, nothingToReduce } from '../rules/rules.ts';
import { marketableLimit, maxRestingOrders, restingViolation, wouldCross } from '../rules/waiting-rules.ts';
import type { Violation } from '../violation.ts';
import { explain } from '../world/changes.ts';
import { isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio, World } from '../world/world.ts';

/**
 * A limit order reaches the book (simulation 3.3): the crossing part fills now at book prices no worse than the limit;
 * the rest rests, expires (ioc), or nothing fills at all (fok). Changes nothing if it returns a violation.
 */
export function enterLimit(world: World, portfolio: Portfolio, market: Market, order: Order): Violation | null {
  const rests = order.timeInForce === 'gtc' || order.timeInForce === 'gtd';
  const fresh = isFresh(world, portfolio, market);
  // A triggered reduction that finds a stale book rests and waits for the next one.
  const mayWait = rests && order.reduceOnly && order.triggeredAt !== null;
  const crosses = wouldCross(market, order) && (fresh || !mayWait);
  if ((crosses || !rests) && !fresh) return unusableBook(world, portfolio, market);
  if (crosses && rests && !order.marketableLimitAcknowledged) return marketableLimit(market, order);
  const lots = clippedLots(portfolio, order);
  if (lots === 0) return nothingToReduce(market, order);
  const walk = walkFor(portfolio, market, order, crosses ? lots : 0, order.limitPrice);
  if (order.timeInForce === 'fok' && walk.filled < lots) return insufficientDepth(market, order, lots);
  const broken = rests
    ? restingViolation(world, portfolio, market, order, walk)
    : fillViolation(world, portfolio, market, order, { lots: walk.filled, notional: walk.notional });
  if (broken !== null) return broken;
  const tooMany = rests && walk.filled < lots ? maxRestingOrders(portfolio, order) : null;
  if (tooMany !== null) return tooMany;
  if (walk.filled > 0) bookTaking(world, portfolio, market, order, walk, { limit_price: order.limitPrice! });
  if (isWorking(order)) placeRest(world, portfolio, market, order, rests);
  return null;
}

function placeRest(world: World, portfolio: Portfolio, market: Market, order: Order, rests: boolean): void {
  if (order.reduceOnly && !portfolio.positions.has(market.id)) endClipped(world, order);
  else if (rests) rest(world, market, order);
  else {
    explain(world, order, 'expired', { time_in_force: order.timeInForce, remaining: order.size });
    end(world, order, 'expired');
  }
}
