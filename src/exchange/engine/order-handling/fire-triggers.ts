import { takeAvailable } from '../fills/take.ts';
import type { Order } from '../model.ts';
import { isArmed, isForced, isWorking, rejectWorking } from '../orders/working-orders.ts';
import { isMet } from '../rules/rules.ts';
import { freshVenuePrice, isFresh, upToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import {
  awaitedPrice,
  explain,
  ticketOf,
  touchOrder,
  triggerMarketOf,
  triggersOf,
  type World,
  waitsForPrint,
} from '../world/world.ts';
import { executionTime, meetBook } from './place-order.ts';

/** Continues triggered reductions that are not completely filled with each book of their market (simulation 3.1). */
export function continueReductions(world: World, market: Market): void {
  for (const order of [...market.unfinished.values()].sort((a, b) => a.sequence - b.sequence)) {
    // Forced orders are continued where the account's risk is checked.
    if (isWorking(order) && !isForced(order)) takeAvailable(ticketOf(world, order));
  }
}

/**
 * Triggers the armed orders whose condition the mark meets, by (requested_at, id) (simulation 2.4), then those that
 * wait for the venue's own mark or index, and the stops on the last price that the print of this moment reaches, each
 * in the same order. A conditional on another market waits until all events of its millisecond have been applied,
 * whichever market comes first.
 */
export function fireTriggers(world: World, market: Market | null): void {
  const met = market === null ? world.lateTriggers.splice(0) : market.triggers.met(market.book.mid);
  const venue = venueMet(world, market);
  const stops = stopsMet(market);
  const newly = newlyMet(world);
  if (met.length + venue.length + stops.length + newly.length === 0) return;
  for (const order of [...met, ...venue, ...stops, ...newly]) {
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

/** Orders that the venue's fresh mark or index triggers. */
function venueMet(world: World, market: Market | null): readonly Order[] {
  if (market === null) return noOrders;
  const { mark, index } = market.venueTriggers;
  if (mark.size + index.size === 0) return noOrders;
  return [
    ...mark.met(freshVenuePrice(world, market, 'mark') ?? Number.NaN),
    ...index.met(freshVenuePrice(world, market, 'index') ?? Number.NaN),
  ];
}

/** Stops that the print of this moment triggers; none by a print that is older than the stop at its price. */
function stopsMet(market: Market | null): readonly Order[] {
  const print = market?.print ?? null;
  if (market === null || print === null || market.lastPriceStops.size === 0) return noOrders;
  const tradedAt = print.tradedAt ?? print.time;
  return market.lastPriceStops.met(2 * print.price).filter((order) => order.pricedAt <= tradedAt);
}

const noOrders: readonly Order[] = [];

/** Orders that were just armed, such as exits of a first fill, and whose condition the mark already meets. */
function newlyMet(world: World): readonly Order[] {
  if (world.newlyArmed.length === 0) return noOrders;
  return world.newlyArmed
    .splice(0)
    .filter((order) => isArmed(order) && !waitsForPrint(world, order) && isMet(world, order));
}

/** The order reaches its book as a market order within its tolerance, or as a limit order. */
function fire(world: World, order: Order): void {
  const ticket = upToDate(ticketOf(world, order));
  // Without a fresh book of its own market it can't trade, so it waits.
  if (!isFresh(ticket)) return;
  const triggerMarket = triggerMarketOf(world, order);
  const cause = causeOf(world, order, triggerMarket);
  triggersOf(world, order).remove(order);
  order.triggeredAt = world.now;
  order.stopTriggeredAt = order.limitPrice === null ? null : world.now;
  order.status = 'pending';
  // A crossing limit fills now: that is the purpose of its trigger.
  order.marketableLimitAcknowledged = true;
  touchOrder(world, order);
  explain(world, order, 'triggered', { ...cause, trigger_market_id: triggerMarket.id });
  order.executeAt = executionTime(ticket);
  if (order.executeAt !== null) {
    world.executions.add(order.executeAt, order);
    return;
  }
  const broken = meetBook(ticket);
  if (broken !== null) rejectWorking(world, order, broken);
}

/** The price that triggered an order, for its explanation. */
function causeOf(world: World, order: Order, market: Market): Record<string, number | null> {
  const price = awaitedPrice(world, order);
  if (price === 'last') return { print_price: market.print!.price };
  if (price === 'mid') return { mark_half_price: market.book.mid };
  const half = market.book.marks?.[price] ?? null;
  return price === 'mark' ? { venue_mark_half_price: half } : { venue_index_half_price: half };
}
