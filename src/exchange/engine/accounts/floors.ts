import { unrealizedPnl } from '../../../base/margin/holding.ts';
import { notionalAtMark } from '../../../base/margin/notional.ts';
import type { Account, Money, Plan } from '../model.ts';
import { bringPositionsUpToDate, freshMark } from '../world/current-book.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';
import { availableBalance, equityOf, freshMarks, marginUsed } from './margin.ts';

/** The floors of a plan; null if it has no such rule (simulation 6.1). */
type Floors = ReturnType<typeof floorsOf>;

/** Which floor was touched, as an answer names it. */
export type FloorRuleId = 'daily-loss' | 'maximum-drawdown';

/** Equity floors: equity at day start minus the daily allowance; starting balance minus the drawdown allowance. */
export function floorsOf(account: Pick<Account, 'plan' | 'startingBalance' | 'dayStartEquity'>) {
  const { plan, startingBalance, dayStartEquity } = account;
  return {
    dailyLoss: plan.dailyLossPct === null ? null : dayStartEquity - percentOf(startingBalance, plan.dailyLossPct),
    maximumDrawdown:
      plan.maxDrawdownPct === null ? null : startingBalance - percentOf(startingBalance, plan.maxDrawdownPct),
  };
}

/** The floor that falling equity reaches first; null if there is none. */
export function highestFloor(floors: Floors): Money | null {
  const { dailyLoss, maximumDrawdown } = floors;
  if (dailyLoss === null || maximumDrawdown === null) return dailyLoss ?? maximumDrawdown;
  return dailyLoss > maximumDrawdown ? dailyLoss : maximumDrawdown;
}

/**
 * The rule that this equity breaches; touching a floor is enough. The drawdown takes precedence over the daily loss.
 */
export function breachedFloor(floors: Floors, equity: Money): FloorRuleId | null {
  if (floors.maximumDrawdown !== null && equity <= floors.maximumDrawdown) return 'maximum-drawdown';
  if (floors.dailyLoss !== null && equity <= floors.dailyLoss) return 'daily-loss';
  return null;
}

/** How far equity is above a floor, zero once touched; null if there is no such rule. */
export function room(floor: Money | null, equity: Money): Money | null {
  if (floor === null) return null;
  return equity > floor ? equity - floor : 0n;
}

/** The balance that passes the plan; null if it has no target. */
export function profitTarget(plan: Plan, startingBalance: Money): Money | null {
  return plan.profitTargetPct === null ? null : startingBalance + percentOf(startingBalance, plan.profitTargetPct);
}

/** How far the realized balance is below the target, zero once reached; null if there is no target. */
export function remainingProfit(account: Pick<Account, 'plan' | 'startingBalance' | 'balance'>): Money | null {
  const target = profitTarget(account.plan, account.startingBalance);
  if (target === null) return null;
  return target > account.balance ? target - account.balance : 0n;
}

/** Whether an account passes its plan: realized balance at the target, nothing open, minimum days traded. */
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

/** An account's risk at one moment (contract: AccountRisk). */
export type RiskSnapshot = ReturnType<typeof riskOf>;

/**
 * The account's risk now, marked at the mids of fresh books (simulation 5, 6). Amounts that need every mark are null
 * while a mark is missing, and those of rules that the plan does not have.
 */
export function riskOf(world: World, portfolio: Portfolio) {
  bringPositionsUpToDate(world, portfolio);
  const { account } = portfolio;
  const { missingMarkets, unrealized, exposure } = markPositions(world, portfolio);
  const marksComplete = missingMarkets.length === 0;
  const equity = equityOf(world, portfolio, freshMarks(world, portfolio));
  const floors = floorsOf(account);
  return {
    observedAt: world.now,
    marksComplete,
    // Of open positions, without a fresh book.
    missingMarkets,
    equity,
    unrealizedPnl: marksComplete ? unrealized : null,
    marginUsed: marginUsed(portfolio.positions.values()),
    // What new exposure may use; resting entries are not subtracted.
    availableBalance: availableBalance(world, portfolio),
    grossExposure: marksComplete ? exposure : null,
    // Floors, and how far equity is above them.
    dailyLossFloor: floors.dailyLoss,
    maxDrawdownFloor: floors.maximumDrawdown,
    dailyLossRoom: equity === null ? null : room(floors.dailyLoss, equity),
    maxDrawdownRoom: equity === null ? null : room(floors.maximumDrawdown, equity),
    remainingProfit: remainingProfit(account),
  };
}

function markPositions(world: World, portfolio: Portfolio) {
  const missingMarkets: string[] = [];
  let unrealized = 0n;
  let exposure = 0n;
  for (const position of portfolio.positions.values()) {
    const market = marketOf(world, position.marketId);
    const mark = freshMark({ world, portfolio, market });
    if (mark === null) {
      missingMarkets.push(market.id);
      continue;
    }
    unrealized += unrealizedPnl(market.definition, position, mark);
    exposure += notionalAtMark(market.definition, mark, position.size);
  }
  return { missingMarkets, unrealized, exposure };
}
