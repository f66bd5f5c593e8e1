import { text as wholeText } from 'node:stream/consumers';
import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { readNamedFile } from '../../../base/files/private-files.ts';
import { parsedJson } from '../../../base/terms/json-object.ts';
import { counted, dateTime, quantity, word } from '../../../base/text/format.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import type { Session } from '../../../desk/session/session.ts';
import { parseValue } from '../../../desk/values/values.ts';
import {
  CopyTradingConfiguration,
  type CopyTradingGroupInput,
  type SaveCopyTradingRequest,
} from '../../../wire/contract/accounts.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import {
  type Block,
  type Cell,
  type Column,
  fieldsOf,
  line,
  listOf,
  type Result,
  recordOf,
} from '../../console/output/result.ts';
import { write } from '../writes/write.ts';

/** Wire names of a group's fields, used as CSV columns. */
const copyFields = fieldsOf(CopyTradingConfiguration);

/** The table of copy groups. */
const copyColumns: readonly Column<CopyTradingConfiguration>[] = [
  { header: 'ID', cell: (group) => group.config_id },
  { header: 'STATE', cell: stateOf },
  { header: 'LEAD', cell: (group) => group.source_account_id },
  { header: 'FOLLOWERS', cell: followersOf },
  { header: 'UPDATED', cell: (group) => dateTime(group.updated_at), keep: 1 },
  {
    header: 'STOPPED',
    cell: (group) =>
      group.stopped_at === undefined ? '' : `${dateTime(group.stopped_at)} ${word(group.stop_reason ?? '')}`.trim(),
    keep: 2,
  },
];

function stateOf(group: CopyTradingConfiguration): Cell {
  if (group.enabled) return { text: 'enabled', tone: 'good' };
  if (group.stop_cleanup_pending === true) return { text: 'stopping', tone: 'warn' };
  return { text: 'disabled', tone: 'faint' };
}

const list = defineCommand({
  summary: 'List copy groups, including disabled ones',
  examples: [['perp copy', 'all of them']],
  async run(console) {
    return listOf(await allGroups(console), { fields: copyFields, columns: copyColumns, empty: 'No copy groups.' });
  },
});

const save = defineCommand({
  summary: 'Create or change copy groups',
  description:
    'A follower copies at the ratio of the starting balances times its multiplier (default 1). A file contains the request {"groups": [...], "deleted_config_ids": [...]}, or just the list of groups, and is saved all or nothing. Other groups are unchanged.',
  options: {
    lead: { value: 'ACCOUNT', kind: 'account', summary: 'lead account, which is copied' },
    follower: {
      value: 'ID[:MULT]',
      kind: 'account',
      repeat: true,
      summary: 'follower account and multiplier, such as acc_2:0.5',
    },
    config: { value: 'ID', kind: 'group', summary: 'group to change (default: create a new one)' },
    enable: { summary: 'start copying' },
    file: { value: 'FILE', kind: 'file', summary: 'read the groups from a file, or - for standard input' },
  },
  examples: [
    ['perp copy save --lead acc_1 --follower acc_2 --follower acc_3:0.5 --enable', 'a new group'],
    ['perp copy save --config copy_1 --lead acc_1 --follower acc_2:1.5', 'change one'],
    ['perp copy save --file groups.json', 'several at once'],
  ],
  async run(console, input): Promise<Result> {
    const body =
      input.file === undefined ? await fromFlags(console, input) : await fromFile(console, input, input.file);
    const { groups, deleted_config_ids: deleted } = body;
    const what = [
      groups.length > 0 ? `Save ${counted(groups.length, 'copy group')}` : '',
      deleted.length > 0 ? `${groups.length > 0 ? 'and delete' : 'Delete'} ${deleted.length}` : '',
    ].filter((part) => part !== '');
    const request = { body };
    return write(console, 'saveCopyTradingConfigurations', request, {
      preview: async () => groups.map(groupLine),
      question: `${what.join(' ')}?`,
      done: ({ data }) => recordOf(data, () => [line(savedText(data.config_ids ?? []))]),
    });
  },
});

type Input = InputOf<typeof save>;

function savedText(ids: readonly string[]): string {
  return ids.length === 0 ? 'Saved.' : `Saved: ${ids.map(word).join(', ')}.`;
}

function groupLine(group: CopyTradingGroupInput): Block {
  const state = group.enabled ? 'copying' : 'not copying yet';
  return line(
    `${group.config_id ?? 'new group'}: ${group.source_account_id} to ${followersOf(group) || 'nobody'}, ${state}`,
  );
}

async function fromFlags(console: Console, input: Input): Promise<SaveCopyTradingRequest> {
  const known = input.config === undefined ? undefined : await resolveGroup(console, input.config);
  const lead = input.lead ?? known?.source_account_id;
  if (lead === undefined) throw usageFailure('--lead is missing.', 'Give the lead account, or use --file.');
  if (input.follower.length === 0 && known === undefined)
    throw usageFailure('--follower is missing.', 'Give a follower, such as --follower acc_2:0.5.');
  const group: CopyTradingGroupInput = {
    enabled: input.enable || (known?.enabled ?? false),
    source_account_id: lead,
    targets: input.follower.length > 0 ? input.follower.map(follower) : (known?.targets ?? []),
  };
  return { groups: [known === undefined ? group : { config_id: known.config_id, ...group }], deleted_config_ids: [] };
}

