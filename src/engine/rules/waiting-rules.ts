import { notionalAt } from '../../margin/notional.ts';
import { toNumber } from '../../terms/decimal.ts';
import { addedLots } from '../accounts/margin.ts';
import type { Walk } from '../book/walk.ts';
import { firesAbove, firingMark } from '../indexes/triggers.ts';
import type { Order } from '../model.ts';
import { type Violation, violation } from '../violation.ts';
import { bringUpToDate, isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { type Portfolio, portfolioOf, triggerMarketOf, type World } from '../world/world.ts';
import { fillViolation } from './rules.ts';

/** Whether the opposite best is at or through the limit. */
export function wouldCross(market: Market, order: Order): boolean {
  const { best, sign } = market.opposite(order.side);
  return sign * best >= sign * order.limitPrice!;
}

/** The refusal of a limit that would fill at once without its owner's consent. */
export function marketableLimit(market: Market, order: Order): Violation {
  const best = toNumber(market.opposite(order.side).best, market.definition.priceDecimals);
  return violation('marketable-limit', `The limit would fill at once: the opposite best is ${best}.`, {
    opposite_best: best,
  });
}

/** Exposure rules over the part taken at book prices and the part resting at the limit, together. */
export function restingViolation(
  world: World,
  portfolio: Portfolio,
  market: Market,
  order: Order,
  walk: Pick<Walk, 'filled' | 'notional'>,
): Violation | null {
  const resting = notionalAt(market.definition, order.limitPrice!, order.size - walk.filled);
  const fill = { lots: order.size, notional: walk.notional + resting, addedLots: addedLots(portfolio, order) };
  return fillViolation(world, portfolio, market, order, fill);
}

/**
 * Limits the number of an account's resting and armed orders (simulation 6.2); an order that is already counted may
 * stay.
 */
export function maxRestingOrders(portfolio: Portfolio, order: Order): Violation | null {
  const maximum = portfolio.account.policy.limits.maxRestingOrders;
  if (portfolio.orders.has(order.id)) return null;
  let resting = 0;
  for (const { status } of portfolio.orders.values()) if (status === 'resting') resting += 1;
  if (resting < maximum) return null;
  return violation('max-resting-orders', `The account already has ${maximum} resting orders.`, {
    max_resting_orders: maximum,
  });
}

/** Whether the current mark meets an order's condition; null if there is no fresh mark. */
export function isMet(world: World, order: Order): boolean | null {
  const market = triggerMarketOf(world, order);
  bringUpToDate(world, market);
  if (!isFresh(world, portfolioOf(world, order.accountId), market)) return null;
  const threshold = firingMark(market.definition, order);
  return firesAbove(order) ? market.book.mid >= threshold : market.book.mid <= threshold;
}

/** Refuses a trigger whose condition the mark already meets: it is on the wrong side. */
export function triggerSide(world: World, order: Order): Violation | null {
  if (isMet(world, order) !== true) return null;
  const { definition, book } = triggerMarketOf(world, order);
  return violation('trigger-side', 'The mark is already at or beyond the trigger price.', {
    trigger_price: order.triggerPrice,
    mark: toNumber(book.mid * 5, definition.priceDecimals + 1),
  });
}
