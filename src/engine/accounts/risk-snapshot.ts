import { unrealizedPnl } from '../../margin/holding.ts';
import { notionalAtMark } from '../../margin/notional.ts';
import type { Money, Ms } from '../model.ts';
import { bringPositionsUpToDate, freshMark } from '../world/current-book.ts';
import { marketOf, type Portfolio, type World } from '../world/world.ts';
import { availableBalance, equityOf, freshMarks, marginUsed } from './equity.ts';
import { floorsOf, remainingProfit, room } from './floors.ts';

/**
 * An account's risk at one moment (contract: AccountRisk). Amounts that need every mark are null while a mark is
 * missing.
 */
export interface RiskSnapshot {
  readonly observedAt: Ms;
  readonly marksComplete: boolean;
  /** Markets of open positions without a fresh book. */
  readonly missingMarkets: readonly string[];
  readonly equity: Money | null;
  readonly unrealizedPnl: Money | null;
  readonly marginUsed: Money;
  /** The balance that new exposure may use ({@link availableBalance}); resting entries are not subtracted. */
  readonly availableBalance: Money;
  readonly grossExposure: Money | null;
  /** Floors, and how far equity is above them; null if the plan has no such rule. */
  readonly dailyLossFloor: Money | null;
  readonly maxDrawdownFloor: Money | null;
  readonly dailyLossRoom: Money | null;
  readonly maxDrawdownRoom: Money | null;
  /** How far the realized balance is below the target; null if there is no target. */
  readonly remainingProfit: Money | null;
}

/** The account's risk now, marked at the mids of fresh books (simulation 5, 6). */
export function riskOf(world: World, portfolio: Portfolio): RiskSnapshot {
  bringPositionsUpToDate(world, portfolio);
  const { account } = portfolio;
  const { missingMarkets, unrealized, exposure } = markPositions(world, portfolio);
  const marksComplete = missingMarkets.length === 0;
  const equity = equityOf(world, portfolio, freshMarks(world, portfolio));
  const floors = floorsOf(account);
  return {
    observedAt: world.now,
    marksComplete,
    missingMarkets,
    equity,
    unrealizedPnl: marksComplete ? unrealized : null,
    marginUsed: marginUsed(portfolio.positions.values()),
    availableBalance: availableBalance(world, portfolio),
    grossExposure: marksComplete ? exposure : null,
    dailyLossFloor: floors.dailyLoss,
    maxDrawdownFloor: floors.maximumDrawdown,
    dailyLossRoom: equity === null ? null : room(floors.dailyLoss, equity),
    maxDrawdownRoom: equity === null ? null : room(floors.maximumDrawdown, equity),
    remainingProfit: remainingProfit(account),
  };
}

function markPositions(
  world: World,
  portfolio: Portfolio,
): { missingMarkets: string[]; unrealized: Money; exposure: Money } {
  const missingMarkets: string[] = [];
  let unrealized = 0n;
  let exposure = 0n;
  for (const position of portfolio.positions.values()) {
    const market = marketOf(world, position.marketId);
    const mark = freshMark(world, portfolio, market);
    if (mark === null) {
      missingMarkets.push(market.id);
      continue;
    }
    unrealized += unrealizedPnl(market.definition, position, mark);
    exposure += notionalAtMark(market.definition, mark, position.size);
  }
  return { missingMarkets, unrealized, exposure };
}
