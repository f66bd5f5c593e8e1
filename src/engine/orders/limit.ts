import { isFresh } from '../book/current-book.ts';
import type { Market } from '../book/market.ts';
import type { Walk } from '../book/walk.ts';
import { toNumber } from '../decimal.ts';
import { clippedLots, endClipped, insufficientDepth, settleTaking, unusableBook, walkFor } from '../fills/take.ts';
import type { Order } from '../model.ts';
import { addedLots } from '../risk/margin.ts';
import { notionalAt } from '../risk/notional.ts';
import { type Violation, violation } from '../violation.ts';
import { type Desk, explain, type World } from '../world.ts';
import { maxRestingOrders } from './resting-limit.ts';
import { fillViolation, nothingToReduce } from './rules.ts';
import { end, isWorking, rest } from './working-orders.ts';

/**
 * A limit order meets the book (simulation 3): what crosses fills now at book prices no worse than the limit, the rest
 * rests, expires (ioc) or was never begun (fok). Changes nothing when it returns a violation.
 */
export function enterLimit(world: World, desk: Desk, market: Market, order: Order): Violation | null {
  const rests = order.timeInForce === 'gtc' || order.timeInForce === 'gtd';
  const fresh = isFresh(world, desk, market);
  // What was triggered to get out and finds an old book waits on it for the next.
  const mayWait = rests && order.reduceOnly && order.triggeredAt !== null;
  const crosses = wouldCross(market, order) && (fresh || !mayWait);
  if ((crosses || !rests) && !fresh) return unusableBook(world, desk, market);
  if (crosses && rests && !order.marketableLimitAcknowledged) return marketableLimit(market, order);
  const lots = clippedLots(desk, order);
  if (lots === 0) return nothingToReduce(market, order);
  const walk = walkFor(market, order, crosses ? lots : 0, order.limitPrice);
  if (order.timeInForce === 'fok' && walk.filled < lots) return insufficientDepth(market, order, lots);
  const broken = rests
    ? restingViolation(world, desk, market, order, walk)
    : fillViolation(world, desk, market, order, { lots: walk.filled, notional: walk.notional });
  if (broken !== null) return broken;
  const tooMany = rests && walk.filled < lots ? maxRestingOrders(desk, order) : null;
  if (tooMany !== null) return tooMany;
  if (walk.filled > 0) settleTaking(world, desk, market, order, walk, { limit_price: order.limitPrice! });
  if (isWorking(order)) settleRest(world, desk, market, order, rests);
  return null;
}

/** Whether the opposite best is at or through the limit. */
export function wouldCross(market: Market, order: Order): boolean {
  const { best, sign } = market.opposite(order.side);
  return sign * best >= sign * order.limitPrice!;
}

export function marketableLimit(market: Market, order: Order): Violation {
  const best = toNumber(market.opposite(order.side).best, market.definition.priceDecimals);
  return violation('marketable-limit', `The limit would fill at once: the opposite best is ${best}.`, {
    opposite_best: best,
  });
}

/** Exposure rules over what is taken at book prices and what rests at the limit, together. */
export function restingViolation(
  world: World,
  desk: Desk,
  market: Market,
  order: Order,
  walk: Pick<Walk, 'filled' | 'notional'>,
): Violation | null {
  const resting = notionalAt(market.definition, order.limitPrice!, order.size - walk.filled);
  const fill = { lots: order.size, notional: walk.notional + resting, addedLots: addedLots(desk, order) };
  return fillViolation(world, desk, market, order, fill);
}

function settleRest(world: World, desk: Desk, market: Market, order: Order, rests: boolean): void {
  if (order.reduceOnly && !desk.positions.has(market.id)) endClipped(world, order);
  else if (rests) rest(world, market, order);
  else {
    explain(world, order, 'expired', { time_in_force: order.timeInForce, remaining: order.size });
    end(world, order, 'expired');
  }
}
