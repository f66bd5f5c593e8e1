import type { Outcome } from '../commands.ts';
import type { Order, ScaledOrder } from '../model.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { notFound } from '../violation.ts';
import { touchScaled } from '../world/changes.ts';
import { type Fill, portfolioOf, type World } from '../world/world.ts';

/** Cancels a ladder's working rungs; fills stay (simulation 7.3). */
export function cancelScaled(world: World, scaledOrderId: string): Outcome {
  const scaled = world.scaled.get(scaledOrderId);
  if (scaled === undefined) return notFound('working scaled order', scaledOrderId);
  endScaled(world, scaled);
  return { ok: true, scaled };
}

/** Ends a ladder early. */
export function endScaled(world: World, scaled: ScaledOrder): void {
  close(world, scaled, 'canceled');
  for (const child of [...portfolioOf(world, scaled.accountId).orders.values()]) {
    if (child.scaledOrderId === scaled.id && isWorking(child)) cancel(world, child, 'its ladder was canceled');
  }
}

/** Records a child's fill on its rung, and ends the ladder with its last rung. */
export function noteRungFill(world: World, fill: Fill): void {
  const scaled = ladderOf(world, fill.order);
  const rung = scaled?.rungs.find(({ orderId }) => orderId === fill.order.id);
  if (scaled === undefined || rung === undefined) return;
  rung.liquidityRole = fill.record.liquidityRole;
  touchScaled(world, scaled);
  closeIfOver(world, scaled);
}

/** Ends a ladder when its last working rung has ended; a fill is handled once it is booked. */
export function noteRungEnd(world: World, order: Order): void {
  const scaled = ladderOf(world, order);
  if (scaled !== undefined && order.status !== 'filled') closeIfOver(world, scaled);
}

/** Ends a ladder with no working rung left: completed if one filled, rejected if none was accepted. */
export function closeIfOver(world: World, scaled: ScaledOrder): void {
  const { rungs } = scaled;
  const isPlaced = rungs.every(({ orderId, rejectReason }) => orderId !== null || rejectReason !== null);
  if (!isPlaced || rungs.some(({ orderId }) => orderId !== null && world.orders.has(orderId))) return;
  if (rungs.some(({ liquidityRole }) => liquidityRole !== null)) close(world, scaled, 'completed');
  else close(world, scaled, rungs.every(({ rejectReason }) => rejectReason !== null) ? 'rejected' : 'canceled');
}

function ladderOf(world: World, order: Order): ScaledOrder | undefined {
  return order.scaledOrderId === null ? undefined : world.scaled.get(order.scaledOrderId);
}

function close(world: World, scaled: ScaledOrder, status: 'completed' | 'canceled' | 'rejected'): void {
  scaled.status = status;
  if (status === 'canceled') scaled.canceledAt = world.now;
  else scaled.completedAt = world.now;
  world.scaled.delete(scaled.id);
  touchScaled(world, scaled);
}
