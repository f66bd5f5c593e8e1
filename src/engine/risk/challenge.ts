import { equityOf, freshMarks } from '../accounts/equity.ts';
import { breachedFloor, type FloorRuleId, floorsOf, hasPassed } from '../accounts/floors.ts';
import { cancel, isForced, isWorking } from '../orders/working-orders.ts';
import { endScaled } from '../strategies/scaled.ts';
import { endTwap } from '../strategies/twap.ts';
import { touchAccount } from '../world/changes.ts';
import type { Desk, World } from '../world/world.ts';
import { forceOut } from './forced-orders.ts';

/** Fails an active account whose equity touches a floor, and closes everything it has (simulation 6); whether it did. */
export function enforceFloors(world: World, desk: Desk): boolean {
  if (desk.account.status !== 'active') return false;
  const equity = equityOf(world, desk, freshMarks(world, desk));
  const broken = equity === null ? null : breachedFloor(floorsOf(desk.account), equity);
  if (broken !== null) breach(world, desk, broken);
  return broken !== null;
}

/** Goes on closing what an account that has failed still holds. */
export function closeOut(world: World, desk: Desk): void {
  const cause = { rule_id: desk.account.breachRuleId };
  for (const position of [...desk.positions.values()]) forceOut(world, desk, position, 'close_out', cause);
}

/** Passes an active account whose plan is fulfilled; what it has working ends (simulation 6). */
export function recognizePassed(world: World, desk: Desk): void {
  const { account } = desk;
  if (account.status !== 'active' || !hasPassed(account, desk.positions.size)) return;
  account.status = 'passed';
  touchAccount(world, account);
  cancelEverything(world, desk, 'the account has passed');
}

function breach(world: World, desk: Desk, ruleId: FloorRuleId): void {
  desk.account.status = 'failed';
  desk.account.breachRuleId = ruleId;
  touchAccount(world, desk.account);
  cancelEverything(world, desk, `the account has failed: ${ruleId}`);
  closeOut(world, desk);
}

/** Cancels working orders, and strategies before they place more. A liquidation gives way to the close-out. */
function cancelEverything(world: World, desk: Desk, reason: string): void {
  endStrategies(world, desk, 'account_closed');
  for (const order of [...desk.orders.values()]) {
    const isClosing = isForced(order) && order.type === 'close_out';
    if (isWorking(order) && !isClosing) cancel(world, order, reason);
  }
}

/** Ends the strategies of an account that trades no more. */
function endStrategies(world: World, desk: Desk, reason: 'account_closed'): void {
  for (const twap of [...world.twaps.values()]) {
    if (twap.accountId === desk.account.id) endTwap(world, twap, reason);
  }
  for (const scaled of [...world.scaled.values()]) {
    if (scaled.accountId === desk.account.id) endScaled(world, scaled);
  }
}
