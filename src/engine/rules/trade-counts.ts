import { dayMs, hourMs } from '../../terms/day.ts';
import type { Account, Ms, TradeCounts } from '../model.ts';

const minuteMs = 60_000;

/** Trades so far in the fixed UTC windows that contain `now`. */
export function countsAt(trades: TradeCounts, now: Ms): { minute: number; hour: number; day: number } {
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
