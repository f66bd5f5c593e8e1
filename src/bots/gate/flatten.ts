import type { Session } from '../../desk/session/session.ts';
import { type Flattened, flatten } from '../../desk/writes/flatten.ts';
import type { FlattenedAccount } from './options.ts';

/** How long to wait for writes of bots that were on their way, ms. */
const underWayMs = 10_000;
const lookMs = 100;

/**
 * Flattens accounts side by side. Writes that were sent before the bots were stopped may still arrive, so what they leave
 * is flattened, too; `isUnderWay`: whether any are still open.
 */
export async function flattenAccounts(
  session: Session,
  accounts: readonly string[],
  isUnderWay: () => boolean,
): Promise<FlattenedAccount[]> {
  const mayAdd = isUnderWay();
  const first = await Promise.all(accounts.map((account) => flattened(session, account)));
  if (!mayAdd) return first;
  const until = performance.now() + underWayMs;
  while (isUnderWay() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, lookMs));
  const second = await Promise.all(accounts.map((account) => flattened(session, account)));
  return second.map((one, nth) => ({
    ...one,
    canceled: one.canceled + first[nth]!.canceled,
    closed: one.closed + first[nth]!.closed,
  }));
}

async function flattened(session: Session, account_id: string): Promise<FlattenedAccount> {
  try {
    return resultOf(await flatten(session, account_id));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { account_id, is_flat: false, canceled: 0, closed: 0, failures: [message] };
  }
}

function resultOf({ account_id, canceled, closed, left, failures }: Flattened): FlattenedAccount {
  const lists = left === null ? [null] : [left.twaps, left.orders, left.positions];
  return {
    account_id,
    is_flat: lists.every((list) => list !== null && list.length === 0),
    canceled: canceled.orders.length + canceled.twaps.length + canceled.ladders.length,
    closed: closed.length,
    failures: failures.map(({ what, id, message }) => `${what} ${id}: ${message}`),
  };
}
