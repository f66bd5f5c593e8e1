import { assert } from './assert.ts';
import { enterLimit } from './limit.ts';
import type { Market } from './market.ts';
import type { Order } from './model.ts';
import { takeWhole } from './take.ts';
import type { Violation } from './violation.ts';
import type { Desk, World } from './world.ts';

/**
 * Lets an accepted or about-to-be-accepted order meet its market, by its kind (simulation 4). Either everything it does
 * happens, or a violation is returned and nothing has.
 */
export function meetBook(world: World, desk: Desk, market: Market, order: Order): Violation | null {
  if (order.type === 'market') return takeWhole(world, desk, market, order);
  if (order.type === 'limit') return enterLimit(world, desk, market, order);
  assert(false, `orders of type ${order.type} have no way to meet the book`);
}
