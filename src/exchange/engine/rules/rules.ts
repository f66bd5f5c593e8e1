import { directionOf } from '../../../base/margin/holding.ts';
import { notionalAt } from '../../../base/margin/notional.ts';
import { dayMs, hourMs } from '../../../base/terms/day.ts';
import { toMoney, toNumber } from '../../../base/terms/decimal.ts';
import { addedByFill, addedLots } from '../accounts/margin.ts';
import { gridOf, isOnGrid, lotDecimalsOf, lotOf } from '../book/price-grid.ts';
import type { Walk } from '../book/walk.ts';
import { firesAbove, firingMark } from '../indexes/triggers.ts';
import type { Account, HalfPrice, Lots, Money, Ms, Order, TradeCounts } from '../model.ts';
import { type Violation, violation } from '../violation.ts';
import { bringUpToDate, freshMark, freshVenuePrice, isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { awaitedPrice, portfolioOf, type Ticket, triggerMarketOf, type World } from '../world/world.ts';
import { legViolation } from './exit-rules.ts';
import {
  type Check,
  exposureChecks,
  firstViolation,
  maxLeverage,
  type Placement,
  placementOf,
} from './exposure-rules.ts';

/** The rules of precision: nothing can be computed for an order that breaks them. */
export function precisionViolation(ticket: Ticket): Violation | null {
  return sizePrecision(ticket) ?? pricePrecision(ticket) ?? maxLeverage(ticket);
}

/**
 * The rules of placement in the order in which they are checked, after precision: the first violation is the answer
 * (simulation 3, 5, 6). Rules that need a walk over the book (stale book, depth, tolerance, marketable limit) follow,
 * and the exposure rules at the walk's price come last.
 */
const placementChecks: readonly Check[] = [
  followerIsFree,
  slippageMinimum,
  reduceOnlyHasSomethingToReduce,
  legViolation,
  minimumNotional,
  orderCooldown,
  tradeCounts,
];

/** The first rule that a new order breaks before it reaches the book, or null. */
export function placementViolation(ticket: Ticket): Violation | null {
  return precisionViolation(ticket) ?? firstViolation(placementOf(ticket), placementChecks);
}

/** The first exposure rule that the whole remaining order breaks at its own price or the mark, or null. */
export function exposureViolation(ticket: Ticket): Violation | null {
  const placement = placementOf(ticket);
  return placement.addedLots === 0 ? null : firstViolation(placement, exposureChecks);
}

/**
 * The first exposure rule that lots about to fill, or to rest, at this notional break (simulation 3: they apply at each
 * fill).
 */
export function fillViolation(
  ticket: Ticket,
  fill: { lots: Lots; notional: Money; addedLots?: Lots },
): Violation | null {
  const { portfolio, order } = ticket;
  const added = fill.addedLots ?? addedByFill(portfolio, order, fill.lots);
  if (order.reduceOnly || added === 0) return null;
  // An amended order is checked as a copy of itself, which is not among the others.
  const isAccepted = portfolio.orders.get(order.id) === order;
  return firstViolation({ ...ticket, isAccepted, ...fill, addedLots: added }, exposureChecks);
}

/** Refuses a size that is not a positive whole number of lots, unless it is the whole position. */
export function sizePrecision({ portfolio, market, order: { size } }: Ticket): Violation | null {
  const { definition } = market;
  const isWhole = size % lotOf(definition) === 0 || size === portfolio.positions.get(market.id)?.size;
  if (Number.isSafeInteger(size) && size > 0 && isWhole) return null;
  const most = Math.floor(Number.MAX_SAFE_INTEGER / 10 ** definition.sizeDecimals);
  if (size > Number.MAX_SAFE_INTEGER)
    return violation('size-precision', `The size is too large; ${most} is the maximum supported.`);
  const decimals = lotDecimalsOf(definition);
  return violation('size-precision', `The size has more decimals than the ${decimals} of ${market.id}.`, {
    size_decimals: decimals,
  });
}

/** Refuses a limit price off the market's price grid. */
export function pricePrecision({ market, order }: Ticket): Violation | null {
  if (order.limitPrice === null || isOnGrid(market.definition, order.limitPrice)) return null;
  return violation('price-precision', `The limit price is not on the price grid of ${market.id}.`, {
    ...gridOf(market.definition),
  });
}

/**
 * Why a follower's own orders, closes, exits and margin are refused (simulation 7.4); null if the account is not a
 * follower.
 */
export function followerLock(world: World, accountId: string): Violation | null {
  const group = world.copyRoles.followers.get(accountId);
  if (group === undefined) return null;
  return violation('copy-follower-locked', 'The account follows another account, so only copy trading can trade it.', {
    config_id: group.id,
    source_account_id: group.sourceAccountId,
  });
}

/** A follower only copies its lead; orders it already had working continue. */
function followerIsFree({ world, portfolio, order }: Placement): Violation | null {
  return order.copyConfigId === null ? followerLock(world, portfolio.account.id) : null;
}

function slippageMinimum({ portfolio, order }: Placement): Violation | null {
  const minimum = portfolio.account.policy.slippageMinBps;
  if (order.slippageToleranceBps === null || order.slippageToleranceBps >= minimum) return null;
  return violation('slippage-tolerance-min', `The slippage tolerance is below the account's ${minimum} bps.`, {
    minimum_bps: minimum,
  });
}

function reduceOnlyHasSomethingToReduce(ticket: Ticket): Violation | null {
  const { portfolio, market, order } = ticket;
  if (!order.reduceOnly) return null;
  const position = portfolio.positions.get(market.id);
  if (position !== undefined && position.direction !== directionOf(order.side)) return null;
  return nothingToReduce(ticket);
}

/** The refusal of a reduction without a position against it. */
export function nothingToReduce({ market, order }: Ticket): Violation {
  return violation('reduce-only', `There is no position in ${market.id} for a ${order.side} to reduce.`);
}

/** Refuses added exposure below the account's minimum notional, USD. */
export function minimumNotional({ portfolio, market, order, notional, addedLots }: Placement): Violation | null {
  // Slices were checked together when their parent was placed.
  if (order.twapOrderId !== null) return null;
  const minimum = portfolio.account.policy.limits.minOrderNotionalUsd;
  if (addedLots === 0 || notional === null || notional >= toMoney(minimum)) return null;
  return violation('min-order-notional-usd', `The order is worth less than ${minimum} USD.`, {
    min_order_notional_usd: minimum,
    size: toNumber(order.size, market.definition.sizeDecimals),
  });
}

function orderCooldown({ world, portfolio, order, addedLots }: Placement): Violation | null {
  // A strategy's orders do not wait for each other.
  if (order.twapOrderId !== null || order.scaledOrderId !== null) return null;
  const { lastOrderAt, policy } = portfolio.account;
  if (addedLots === 0 || lastOrderAt === null) return null;
  const retryAfterMs = lastOrderAt + policy.limits.orderCooldownMs - world.now;
  if (retryAfterMs <= 0) return null;
  return {
    code: 'cooldown',
    ruleId: 'order-cooldown-ms',
    message: `The account is in cooldown. Retry in ${retryAfterMs} ms.`,
    details: { retry_after_ms: retryAfterMs },
  };
}

function tradeCounts({ world, portfolio, order, addedLots }: Placement): Violation | null {
  const { trades, policy, startingBalance } = portfolio.account;
  const { limits, unlimitedTradeCountThreshold: threshold } = policy;
  // Slices do not count as trades.
  if (addedLots === 0 || order.twapOrderId !== null) return null;
  if (threshold > 0 && startingBalance >= toMoney(threshold)) return null;
  const counts = countsAt(trades, world.now);
  const { tradesPerMinute, tradesPerHour, tradesPerDay } = limits;
  const most = { minute: tradesPerMinute, hour: tradesPerHour, day: tradesPerDay };
  const window = (['minute', 'hour', 'day'] as const).find((one) => counts[one] >= most[one]);
  if (window === undefined) return null;
  const limit = most[window];
  return violation(`trades-per-${window}`, `The account has used its ${limit} trades for this UTC ${window}.`, {
    limit,
  });
}

const minuteMs = 60_000;

/** Trades so far in the fixed UTC windows that contain `now`. */
function countsAt(trades: TradeCounts, now: Ms): { minute: number; hour: number; day: number } {
  return {
    minute: trades.minute === Math.floor(now / minuteMs) ? trades.minuteCount : 0,
    hour: trades.hour === Math.floor(now / hourMs) ? trades.hourCount : 0,
    day: trades.day === Math.floor(now / dayMs) ? trades.dayCount : 0,
  };
}

/** Counts one accepted order that is not a reduction. */
export function countTrade(account: Account, now: Ms): void {
  const counts = countsAt(account.trades, now);
  account.trades = {
    minute: Math.floor(now / minuteMs),
    minuteCount: counts.minute + 1,
    hour: Math.floor(now / hourMs),
    hourCount: counts.hour + 1,
    day: Math.floor(now / dayMs),
    dayCount: counts.day + 1,
  };
  account.lastOrderAt = now;
}

/** Whether the opposite best is at or through the limit. */
export function wouldCross({ market, order }: Ticket): boolean {
  const { best, sign } = market.opposite(order.side);
  return sign * best >= sign * order.limitPrice!;
}

/** The refusal of a limit that would fill at once without its owner's consent. */
export function marketableLimit({ market, order }: Ticket): Violation {
  const best = toNumber(market.opposite(order.side).best, market.definition.priceDecimals);
  return violation('marketable-limit', `The limit would fill at once: the opposite best is ${best}.`, {
    opposite_best: best,
  });
}

/** Exposure rules over the part taken at book prices and the part resting at the limit, together. */
export function restingViolation(ticket: Ticket, walk: Pick<Walk, 'filled' | 'notional'>): Violation | null {
  const { portfolio, market, order } = ticket;
  const resting = notionalAt(market.definition, order.limitPrice!, order.size - walk.filled);
  const fill = { lots: order.size, notional: walk.notional + resting, addedLots: addedLots(portfolio, order) };
  return fillViolation(ticket, fill);
}

/**
 * Limits the number of an account's resting and armed orders (simulation 6.2); an order that is already counted may
 * stay.
 */
export function maxRestingOrders({ portfolio, order }: Ticket): Violation | null {
  const maximum = portfolio.account.policy.limits.maxRestingOrders;
  if (portfolio.orders.has(order.id)) return null;
  let resting = 0;
  for (const { status } of portfolio.orders.values()) if (status === 'resting') resting += 1;
  if (resting < maximum) return null;
  return violation('max-resting-orders', `The account already has ${maximum} resting orders.`, {
    max_resting_orders: maximum,
  });
}

/** Whether the current mark, or index, meets an order's condition; null if there is no fresh one. */
export function isMet(world: World, order: Order): boolean | null {
  const market = triggerMarketOf(world, order);
  bringUpToDate(world, market);
  const price = comparedPrice(world, order, market);
  if (price === null) return null;
  const threshold = firingMark(market.definition, order);
  return firesAbove(order) ? price >= threshold : price <= threshold;
}

/** The price that an order's trigger is compared with at placement: the mark, even for stops on the last price. */
function comparedPrice(world: World, order: Order, market: Market): HalfPrice | null {
  const seat = { world, portfolio: portfolioOf(world, order.accountId), market };
  if (awaitedPrice(world, order) !== 'index') return freshMark(seat);
  return isFresh(seat) ? freshVenuePrice(world, market, 'index') : null;
}

/** Refuses a trigger whose condition the mark already meets: it is on the wrong side. */
export function triggerSide(world: World, order: Order): Violation | null {
  if (isMet(world, order) !== true) return null;
  const market = triggerMarketOf(world, order);
  const name = awaitedPrice(world, order) === 'index' ? 'index' : 'mark';
  return violation('trigger-side', `The ${name} is already at or beyond the trigger price.`, {
    trigger_price: order.triggerPrice,
    [name]: toNumber(comparedPrice(world, order, market)! * 5, market.definition.priceDecimals + 1),
  });
}
