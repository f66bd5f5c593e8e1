import { boundMargin, directionOf, initialMargin, paperResult, unrealizedPnl } from '../../../base/margin/holding.ts';
import {
  isLiquidatable,
  liquidationPoint,
  type MarginPool,
  type PoolPosition,
} from '../../../base/margin/liquidation-price.ts';
import { basisPointsOf, notionalAt, notionalAtMark, shareOf } from '../../../base/margin/notional.ts';
import { moneyToNumber, toMoney, toNumber } from '../../../base/terms/decimal.ts';
import type { Outcome, SetIsolatedMargin } from '../commands.ts';
import { rateOf } from '../defaults.ts';
import type { HalfPrice, Lots, MarketDefinition, Money, Order, Position, Price } from '../model.ts';
import { notFound, refusal, type Violation, violation } from '../violation.ts';
import { bookProblem, freshMark, lastMark, upToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, type Seat, seatOf, touchPosition, type World } from '../world/world.ts';

/**
 * The highest leverage an account may use in a market: at most the market's maximum, and low enough for the initial
 * margin to be at least the account's maintenance margin (simulation 5.1).
 */
export function allowedLeverage(portfolio: Portfolio, { definition }: Market): number {
  const ratio = Math.round(portfolio.account.policy.limits.maintenanceMarginRatioBps * 10_000);
  return ratio === 0 ? definition.maxLeverage : Math.min(definition.maxLeverage, Math.floor(100_000_000 / ratio));
}

/** Whether an account may use this leverage in a market: a whole number from 1 to {@link allowedLeverage}. */
export function isLeverageIn(portfolio: Portfolio, market: Market, leverage: number): boolean {
  return Number.isInteger(leverage) && leverage >= 1 && leverage <= allowedLeverage(portfolio, market);
}

/** Fee of a notional for this account in this market. */
export function feeOf(seat: Seat, notional: Money): Money {
  return basisPointsOf(notional, feeBpsOf(seat));
}

function feeBpsOf({ world, portfolio, market }: Seat): number {
  return portfolio.account.policy.feeExempt ? 0 : rateOf(world.rates.feeBps, market.definition.category);
}

/** Lots of an order that would add exposure, after earlier orders on its side have reduced the opposite position. */
export function addedLots(portfolio: Portfolio, order: Order): Lots {
  if (order.reduceOnly) return 0;
  const position = portfolio.positions.get(order.marketId);
  if (position === undefined || position.direction === directionOf(order.side)) return order.size;
  let against = position.size;
  for (const other of portfolio.orders.values()) {
    if (other.sequence >= order.sequence) break;
    if (other.marketId === order.marketId && other.side === order.side && !other.reduceOnly) against -= other.size;
  }
  return Math.max(0, order.size - Math.max(0, against));
}

/** Lots of a fill that add exposure to the account's current position. */
export function addedByFill(portfolio: Portfolio, order: Order, lots: Lots): Lots {
  const position = portfolio.positions.get(order.marketId);
  if (position === undefined || position.direction === directionOf(order.side)) return lots;
  return Math.max(0, lots - position.size);
}

/** Margin and fee that this much new exposure needs. */
export function marginAndFee(seat: Seat, notional: Money, leverage: number): Money {
  return shareOf(notional, 1, leverage) + feeOf(seat, notional);
}

/** Money reserved by all working entries except `except`: margin and fee of the exposure that each would add. */
export function reservedByOrders(world: World, portfolio: Portfolio, except: Order | null): Money {
  let reserved = 0n;
  /**
   * Lots of each position that would remain after the opposite entries so far: {@link addedLots} of all orders in one
   * pass.
   */
  const against = new Map<string, Lots>();
  for (const order of portfolio.orders.values()) {
    if (order.reduceOnly) continue;
    let lots = order.size;
    const position = portfolio.positions.get(order.marketId);
    if (position !== undefined && position.direction !== directionOf(order.side)) {
      const left = against.get(order.marketId) ?? position.size;
      lots = Math.max(0, order.size - left);
      against.set(order.marketId, Math.max(0, left - order.size));
    }
    if (lots > 0 && order.id !== except?.id)
      reserved += reservationOf({ world, portfolio, market: marketOf(world, order.marketId) }, order, lots);
  }
  return reserved;
}

