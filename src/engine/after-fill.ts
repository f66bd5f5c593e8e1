import type { Fill } from './fill.ts';
import { reducingSide } from './positions.ts';
import { cancel } from './working-orders.ts';
import type { World } from './world.ts';

/** What follows from every fill, in this order. */
export const afterFill: readonly ((world: World, fill: Fill) => void)[] = [cancelReductionsOfGonePosition];

/** A reduction has nothing to reduce once its position is gone: its rest is canceled (simulation 4). */
function cancelReductionsOfGonePosition(world: World, fill: Fill): void {
  const { before, desk, market } = fill;
  if (before === null || before.status === 'open') return;
  for (const order of [...desk.orders.values()]) {
    if (order.marketId === market.id && order.reduceOnly && order.side === reducingSide(before)) {
      cancel(world, order, 'its position is closed');
    }
  }
}
