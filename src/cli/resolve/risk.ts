import type { Account } from '../../contract/accounts.ts';
import type { Context } from '../context/context.ts';
import { accountId, allAccounts } from './account.ts';

/**
 * The account in use with its risk as of this command: as the list of accounts has just shown it, if that was read to
 * find the account. A batch reads it at most once a second.
 */
export function accountRisk(context: Context): Promise<Account> {
  const { account } = context.settings;
  return context.recent(`risk of ${account ?? 'the only account'}`, async () => {
    const id = account ?? (await accountId(context));
    const listed = account === undefined && !context.sharesReads ? await allAccounts(context) : [];
    const found = listed.find((one) => one.id === id);
    return found ?? (await context.call('getAccount', { path: { account_id: id } })).data;
  });
}
