import { hourMs, nextTradingDayStart } from '../../base/terms/day.ts';
import { carryBpsPerDay } from '../../base/terms/plans.ts';
import type { Account, AccountRisk } from '../../wire/contract/accounts.ts';
import type { Marks, Sized } from './path-account.ts';

/** The effect of time alone on an account until a moment, at unchanged marks. */
export interface Ahead {
  /** Unix ms. */
  readonly until: number;
  /** USD that its positions pay. */
  readonly carry: number;
  /** When its next trading day starts, Unix ms; null: not until then. */
  readonly new_day_at: number | null;
}

/** A later account, and what has become of it. */
export interface Later {
  readonly account: Account;
  readonly ahead: Ahead;
}

/**
 * The account at the worst moment of the time ahead, at unchanged marks (simulation 5.7): every full hour its positions
 * pay carry, and each new day has its own daily floor. Undefined without its risk.
 */
export function accountLater(
  account: Account,
  positions: readonly Sized[],
  marks: Marks,
  forMs: number,
): Later | undefined {
  const { risk } = account;
  if (risk === undefined) return undefined;
  const until = risk.observed_at + forMs;
  const hourly = positions.reduce((sum, { market_id, size }) => sum + size * hourlyOf(marks, market_id), 0);
  const paid = (from: number, to: number) => hourly * Math.max(0, Math.floor(to / hourMs) - Math.floor(from / hourMs));
  const carry = paid(risk.observed_at, until);
  const turn = nextTradingDayStart(risk.observed_at);
  const later: AccountRisk = {
    ...risk,
    ...dailyLater(account, risk, until, paid),
    equity: less(risk.equity, carry),
    available_balance: Math.max(0, risk.available_balance - carry),
    max_drawdown_room: less(risk.max_drawdown_room, carry),
  };
  return {
    account: { ...account, balance: rounded(account.balance - carry), risk: later },
    ahead: { until, carry: rounded(carry), new_day_at: turn <= until ? turn : null },
  };
}

/** USD that one unit of a market's base asset pays each hour. */
function hourlyOf(marks: Marks, marketId: string): number {
  const { price = 0, category } = marks.get(marketId) ?? {};
  return (price * (carryBpsPerDay[category ?? ''] ?? carryBpsPerDay.crypto!)) / 1e4 / 24;
}

type Daily = Pick<AccountRisk, 'daily_loss_floor' | 'daily_loss_room'>;

/** The daily floor that leaves the least room: the one of now at the end of today, or one of the days that follow. */
function dailyLater(
  { starting_balance }: Account,
  { observed_at: now, daily_loss_floor, daily_loss_room, equity, requirements }: AccountRisk,
  until: number,
  paid: (from: number, to: number) => number,
): Daily {
  const { daily_loss_pct: pct } = requirements;
  if (daily_loss_room === null || daily_loss_floor === null || equity === null || pct === null)
    return { daily_loss_floor, daily_loss_room };
  const allowance = (starting_balance * pct) / 100;
  let turn = nextTradingDayStart(now);
  // A day's floor is set after the carry of its first moment; until then, today's applies.
  let room = daily_loss_room - paid(now, Math.min(until, turn));
  let floor = daily_loss_floor;
  for (; turn <= until; turn = nextTradingDayStart(turn)) {
    const left = allowance - paid(turn, Math.min(until, nextTradingDayStart(turn)));
    if (left >= room) continue;
    room = left;
    floor = equity - paid(now, turn) - allowance;
  }
  return { daily_loss_floor: rounded(floor), daily_loss_room: rounded(room) };
}

function less(amount: number | null, by: number): number | null {
  return amount === null ? null : rounded(amount - by);
}

function rounded(value: number): number {
  return Number(value.toFixed(8));
}
