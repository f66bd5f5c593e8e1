import { assert } from '../../../base/terms/invariants.ts';
import { type Meets, orderKinds } from '../../../base/terms/order-types.ts';
import { addedLots } from '../accounts/margin.ts';
import type { Outcome, PlaceOrder, Refused } from '../commands.ts';
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
import { draftOrder } from '../orders/draft-order.ts';
import { admit, arm, end, isWorking, rejectWorking, rest } from '../orders/working-orders.ts';
import { drawBetween } from '../random.ts';
import { aboveCap } from '../rules/exposure-rules.ts';
import {
  countTrade,
  exposureViolation,
  fillViolation,
  marketableLimit,
  maxRestingOrders,
  nothingToReduce,
  placementViolation,
  restingViolation,
  triggerSide,
  wouldCross,
} from '../rules/rules.ts';
import { invalidRequest, notFound, refusal, type Violation } from '../violation.ts';
import { isFresh, upToDate } from '../world/current-book.ts';
import { explain, findMarket, type Ticket, ticketOf, touchAccount, touchOrder, type World } from '../world/world.ts';
import { enterChase } from './chase.ts';

/** Places an order of any kind (simulation 3 to 6). */
export function placeOrder(world: World, command: PlaceOrder): Outcome {
  const portfolio = world.portfolios.get(command.accountId);
  if (portfolio === undefined) return notFound('account', command.accountId);
  const market = findMarket(world, command.marketId);
  if (market === undefined) return notFound('market', command.marketId);
  if (command.triggerMarketId !== null && !world.definitions.has(command.triggerMarketId)) {
    return notFound('market', command.triggerMarketId);
  }
  if (command.targetPositionId !== null && portfolio.positions.get(market.id)?.id !== command.targetPositionId) {
    return notFound('open position in this market', command.targetPositionId);
  }
  if (command.gtdExpiresAt !== null && command.gtdExpiresAt <= world.now) {
    return invalidRequest([{ field: 'gtd_expires_at', issue: 'must be in the future' }]);
  }
  const seat = upToDate({ world, portfolio, market });
  const order = draftOrder(seat, command);
  const outcome = submit({ ...seat, order }, command.isCapped === true);
  return !outcome.ok && isHidden(outcome) ? { ok: true, order } : outcome;
}

/** The service accepts an order above the hidden exposure cap, and it ends `rejected` (simulation 6.3). */
function isHidden({ ruleId }: Refused | Violation): boolean {
  return ruleId === 'exposure-cap';
}

/**
 * Checks a drafted order against the rules and brings it to the market: accepted, or refused with a `rejected` record.
 */
export function submit(ticket: Ticket, isCapped = false): Outcome {
  const { world, portfolio, market, order } = ticket;
  const broken = placementViolation(ticket);
  if (broken !== null) return refuse(world, order, broken);
  if (isCapped && addedLots(portfolio, order) > 0) return refuse(world, order, aboveCap(market.id));
  const isTrade = order.twapOrderId === null && addedLots(portfolio, order) > 0;
  const executeAt = waitsForTrigger(order) ? null : executionTime(ticket);
  const later = executeAt === null ? meetBook(ticket) : delay(ticket, executeAt);
  if (later !== null) return refuse(world, order, later);
  if (isTrade) {
    countTrade(portfolio.account, world.now);
    touchAccount(world, portfolio.account);
  }
  return { ok: true, order };
}

/**
 * Orders whose delay is over reach the book last, as commands do; those that break a rule then are rejected (simulation
 * 3).
 */
export function executeDelayed(world: World): void {
  for (const order of world.executions.takeDue(world.now)) {
    if (order.status === 'pending' && order.executeAt !== null) executeOne(world, order);
  }
}

function executeOne(world: World, order: Order): void {
  order.executeAt = null;
  touchOrder(world, order);
  const broken = meetBook(upToDate(ticketOf(world, order)));
  if (broken !== null) rejectWorking(world, order, broken);
}

/** Keeps the record of an order that a rule refused, unless it only has to wait. */
function refuse(world: World, order: Order, broken: Violation): Refused {
  if (broken.code === 'cooldown') {
    // Nothing of it is kept: no history, and its number is free again.
    world.changes.explanations = world.changes.explanations.filter(({ orderId }) => orderId !== order.id);
    world.sequence = order.sequence - 1;
    return refusal(broken);
  }
  order.status = 'rejected';
  order.settledAt = world.now;
  order.rejectReason = broken.message;
  order.rejectRuleId = broken.ruleId;
  touchOrder(world, order);
  explain(world, order, 'rejected', { rule_id: broken.ruleId, reason: broken.message });
  return { ...refusal(broken), order };
}

function delay(ticket: Ticket, executeAt: Ms): Violation | null {
  const { world, order } = ticket;
  const broken = exposureViolation(ticket);
  if (broken !== null && !isHidden(broken)) return broken;
  order.executeAt = executeAt;
  admit(world, order);
  world.executions.add(executeAt, order);
  explain(world, order, 'delayed', { execute_at: executeAt });
  return null;
}

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
function waitsForTrigger(order: Order): boolean {
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
