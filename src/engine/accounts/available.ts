import type { Money, Position } from '../model.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';
import { boundMargin, lastMarks, paperResult } from './equity.ts';

/** What open positions bind: initial margin, and extra margin of isolated ones. */
export function marginUsed(positions: Iterable<Position>): Money {
  let used = 0n;
  for (const position of positions) used += boundMargin(position);
  return used;
}

/**
 * What new exposure and extra margin may bind: max(0, min(balance, equity) - margin used), at the last marks; a position
 * whose market has none counts as at its entry. What working entries reserve is not taken off (simulation 5).
 */
export function availableBalance(world: World, portfolio: Portfolio): Money {
  return availableOf(world, portfolio.account.balance, [...portfolio.positions.values()]);
}

/** {@link availableBalance} of a balance and positions as they would be. */
export function availableOf(world: World, balance: Money, positions: readonly Position[]): Money {
  let equity = balance;
  for (const position of positions) {
    const market = marketOf(world, position.marketId);
    const mark = lastMarks(market);
    if (mark !== null) equity += paperResult(market, position, mark);
  }
  const own = (equity < balance ? equity : balance) - marginUsed(positions);
  return own > 0n ? own : 0n;
}

/**
 * What closing lots for a result (profit less fees) leaves of an isolated position's extra margin, and what its margin
 * does not cover. The margin set free pays first, then extra margin, then the margin of the lots that stay: extra margin
 * is below zero by as much as those are short of their initial margin, until a later close sets more free than it loses
 * or the owner pays it in (simulation 5).
 */
export function chargeClose(
  marginBefore: Money,
  extraBefore: Money,
  result: Money,
  marginAfter: Money,
): { extra: Money; shortfall: Money } {
  const left = marginBefore + extraBefore + result;
  if (left < 0n) return { extra: -marginAfter, shortfall: -left };
  const bound = marginAfter + (extraBefore > 0n ? extraBefore : 0n);
  return { extra: (left < bound ? left : bound) - marginAfter, shortfall: 0n };
}