/** The margin that an order last reserved, and all inputs of that figure. */
interface Reservation {
  definition: MarketDefinition;
  lots: Lots;
  price: Price;
  leverage: number;
  feeBps: number;
  value: Money;
}

/** Of orders with their own price: most of them stay as they are while others come and go. */
const reservations = new WeakMap<Order, Reservation>();

function reservationOf(seat: Seat, order: Order, lots: Lots): Money {
  const { market } = seat;
  const price = ownPrice(market, order);
  if (price === null) {
    const notional = referenceNotional(market, order, lots);
    return notional === null ? 0n : marginAndFee(seat, notional, order.leverage);
  }
  const { definition } = market;
  const { leverage } = order;
  const feeBps = feeBpsOf(seat);
  const known = reservations.get(order);
  const isOfSame = known?.definition === definition && known.feeBps === feeBps && known.leverage === leverage;
  if (isOfSame && known.lots === lots && known.price === price) return known.value;
  const value = marginAndFee(seat, notionalAt(definition, price, lots), leverage);
  reservations.set(order, { definition, lots, price, leverage, feeBps, value });
  return value;
}

/** Notional of lots at the order's own price, else at the mark; null if there is neither. */
export function referenceNotional(market: Market, order: Order, lots: Lots): Money | null {
  const price = ownPrice(market, order);
  if (price !== null) return notionalAt(market.definition, price, lots);
  const { mid } = market.book;
  return Number.isNaN(mid) ? null : notionalAtMark(market.definition, mid, lots);
}

/** The price of an order: its limit, else the trigger that arms it, to the nearest price unit. */
function ownPrice(market: Market, order: Order): Price | null {
  if (order.limitPrice !== null) return order.limitPrice;
  if (order.triggerPrice === null || order.triggerMarketId !== null) return null;
  return Math.min(Math.round(order.triggerPrice * 10 ** market.definition.priceDecimals), Number.MAX_SAFE_INTEGER);
}

/** Removing margin must leave the liquidation price at least this fraction of the mark away from it. */
const minDistanceBps = 100;

/** Sets the total extra margin of an isolated position, so repeating it is safe (simulation 5.5). */
export function setIsolatedMargin(world: World, command: SetIsolatedMargin): Outcome {
  const position = world.positions.get(command.positionId);
  if (position === undefined) return notFound('open position', command.positionId);
  if (position.marginMode !== 'isolated') {
    return refusal(violation('margin-mode', 'Only an isolated position has its own margin.'));
  }
  const seat = upToDate(seatOf(world, position));
  const { portfolio, market } = seat;
  const extra = toMoney(command.extraMargin);
  const added = extra - position.isolatedMarginExtra;
  if (added > 0n) {
    const broken = raiseViolation(world, portfolio, added);
    if (broken !== null) return refusal(broken);
  } else if (added < 0n) {
    const mark = freshMark(seat);
    if (mark === null) {
      const isRecent = market.book.isRecent(world.now, portfolio.account.policy.limits.maxBookStalenessMs);
      return { ok: false, code: 'unavailable', message: bookProblem(market, isRecent, 'go by') };
    }
    const broken = reductionViolation(seat, { ...position, isolatedMarginExtra: extra }, mark);
    if (broken !== null) return refusal(broken);
  }
  position.isolatedMarginExtra = extra;
  touchPosition(world, position);
  return { ok: true, position };
}

function raiseViolation(world: World, portfolio: Portfolio, added: Money): Violation | null {
  const available = availableBalance(world, portfolio) - reservedByOrders(world, portfolio, null);
  if (added <= available) return null;
  return violation('insufficient-margin', "The extra margin exceeds the account's available balance.", {
    required_margin: moneyToNumber(added),
    available_balance: moneyToNumber(available),
  });
}

