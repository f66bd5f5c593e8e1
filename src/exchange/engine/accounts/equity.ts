import { boundMargin, paperResult } from '../../../base/margin/holding.ts';
import type { MarginPool, PoolPosition } from '../../../base/margin/liquidation-price.ts';
import type { HalfPrice, Money, Position } from '../model.ts';
import { freshMark, lastMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';

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
