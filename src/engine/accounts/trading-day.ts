import { hourStart, nextTradingDayStart, tradingDayStart } from '../../terms/day.ts';
import type { Ms } from '../model.ts';
import { touchAccount } from '../world/changes.ts';
import { bringPositionsUpToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import type { World } from '../world/world.ts';
import { equityOf, lastMarks } from './equity.ts';

/** When the next trading day starts. */
export function nextDayStartAt(world: World): Ms {
  return nextTradingDayStart(world.timersDone);
}

/** At midnight in New York, every account starts a day with its equity at the last marks (simulation 6.1). */
export function startTradingDay(world: World, market: Market | null): void {
  // Every midnight is a full hour, and that is cheaper to test.
  if (market !== null || hourStart(world.now) !== world.now) return;
  const day = tradingDayStart(world.now);
  if (day !== world.now) return;
  for (const portfolio of world.portfolios.values()) {
    const { account } = portfolio;
    if (account.dayStartedAt >= day) continue;
    bringPositionsUpToDate(world, portfolio);
    account.dayStartedAt = day;
    account.dayStartEquity = equityOf(world, portfolio, lastMarks) ?? account.balance;
    touchAccount(world, account);
  }
}
