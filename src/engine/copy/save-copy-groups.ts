import type { Outcome, Refused, SaveCopyGroups } from '../commands.ts';
import type { CopyGroup } from '../model.ts';
import { idOf } from '../record-id.ts';
import { invalidRequest, notFound, refusal, violation } from '../violation.ts';
import { nextSequence, noteChange, portfolioOf, touchCopyGroup, type World } from '../world/world.ts';
import { indexCopyRoles, stopFollower, stopGroup } from './copy-groups.ts';

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
  if (group.enabled && !input.enabled) stopGroup(world, group, 'disabled');
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
  touchCopyGroup(world, group);
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
