import { unrealizedPnl } from '../../../base/margin/holding.ts';
import { isLiquidatable } from '../../../base/margin/liquidation-price.ts';
import { basisPointsOf, notionalAtMark } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import type { ForcedType } from '../../../base/terms/order-types.ts';
import { freshMarks, marginPool, poolMembers } from '../accounts/equity.ts';
import { bookTaking, clippedLots, walkFor } from '../fills/take.ts';
import type { Explanation, Money, Order, Position } from '../model.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { admit, cancel, isForced, isWorking } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { isFresh, lastMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { explain, marketOf, type Portfolio, type Seat, type World } from '../world/world.ts';

/**
 * Liquidates, or continues to liquidate, each isolated position at or below its maintenance (simulation 5.3); if
 * `market` is given, only the one there.
 */
export function liquidateIsolated(world: World, portfolio: Portfolio, market: Market | null): void {
  for (const position of [...portfolio.positions.values()]) {
    const isMeant = market === null || position.marketId === market.id;
    if (isMeant && position.marginMode === 'isolated') liquidatePool(world, portfolio, [position]);
  }
}

/**
 * Liquidates, or continues to liquidate, the cross positions of an account at or below their maintenance (simulation
 * 5).
 */
export function liquidateCross(world: World, portfolio: Portfolio): void {
  const members = [...portfolio.positions.values()].filter(({ marginMode }) => marginMode === 'cross');
  if (members.length > 0) liquidatePool(world, portfolio, members);
}

/**
 * Cancels the pool's working orders and walks the books, the largest loss first, until equity is above maintenance
 * again. While a market of the pool has no fresh mark, nothing is done.
 */
function liquidatePool(world: World, portfolio: Portfolio, members: readonly Position[]): void {
  if (isSafe(world, portfolio, members)) {
    stopForcing(world, portfolio, members);
    return;
  }
  if (!needsLiquidation(world, portfolio, members)) return;
  cancelOrdersOfPool(world, portfolio, members[0]!);
  for (const position of largestLossFirst(world, portfolio, members)) {
    forceOut(world, portfolio, position, 'liquidation', arithmeticOf(world, portfolio, members));
    const left = poolMembers(portfolio, members[0]!).filter(({ status }) => status === 'open');
    if (left.length === 0) return;
    if (isSafe(world, portfolio, left)) {
      stopForcing(world, portfolio, left);
      return;
    }
  }
}

function isSafe(world: World, portfolio: Portfolio, members: readonly Position[]): boolean {
  const pool = marginPool(world, portfolio, members, freshMarks(world, portfolio));
  return pool !== null && !isLiquidatable(pool);
}

function needsLiquidation(world: World, portfolio: Portfolio, members: readonly Position[]): boolean {
  const pool = marginPool(world, portfolio, members, freshMarks(world, portfolio));
  return pool !== null && isLiquidatable(pool);
}

/** Equity and maintenance of a pool in USD, to explain why it was liquidated. */
function arithmeticOf(world: World, portfolio: Portfolio, members: readonly Position[]): Explanation['detail'] {
  const open = members.filter(({ status }) => status === 'open');
  const { cash, positions, maintenanceRatioBps } = marginPool(world, portfolio, open, freshMarks(world, portfolio))!;
  let equity = cash;
  let notional = 0n;
  for (const [at, { mark }] of positions.entries()) {
    const market = marketOf(world, open[at]!.marketId);
    equity += unrealizedPnl(market.definition, open[at]!, mark);
    notional += notionalAtMark(market.definition, mark, open[at]!.size);
  }
  return {
    margin_mode: members[0]!.marginMode,
    equity: moneyToNumber(equity),
    maintenance: moneyToNumber(basisPointsOf(notional, maintenanceRatioBps)),
    maintenance_ratio_bps: maintenanceRatioBps,
  };
}

function cancelOrdersOfPool(world: World, portfolio: Portfolio, member: Position): void {
  const belongs = (order: Order): boolean =>
    member.marginMode === 'isolated' ? order.marketId === member.marketId : order.marginMode === 'cross';
  for (const order of [...portfolio.orders.values()]) {
    if (isWorking(order) && !isForced(order) && belongs(order)) cancel(world, order, 'its margin is being liquidated');
  }
}

function largestLossFirst(world: World, portfolio: Portfolio, members: readonly Position[]): Position[] {
  const markOf = freshMarks(world, portfolio);
  const profit = new Map<Position, Money>();
  for (const position of members) {
    const market = marketOf(world, position.marketId);
    profit.set(position, unrealizedPnl(market.definition, position, markOf(market)!));
  }
  return [...members].sort((left, right) => {
    const difference = profit.get(left)! - profit.get(right)!;
    return difference < 0n ? -1 : difference > 0n ? 1 : left.sequence - right.sequence;
  });
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
  const seat = { world, portfolio, market: marketOf(world, position.marketId) };
  const ticket = { ...seat, order: forcedOrderOf(portfolio, position) ?? placeForced(seat, position, type, cause) };
  if (!isFresh(ticket)) return;
  const walk = walkFor(ticket, clippedLots(ticket), null);
  if (walk.filled > 0) bookTaking(ticket, walk, {});
}

/** Ends the forced orders of positions that no longer need to be closed. */
function stopForcing(world: World, portfolio: Portfolio, positions: readonly Position[]): void {
  for (const position of positions) {
    const order = forcedOrderOf(portfolio, position);
    if (order !== undefined && isWorking(order)) cancel(world, order, 'equity is above maintenance again');
  }
}

function forcedOrderOf(portfolio: Portfolio, position: Position): Order | undefined {
  return portfolio.orders.values().find((order) => isForced(order) && order.targetPositionId === position.id);
}

function placeForced(seat: Seat, position: Position, type: ForcedType, cause: Explanation['detail']): Order {
  const { world, portfolio, market } = seat;
  const order = draftRecord(seat, {
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
  explain(world, order, 'forced', { mark_half_price: lastMark(portfolio, market) ?? market.book.mid, ...cause });
  return order;
}
