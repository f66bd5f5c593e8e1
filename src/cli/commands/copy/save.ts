import { text as wholeText } from 'node:stream/consumers';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, line, type Result, recordOf } from '../../../console/output/result.ts';
import type { CopyTradingGroupInput, SaveCopyTradingRequest } from '../../../contract/copy.ts';
import { followersOf, resolveGroup } from '../../../desk/resolve/copy-group.ts';
import { parseValue } from '../../../desk/values/values.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';
import { readNamedFile } from '../../../ground/files/private-files.ts';
import { counted, word } from '../../../ground/text/format.ts';
import { parsedJson } from '../../../terms/json-object.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Create or change copy groups',
  description:
    'A follower copies at the ratio of the starting balances times its multiplier (default 1). A file contains the request {"groups": [...], "deleted_config_ids": [...]}, or just the list of groups, and is saved completely or not at all. Other groups are unchanged.',
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
});

type Input = InputOf<typeof command>;

export async function run(console: Console, input: Input): Promise<Result> {
  const body = input.file === undefined ? await fromFlags(console, input) : await fromFile(console, input, input.file);
  const { groups, deleted_config_ids: deleted } = body;
  const what = [
    groups.length > 0 ? `Save ${counted(groups.length, 'copy group')}` : '',
    deleted.length > 0 ? `${groups.length > 0 ? 'and delete' : 'Delete'} ${deleted.length}` : '',
  ].filter((part) => part !== '');
  return write(
    console,
    'saveCopyTradingConfigurations',
    { body },
    {
      preview: async () => groups.map(groupLine),
      question: `${what.join(' ')}?`,
      done: ({ data }) => recordOf(data, () => [line(savedText(data.config_ids ?? []))]),
    },
  );
}

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
  const targets = input.follower.length > 0 ? input.follower.map(follower) : (known?.targets ?? []);
  const group: CopyTradingGroupInput = {
    enabled: input.enable || (known?.enabled ?? false),
    source_account_id: lead,
    targets,
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
  const text = file === '-' ? await wholeText(console.io.input()) : read(file);
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

function read(file: string): string {
  try {
    return readNamedFile(file);
  } catch (error) {
    throw usageFailure(`Can't read the groups: ${(error as Error).message}`);
  }
}
