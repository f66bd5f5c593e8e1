import { unlinkSibling } from '../exits/exits.ts';
import type { Order } from '../model.ts';
import { settleLadder } from '../strategies/scaled.ts';
import type { World } from '../world.ts';

/** What follows when an order works no more, whatever became of it, in this order. */
export const afterEnd: readonly ((world: World, order: Order) => void)[] = [unlinkSibling, settleLadder];
