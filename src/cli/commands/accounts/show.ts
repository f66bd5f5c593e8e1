import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, type Result, recordOf } from '../../../console/output/result.ts';
import { accountBlocks } from '../../../console/views/account-view.ts';
import { endedRecord, lockRecord } from '../../../console/views/ending-view.ts';
import type { Account } from '../../../contract/accounts.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { lockOf } from '../../../desk/reading/locks.ts';
import { prospectOf } from '../../../desk/reading/prospects.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { accountComputed } from '../../../desk/risk/outlook.ts';
import type { Ahead } from '../../../desk/risk/within.ts';
import { noted } from '../../../desk/session/session.ts';
import { watch } from '../../reading/watch.ts';
import { noteAhead, withinOption } from '../../reading/within.ts';

export const command = defineCommand({
  summary: 'Show one account: balance, margin, distance to the floors',
  args: [{ name: 'account', kind: 'account', optional: true, summary: 'default: the account in use' }],
  options: { ...withinOption, watch: { summary: 'keep updating until Ctrl-C' } },
  examples: [
    ['perp accounts show', 'the account in use'],
    ['perp accounts show --within 4h', 'with the carry of four hours and a new day'],
    ['perp accounts show --watch', 'live updates'],
    ['perp accounts show --json', 'every field'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const account_id = await accountId(console, input.account);
  const look = () => console.call('getAccount', { path: { account_id } });
  const { data } = await called(console, 'account', account_id, look);
  if (!input.watch) {
    const { record, blocks, ahead } = await shown(console, data, input.within);
    noteAhead(console, input.within, ahead);
    return recordOf(record, blocks);
  }
  return watch(console, async () => {
    const { record, blocks } = await shown(console, (await look()).data, input.within);
    return { records: [record], blocks: blocks() };
  });
}

interface Shown {
  readonly record: object;
  readonly blocks: () => Block[];
  readonly ahead: Ahead | undefined;
}

/** An account, its positions at current marks, and how it ended. */
async function shown(console: Console, account: Account, within: number | undefined): Promise<Shown> {
  const open = console.call('listOpenPositions', { query: { account_id: account.id } }).then((answer) => answer.data);
  const reading = noted(console, 'The positions', open, []);
  const { positions, marks, outlook } = await prospectOf(console, account.id, { account, positions: reading, within });
  const [ending, lock] = await Promise.all([endingOf(console, account), lockOf(console, account)]);
  const isHost = console.settings.environment !== 'sim';
  if (ending !== undefined) console.memory.saidEndings.add(account.id);
  const computed = {
    ...accountComputed(positions, marks, outlook),
    ended: ending === undefined ? null : endedRecord(ending),
    lock: lockRecord(lock),
  };
  return {
    record: { ...account, computed },
    blocks: () => accountBlocks(account, { positions, marks, outlook, ending, lock, isHost }),
    ahead: outlook.ahead,
  };
}
