import { assert } from '../../../base/terms/invariants.ts';
import { type Meets, orderKinds } from '../../../base/terms/order-types.ts';
import {
  bookTaking,
  clippedLots,
  endClipped,
  insufficientDepth,
  takeAvailable,
  takeWhole,
  unusableBook,
  walkFor,
} from '../fills/take.ts';
import type { Ms, Order } from '../model.ts';
import { arm, end, isWorking, rest } from '../orders/working-orders.ts';
import { drawBetween } from '../random.ts';
import {
  exposureViolation,
  fillViolation,
  marketableLimit,
  maxRestingOrders,
  nothingToReduce,
  restingViolation,
  triggerSide,
  wouldCross,
} from '../rules/rules.ts';
import type { Violation } from '../violation.ts';
import { isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { explain, type Portfolio, type World } from '../world/world.ts';
import { enterChase } from './chase.ts';

/**
 * Brings an accepted order, or one about to be accepted, to its market, by its kind (simulation 4). Either all of its
 * effects happen, or a violation is returned and none do.
 */
export function meetBook(world: World, portfolio: Portfolio, market: Market, order: Order): Violation | null {
  if (waitsForTrigger(order)) return armOrder(world, portfolio, market, order);
  const { meets, forces } = orderKinds[order.mode];
  assert(forces === null, 'kind-fits', order.id);
  return meetingBy[meets](world, portfolio, market, order);
}

type Meeting = (world: World, portfolio: Portfolio, market: Market, order: Order) => Violation | null;

const meetingBy: Readonly<Record<Meets, Meeting>> = {
  takes(world, portfolio, market, order) {
    const isTriggeredReduction = order.reduceOnly && order.triggeredAt !== null;
    if (!isTriggeredReduction) return takeWhole(world, portfolio, market, order);
    takeAvailable(world, portfolio, market, order);
    return null;
  },
  rests: enterLimit,
  follows: enterChase,
  priced: (world, portfolio, market, order) =>
    meetingBy[order.limitPrice === null ? 'takes' : 'rests'](world, portfolio, market, order),
};

/** Whether an order of this kind waits for a trigger before it reaches the book. */
export function waitsForTrigger(order: Order): boolean {
  return order.triggerPrice !== null && order.triggeredAt === null;
}

/** Accepts an order that waits for its trigger. Changes nothing if it returns a violation (simulation 4.2). */
function armOrder(world: World, portfolio: Portfolio, market: Market, order: Order): Violation | null {
  const broken =
    triggerSide(world, order) ??
    maxRestingOrders(portfolio, order) ??
    exposureViolation(world, portfolio, market, order);
  if (broken !== null) return broken;
  arm(world, order);
  return null;
}

/** The seeded time at which an order reaches the book (simulation 3.4); null: now. */
export function executionTime(world: World, portfolio: Portfolio, order: Order): Ms | null {
  const { executionDelayMinMs: min, executionDelayMaxMs: max } = portfolio.account.policy.limits;
  if (max <= 0) return null;
  const delayMs = drawBetween(world.seed, 'execution-delay', order.id, min, Math.max(min, max));
  return delayMs === 0 ? null : world.now + delayMs;
}

/**
 * A limit order reaches the book (simulation 3.3): the crossing part fills now at book prices no worse than the limit;
 * the rest rests, expires (ioc), or nothing fills at all (fok). Changes nothing if it returns a violation.
 */
function enterLimit(world: World, portfolio: Portfolio, market: Market, order: Order): Violation | null {
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
