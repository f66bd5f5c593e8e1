import { statSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Intent } from '../../client/intent.ts';
import { lockedFailure, readLock, unlockAccount } from './trading-lock.ts';

interface LockCheck {
  /** Folder of the locks of the write's environment. */
  folder: string;
  client: Client;
  /** Wall time, Unix ms, for a host that does not report the exchange's. */
  now(): number;
}

/**
 * Throws a failure for a write that may add exposure in a locked account. Without any lock, this costs one file system
 * check. With one, it asks the exchange for the time and, for an amendment, the order.
 */
export async function refuseExposure(intent: Intent, { folder, client, now }: LockCheck): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  for (const account of await exposedAccounts(intent, client)) {
    const lock = readLock(folder, account);
    if (lock === undefined) continue;
    if (lock === 'damaged' || (await timeOf(account, client, now)) < lock.until) throw lockedFailure(account, lock);
    unlockAccount(folder, account);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The accounts to which a write may add exposure. An order may, unless it is reduce-only. */
async function exposedAccounts({ operationId, body, path }: Intent, client: Client): Promise<string[]> {
  const wanted = (body === undefined ? {} : JSON.parse(body)) as Fields;
  switch (operationId) {
    case 'createOrder':
      return wanted.reduce_only === true || wanted.type === 'take_profit' ? [] : texts(wanted.account_id);
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

async function orderOf(
  order_id: string,
  client: Client,
): Promise<{ account_id: string; reduce_only: boolean } | undefined> {
  try {
    return (await client.call('getOrder', { path: { order_id } })).data;
  } catch (error) {
    // The host will refuse the amendment for the same reason.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function timeOf(account_id: string, client: Client, now: () => number): Promise<number> {
  const { data } = await client.call('getAccount', { path: { account_id } });
  return data.risk?.observed_at ?? now();
}

function texts(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}
