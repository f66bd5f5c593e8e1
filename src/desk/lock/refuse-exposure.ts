import { statSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Intent } from '../../client/intent.ts';
import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import { isReduction } from '../../terms/order-types.ts';
import { lockedFailure, readLock, unlockAccount } from './trading-lock.ts';

interface LockCheck {
  /** Folders of the locks of the write's environment. */
  folders: readonly string[];
  client: Client;
  /** Wall time, Unix ms, for a host that does not report the exchange's. */
  now(): number;
}

/**
 * Throws a failure for a write that may add exposure in a locked account, also by copying. Without any lock, this costs
 * one file system check. With one, it asks the exchange for the time, the copy groups and, for an amendment, the order.
 */
export async function refuseExposure(intent: Intent, { folders, client, now }: LockCheck): Promise<void> {
  const locked = folders.filter(mayHoldLocks);
  if (locked.length === 0) return;
  const accounts = await exposedAccounts(intent, client);
  if (accounts.length === 0) return;
  const check = (account: string) => refuseIfLocked(account, locked, client, now);
  for (const account of accounts) await check(account);
  for (const account of await followersOf(accounts, client)) await check(account);
}

/** A folder that can't be read may hold a lock. */
function mayHoldLocks(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

async function refuseIfLocked(
  account: string,
  folders: readonly string[],
  client: Client,
  now: () => number,
): Promise<void> {
  for (const folder of folders) {
    const lock = readLock(folder, account);
    if (lock === undefined) continue;
    if (lock === 'damaged' || (await timeOf(account, client, now)) < lock.until) throw lockedFailure(account, lock);
    unlockAccount(folder, account);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The accounts to which a write itself may add exposure. An order may, unless it is reduce-only. */
async function exposedAccounts({ operationId, body, path }: Intent, client: Client): Promise<string[]> {
  const wanted = (body === undefined ? {} : JSON.parse(body)) as Fields;
  switch (operationId) {
    case 'createOrder':
      return isReduction(wanted) ? [] : texts(wanted.account_id);
    case 'createTwapOrder':
    case 'createScaledOrder':
      return wanted.reduce_only === true ? [] : texts(wanted.account_id);
    case 'modifyOrder': {
      const order = await orderOf(path.order_id ?? '', client);
      return order === undefined || order.reduce_only ? [] : [order.account_id];
    }
    case 'saveCopyTradingConfigurations':
      return ((wanted.groups as Fields[] | undefined) ?? []).flatMap(copyAccounts);
    default:
      return [];
  }
}

function copyAccounts({ enabled, targets }: Fields): string[] {
  if (enabled !== true || !Array.isArray(targets)) return [];
  return targets.flatMap((target: Fields) => texts(target.account_id));
}

/** The accounts that copy these, directly or through another account. Fails if the groups can't be read. */
async function followersOf(leads: readonly string[], client: Client): Promise<string[]> {
  const groups = (await copyGroups(client)).filter(({ enabled }) => enabled);
  const reached = new Set(leads);
  for (const lead of reached)
    for (const { source_account_id: source, targets } of groups)
      if (source === lead) for (const { account_id } of targets) reached.add(account_id);
  return [...reached].slice(leads.length);
}

async function copyGroups(client: Client) {
  try {
    return (await client.call('listCopyTradingConfigurations', {})).data;
  } catch (error) {
    // A host without copy trading. A credential that may not see the groups says nothing about them.
    if (error instanceof ApiError && [404, 405, 410, 501].includes(error.status)) return [];
    throw new Failure(
      {
        exit: exitCodes.unavailable,
        code: 'lock_unchecked',
        message: `An account is locked, and it could not be checked whether it copies this one: ${(error as Error).message}. Nothing was sent.`,
        hint: 'Try again; perp guard unlock ends the lock.',
        retryable: true,
      },
      { cause: error },
    );
  }
}

async function orderOf(
  order_id: string,
  client: Client,
): Promise<{ account_id: string; reduce_only: boolean } | undefined> {
  try {
    return (await client.call('getOrder', { path: { order_id } })).data;
  } catch (error) {
    // The host will refuse the amendment for the same reason.
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

async function timeOf(account_id: string, client: Client, now: () => number): Promise<number> {
  const { data, headers } = await client.call('getAccount', { path: { account_id } });
  const answeredAt = Date.parse(headers.date ?? '');
  return data.risk?.observed_at ?? (Number.isNaN(answeredAt) ? now() : answeredAt);
}

function texts(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}
