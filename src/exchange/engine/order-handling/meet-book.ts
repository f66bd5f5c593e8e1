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
import { explain, type Ticket } from '../world/world.ts';
import { enterChase } from './chase.ts';

/**
 * Brings an accepted order, or one about to be accepted, to its market, by its kind (simulation 4). Either all of its
 * effects happen, or a violation is returned and none do.
 */
export function meetBook(ticket: Ticket): Violation | null {
  const { order } = ticket;
  if (waitsForTrigger(order)) return armOrder(ticket);
  const { meets, forces } = orderKinds[order.mode];
  assert(forces === null, 'kind-fits', order.id);
  return meetingBy[meets](ticket);
}

const meetingBy: Readonly<Record<Meets, (ticket: Ticket) => Violation | null>> = {
  takes(ticket) {
    const isTriggeredReduction = ticket.order.reduceOnly && ticket.order.triggeredAt !== null;
    if (!isTriggeredReduction) return takeWhole(ticket);
    takeAvailable(ticket);
    return null;
  },
  rests: enterLimit,
  follows: enterChase,
  priced: (ticket) => meetingBy[ticket.order.limitPrice === null ? 'takes' : 'rests'](ticket),
};

/** Whether an order of this kind waits for a trigger before it reaches the book. */
export function waitsForTrigger(order: Order): boolean {
  return order.triggerPrice !== null && order.triggeredAt === null;
}

/** Accepts an order that waits for its trigger. Changes nothing if it returns a violation (simulation 4.2). */
function armOrder(ticket: Ticket): Violation | null {
  const { world, order } = ticket;
  const broken = triggerSide(world, order) ?? maxRestingOrders(ticket) ?? exposureViolation(ticket);
  if (broken === null) arm(world, order);
  return broken;
}

/** The seeded time at which an order reaches the book (simulation 3.4); null: now. */
export function executionTime({ world, portfolio, order }: Ticket): Ms | null {
  const { executionDelayMinMs: min, executionDelayMaxMs: max } = portfolio.account.policy.limits;
  if (max <= 0) return null;
  const delayMs = drawBetween(world.seed, 'execution-delay', order.id, min, Math.max(min, max));
  return delayMs === 0 ? null : world.now + delayMs;
}

/**
 * A limit order reaches the book (simulation 3.3): the crossing part fills now at book prices no worse than the limit;
 * the rest rests, expires (ioc), or nothing fills at all (fok). Changes nothing if it returns a violation.
 */
function enterLimit(ticket: Ticket): Violation | null {
  const { order } = ticket;
  const rests = order.timeInForce === 'gtc' || order.timeInForce === 'gtd';
  const fresh = isFresh(ticket);
  // A triggered reduction that finds a stale book rests and waits for the next one.
  const mayWait = rests && order.reduceOnly && order.triggeredAt !== null;
  const crosses = wouldCross(ticket) && (fresh || !mayWait);
  if ((crosses || !rests) && !fresh) return unusableBook(ticket);
  if (crosses && rests && !order.marketableLimitAcknowledged) return marketableLimit(ticket);
  const lots = clippedLots(ticket);
  if (lots === 0) return nothingToReduce(ticket);
  const walk = walkFor(ticket, crosses ? lots : 0, order.limitPrice);
  if (order.timeInForce === 'fok' && walk.filled < lots) return insufficientDepth(ticket, lots);
  const broken = rests
    ? restingViolation(ticket, walk)
    : fillViolation(ticket, { lots: walk.filled, notional: walk.notional });
  if (broken !== null) return broken;
  const tooMany = rests && walk.filled < lots ? maxRestingOrders(ticket) : null;
  if (tooMany !== null) return tooMany;
  if (walk.filled > 0) bookTaking(ticket, walk, { limit_price: order.limitPrice! });
  if (isWorking(order)) placeRest(ticket, rests);
  return null;
}

function placeRest({ world, portfolio, market, order }: Ticket, rests: boolean): void {
  if (order.reduceOnly && !portfolio.positions.has(market.id)) endClipped(world, order);
  else if (rests) rest(world, market, order);
  else {
    explain(world, order, 'expired', { time_in_force: order.timeInForce, remaining: order.size });
    end(world, order, 'expired');
  }
}
