import type { Account } from '../../contract/accounts.ts';
import type { Session } from '../session/session.ts';
import { accountId, allAccounts } from './account.ts';

/**
 * An account, by default the one in use, with its risk as of this command: as the list of accounts has just shown it, if that was read to
 * find the account. A batch reads it at most once a second; what its own orders have cost since is taken off.
 */
export async function accountRisk(session: Session, account = session.settings.account): Promise<Account> {
  const { read, costs } = await session.memory.recent(`risk of ${account ?? 'the only account'}`, async () => {
    const id = account ?? (await accountId(session));
    const before = session.memory.costsOf(id);
    const listed =
      session.settings.account === undefined && !session.memory.sharesReads ? await allAccounts(session) : [];
    const found = listed.find((one) => one.id === id);
    return {
      read: found ?? (await session.call('getAccount', { path: { account_id: id } })).data,
      costs: before,
    };
  });
  return less(read, session.memory.costsOf(read.id) - costs);
}

/** The account after further costs, USD. */
function less(account: Account, costs: number): Account {
  const { risk } = account;
  if (costs === 0 || risk === undefined) return account;
  const after = <T extends number | null>(amount: T) =>
    amount === null ? amount : Math.max(0, Number((amount - costs).toFixed(8)));
  return {
    ...account,
    risk: {
      ...risk,
      equity: after(risk.equity),
      daily_loss_room: after(risk.daily_loss_room),
      max_drawdown_room: after(risk.max_drawdown_room),
    },
  };
}
