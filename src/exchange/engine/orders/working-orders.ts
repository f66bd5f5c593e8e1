import { toUnits } from '../../../base/terms/decimal.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { orderKinds } from '../../../base/terms/order-types.ts';
import type { Order } from '../model.ts';
import type { Violation } from '../violation.ts';
import type { Market } from '../world/market.ts';
import {
  explain,
  marketOf,
  nextSequence,
  type Portfolio,
  portfolioOf,
  touchOrder,
  triggerMarketOf,
  triggersOf,
  type World,
  waitsForPrint,
} from '../world/world.ts';

/** Adds an order to the working ones if it is not there yet; the caller decides what it waits for. */
export function admit(world: World, order: Order): void {
  if (!world.orders.has(order.id)) {
    if (order.timeInForce === 'gtd') world.expiries.add(order.gtdExpiresAt!, order);
    const portfolio = portfolioOf(world, order.accountId);
    // An order that joins a pool in liquidation ends at once, whether it adds or reduces.
    if (isForcedOut(portfolio) && !isForced(order)) world.riskWatch.changed.add(order.accountId);
    portfolio.orders.set(order.id, order);
    world.orders.set(order.id, order);
  }
  touchOrder(world, order);
}

/** Whether the exchange is closing positions of an account by force. */
export function isForcedOut(portfolio: Portfolio): boolean {
  for (const order of portfolio.orders.values()) if (isForced(order)) return true;
  return false;
}

/** Whether the exchange itself placed the order, to close a position by force. */
export function isForced(order: Order): boolean {
  return orderKinds[order.type].forces !== null;
}

/** Whether it follows the best price of its side. */
export function follows(order: Order): boolean {
  return orderKinds[order.mode].meets === 'follows';
}

/** Whether an order may still fill. */
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
  if (follows(order)) market.chases.set(order.id, order);
  explain(world, order, 'rested', {
    price: order.limitPrice,
    size: order.size,
    queue_ahead: order.queueAhead ?? 'unknown',
  });
}

/** Arms an order. If its condition is already met, it triggers at once. */
export function arm(world: World, order: Order): void {
  order.status = 'resting';
  admit(world, order);
  awaitTrigger(world, order);
  const { id } = triggerMarketOf(world, order);
  explain(world, order, 'armed', { trigger_price: order.triggerPrice, trigger_market_id: id });
}

/**
 * From now on, an armed order waits for its trigger, as its account's policy says; one that is met triggers at once.
 */
export function awaitTrigger(world: World, order: Order): void {
  if (waitsForPrint(world, order)) order.pricedAt = world.now;
  triggersOf(world, order).add(order);
  world.newlyArmed.push(order);
}

/** Applies the price and size of an amended copy of a resting order. */
export function reprice(world: World, market: Market, order: Order, amended: Order): void {
  const keepsPlace = order.limitPrice === amended.limitPrice && amended.size <= order.size;
  explain(world, order, 'amended', { price: amended.limitPrice, size: amended.size, keeps_place: keepsPlace });
  const resting = market.resting(order.side);
  if (!keepsPlace) resting.remove(order);
  order.initialSize = order.filledSize + amended.size;
  order.size = amended.size;
  order.limitPrice = amended.limitPrice;
  if (!keepsPlace) {
    order.pricedAt = world.now;
    order.priority = nextSequence(world);
    order.queueAhead = null;
    resting.add(order);
  }
  touchOrder(world, order);
}

/** An armed order with another trigger price; an exit by limit has its limit price at its trigger price. */
export function repricedTrigger(world: World, order: Order, price: number): Order {
  const { priceDecimals } = marketOf(world, order.marketId).definition;
  const isLimitExit = order.exitGroup !== null && order.limitPrice !== null;
  const limitPrice = isLimitExit ? toUnits(price, priceDecimals).units : order.limitPrice;
  return { ...order, triggerPrice: price, limitPrice };
}

/** Applies an amended copy of an armed order. */
export function rearm(world: World, order: Order, amended: Order): void {
  const triggers = triggersOf(world, order);
  triggers.remove(order);
  order.triggerPrice = amended.triggerPrice;
  order.limitPrice = amended.limitPrice;
  order.initialSize = order.filledSize + amended.size;
  order.size = amended.size;
  if (waitsForPrint(world, order)) order.pricedAt = world.now;
  triggers.add(order);
  explain(world, order, 'amended', { trigger_price: order.triggerPrice, size: order.size });
  touchOrder(world, order);
}

/** Ends a working order, for whatever reason, and removes it from every index. */
export function end(world: World, order: Order, status: 'filled' | 'canceled' | 'expired' | 'rejected'): void {
  assert(isWorking(order), 'ends-once', order.id);
  unindex(world, order);
  world.orders.delete(order.id);
  portfolioOf(world, order.accountId).orders.delete(order.id);
  order.status = status;
  order.executeAt = null;
  if (status === 'canceled') order.canceledAt = world.now;
  order.settledAt = world.now;
  touchOrder(world, order);
  world.consequences.ofEnd(world, order);
}

/** Cancels a working order. Unless its owner requested it (`reason` null), its record says why. */
export function cancel(world: World, order: Order, reason: string | null): void {
  explain(world, order, 'canceled', { reason: reason ?? 'requested', remaining: order.size });
  if (reason !== null) order.rejectReason = reason;
  end(world, order, 'canceled');
}

/** Ends a working order that breaks a rule when it would fill; its reservation is released. */
export function rejectWorking(world: World, order: Order, broken: Violation): void {
  order.rejectReason = broken.message;
  order.rejectRuleId = broken.ruleId;
  explain(world, order, 'rejected', { rule_id: broken.ruleId, reason: broken.message });
  end(world, order, 'rejected');
}

/** Removes an order from the indexes of its state. */
function unindex(world: World, order: Order): void {
  const market = marketOf(world, order.marketId);
  if (order.status === 'pending') {
    market.unfinished.delete(order.id);
  } else if (isArmed(order)) {
    triggersOf(world, order).remove(order);
  } else {
    market.resting(order.side).remove(order);
    market.chases.delete(order.id);
  }
}

/** Expires good-till-date orders at their date: those of the event's market, or all of them at a timer. */
export function expireOrders(world: World, market: Market | null): void {
  for (const order of world.expiries.takeDue(world.now, market?.id)) {
    if (!isWorking(order) || order.gtdExpiresAt === null) continue;
    explain(world, order, 'expired', { gtd_expires_at: order.gtdExpiresAt, remaining: order.size });
    end(world, order, 'expired');
  }
}
