import { notionalAtMark } from '../book/notional.ts';
import type { HalfPrice, Money, Position } from '../model.ts';
import { freshMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';
import type { MarginPool, PoolPosition } from './liquidation-price.ts';
import { initialMargin } from './margin.ts';

/** Where a market's mark is taken from; null: it has none. */
export type MarkOf = (market: Market) => HalfPrice | null;

/** Marks of fresh books only: what triggers, liquidation and floors go by (simulation 2). */
export function freshMarks(world: World, portfolio: Portfolio): MarkOf {
  return (market) => freshMark(world, portfolio, market);
}

/** Marks of whatever book was last seen: what carry and the start of a day go by (simulation 2). */
export const lastMarks: MarkOf = ({ book }) => (Number.isNaN(book.mid) ? null : book.mid);

/** Profit that a position would realize at a mark, rounded as a ledger entry would be. */
export function unrealizedPnl(market: Market, position: Position, mark: HalfPrice): Money {
  const value = notionalAtMark(market.definition, mark, position.size);
  return position.direction === 'long' ? value - position.cost : position.cost - value;
}

/** What a position binds; an isolated one can lose no more. */
export function boundMargin(position: Position): Money {
  return initialMargin(position) + position.isolatedMarginExtra;
}

/** What a position adds to equity at a mark: its profit on paper, an isolated one no less than what it can lose. */
export function paperResult(market: Market, position: Position, mark: HalfPrice): Money {
  const pnl = unrealizedPnl(market, position, mark);
  if (position.marginMode === 'cross') return pnl;
  const least = -boundMargin(position);
  return pnl < least ? least : pnl;
}

/** Balance and what every position adds to it (simulation 5). null: a market it needs has no mark. */
export function equityOf(world: World, portfolio: Portfolio, markOf: MarkOf): Money | null {
  let equity = portfolio.account.balance;
  for (const position of portfolio.positions.values()) {
    const market = marketOf(world, position.marketId);
    const mark = markOf(market);
    if (mark === null) return null;
    equity += paperResult(market, position, mark);
  }
  return equity;
}

/** What the cross positions of an account stand on: the balance less every isolated margin. */
export function crossCash(portfolio: Portfolio): Money {
  let cash = portfolio.account.balance;
  for (const position of portfolio.positions.values()) {
    if (position.marginMode === 'isolated') cash -= boundMargin(position);
  }
  return cash;
}

/** The positions that are liquidated together with this one: itself, or all cross positions of its account. */
export function poolMembers(portfolio: Portfolio, position: Position): Position[] {
  if (position.marginMode === 'isolated') return [position];
  return [...portfolio.positions.values()].filter(({ marginMode }) => marginMode === 'cross');
}

/** The margin pool of positions that stand together; null: a market of theirs has no mark. */
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
