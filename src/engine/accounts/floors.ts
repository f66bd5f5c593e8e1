import type { Account, Money, Plan } from '../model.ts';

/** The floors of a plan and what they are called when touched (simulation 6). */
export interface Floors {
  /** null: the plan has no such rule. */
  dailyLoss: Money | null;
  maximumDrawdown: Money | null;
}

export type FloorRuleId = 'daily-loss' | 'maximum-drawdown';

/** Equity floors: day start less the daily allowance; starting balance less the drawdown allowance. */
export function floorsOf(account: Pick<Account, 'plan' | 'startingBalance' | 'dayStartEquity'>): Floors {
  const { plan, startingBalance, dayStartEquity } = account;
  return {
    dailyLoss: plan.dailyLossPct === null ? null : dayStartEquity - percentOf(startingBalance, plan.dailyLossPct),
    maximumDrawdown:
      plan.maxDrawdownPct === null ? null : startingBalance - percentOf(startingBalance, plan.maxDrawdownPct),
  };
}

/** The floor that equity meets first when it falls; null: none. */
export function highestFloor(floors: Floors): Money | null {
  const { dailyLoss, maximumDrawdown } = floors;
  if (dailyLoss === null || maximumDrawdown === null) return dailyLoss ?? maximumDrawdown;
  return dailyLoss > maximumDrawdown ? dailyLoss : maximumDrawdown;
}

/** The rule that this equity breaches: touching a floor is enough. The drawdown outranks the day, for it is final. */
export function breachedFloor(floors: Floors, equity: Money): FloorRuleId | null {
  if (floors.maximumDrawdown !== null && equity <= floors.maximumDrawdown) return 'maximum-drawdown';
  if (floors.dailyLoss !== null && equity <= floors.dailyLoss) return 'daily-loss';
  return null;
}

/** Distance of equity above a floor, zero once touched; null: no such rule. */
export function room(floor: Money | null, equity: Money): Money | null {
  if (floor === null) return null;
  return equity > floor ? equity - floor : 0n;
}

/** The balance that passes the plan; null: it has no target. */
export function profitTarget(plan: Plan, startingBalance: Money): Money | null {
  return plan.profitTargetPct === null ? null : startingBalance + percentOf(startingBalance, plan.profitTargetPct);
}

/** What is missing to the target on realized balance, zero when reached; null: no target. */
export function remainingProfit(account: Pick<Account, 'plan' | 'startingBalance' | 'balance'>): Money | null {
  const target = profitTarget(account.plan, account.startingBalance);
  if (target === null) return null;
  return target > account.balance ? target - account.balance : 0n;
}

/** Whether the plan is fulfilled: target on realized balance, nothing open, minimum days traded. */
export function hasPassed(
  account: Pick<Account, 'plan' | 'startingBalance' | 'balance' | 'tradingDays'>,
  openPositions: number,
): boolean {
  const target = profitTarget(account.plan, account.startingBalance);
  return (
    target !== null &&
    account.balance >= target &&
    openPositions === 0 &&
    account.tradingDays >= account.plan.minimumTradingDays
  );
}

/** A percentage of an amount, exact to a millionth of a percent, rounded half up. */
export function percentOf(amount: Money, percent: number): Money {
  const scale = 100_000_000n;
  return (amount * BigInt(Math.round(percent * 1_000_000)) + scale / 2n) / scale;
}
