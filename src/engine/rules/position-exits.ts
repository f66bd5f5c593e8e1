import type { ExitGroup } from '../../terms/order-types.ts';
import type { Order, Position } from '../model.ts';
import type { Portfolio } from '../world/world.ts';

/** A position's working exits, oldest first. */
export function exitsOf(portfolio: Portfolio, position: Position): Order[] {
  return [...portfolio.orders.values()].filter(
    ({ exitGroup, targetPositionId }) => exitGroup !== null && targetPositionId === position.id,
  );
}

/** An exit that an entry requests for the position that it opens. */
export interface Leg {
  readonly group: ExitGroup;
  /** As the caller gave it, a JSON number. */
  readonly price: number;
}

/** The legs of an entry. */
export function legsOf(order: Order): Leg[] {
  const legs: Leg[] = [];
  if (order.attachedTakeProfitPrice !== null) legs.push({ group: 'tp', price: order.attachedTakeProfitPrice });
  if (order.attachedStopLossPrice !== null) legs.push({ group: 'sl', price: order.attachedStopLossPrice });
  return legs;
}
