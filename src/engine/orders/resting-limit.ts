import type { Order } from '../model.ts';
import { type Violation, violation } from '../violation.ts';
import type { Desk } from '../world.ts';

/** An account has so many orders on books or armed and no more (simulation 6); one that is among them stays. */
export function maxRestingOrders(desk: Desk, order: Order): Violation | null {
  const maximum = desk.account.policy.limits.maxRestingOrders;
  if (desk.orders.has(order.id)) return null;
  let resting = 0;
  for (const { status } of desk.orders.values()) if (status === 'resting') resting += 1;
  if (resting < maximum) return null;
  return violation('max-resting-orders', `The account already has ${maximum} resting orders.`, {
    max_resting_orders: maximum,
  });
}
