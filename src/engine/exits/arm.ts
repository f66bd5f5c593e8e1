import type { Market } from '../book/market.ts';
import { toNumber } from '../decimal.ts';
import type { Order } from '../model.ts';
import { maxRestingOrders } from '../orders/resting-limit.ts';
import { exposureViolation } from '../orders/rules.ts';
import { admit } from '../orders/working-orders.ts';
import { type Violation, violation } from '../violation.ts';
import { type Desk, explain, type World } from '../world.ts';
import { isMet, triggerMarketOf } from './triggers.ts';

/** Whether an order of this kind waits for a trigger before it meets the book. */
export function waitsForTrigger(order: Order): boolean {
  return order.triggerPrice !== null && order.triggeredAt === null;
}

/** Accepts an order that waits for its trigger. Changes nothing when it returns a violation (simulation 4). */
export function armOrder(world: World, desk: Desk, market: Market, order: Order): Violation | null {
  const broken =
    triggerSide(world, order) ?? maxRestingOrders(desk, order) ?? exposureViolation(world, desk, market, order);
  if (broken !== null) return broken;
  arm(world, order);
  return null;
}

/** Lets an order wait for its trigger, which may be met already: then it fires at once. */
export function arm(world: World, order: Order): void {
  order.status = 'resting';
  admit(world, order);
  const triggerMarket = triggerMarketOf(world, order);
  triggerMarket.triggers.add(triggerMarket, order);
  world.newlyArmed.push(order);
  explain(world, order, 'armed', { trigger_price: order.triggerPrice, trigger_market_id: triggerMarket.id });
}

/** A trigger that the mark meets already is on the wrong side of it. */
export function triggerSide(world: World, order: Order): Violation | null {
  if (isMet(world, order) !== true) return null;
  const { definition, book } = triggerMarketOf(world, order);
  return violation('trigger-side', 'The mark is at or beyond the trigger price already.', {
    trigger_price: order.triggerPrice,
    mark: toNumber(book.mid * 5, definition.priceDecimals + 1),
  });
}
