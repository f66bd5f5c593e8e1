import { boundMargin, paperResult } from '../../margin/holding.ts';
import type { Money, Position } from '../model.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';
import { lastMarks } from './equity.ts';

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
  return availableOf(world, portfolio.account.balance, [...portfolio.positions.values()]);
}

/** {@link availableBalance} of a hypothetical balance and positions. */
export function availableOf(world: World, balance: Money, positions: readonly Position[]): Money {
  let equity = balance;
  for (const position of positions) {
    const market = marketOf(world, position.marketId);
    const mark = lastMarks(market);
    if (mark !== null) equity += paperResult(market.definition, position, mark);
  }
  const own = (equity < balance ? equity : balance) - marginUsed(positions);
  return own > 0n ? own : 0n;
}
