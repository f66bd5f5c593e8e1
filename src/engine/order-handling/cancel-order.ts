import type { CancelOrder, Outcome } from '../commands.ts';
import { removeLegs } from '../exits/attach-exits.ts';
import { cancel, isArmed, isForced } from '../orders/working-orders.ts';
import { conflict, notFound } from '../violation.ts';
import { portfolioOf, type World } from '../world/world.ts';

/**
 * Cancels a working order; an armed one answers `queued` (simulation 4.2). Copied orders belong to their group,
 * forced ones to the exchange.
 */
export function cancelOrder(world: World, command: CancelOrder): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.copyConfigId !== null) {
    return { ok: false, code: 'copy_managed', message: 'Copy trading manages this order.' };
  }
  if (isForced(order)) return conflict('The exchange itself is closing the position with this order.');
  const queued = isArmed(order);
  order.cancelRequestedAt = world.now;
  cancel(world, order, null);
  removeLegs(world, portfolioOf(world, order.accountId), [order]);
  return queued ? { ok: true, order, queued } : { ok: true, order };
}
