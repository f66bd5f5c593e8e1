import { directionOf } from '../../../base/margin/holding.ts';
import { tradingDayStart } from '../../../base/terms/day.ts';
import { moneyToNumber, toNumber } from '../../../base/terms/decimal.ts';
import { assert } from '../../../base/terms/invariants.ts';
import { addedByFill, feeOf } from '../accounts/margin.ts';
import { isWithinTolerance, levelsOfWalk, type Walk, walkBook } from '../book/walk.ts';
import type { HalfPrice, LiquidityRole, Lots, Money, Order, Price } from '../model.ts';
import { observedOf } from '../observed.ts';
import { admit, cancel, end, isWorking } from '../orders/working-orders.ts';
import { applyExecution } from '../positions/positions.ts';
import { fillViolation, nothingToReduce } from '../rules/rules.ts';
import { type Violation, violation } from '../violation.ts';
import { bookProblem, freshMark, isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import {
  explain,
  idOf,
  nextSequence,
  type Portfolio,
  type Seat,
  type Ticket,
  touchAccount,
  touchOrder,
  type World,
} from '../world/world.ts';
import { pricedWalk } from './priced-walk.ts';

/** Maximum number of levels that an explanation lists; the totals include the rest. */
const explainedLevels = 50;

/** Lots an order may fill now: for a reduction, never more than the position (simulation 4.2). */
export function clippedLots({ portfolio, order }: Ticket): Lots {
  if (!order.reduceOnly) return order.size;
  const position = portfolio.positions.get(order.marketId);
  if (position === undefined || position.direction === directionOf(order.side)) return 0;
  return Math.min(order.size, position.size);
}

/**
 * The tolerance in force: the request's, at most the account's and the provider's ceiling (simulation 3.1). A
 * strategy's slice has its own instead (simulation 7.1).
 */
function toleranceOf({ portfolio, market, order }: Ticket): number {
  if (order.twapOrderId !== null && order.slippageToleranceBps !== null) return order.slippageToleranceBps;
  const { slippageMaxBps, marketOrderMaximumBpsByProvider } = portfolio.account.policy;
  const ofProvider = marketOrderMaximumBpsByProvider[market.definition.provider] ?? slippageMaxBps;
  return Math.min(order.slippageToleranceBps ?? slippageMaxBps, slippageMaxBps, ofProvider);
}

/** A market order: fills completely or not at all, within its tolerance. Changes nothing if it returns a violation. */
export function takeWhole(ticket: Ticket): Violation | null {
  const walk = wholeWalk(ticket);
  if ('ruleId' in walk) return walk;
  bookTaking(ticket, walk, { tolerance_bps: toleranceOf(ticket) });
  return null;
}

/** Why the current book can't fill the whole market order, if so. */
export function takeViolation(ticket: Ticket): Violation | null {
  const walk = wholeWalk(ticket);
  return 'ruleId' in walk ? walk : null;
}

/** The walk that fills the whole market order, or why the current book can't. */
function wholeWalk(ticket: Ticket): Walk | Violation {
  const { portfolio, market, order } = ticket;
  if (!isFresh(ticket)) return unusableBook(ticket);
  const lots = clippedLots(ticket);
  if (lots === 0) return nothingToReduce(ticket);
  // New exposure without a mark would be measured by nothing.
  const isMarked = order.reduceOnly || freshMark(ticket) !== null;
  if (!isMarked && addedByFill(portfolio, order, lots) > 0) return unusableBook(ticket);
  const walk = walkFor(ticket, lots, null);
  if (walk.filled < lots) return insufficientDepth(ticket, lots);
  const tolerance = toleranceOf(ticket);
  const isWithin =
    walk.boundBps === undefined
      ? isWithinTolerance(walk.worstPrice, market.book.mid, tolerance)
      : walk.boundBps <= tolerance;
  if (!isWithin) return slippageTolerance(market, walk, tolerance);
  return fillViolation(ticket, { lots, notional: walk.notional }) ?? walk;
}

/** Books the result of a walk: consumption, the execution, and its explanation. A reduction that was cut ends. */
export function bookTaking(ticket: Ticket, walk: Walk, facts: Record<string, number>): void {
  const { world, market, order } = ticket;
  admit(world, order);
  const consumed = market.consumedBy(order.side);
  const isFromBook = walk.levels > 0;
  const levels = isFromBook ? levelsOfWalk(market.opposite(order.side), consumed, order.accountId, walk.filled) : [];
  explain(world, order, 'taken', {
    book_time: market.book.time,
    book_sequence: market.book.sequence,
    mid_half_price: market.book.mid,
    levels: walk.levels,
    taken: levels.slice(0, explainedLevels),
    filled: walk.filled,
    requested: order.size,
    ...(walk.boundBps !== undefined && { bound_bps: walk.boundBps }),
    ...facts,
  });
  assert(!isFromBook || levels.reduce((sum, [, lots]) => sum + lots, 0) === walk.filled, 'walk-adds-up', order.id);
  for (const [price, lots] of levels) consumed.take(order.accountId, price, lots);
  fill(ticket, walk.filled, walk.notional, 'taker');
}

/** Ends a reduction that has nothing left to reduce. */
export function endClipped(world: World, order: Order): void {
  if (isWorking(order)) cancel(world, order, 'nothing is left to reduce');
}

/** Walks the side that an order takes from, for its account. */
export function walkFor({ portfolio, market, order }: Ticket, lots: Lots, limit: number | null): Walk {
  const { side, accountId } = order;
  const isAtMarket = order.limitPrice === null;
  return pricedWalk(market, observedOf(portfolio.account.policy), { side, accountId, lots, limit, isAtMarket });
}

/** Why nothing can be taken: the book is missing, too old, or has an empty side, or the venue's own mark is. */
export function unusableBook({ world, portfolio, market }: Seat): Violation {
  const { time } = market.book;
  const isRecent = market.book.isRecent(world.now, portfolio.account.policy.limits.maxBookStalenessMs);
  const message = bookProblem(market, isRecent, 'trade on');
  return isRecent && !(market.book.bids.count > 0 && market.book.asks.count > 0)
    ? violation('insufficient-depth', message, { available_size: 0 })
    : violation('stale-book', message, { book_time: Number.isFinite(time) ? time : null });
}

/** The refusal of an order larger than what the visible depth offers its account, with that size. */
export function insufficientDepth({ market, order }: Ticket, lots: Lots): Violation {
  const { definition } = market;
  const { sizeDecimals } = definition;
  const { side, accountId, limitPrice } = order;
  const all = Number.MAX_SAFE_INTEGER;
  const offered = walkBook(
    definition,
    market.opposite(side),
    market.consumedBy(side),
    accountId,
    all,
    limitPrice,
  ).filled;
  return violation('insufficient-depth', `The visible depth of ${market.id} can't fill the whole order.`, {
    available_size: toNumber(offered, sizeDecimals),
    requested_size: toNumber(lots, sizeDecimals),
  });
}

function slippageTolerance(market: Market, walk: Walk, tolerance: number): Violation {
  const { priceDecimals } = market.definition;
  return violation('slippage-tolerance', `The worst level is more than ${tolerance} bps from the mid.`, {
    tolerance_bps: tolerance,
    worst_price: toNumber(walk.worstPrice, priceDecimals),
    mid: toNumber(market.book.mid * 5, priceDecimals + 1),
    estimated_notional: moneyToNumber(walk.notional),
  });
}

/** Tolerances are exact to a millionth of a basis point. */
const toleranceScale = 10_000_000_000n;

/**
 * A triggered reduction by market order: fills what the book offers within its tolerance, stays pending and continues
 * with later books (simulation 3.1).
 */
export function takeAvailable(ticket: Ticket): void {
  const { world, market, order } = ticket;
  const lots = clippedLots(ticket);
  if (lots === 0) {
    endClipped(world, order);
    return;
  }
  market.unfinished.set(order.id, order);
  if (!isFresh(ticket)) return;
  const tolerance = toleranceOf(ticket);
  const walk = walkFor(ticket, lots, worstPrice(order, market.book.mid, tolerance));
  if (walk.filled > 0) bookTaking(ticket, walk, { tolerance_bps: tolerance });
  if (!isWorking(order)) market.unfinished.delete(order.id);
}

/** The worst price within a tolerance of the mid, for the taker's side. */
function worstPrice(order: Order, mid: HalfPrice, toleranceBps: number): Price {
  const tolerance = BigInt(Math.round(toleranceBps * 1_000_000));
  const sum = order.side === 'buy' ? toleranceScale + tolerance : toleranceScale - tolerance;
  const doubled = BigInt(mid) * sum;
  const whole = doubled / (2n * toleranceScale);
  const isExact = doubled % (2n * toleranceScale) === 0n;
  return Number(order.side === 'buy' || isExact ? whole : whole + 1n);
}

/**
 * Books one execution of a working order: position, ledger, records, and its consequences (simulation 3.5). An
 * execution that does not complete the order is a `filled` child; the last one settles on the order itself.
 */
export function fill(ticket: Ticket, lots: Lots, notional: Money, role: LiquidityRole): void {
  const { world, portfolio, order } = ticket;
  assert(lots > 0 && lots <= order.size, 'fill-within-order', order.id);
  assert(world.now >= order.requestedAt && world.now >= order.pricedAt, 'fill-after-order', order.id);
  const fee = feeOf(ticket, notional);
  const effect = applyExecution(ticket, { lots, notional, fee });
  assert(!order.reduceOnly || effect.openedLots === 0, 'reduction-adds-nothing', order.id);
  countTradingDay(world, portfolio);
  order.filledSize += lots;
  const isLast = lots === order.size;
  if (isLast) end(world, order, 'filled');
  const record = isLast ? order : splitOff(world, order, lots);
  record.liquidityRole = role;
  record.notional = notional;
  record.fee = fee;
  record.realizedPnl = effect.realizedPnl;
  world.settleSequence += 1;
  record.settleSequence = world.settleSequence;
  touchOrder(world, record);
  world.consequences.ofFill(world, { ...effect, ...ticket, record, lots, notional });
}

function splitOff(world: World, order: Order, lots: Lots): Order {
  order.size -= lots;
  touchOrder(world, order);
  const sequence = nextSequence(world);
  return {
    ...order,
    id: idOf('ord', sequence),
    sequence,
    clientOrderId: null,
    size: lots,
    initialSize: lots,
    filledSize: lots,
    status: 'filled',
    settledAt: world.now,
    executeAt: null,
    partialOfOrderId: order.id,
    partialFillRootOrderId: order.id,
    attachedTakeProfitPrice: null,
    attachedStopLossPrice: null,
    ocoSiblingOrderId: null,
    rejectReason: null,
    rejectRuleId: null,
  };
}

function countTradingDay(world: World, portfolio: Portfolio): void {
  const day = tradingDayStart(world.now);
  if (portfolio.account.lastTradingDay === day) return;
  portfolio.account.lastTradingDay = day;
  portfolio.account.tradingDays += 1;
  touchAccount(world, portfolio.account);
}
