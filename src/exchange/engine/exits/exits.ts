import { toUnits } from '../../../base/terms/decimal.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { type ExitExecution, type ExitGroup, exitKinds, orderKinds } from '../../../base/terms/order-types.ts';
import type { Lots, Order, Position } from '../model.ts';
import { draftRecord } from '../orders/draft-order.ts';
import { arm, cancel, isWorking, rest } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { exitsOf } from '../rules/exit-rules.ts';
import type { Market } from '../world/market.ts';
import { explain, type Fill, type Seat, touchOrder, type World } from '../world/world.ts';

/** An exit to place, as the caller gave it; its price is still a JSON number. */
interface ExitTerms {
  readonly group: ExitGroup;
  readonly execution: ExitExecution;
  readonly price: number;
  readonly size: Lots;
}

/**
 * The record of an exit that is not placed yet: a trigger order, or a resting limit for a take-profit by limit
 * (simulation 4.3).
 */
export function draftExit(seat: Seat, position: Position, terms: ExitTerms): Order {
  const type = exitKinds[terms.group][terms.execution];
  const { fires, meets } = orderKinds[type];
  const limitPrice = meets === 'rests' ? toUnits(terms.price, seat.market.definition.priceDecimals).units : null;
  return draftRecord(seat, {
    type,
    mode: type,
    side: reducingSide(position),
    size: terms.size,
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
    exitGroup: terms.group,
    targetPositionId: position.id,
    limitPrice,
    triggerPrice: fires === null ? null : terms.price,
    timeInForce: limitPrice === null ? null : 'gtc',
  });
}

/** Puts an exit to work: armed, or resting on the book. */
export function placeExit(world: World, market: Market, order: Order): void {
  if (order.triggerPrice === null) rest(world, market, order);
  else arm(world, order);
}

/** Makes two exits siblings: a fill of one reduces the other by the same size. */
export function linkSiblings(world: World, one: Order, other: Order): void {
  one.ocoSiblingOrderId = other.id;
  other.ocoSiblingOrderId = one.id;
  touchOrder(world, one);
  touchOrder(world, other);
}

/** Changes the size of a working exit. */
export function resizeExit(world: World, order: Order, size: Lots): void {
  if (order.size === size) return;
  explain(world, order, 'resized', { from: order.size, to: size });
  order.size = size;
  order.initialSize = order.filledSize + size;
  touchOrder(world, order);
}

/** A reduction has nothing to reduce once its position is closed: its remainder is canceled (simulation 4.2). */
export function cancelReductionsOfClosedPosition(world: World, fill: Fill): void {
  const { portfolio, market } = fill;
  const before = fill.before!;
  if (before.status === 'open') return;
  for (const order of [...portfolio.orders.values()]) {
    const isReduction = order.marketId === market.id && order.reduceOnly && order.side === reducingSide(before);
    if (isReduction && isWorking(order)) cancel(world, order, 'its position is closed');
  }
}

/** The size that an exit filled is taken from its sibling. */
export function shrinkSibling(world: World, { order, lots }: Fill): void {
  const sibling = siblingOf(world, order);
  if (sibling === undefined) return;
  assert(arePair(order, sibling), 'oco-pair', order.id);
  if (sibling.size <= lots) {
    cancel(world, sibling, `its sibling ${order.id} filled`);
    return;
  }
  sibling.size -= lots;
  explain(world, sibling, 'resized', { to: sibling.size, sibling_filled: lots });
  if (!isWorking(order)) sibling.ocoSiblingOrderId = null;
  touchOrder(world, sibling);
}

/**
 * When something else reduces a position, no group of exits exceeds it: the newest exits are cut first. An exit's own
 * fill cuts nothing of its group, and a triggered exit is never cut: it ends filled, or with its position (simulation
 * 4.3).
 */
export function shrinkExits(world: World, fill: Fill): void {
  const { order, portfolio } = fill;
  const before = fill.before!;
  for (const group of ['tp', 'sl'] as const) {
    if (order.exitGroup === group) continue;
    const exits = exitsOf(portfolio, before).filter(({ exitGroup }) => exitGroup === group);
    let excess = exits.reduce((sum, { size }) => sum + size, 0) - before.size;
    for (const exit of exits.reverse()) {
      if (excess <= 0) break;
      if (exit.triggeredAt !== null) continue;
      const cut = Math.min(excess, exit.size);
      excess -= cut;
      if (cut === exit.size) cancel(world, exit, 'its position was reduced');
      else resizeExit(world, exit, exit.size - cut);
    }
  }
}

/** After a fill that was not their own, the waiting exits of either kind are at most as large as their position. */
export function assertExitsFit({ order, portfolio, before }: Fill): void {
  if (before === null) return;
  for (const group of ['tp', 'sl'] as const) {
    if (order.exitGroup === group) continue;
    let waiting = 0;
    for (const { targetPositionId, exitGroup, triggeredAt, size } of portfolio.orders.values())
      if (targetPositionId === before.id && exitGroup === group && triggeredAt === null) waiting += size;
    assert(waiting <= before.size, 'exits-fit', before.id);
  }
}

/** When an exit ends without a fill, its sibling continues without one. */
export function unlinkSibling(world: World, order: Order): void {
  const sibling = order.status === 'filled' ? undefined : siblingOf(world, order);
  if (sibling === undefined) return;
  sibling.ocoSiblingOrderId = null;
  touchOrder(world, sibling);
}

/** Whether two exits are siblings of each other. */
function arePair(one: Order, other: Order): boolean {
  const { exitGroup, targetPositionId, ocoSiblingOrderId } = other;
  return ocoSiblingOrderId === one.id && targetPositionId === one.targetPositionId && exitGroup !== one.exitGroup;
}

function siblingOf(world: World, order: Order): Order | undefined {
  return order.ocoSiblingOrderId === null ? undefined : world.orders.get(order.ocoSiblingOrderId);
}
