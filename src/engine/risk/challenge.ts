import { orderKinds } from '../../terms/order-types.ts';
import { equityOf, freshMarks } from '../accounts/equity.ts';
import { breachedFloor, type FloorRuleId, floorsOf, hasPassed, profitTarget } from '../accounts/floors.ts';
import type { Account, Money } from '../model.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { endScaled } from '../strategies/scaled.ts';
import { endTwap } from '../strategies/twap.ts';
import { touchAccount } from '../world/changes.ts';
import type { Portfolio, World } from '../world/world.ts';
import { forceOut } from './forced-orders.ts';

/**
 * Fails an active account whose equity touches a floor, and closes everything it has (simulation 6.1); true if it did.
 */
export function enforceFloors(world: World, portfolio: Portfolio): boolean {
  if (portfolio.account.status !== 'active') return false;
  const equity = equityOf(world, portfolio, freshMarks(world, portfolio));
  const broken = equity === null ? null : breachedFloor(floorsOf(portfolio.account), equity);
  if (equity !== null && broken !== null) breach(world, portfolio, broken, equity);
  return broken !== null;
}

/** Continues to close what a failed account still holds. */
export function closeOut(world: World, portfolio: Portfolio): void {
  const cause = { rule_id: portfolio.account.breachRuleId };
  for (const position of [...portfolio.positions.values()]) forceOut(world, portfolio, position, 'close_out', cause);
}

/** Passes an active account that meets its plan; its working orders end (simulation 6.1). */
export function passAccount(world: World, portfolio: Portfolio): void {
  const { account } = portfolio;
  if (account.status !== 'active' || !hasPassed(account, portfolio.positions.size)) return;
  account.status = 'passed';
  end(world, account, account.balance, profitTarget(account.plan, account.startingBalance));
  touchAccount(world, account);
  cancelEverything(world, portfolio, 'the account has passed');
}

function breach(world: World, portfolio: Portfolio, ruleId: FloorRuleId, equity: Money): void {
  const { account } = portfolio;
  const floors = floorsOf(account);
  account.status = 'failed';
  account.breachRuleId = ruleId;
  end(world, account, equity, ruleId === 'daily-loss' ? floors.dailyLoss : floors.maximumDrawdown);
  touchAccount(world, portfolio.account);
  cancelEverything(world, portfolio, `the account has failed: ${ruleId}`);
  closeOut(world, portfolio);
}

/** Records when and at what equity an account ended, and the floor it touched or the target it reached. */
function end(world: World, account: Account, equity: Money, bound: Money | null): void {
  account.endedAt = world.now;
  account.endedEquity = equity;
  account.endedBound = bound;
}

/**
 * Cancels strategies first, so that they place no more orders, then working orders. The close-out replaces a
 * liquidation.
 */
function cancelEverything(world: World, portfolio: Portfolio, reason: string): void {
  endStrategies(world, portfolio, 'account_closed');
  for (const order of [...portfolio.orders.values()]) {
    const isCloseOut = orderKinds[order.type].forces === 'account';
    if (isWorking(order) && !isCloseOut) cancel(world, order, reason);
  }
}

/** Ends the strategies of an account that no longer trades. */
function endStrategies(world: World, portfolio: Portfolio, reason: 'account_closed'): void {
  for (const twap of [...world.twaps.values()]) {
    if (twap.accountId === portfolio.account.id) endTwap(world, twap, reason);
  }
  for (const scaled of [...world.scaled.values()]) {
    if (scaled.accountId === portfolio.account.id) endScaled(world, scaled);
  }
}
