import { assert } from '../assert.ts';
import type { Market } from '../book/market.ts';
import { armOrder, waitsForTrigger } from '../exits/arm.ts';
import { takeWhole } from '../fills/take.ts';
import { takeAvailable } from '../fills/take-available.ts';
import type { Order } from '../model.ts';
import type { Violation } from '../violation.ts';
import type { Desk, World } from '../world.ts';
import { enterChase } from './chase.ts';
import { enterLimit } from './limit.ts';

/**
 * Lets an accepted or about-to-be-accepted order meet its market, by its kind (simulation 4). Either everything it does
 * happens, or a violation is returned and nothing has.
 */
export function meetBook(world: World, desk: Desk, market: Market, order: Order): Violation | null {
  if (waitsForTrigger(order)) return armOrder(world, desk, market, order);
  switch (order.type) {
    case 'market':
      return takeWhole(world, desk, market, order);
    case 'limit':
      return order.mode === 'chase' ? enterChase(world, desk, market, order) : enterLimit(world, desk, market, order);
    case 'stop_limit':
    case 'take_limit':
      return enterLimit(world, desk, market, order);
    case 'stop_market':
    case 'take_market':
    case 'take_profit':
      if (!order.reduceOnly) return takeWhole(world, desk, market, order);
      takeAvailable(world, desk, market, order);
      return null;
    default:
      assert(false, `orders of type ${order.type} have no way to meet the book`);
  }
}