/** The remaining margin must cover the initial margin and must not be close to liquidation. */
function reductionViolation({ world, portfolio, market }: Seat, reduced: Position, mark: HalfPrice): Violation | null {
  const margin = initialMargin(reduced);
  const equity = margin + reduced.isolatedMarginExtra + unrealizedPnl(market.definition, reduced, mark);
  const pool = marginPool(world, portfolio, [reduced], freshMarks(world, portfolio))!;
  const point = liquidationPoint(pool, 0);
  const isNear = point !== null && Math.abs(2 * point.price - mark) * 10_000 <= minDistanceBps * mark;
  if (equity >= margin && !isNear && !isLiquidatable(pool)) return null;
  const { priceDecimals } = market.definition;
  return violation('unsafe-margin', 'The position would be left with too little margin.', {
    equity: moneyToNumber(equity),
    initial_margin: moneyToNumber(margin),
    mark: toNumber(mark * 5, priceDecimals + 1),
    liquidation_price: point === null ? null : point.price / 10 ** priceDecimals,
  });
}

/** Gives a market's mark; null if it has none. */
type MarkOf = (market: Market) => HalfPrice | null;

/** Fresh marks only, used by triggers, liquidation and floors (simulation 2.1). */
export function freshMarks(world: World, portfolio: Portfolio): MarkOf {
  return (market) => freshMark({ world, portfolio, market });
}

/** The last marks seen, however old, used by carry and the start of a day (simulation 2.1). */
export function lastMarks(portfolio: Portfolio): MarkOf {
  return (market) => lastMark(portfolio, market);
}

/** Balance plus every position's contribution (simulation 5.2); null if a market it needs has no mark. */
export function equityOf(world: World, portfolio: Portfolio, markOf: MarkOf): Money | null {
  let equity = portfolio.account.balance;
  for (const position of portfolio.positions.values()) {
    const market = marketOf(world, position.marketId);
    const mark = markOf(market);
    if (mark === null) return null;
    equity += paperResult(market.definition, position, mark);
  }
  return equity;
}

/** The balance behind an account's cross positions: the balance minus every isolated margin. */
export function crossCash(portfolio: Portfolio): Money {
  let cash = portfolio.account.balance;
  for (const position of portfolio.positions.values()) {
    if (position.marginMode === 'isolated') cash -= boundMargin(position);
  }
  return cash;
}

/** The positions that are liquidated with this one: itself, or all cross positions of its account. */
export function poolMembers(portfolio: Portfolio, position: Position): Position[] {
  if (position.marginMode === 'isolated') return [position];
  return [...portfolio.positions.values()].filter(({ marginMode }) => marginMode === 'cross');
}

/** The margin pool of positions that share margin; null if one of their markets has no mark. */
export function marginPool(
  world: World,
  portfolio: Portfolio,
  members: readonly Position[],
  markOf: MarkOf,
): MarginPool | null {
  const positions: PoolPosition[] = [];
  for (const { direction, size, cost, marketId } of members) {
    const market = marketOf(world, marketId);
    const mark = markOf(market);
    if (mark === null) return null;
    const { priceDecimals, sizeDecimals } = market.definition;
    positions.push({ direction, size, cost, mark, decimals: priceDecimals + sizeDecimals });
  }
  const [first] = members;
  const cash = first?.marginMode === 'isolated' ? boundMargin(first) : crossCash(portfolio);
  return { cash, positions, maintenanceRatioBps: portfolio.account.policy.limits.maintenanceMarginRatioBps };
}

/** Margin that open positions use: initial margin, and extra margin of isolated ones. */
export function marginUsed(positions: Iterable<Position>): Money {
  let used = 0n;
  for (const position of positions) used += boundMargin(position);
  return used;
}

/**
 * The balance that new exposure and extra margin may use: max(0, min(balance, equity) - margin used), at the last
 * marks; a position whose market has no mark counts at its entry price. Margin reserved by working entries is not
 * subtracted (simulation 5.1).
 */
export function availableBalance(world: World, portfolio: Portfolio): Money {
  return availableOf(world, portfolio, portfolio.account.balance, [...portfolio.positions.values()]);
}

/** {@link availableBalance} of a hypothetical balance and positions. */
export function availableOf(world: World, portfolio: Portfolio, balance: Money, positions: readonly Position[]): Money {
  let equity = balance;
  for (const position of positions) {
    const market = marketOf(world, position.marketId);
    const mark = lastMark(portfolio, market);
    if (mark !== null) equity += paperResult(market.definition, position, mark);
  }
  const own = (equity < balance ? equity : balance) - marginUsed(positions);
  return own > 0n ? own : 0n;
}
