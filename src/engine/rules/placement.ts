import { addedLots, referenceNotional } from '../accounts/margin.ts';
import type { Lots, Money, Order } from '../model.ts';
import type { Violation } from '../violation.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio, World } from '../world/world.ts';

/** What the rules look at: an order before it is accepted, or lots of an accepted one that are about to fill. */
export interface Placement {
  readonly world: World;
  readonly portfolio: Portfolio;
  readonly market: Market;
  readonly order: Order;
  /** Whether the order was accepted before: then it has its reservation, and only the position is compared with. */
  readonly isAccepted: boolean;
  readonly lots: Lots;
  /** Lots of new exposure; 0: a reduction, which skips minimum notional, cooldown and trade counts (simulation 6.2). */
  readonly addedLots: Lots;
  /** `lots` at the price walked, else the order's own, else the mark; null: none is known. */
  readonly notional: Money | null;
}

/** One rule: what it says against an order, or null. */
export type Check = (placement: Placement) => Violation | null;

/** The whole of an order at its own price or the mark, as the rules see it. */
export function placementOf(world: World, portfolio: Portfolio, market: Market, order: Order): Placement {
  const notional = referenceNotional(market, order, order.size);
  const isAccepted = portfolio.orders.get(order.id) === order;
  return {
    world,
    portfolio,
    market,
    order,
    isAccepted,
    lots: order.size,
    addedLots: addedLots(portfolio, order),
    notional,
  };
}

/** The first check that objects, or null. */
export function firstViolation(placement: Placement, checks: readonly Check[]): Violation | null {
  for (const check of checks) {
    const broken = check(placement);
    if (broken !== null) return broken;
  }
  return null;
}
