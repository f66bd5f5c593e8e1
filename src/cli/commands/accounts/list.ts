import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { accountColumns, accountFields } from '../../../console/views/account-view.ts';
import type { Ending } from '../../../desk/reading/endings.ts';
import { endingsOf } from '../../../desk/reading/endings.ts';
import type { HeldLock } from '../../../desk/reading/locks.ts';
import { locksOf } from '../../../desk/reading/locks.ts';
import { allAccounts, decideAccount } from '../../../desk/resolve/account.ts';

export const command = defineCommand({
  summary: 'List your accounts and their risk; * marks the one in use',
  examples: [
    ['perp accounts', 'all of them'],
    ['perp accounts list -o csv', 'for a spreadsheet'],
  ],
});

export async function run(console: Console): Promise<Result> {
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
}
