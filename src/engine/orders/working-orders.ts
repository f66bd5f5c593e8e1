import { assert } from '../assert.ts';
import type { Market } from '../book/market.ts';
import { triggerMarketOf } from '../exits/triggers.ts';
import { afterEnd } from '../fills/after-end.ts';
import type { Order } from '../model.ts';
import type { Violation } from '../violation.ts';
import { type Desk, deskOf, explain, marketOf, nextSequence, touchOrder, type World } from '../world.ts';

/** Takes an order among the working ones, where it may be already; what it waits for is decided by who calls. */
export function admit(world: World, order: Order): void {
  if (!world.orders.has(order.id)) {
    if (order.timeInForce === 'gtd') world.expiries.add(order.gtdExpiresAt!, order);
    const desk = deskOf(world, order.accountId);
    // What joins a pool that is being liquidated ends at once, whether it adds or reduces.
    if (!isForced(order) && isForcedOut(desk)) world.riskWatch.noteChange(order.accountId);
    desk.orders.set(order.id, order);
    world.orders.set(order.id, order);
  }
  touchOrder(world, order);
}

/** Whether the exchange is getting an account out of something. */
function isForcedOut(desk: Desk): boolean {
  for (const order of desk.orders.values()) if (isForced(order)) return true;
  return false;
}

/** Whether the exchange itself placed the order to get an account out. */
export function isForced(order: Order): boolean {
  return order.type === 'liquidation' || order.type === 'close_out';
}

export function isWorking(order: Order): boolean {
  return order.status === 'pending' || order.status === 'resting';
}

/** Whether it waits for its trigger. */
export function isArmed(order: Order): boolean {
  return order.status === 'resting' && order.triggerPrice !== null && order.triggeredAt === null;
}

/** Puts an order on the book at its limit price, last in line there. */
export function rest(world: World, market: Market, order: Order): void {
  admit(world, order);
  order.status = 'resting';
  order.pricedAt = world.now;
  order.priority = nextSequence(world);
  order.queueAhead = null;
  market.resting(order.side).add(order);
  if (order.mode === 'chase') market.chases.set(order.id, order);
  explain(world, order, 'rested', {
    price: order.limitPrice,
    size: order.size,
    queue_ahead: order.queueAhead ?? 'unknown',
  });
}

/** Ends a working order, whatever became of it, and takes it out of every index. */
export function end(world: World, order: Order, status: 'filled' | 'canceled' | 'expired' | 'rejected'): void {
  assert(isWorking(order), `order ${order.id} has ended before`);
  unindex(world, order);
  world.orders.delete(order.id);
  deskOf(world, order.accountId).orders.delete(order.id);
  order.status = status;
  order.executeAt = null;
  if (status === 'canceled') order.canceledAt = world.now;
  order.settledAt = world.now;
  touchOrder(world, order);
  for (const follow of afterEnd) follow(world, order);
}

/** Cancels a working order. Unless its owner asked for it (`reason` null), its record says why. */
export function cancel(world: World, order: Order, reason: string | null): void {
  explain(world, order, 'canceled', { reason: reason ?? 'asked for', remaining: order.size });
  if (reason !== null) order.rejectReason = reason;
  end(world, order, 'canceled');
}

/** Ends a working order for breaking a rule at the moment it would fill; what it reserved is free again. */
export function rejectWorking(world: World, order: Order, broken: Violation): void {
  order.rejectReason = broken.message;
  order.rejectRuleId = broken.ruleId;
  explain(world, order, 'rejected', { rule_id: broken.ruleId, reason: broken.message });
  end(world, order, 'rejected');
}

/** Takes an order out of what its state puts it into. */
export function unindex(world: World, order: Order): void {
  const market = marketOf(world, order.marketId);
  if (order.status === 'pending') {
    market.unfinished.delete(order.id);
  } else if (isArmed(order)) {
    const triggerMarket = triggerMarketOf(world, order);
    triggerMarket.triggers.remove(triggerMarket, order);
  } else {
    market.resting(order.side).remove(order);
    market.chases.delete(order.id);
  }
}
