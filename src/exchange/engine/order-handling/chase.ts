import { toUnits } from '../../../base/terms/decimal.ts';
import { snapToGrid } from '../book/price-grid.ts';
import { clippedLots, unusableBook } from '../fills/take.ts';
import type { Order, Price } from '../model.ts';
import { rest } from '../orders/working-orders.ts';
import { maxRestingOrders, nothingToReduce, restingViolation } from '../rules/rules.ts';
import { type Violation, violation } from '../violation.ts';
import { isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { explain, nextSequence, type Ticket, touchOrder, type World } from '../world/world.ts';

const minuteMs = 60_000;

/**
 * Puts a chase on the book at its distance from the best price of its side. Changes nothing if it returns a violation.
 */
export function enterChase(ticket: Ticket): Violation | null {
  const { world, market, order } = ticket;
  if (!isFresh(ticket)) return unusableBook(ticket);
  if (clippedLots(ticket) === 0) return nothingToReduce(ticket);
  const price = peggedPrice(market, order);
  if (price === null) {
    return violation('price-precision', "The chase price is outside the market's price grid.", {
      chase_offset: order.chaseOffset,
    });
  }
  const pegged = { ...ticket, order: { ...order, limitPrice: price } };
  const broken = maxRestingOrders(pegged) ?? restingViolation(pegged, { filled: 0, notional: 0n });
  if (broken !== null) return broken;
  order.limitPrice = price;
  order.timeInForce = 'gtc';
  rest(world, market, order);
  return null;
}

/**
 * After each book, every chase follows the best price of its side, up and down, and goes to the end of the line there
 * (simulation 4.2).
 */
export function followBest(world: World, market: Market): void {
  // The first order at the old price is also the first at the new one.
  for (const order of [...market.chases.values()].sort((a, b) => a.priority - b.priority)) {
    const price = peggedPrice(market, order);
    if (price === null || price === order.limitPrice) continue;
    const resting = market.resting(order.side);
    const isExplained = isExplainedMove(world, order);
    resting.remove(order);
    order.limitPrice = price;
    order.pricedAt = world.now;
    order.priority = nextSequence(world);
    order.queueAhead = null;
    resting.add(order);
    touchOrder(world, order);
    if (isExplained) explain(world, order, 'repriced', { price, own_best: ownBest(market, order) });
  }
}

/**
 * Whether a move is explained: every one in the first minute, then the first of each minute. In a month, a chase can
 * move two million times.
 */
function isExplainedMove({ now }: World, { requestedAt, pricedAt }: Order): boolean {
  return now - requestedAt < minuteMs || Math.floor(now / minuteMs) > Math.floor(pricedAt / minuteMs);
}

/** Best price of its side minus the offset, rounded away from the market, never past the cap; null if there is none. */
function peggedPrice(market: Market, order: Order): Price | null {
  const { definition } = market;
  const best = ownBest(market, order);
  if (Number.isNaN(best)) return null;
  const offset = order.chaseOffset === null ? 0 : toUnits(order.chaseOffset, definition.priceDecimals).units;
  const cap = order.chaseCapPrice === null ? null : toUnits(order.chaseCapPrice, definition.priceDecimals).units;
  const isBuy = order.side === 'buy';
  const price = isBuy
    ? snapToGrid(definition, Math.floor(Math.min(best - offset, cap ?? best)), 'down')
    : snapToGrid(definition, Math.ceil(Math.max(best + offset, cap ?? best)), 'up');
  return price > 0 && Number.isSafeInteger(price) ? price : null;
}

function ownBest(market: Market, order: Order): Price {
  return (order.side === 'buy' ? market.book.bids : market.book.asks).best;
}
