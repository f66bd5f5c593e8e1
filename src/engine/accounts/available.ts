import type { Money, Position } from '../model.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';
import { boundMargin, lastMarks, paperResult } from './equity.ts';

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
    if (mark !== null) equity += paperResult(market, position, mark);
  }
  const own = (equity < balance ? equity : balance) - marginUsed(positions);
  return own > 0n ? own : 0n;
}

/**
 * An isolated position's extra margin after a close with this result (profit minus fees), and the part of the loss that
 * its margin does not cover. The released margin pays first, then extra margin, then the margin of the remaining lots.
 * Extra margin then turns negative: it is what the remaining lots lack of their initial margin, until a later close
 * releases more than it loses or the owner adds margin (simulation 5.4).
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
