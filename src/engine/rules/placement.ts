import { addedLots, referenceNotional } from '../accounts/margin.ts';
import type { Lots, Money, Order } from '../model.ts';
import type { Violation } from '../violation.ts';
import type { Market } from '../world/market.ts';
import type { Portfolio, World } from '../world/world.ts';

/** The subject of the rules: an order before it is accepted, or lots of an accepted one that are about to fill. */
export interface Placement {
  readonly world: World;
  readonly portfolio: Portfolio;
  readonly market: Market;
  readonly order: Order;
  /** Whether the order was already accepted: then it has its reservation, and is only compared with the position. */
  readonly isAccepted: boolean;
  readonly lots: Lots;
  /** Lots of new exposure; 0: a reduction, which skips minimum notional, cooldown and trade counts (simulation 6.2). */
  readonly addedLots: Lots;
  /** Value of `lots` at the walk's price, else the order's own, else the mark; null if none is known. */
  readonly notional: Money | null;
}

/** One rule: the violation of an order, or null. */
export type Check = (placement: Placement) => Violation | null;

/** A whole order at its own price or the mark, as the rules see it. */
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

/** The first violation, or null. */
export function firstViolation(placement: Placement, checks: readonly Check[]): Violation | null {
  for (const check of checks) {
    const broken = check(placement);
    if (broken !== null) return broken;
  }
  return null;
}
