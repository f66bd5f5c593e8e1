import { addedLots } from '../accounts/margin.ts';
import type { Outcome, PlaceOrder, Refused } from '../commands.ts';
import type { Ms, Order } from '../model.ts';
import { draftOrder } from '../orders/draft-order.ts';
import { admit, rejectWorking } from '../orders/working-orders.ts';
import { aboveCap } from '../rules/exposure-rules.ts';
import { countTrade, exposureViolation, placementViolation } from '../rules/rules.ts';
import { invalidRequest, notFound, refusal, type Violation } from '../violation.ts';
import { upToDate } from '../world/current-book.ts';
import { explain, findMarket, type Ticket, ticketOf, touchAccount, touchOrder, type World } from '../world/world.ts';
import { executionTime, meetBook, waitsForTrigger } from './meet-book.ts';

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
