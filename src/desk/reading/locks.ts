import type { Account } from '../../wire/contract/accounts.ts';
import { lockFolders, readLock, type TradingLock } from '../lock/trading-lock.ts';
import type { Session } from '../session/session.ts';

/** A lock that holds, or one whose file can't be read, which holds until it is removed. */
export type HeldLock = TradingLock | 'damaged';

/**
 * The guard's lock on an account, if it holds now: at the exchange's time, the later one of what the account reports
 * and `time`, if either is known.
 */
export async function lockOf(
  session: Session,
  { id, risk }: Pick<Account, 'id' | 'risk'>,
  time = 0,
): Promise<HeldLock | undefined> {
  const { destination } = await session.access();
  const now = Math.max(risk?.observed_at ?? 0, time) || session.machine.now();
  for (const folder of lockFolders(session.machine.variables, destination)) {
    const lock = readLock(folder, id);
    if (lock === 'damaged' || (lock !== undefined && now < lock.until)) return lock;
  }
  return undefined;
}

/** Whether there is a lock on an account, even one that is over: its end is in exchange time. */
export async function hasLock(session: Session, accountId: string): Promise<boolean> {
  const { destination } = await session.access();
  return lockFolders(session.machine.variables, destination).some(
    (folder) => readLock(folder, accountId) !== undefined,
  );
}

/** The locks that hold on these accounts, by id. */
export async function locksOf(
  session: Session,
  accounts: readonly Account[],
  time?: number,
): Promise<Map<string, HeldLock>> {
  const found = await Promise.all(
    accounts.map(async (account) => [account.id, await lockOf(session, account, time)] as const),
  );
  return new Map(found.flatMap(([id, lock]) => (lock === undefined ? [] : [[id, lock] as const])));
}
