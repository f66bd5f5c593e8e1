import { Failure } from '../../../base/failure/failure.ts';
import { dateTime } from '../../../base/text/format.ts';
import { destinationText } from '../../../desk/intents/note.ts';
import { type Ending, endingOf, endingsOf } from '../../../desk/reading/endings.ts';
import { type HeldLock, lockOf, locksOf } from '../../../desk/reading/locks.ts';
import { prospectOf } from '../../../desk/reading/prospects.ts';
import { accountId, allAccounts, decideAccount, titleOf } from '../../../desk/resolve/account.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { accountComputed } from '../../../desk/risk/outlook.ts';
import { noted } from '../../../desk/session/session.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { line, listOf, recordOf } from '../../console/output/result.ts';
import { writeConfig } from '../../console/settings/config-file.ts';
import {
  accountBlocks,
  accountColumns,
  accountFields,
  actingBlocks,
  policyBlocks,
} from '../../console/views/account-view.ts';
import { endedRecord, lockRecord } from '../../console/views/ending-view.ts';
import { watch } from '../reading/watch-reading.ts';
import { noteAhead, withinOption } from '../reading/within.ts';
import { write } from '../writes/write.ts';

const list = defineCommand({
  summary: 'List your accounts and their risk; * marks the one in use',
  examples: [
    ['perp accounts', 'all of them'],
    ['perp accounts list -o csv', 'for a spreadsheet'],
  ],
  async run(console) {
    await decideAccount(console);
    const accounts = await allAccounts(console);
    const inUse = console.settings.account ?? (accounts.length === 1 ? accounts[0]!.id : undefined);
    const isTable = console.settings.output === 'table';
    const endings: Map<string, Ending> = isTable ? await endingsOf(console, accounts) : new Map();
    const locks = isTable ? await locksOf(console, accounts) : new Map<string, HeldLock>();
    return listOf(accounts, {
      fields: accountFields,
      columns: accountColumns(inUse, endings, { locks, isHost: console.settings.environment !== 'sim' }),
      empty: 'No accounts.',
    });
  },
});

const show = defineCommand({
  summary: 'Show one account: balance, margin, distance to the floors',
  args: [{ name: 'account', kind: 'account', optional: true, summary: 'default: the account in use' }],
  options: { ...withinOption, watch: { summary: 'keep updating until Ctrl-C' } },
  examples: [
    ['perp accounts show', 'the account in use'],
    ['perp accounts show --within 4h', 'with the carry of four hours and a new day'],
    ['perp accounts show --watch', 'live updates'],
    ['perp accounts show --json', 'every field'],
  ],
  async run(console, input) {
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
  },
});

/** An account, its positions at current marks, and how it ended. */
async function shown(console: Console, account: Account, within: number | undefined) {
  const open = console.call('listOpenPositions', { query: { account_id: account.id } }).then((answer) => answer.data);
  const { positions, marks, outlook, acting } = await prospectOf(console, account.id, {
    account,
    positions: noted(console, 'The positions', open, []),
    within,
  });
  const [ending, lock] = await Promise.all([endingOf(console, account), lockOf(console, account)]);
  const isHost = console.settings.environment !== 'sim';
  if (ending !== undefined) console.memory.saidEndings.add(account.id);
  const computed = {
    ...accountComputed(positions, marks, outlook),
    ended: ending === undefined ? null : endedRecord(ending),
    lock: lockRecord(lock),
    acts_without_you: acting,
  };
  return {
    record: { ...account, computed },
    blocks: () => [
      accountBlocks(account, { positions, marks, outlook, ending, lock, isHost }),
      ...actingBlocks(acting),
    ],
    ahead: outlook.ahead,
  };
}

const policy = defineCommand({
  summary: "Show an account's restrictions, rules and limits",
  args: [{ name: 'account', kind: 'account', optional: true, summary: 'default: the account in use' }],
  examples: [['perp accounts policy', 'the account in use']],
  async run(console, input) {
    const account_id = await accountId(console, input.account);
    const look = () => console.call('getAccountTradingPolicy', { path: { account_id } });
    const { data } = await called(console, 'account', account_id, look);
    return recordOf(data, () => policyBlocks(data));
  },
});

const use = defineCommand({
  summary: 'Set the default account of the environment or simulation',
  description: 'Each simulation remembers its own, as do live, the sandbox and each profile.',
  args: [{ name: 'account', kind: 'account', summary: 'account id, number or name' }],
  examples: [
    ['perp accounts use acc_2', 'use acc_2 from now on'],
    ['perp accounts use "Challenge 2" --state friday', 'by name, in the simulation friday only'],
  ],
  changesMore: true,
  async run(console, input) {
    const account_id = await accountId(console, input.account);
    const look = () => console.call('getAccount', { path: { account_id } });
    const { data } = await called(console, 'account', account_id, look);
    const { settings, variables } = console;
    const { environment, profile, dryRun } = settings;
    const { state, destination } = await console.access();
    const where = destinationText(destination);
    const name = `${data.id} (${titleOf(data)})`;
    if (dryRun) return recordOf(data, () => [line(`Dry run: ${name} would be used on ${where}.`)]);
    const ofPlace = environment === 'sim' && state !== undefined ? (`sim.account.${state}` as const) : undefined;
    const key =
      profile === undefined
        ? (ofPlace ?? (`${environment}.account` as const))
        : (`profiles.${profile}.account` as const);
    writeConfig(variables, { [key]: data.id });
    return recordOf(data, () => [line(`Using ${name} on ${where}.`)]);
  },
});

const acknowledgeCopyStop = defineCommand({
  summary: 'Acknowledge that copying into an account has stopped',
  description: 'Acknowledges the stop shown by the trading policy. Has no effect while the cleanup is still running.',
  args: [{ name: 'account', kind: 'account', optional: true, summary: 'default: the account in use' }],
  examples: [['perp accounts acknowledge-copy-stop', 'for the account in use']],
  async run(console, input) {
    const path = { account_id: await accountId(console, input.account) };
    const { data: policy } = await console.call('getAccountTradingPolicy', { path });
    const stop = policy.copy_stop;
    if (stop === null) {
      throw new Failure({
        code: 'no_copy_stop',
        message: `Copying into ${path.account_id} has not been stopped, so there is nothing to acknowledge.`,
      });
    }
    const request = { path, body: { stopped_at: stop.stopped_at } };
    return write(console, 'acknowledgeCopyTradingStop', request, {
      question: `Acknowledge that copying into ${path.account_id} stopped at ${dateTime(stop.stopped_at)}?`,
      done: ({ data }) =>
        recordOf(data, () => [
          line(
            stop.completed_at === null ? 'The cleanup is still running; nothing was acknowledged.' : 'Acknowledged.',
          ),
        ]),
    });
  },
});

export const commands = { list, show, policy, use, 'acknowledge-copy-stop': acknowledgeCopyStop };
