import type { AcknowledgeCopyStop, DisableCopyGroup, Outcome, Refused, SaveCopyGroups } from '../commands.ts';
import type { Account, CopyGroup } from '../model.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { invalidRequest, notFound, refusal, violation } from '../violation.ts';
import { idOf, nextSequence, noteChange, portfolioOf, touch, touchAccount, type World } from '../world/world.ts';

type GroupInput = SaveCopyGroups['groups'][number];

/** Upserts and deletes groups, all or nothing (simulation 7.4). */
export function saveCopyGroups(world: World, command: SaveCopyGroups): Outcome {
  const refused = deletionRefusal(world, command) ?? inputRefusal(world, command) ?? membershipRefusal(world, command);
  if (refused !== null) return refused;
  for (const configId of command.deletedConfigIds) {
    world.copyGroups.delete(configId);
    world.changes.copyGroups.delete(configId);
    world.changes.deletedCopyGroups.add(configId);
    noteChange(world);
  }
  const configIds = command.groups.map((input) => saveGroup(world, command, input));
  indexCopyRoles(world);
  return { ok: true, configIds };
}

function ownGroup(world: World, command: SaveCopyGroups, configId: string): CopyGroup | undefined {
  const group = world.copyGroups.get(configId);
  return group?.owner === command.owner && group.environment === command.environment ? group : undefined;
}

function deletionRefusal(world: World, command: SaveCopyGroups): Refused | null {
  for (const configId of command.deletedConfigIds) {
    const group = ownGroup(world, command, configId);
    if (group === undefined) return notFound('copy group', configId);
    if (group.enabled) return rule('copy-group-enabled', 'Disable the group before deleting it.', configId);
  }
  return null;
}

function inputRefusal(world: World, command: SaveCopyGroups): Refused | null {
  const seen = new Set(command.deletedConfigIds);
  for (const [at, input] of command.groups.entries()) {
    const { configId } = input;
    const existing = configId === null ? undefined : ownGroup(world, command, configId);
    if (configId !== null && existing === undefined) return notFound('copy group', configId);
    if (configId !== null && seen.has(configId)) {
      return invalidRequest([{ field: `groups[${at}].config_id`, issue: 'names a group twice' }]);
    }
    if (configId !== null) seen.add(configId);
    const members = [input.sourceAccountId, ...input.targets.map(({ accountId }) => accountId)];
    for (const accountId of members) {
      const account = world.portfolios.get(accountId)?.account;
      if (account?.owner !== command.owner || account.environment !== command.environment) {
        return notFound('account', accountId);
      }
    }
    const refused = groupRefusal(world, input, existing, members);
    if (refused !== null) return refused;
  }
  return null;
}

function groupRefusal(
  world: World,
  input: GroupInput,
  existing: CopyGroup | undefined,
  members: readonly string[],
): Refused | null {
  if (existing?.enabled && existing.sourceAccountId !== input.sourceAccountId) {
    return rule('copy-group-enabled', 'Disable the group before changing its lead.', existing.id);
  }
  if (members.slice(1).includes(members[0]!)) return rule('copy-self', "An account can't follow itself.", members[0]!);
  if (new Set(members).size < members.length) {
    return rule('copy-membership', 'A follower is named twice in its group.', input.sourceAccountId);
  }
  if (!input.enabled) return null;
  if (input.targets.length === 0)
    return rule('copy-targets', 'An enabled group needs at least one follower.', input.sourceAccountId);
  const inactive = members.find((accountId) => portfolioOf(world, accountId).account.status !== 'active');
  return inactive === undefined
    ? null
    : rule('account-not-active', 'Only active accounts can lead or follow.', inactive);
}

/** Checks the resulting groups: no account is in two enabled groups, in any role. */
function membershipRefusal(world: World, command: SaveCopyGroups): Refused | null {
  const replaced = new Set(command.groups.map(({ configId }) => configId));
  const kept = [...world.copyGroups.values()].filter(({ id }) => !replaced.has(id));
  const members = new Set<string>();
  for (const group of [...kept, ...command.groups]) {
    if (!group.enabled) continue;
    for (const accountId of [group.sourceAccountId, ...group.targets.map((target) => target.accountId)]) {
      if (members.has(accountId)) {
        return rule('copy-membership', 'An account can be in only one enabled group.', accountId);
      }
      members.add(accountId);
    }
  }
  return null;
}

function saveGroup(world: World, command: SaveCopyGroups, input: GroupInput): string {
  const existing = input.configId === null ? undefined : world.copyGroups.get(input.configId);
  const group = existing ?? newGroup(world, command, input.sourceAccountId);
  if (group.enabled && !input.enabled) stopGroup(world, group);
  const staying = new Set(input.targets.map(({ accountId }) => accountId));
  for (const { accountId } of group.enabled ? group.targets : []) {
    if (!staying.has(accountId)) stopFollower(world, group, accountId, 'removed');
  }
  group.sourceAccountId = input.sourceAccountId;
  group.targets = structuredClone(input.targets);
  group.progress = group.progress.filter(({ accountId }) => staying.has(accountId));
  if (input.enabled && !group.enabled) {
    Object.assign(group, { stoppedAt: null, stopReason: null, stoppedCompletedAt: null, progress: [] });
  }
  group.enabled = input.enabled;
  group.policyVersion += 1;
  group.updatedAt = world.now;
  touch(world, 'copyGroups', group);
  return group.id;
}

function newGroup(world: World, command: SaveCopyGroups, sourceAccountId: string): CopyGroup {
  const sequence = nextSequence(world);
  const group: CopyGroup = {
    id: idOf('cpy', sequence),
    sequence,
    owner: command.owner,
    environment: command.environment,
    enabled: false,
    sourceAccountId,
    targets: [],
    policyVersion: 0,
    updatedAt: world.now,
    stoppedAt: null,
    stopReason: null,
    stoppedCompletedAt: null,
    stopCleanupPending: false,
    progress: [],
  };
  world.copyGroups.set(group.id, group);
  return group;
}

function rule(ruleId: string, message: string, subject: string): Refused {
  return refusal(violation(ruleId, message, { subject }));
}

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
  if (group.enabled) stopGroup(world, group);
  return { ok: true, configIds: [group.id] };
}

/** Ends copying in a group: pending copies are canceled, and each follower records a stop, completed at once. */
function stopGroup(world: World, group: CopyGroup): void {
  group.enabled = false;
  group.policyVersion += 1;
  group.updatedAt = world.now;
  group.stoppedAt = world.now;
  group.stopReason = 'disabled';
  group.stoppedCompletedAt = world.now;
  group.stopCleanupPending = false;
  group.progress = [];
  touch(world, 'copyGroups', group);
  indexCopyRoles(world);
  for (const { accountId } of group.targets) stopFollower(world, group, accountId, 'disabled');
}

/** Ends copying for one follower. */
function stopFollower(world: World, group: CopyGroup, accountId: string, reason: string): void {
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
