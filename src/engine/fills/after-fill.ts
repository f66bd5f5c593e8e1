import { followFill } from '../copy/copy.ts';
import { attachExits } from '../exits/attach-exits.ts';
import { retireFromSibling, shrinkExits } from '../exits/exits.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { reducingSide } from '../positions/positions.ts';
import { noteRungFill } from '../strategies/scaled.ts';
import { countSliceFill } from '../strategies/twap.ts';
import type { World } from '../world.ts';
import type { Fill } from './fill.ts';
import { coverNegativeBalance, settleLoss } from './forced-fill.ts';

/** What follows from every fill, in this order. */
export const afterFill: readonly ((world: World, fill: Fill) => void)[] = [
  cancelReductionsOfGonePosition,
  retireFromSibling,
  shrinkExits,
  attachExits,
  settleLoss,
  followFill,
  countSliceFill,
  noteRungFill,
  // Last: what the balance has come to.
  (world, { desk }) => coverNegativeBalance(world, desk),
];

/** A reduction has nothing to reduce once its position is gone: its rest is canceled (simulation 4). */
function cancelReductionsOfGonePosition(world: World, fill: Fill): void {
  const { before, desk, market } = fill;
  if (before === null || before.status === 'open') return;
  for (const order of [...desk.orders.values()]) {
    const isReduction = order.marketId === market.id && order.reduceOnly && order.side === reducingSide(before);
    if (isReduction && isWorking(order)) cancel(world, order, 'its position is closed');
  }
}
