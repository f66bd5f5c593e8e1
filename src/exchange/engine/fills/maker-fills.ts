import { notionalAt } from '../../../base/margin/notional.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { levelsOfWalk, walkBook } from '../book/walk.ts';
import type { Lots, Order } from '../model.ts';
import { isWorking, rejectWorking } from '../orders/working-orders.ts';
import { fillViolation } from '../rules/rules.ts';
import type { PrintEvent } from '../source.ts';
import type { Market } from '../world/market.ts';
import { explain, type Ticket, ticketOf, touchOrder, type World } from '../world/world.ts';
import { clippedLots, fill } from './take.ts';

/**
 * A print fills the resting orders it reaches (simulation 3.3). Orders at its price get what exceeds their queue;
 * orders at prices that it passed get all of it. Each account gets the print's size once, first come, first served.
 */
export function fillFromPrint(world: World, market: Market, print: PrintEvent): void {
  const resting = market.resting(print.side === 'buy' ? 'sell' : 'buy');
  const printRank = print.side === 'buy' ? -print.price : print.price;
  if (resting.ranked.top < printRank) return;
  const given = new Map<string, Lots>();
  const firstCome = resting.ranked.reaching(printRank).sort((one, other) => one.priority - other.priority);
  for (const order of firstCome) {
    // An earlier fill may have ended the order, and an order never matches a print older than its acceptance.
    if (!isWorking(order) || (print.tradedAt ?? print.time) < order.pricedAt) continue;
    const isThrough = resting.rankOf(order) > printRank;
    const beyondQueue = print.size - queueBefore(world, order, print, isThrough);
    const available = beyondQueue - (given.get(order.accountId) ?? 0);
    if (available <= 0) continue;
    const filled = makerFill(ticketOf(world, order), available, {
      print_price: print.price,
      print_size: print.size,
      print_time: print.tradedAt ?? print.time,
    });
    given.set(order.accountId, (given.get(order.accountId) ?? 0) + filled);
  }
}

/**
 * Once the opposite best is at or through resting orders, they fill at their own price, up to the size displayed there
 * that their account has not taken yet.
 */
export function fillFromBook(world: World, market: Market): void {
  fillSideFromBook(world, market, 'buy');
  fillSideFromBook(world, market, 'sell');
}

function fillSideFromBook(world: World, market: Market, side: Order['side']): void {
  const resting = market.resting(side);
  const opposite = market.opposite(side);
  const bestRank = -opposite.sign * opposite.best;
  if (!(resting.ranked.top >= bestRank)) return;
  const consumed = market.consumedBy(side);
  for (const order of resting.ranked.reaching(bestRank)) {
    if (!isWorking(order)) continue;
    const ticket = ticketOf(world, order);
    const lots = clippedLots(ticket);
    const walk = walkBook(market.definition, opposite, consumed, order.accountId, lots, order.limitPrice);
    if (walk.filled === 0) continue;
    const levels = levelsOfWalk(opposite, consumed, order.accountId, walk.filled);
    const filled = makerFill(ticket, walk.filled, { opposite_best: opposite.best });
    if (filled === 0) continue;
    for (const [price, taken] of levels) consumed.take(order.accountId, price, taken);
  }
}

/** Displayed lots ahead of the order when the print came; the print has since taken some or all of them. */
function queueBefore(world: World, order: Order, print: PrintEvent, isThrough: boolean): Lots {
  const queueAhead = isThrough ? 0 : order.queueAhead;
  // Its level was never visible, so the size ahead is unknown.
  if (queueAhead === null) return Number.POSITIVE_INFINITY;
  assert(queueAhead >= 0, 'queue-known', order.id);
  const left = Math.max(0, queueAhead - print.size);
  if (left !== order.queueAhead) {
    order.queueAhead = left;
    touchOrder(world, order);
  }
  return queueAhead;
}

/** Fills up to this many lots of a resting order at its price; returns the number filled. */
function makerFill(ticket: Ticket, available: Lots, cause: Record<string, number>): Lots {
  const { world, market, order } = ticket;
  const lots = Math.min(available, clippedLots(ticket));
  const notional = notionalAt(market.definition, order.limitPrice!, lots);
  const broken = fillViolation(ticket, { lots, notional });
  if (broken !== null) {
    rejectWorking(world, order, broken);
    return 0;
  }
  explain(world, order, 'made', { filled: lots, price: order.limitPrice, queue_ahead: order.queueAhead, ...cause });
  fill(ticket, lots, notional, 'maker');
  return lots;
}
