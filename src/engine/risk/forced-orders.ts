import type { ForcedType } from '../../terms/order-types.ts';
import { bookTaking, clippedLots, walkFor } from '../fills/take.ts';
import type { Explanation, Order, Position } from '../model.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { admit, cancel, isForced, isWorking } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { isFresh } from '../world/current-book.ts';
import { explain, marketOf, type Portfolio, type World } from '../world/world.ts';

/** The working orders that close an account's positions by force. */
export function forcedOrders(portfolio: Portfolio): Order[] {
  return [...portfolio.orders.values()].filter(isForced);
}

/**
 * Closes a position by force as far as its book allows now (simulation 3: no tolerance, no invented liquidity). The
 * unfilled rest stays pending; calling this with later books tries again. `cause`: the figures that explain it.
 */
export function forceOut(
  world: World,
  portfolio: Portfolio,
  position: Position,
  type: ForcedType,
  cause: Explanation['detail'],
): void {
  const market = marketOf(world, position.marketId);
  const order = forcedOrderOf(portfolio, position) ?? placeForced(world, portfolio, position, type, cause);
  if (!isFresh(world, portfolio, market)) return;
  const walk = walkFor(portfolio, market, order, clippedLots(portfolio, order), null);
  if (walk.filled > 0) bookTaking(world, portfolio, market, order, walk, {});
}

/** Ends the forced orders of positions that no longer need to be closed. */
export function stopForcing(world: World, portfolio: Portfolio, positions: readonly Position[], reason: string): void {
  for (const position of positions) {
    const order = forcedOrderOf(portfolio, position);
    if (order !== undefined && isWorking(order)) cancel(world, order, reason);
  }
}

function forcedOrderOf(portfolio: Portfolio, position: Position): Order | undefined {
  return forcedOrders(portfolio).find(({ targetPositionId }) => targetPositionId === position.id);
}

function placeForced(
  world: World,
  portfolio: Portfolio,
  position: Position,
  type: ForcedType,
  cause: Explanation['detail'],
): Order {
  const market = marketOf(world, position.marketId);
  const order = draftRecord(world, portfolio, market, {
    type,
    mode: type,
    side: reducingSide(position),
    size: position.size,
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
    targetPositionId: position.id,
  });
  admit(world, order);
  market.unfinished.set(order.id, order);
  explain(world, order, 'forced', { mark_half_price: market.book.mid, ...cause });
  return order;
}
