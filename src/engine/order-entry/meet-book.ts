import { assert } from '../../terms/invariants.ts';
import { type Meets, orderKinds } from '../../terms/order-types.ts';
import { takeWhole } from '../fills/take.ts';
import { takeAvailable } from '../fills/take-available.ts';
import type { Ms, Order } from '../model.ts';
import { arm } from '../orders/working-orders.ts';
import { drawBetween } from '../random.ts';
import { exposureViolation } from '../rules/rules.ts';
import { maxRestingOrders, triggerSide } from '../rules/waiting-rules.ts';
import type { Violation } from '../violation.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio, World } from '../world/world.ts';
import { enterChase } from './chase.ts';
import { enterLimit } from './limit.ts';

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
