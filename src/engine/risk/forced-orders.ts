import { clippedLots, settleTaking, walkFor } from '../fills/take.ts';
import type { Explanation, Order, Position } from '../model.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { admit, cancel, isForced, isWorking } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { explain } from '../world/changes.ts';
import { isFresh } from '../world/current-book.ts';
import { type Desk, marketOf, type World } from '../world/world.ts';

type ForcedType = 'liquidation' | 'close_out';

/** The working orders that are getting an account out. */
export function forcedOrders(desk: Desk): Order[] {
  return [...desk.orders.values()].filter(isForced);
}

/**
 * Closes a position by force as far as its book allows now (simulation 3: no tolerance, no invented liquidity). What is
 * not filled stays pending and is tried again by calling this with later books. `cause`: the arithmetic that led to it.
 */
export function forceOut(
  world: World,
  desk: Desk,
  position: Position,
  type: ForcedType,
  cause: Explanation['detail'],
): void {
  const market = marketOf(world, position.marketId);
  const order = forcedOrderOf(desk, position) ?? placeForced(world, desk, position, type, cause);
  if (!isFresh(world, desk, market)) return;
  const walk = walkFor(market, order, clippedLots(desk, order), null);
  if (walk.filled > 0) settleTaking(world, desk, market, order, walk, {});
}

/** Ends the forced orders of positions that need not be closed any more. */
export function stopForcing(world: World, desk: Desk, positions: readonly Position[], reason: string): void {
  for (const position of positions) {
    const order = forcedOrderOf(desk, position);
    if (order !== undefined && isWorking(order)) cancel(world, order, reason);
  }
}

function forcedOrderOf(desk: Desk, position: Position): Order | undefined {
  return forcedOrders(desk).find(({ targetPositionId }) => targetPositionId === position.id);
}

function placeForced(
  world: World,
  desk: Desk,
  position: Position,
  type: ForcedType,
  cause: Explanation['detail'],
): Order {
  const market = marketOf(world, position.marketId);
  const order = draftRecord(world, desk, market, {
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
