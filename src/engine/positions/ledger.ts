import { assert } from '../../terms/invariants.ts';
import type { Account, LedgerKind, Money } from '../model.ts';
import { touchAccount, type World } from '../world/world.ts';

/** Books one change of a balance. Balances change in no other way, so each is always the sum of its postings. */
export function book(
  world: World,
  account: Account,
  kind: LedgerKind,
  amount: Money,
  cause: { orderId?: string; positionId?: string } = {},
): void {
  if (amount === 0n) return;
  account.balance += amount;
  world.booked.set(account.id, (world.booked.get(account.id) ?? 0n) + amount);
  world.ledgerSequence += 1;
  world.changes.ledger.push({
    sequence: world.ledgerSequence,
    accountId: account.id,
    kind,
    amount,
    balanceAfter: account.balance,
    time: world.now,
    orderId: cause.orderId ?? null,
    positionId: cause.positionId ?? null,
  });
  touchAccount(world, account);
  assert(account.balance >= 0n || kind !== 'bankruptcy', 'bankruptcy-covers', account.id);
}
