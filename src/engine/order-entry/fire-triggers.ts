import { takeAvailable } from '../fills/take-available.ts';
import type { Ms, Order } from '../model.ts';
import { isArmed, isForced, isWorking, rejectWorking } from '../orders/working-orders.ts';
import { isMet } from '../rules/waiting-rules.ts';
import { explain, touchOrder } from '../world/changes.ts';
import { bringPositionsUpToDate, bringUpToDate, isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, portfolioOf, triggerMarketOf, type World } from '../world/world.ts';
import { executionTime, meetBook } from './meet-book.ts';

/** Orders that must get out and are not done go on with each book of their market (simulation 3). */
export function goOnGettingOut(world: World, market: Market | null): void {
  if (market === null || market.unfinished.size === 0) return;
  for (const order of [...market.unfinished.values()].sort((a, b) => a.sequence - b.sequence)) {
    // What the exchange itself forces out, it goes on with where it looks at the account's risk.
    if (isWorking(order) && !isForced(order)) takeAvailable(world, portfolioOf(world, order.accountId), market, order);
  }
}

/**
 * Fires the armed orders whose condition the mark meets, by (requested_at, id) (simulation 2). A conditional on another
 * market waits for the events of its millisecond, so that its own market's are in, whichever comes first.
 */
export function fireTriggers(world: World, market: Market | null): void {
  const met = market === null ? world.lateTriggers.splice(0) : market.triggers.met(market.book.mid);
  for (const order of [...met, ...newlyMet(world)]) {
    if (!isArmed(order)) continue;
    if (market !== null && order.marketId !== market.id) {
      if (world.lateTriggers.includes(order)) continue;
      world.lateTriggers.push(order);
      world.revision += 1;
    } else {
      fire(world, order);
    }
  }
}

/** Now, where conditionals wait for the end of the millisecond. */
export function nextLateTriggerAt(world: World): Ms {
  return world.lateTriggers.length > 0 ? world.now : Number.POSITIVE_INFINITY;
}

/** Orders armed a moment ago, exits of a first fill for instance, whose condition is met as it is. */
function newlyMet(world: World): Order[] {
  if (world.newlyArmed.length === 0) return [];
  return world.newlyArmed.splice(0).filter((order) => isArmed(order) && isMet(world, order));
}

/** The order meets its book as what it is now: a market order within its tolerance, or a limit. */
function fire(world: World, order: Order): void {
  const portfolio = portfolioOf(world, order.accountId);
  const market = marketOf(world, order.marketId);
  bringUpToDate(world, market);
  bringPositionsUpToDate(world, portfolio);
  // Without a fresh book of its own it could not trade: it waits.
  if (!isFresh(world, portfolio, market)) return;
  const triggerMarket = triggerMarketOf(world, order);
  triggerMarket.triggers.remove(order);
  order.triggeredAt = world.now;
  order.stopTriggeredAt = order.limitPrice === null ? null : world.now;
  order.status = 'pending';
  // What crosses now fills: that is what its trigger was for.
  order.marketableLimitAcknowledged = true;
  touchOrder(world, order);
  explain(world, order, 'triggered', { mark_half_price: triggerMarket.book.mid, trigger_market_id: triggerMarket.id });
  order.executeAt = executionTime(world, portfolio, order);
  if (order.executeAt !== null) {
    world.executions.add(order.executeAt, order);
    return;
  }
  const broken = meetBook(world, portfolio, market, order);
  if (broken !== null) rejectWorking(world, order, broken);
}