/** `acc_2:0.5`: the multiplier follows the last colon. */
function follower(text: string): CopyTradingGroupInput['targets'][number] {
  const at = text.lastIndexOf(':');
  if (at < 0) return { account_id: text, multiplier_bps: 10_000 };
  const multiplier = parseValue('positive', text.slice(at + 1), `The multiplier of ${text}`);
  const bps = multiplier * 10_000;
  if (Math.abs(bps - Math.round(bps)) > 1e-6)
    throw usageFailure(`The multiplier of ${text} has more than four decimals.`);
  return { account_id: text.slice(0, at), multiplier_bps: Math.round(bps) };
}

async function fromFile(console: Console, input: Input, file: string): Promise<SaveCopyTradingRequest> {
  if (input.lead !== undefined || input.follower.length > 0 || input.config !== undefined || input.enable) {
    throw usageFailure("--file can't be combined with other options of the group.", 'Omit the other options.');
  }
  const text = file === '-' ? await wholeText(console.io.input()) : groupsFile(file);
  let value: unknown;
  try {
    value = parsedJson(text);
  } catch (error) {
    throw usageFailure(`${file} is not JSON: ${(error as Error).message}`);
  }
  const request = Array.isArray(value) ? { groups: value } : value;
  if (typeof request !== 'object' || request === null)
    throw usageFailure(`${file} contains neither a list of groups nor a request.`);
  return { groups: [], deleted_config_ids: [], ...request } as SaveCopyTradingRequest;
}

function groupsFile(file: string): string {
  try {
    return readNamedFile(file);
  } catch (error) {
    throw usageFailure(`Can't read the groups: ${(error as Error).message}`);
  }
}

const enable = defineCommand({
  summary: 'Start copying',
  args: [{ name: 'id', kind: 'group', summary: 'the copy group' }],
  examples: [['perp copy enable copy_1', 'start copying']],
  async run(console, input) {
    const { config_id, source_account_id, targets } = await resolveGroup(console, input.id);
    const groups = [{ config_id, enabled: true, source_account_id, targets }];
    const request = { body: { groups, deleted_config_ids: [] } };
    return write(console, 'saveCopyTradingConfigurations', request, {
      question: `Start copying ${source_account_id} to ${followersOf({ targets })}?`,
      done: ({ data }) => recordOf(data, () => [line(`${config_id} started copying.`)]),
    });
  },
});

const disable = defineCommand({
  summary: 'Stop copying; filled positions stay open',
  args: [{ name: 'id', kind: 'group', summary: 'the copy group' }],
  examples: [['perp copy disable copy_1', 'stop copying']],
  async run(console, input) {
    const request = { path: { config_id: input.id } };
    return write(console, 'disableCopyTradingConfiguration', request, {
      question: `Stop copying in ${input.id}?`,
      done: ({ data }) =>
        recordOf(data, () => [line(`${input.id} stopped copying; outstanding copies are being cleaned up.`)]),
    });
  },
});

const remove = defineCommand({
  summary: 'Delete a disabled copy group',
  description: 'Without a terminal, this needs --yes.',
  args: [{ name: 'id', kind: 'group', summary: 'the copy group' }],
  examples: [['perp copy delete copy_1 --yes', 'without a prompt']],
  async run(console, input) {
    const { config_id } = await resolveGroup(console, input.id);
    const request = { body: { groups: [], deleted_config_ids: [config_id] } };
    return write(console, 'saveCopyTradingConfigurations', request, {
      question: `Delete the copy group ${config_id}?`,
      needsYes: true,
      done: ({ data }) => recordOf(data, () => [line(`Deleted ${config_id}.`)]),
    });
  },
});

export const commands = { list, save, enable, disable, delete: remove };

/** All copy groups, read once per run. */
function allGroups(session: Session): Promise<CopyTradingConfiguration[]> {
  return session.memory.once('groups', async () => {
    const { data } = await session.call('listCopyTradingConfigurations', {});
    remember(
      session,
      'group',
      data.map((group) => [group.config_id, `${group.source_account_id} to ${followersOf(group)}`] as const),
    );
    return data;
  });
}

/** Finds a copy group by its id. */
async function resolveGroup(session: Session, id: string): Promise<CopyTradingConfiguration> {
  const groups = await allGroups(session);
  const group = groups.find(({ config_id }) => config_id === id);
  if (group !== undefined) return group;
  const known = groups.map(({ config_id }) => config_id);
  const near = nearest(id, known);
  throw notFoundFailure(
    `There is no copy group ${quoted(id)}.`,
    near === undefined ? 'perp copy lists them.' : `Did you mean ${near}?`,
  );
}

/** `acc_2 x1.5`. */
function followersOf(group: { targets: readonly { account_id: string; multiplier_bps: number }[] }): string {
  return group.targets
    .map(({ account_id: id, multiplier_bps: bps }) => `${word(id)} x${quantity(bps / 10_000)}`)
    .join(', ');
}
