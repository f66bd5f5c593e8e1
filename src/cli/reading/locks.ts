import type { Account } from '../../contract/accounts.ts';
import { lockFolders, readLock } from '../../desk/lock/trading-lock.ts';
import type { Context } from '../context/context.ts';
import type { HeldLock } from '../views/lock-view.ts';

/** The guard's lock on an account, if it holds now: at the exchange's time if the account reports it. */
export async function lockOf(
  context: Context,
  { id, risk }: Pick<Account, 'id' | 'risk'>,
): Promise<HeldLock | undefined> {
  const { destination } = await context.connection();
  const now = risk?.observed_at ?? context.outside.now();
  for (const folder of lockFolders(context.variables, destination)) {
    const lock = readLock(folder, id);
    if (lock === 'damaged' || (lock !== undefined && now < lock.until)) return lock;
  }
  return undefined;
}

/** Whether there is a lock on an account, which may be over: its end is at the exchange's time. */
export async function hasLock(context: Context, accountId: string): Promise<boolean> {
  const { destination } = await context.connection();
  return lockFolders(context.variables, destination).some((folder) => readLock(folder, accountId) !== undefined);
}

/** The locks that hold on these accounts, by id. */
export async function locksOf(context: Context, accounts: readonly Account[]): Promise<Map<string, HeldLock>> {
  const found = await Promise.all(
    accounts.map(async (account) => [account.id, await lockOf(context, account)] as const),
  );
  return new Map(found.flatMap(([id, lock]) => (lock === undefined ? [] : [[id, lock] as const])));
}
