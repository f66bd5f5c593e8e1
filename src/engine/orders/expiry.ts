import type { Market } from '../book/market.ts';
import { explain, type World } from '../world.ts';
import { end, isWorking } from './working-orders.ts';

/** Orders good till a date end when it has come: inside a market's event its own, at a moment of its own all. */
export function expireOrders(world: World, market: Market | null): void {
  if (world.expiries.next > world.now) return;
  for (const order of world.expiries.takeDue(world.now, market?.id)) {
    if (!isWorking(order) || order.gtdExpiresAt === null) continue;
    explain(world, order, 'expired', { gtd_expires_at: order.gtdExpiresAt, remaining: order.size });
    end(world, order, 'expired');
  }
}
