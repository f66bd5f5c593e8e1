import { bringPositionsUpToDate } from '../book/current-book.ts';
import type { Market } from '../book/market.ts';
import type { Ms } from '../model.ts';
import { equityOf, lastMarks } from '../risk/equity.ts';
import { touchAccount, type World } from '../world.ts';
import { hourStart, nextTradingDayStart, tradingDayStart } from './day.ts';

/** When the next trading day starts. */
export function nextDayStartAt(world: World): Ms {
  return nextTradingDayStart(world.timersDone);
}

/** At midnight New York every account's day begins with its equity at the last marks (simulation 6). */
export function startTradingDay(world: World, market: Market | null): void {
  // Every midnight is a full hour, which is cheaper to tell.
  if (market !== null || hourStart(world.now) !== world.now) return;
  const day = tradingDayStart(world.now);
  if (day !== world.now) return;
  for (const desk of world.desks.values()) {
    const { account } = desk;
    if (account.dayStartedAt >= day) continue;
    bringPositionsUpToDate(world, desk);
    account.dayStartedAt = day;
    account.dayStartEquity = equityOf(world, desk, lastMarks) ?? account.balance;
    touchAccount(world, account);
  }
}
