import type { AcknowledgeCopyStop, DisableCopyGroup, Outcome } from '../commands.ts';
import type { Account, CopyGroup } from '../model.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { notFound } from '../violation.ts';
import { portfolioOf, touchAccount, touchCopyGroup, type World } from '../world/world.ts';

/** The enabled group that an account leads, if any. */
export function groupLedBy(world: World, accountId: string): CopyGroup | undefined {
  return world.copyRoles.leads.get(accountId);
}

/** Updates the index of leads and followers from the enabled groups. */
export function indexCopyRoles(world: World): void {
  const { leads, followers } = world.copyRoles;
  leads.clear();
  followers.clear();
  for (const group of world.copyGroups.values()) {
    if (!group.enabled) continue;
    leads.set(group.sourceAccountId, group);
    for (const { accountId } of group.targets) followers.set(accountId, group);
  }
}

/**
 * Stops copying in a group; its followers' positions stay open (simulation 7.4). Does nothing if it is already stopped.
 */
export function disableCopyGroup(world: World, command: DisableCopyGroup): Outcome {
  const group = world.copyGroups.get(command.configId);
  if (group === undefined || group.owner !== command.owner || group.environment !== command.environment) {
    return notFound('copy group', command.configId);
  }
  if (group.enabled) stopGroup(world, group, 'disabled');
  return { ok: true, configIds: [group.id] };
}

/** Ends copying in a group: pending copies are canceled, and each follower records a stop, completed at once. */
export function stopGroup(world: World, group: CopyGroup, reason: string): void {
  group.enabled = false;
  group.policyVersion += 1;
  group.updatedAt = world.now;
  group.stoppedAt = world.now;
  group.stopReason = reason;
  group.stoppedCompletedAt = world.now;
  group.stopCleanupPending = false;
  group.progress = [];
  touchCopyGroup(world, group);
  indexCopyRoles(world);
  for (const { accountId } of group.targets) stopFollower(world, group, accountId, reason);
}

/** Ends copying for one follower. */
export function stopFollower(world: World, group: CopyGroup, accountId: string, reason: string): void {
  const { account, orders } = portfolioOf(world, accountId);
  for (const order of [...orders.values()]) {
    if (order.copyConfigId === group.id && isWorking(order)) cancel(world, order, `copying stopped: ${reason}`);
  }
  account.copyStop = { stoppedAt: world.now, completedAt: world.now, acknowledgedAt: null, reason };
  touchAccount(world, account);
}

/** Acknowledges the completed stop with this timestamp; any other changes nothing. */
export function acknowledgeCopyStop(world: World, command: AcknowledgeCopyStop): Outcome {
  const account = world.portfolios.get(command.accountId)?.account;
  if (account === undefined) return notFound('account', command.accountId);
  if (isOpenStop(account, command.stoppedAt)) {
    account.copyStop = { ...account.copyStop!, acknowledgedAt: world.now };
    touchAccount(world, account);
  }
  return { ok: true, account };
}

function isOpenStop({ copyStop }: Account, stoppedAt: number): boolean {
  return copyStop?.stoppedAt === stoppedAt && copyStop.completedAt !== null && copyStop.acknowledgedAt === null;
}
