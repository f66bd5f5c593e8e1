import type { Account } from '../../contract/accounts.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { AccountChange, AccountFrame, SnapshotFrame } from '../../contract/streams.ts';

/** Everything open in one account, as its stream reported it. */
export interface AccountState {
  account: Account;
  /** By id; open ones. */
  positions: Map<string, Position>;
  /** By id; pending and resting ones. */
  orders: Map<string, Order>;
}

/**
 * The state that the frames of an account stream add up to: what REST answers, except for values that marks alone
 * change (an account's `risk` and a position's `liquidation_price` are as of the last frame).
 */
export class AccountStates {
  /** By account id. */
  readonly accounts = new Map<string, AccountState>();
  /** Accounts of the snapshots being received; null if none are. */
  #snapshots: Set<string> | null = null;

  apply(frame: AccountFrame): void {
    if (frame.type === 'hello') this.#snapshots = frame.resumed ? null : new Set();
    else if (frame.type === 'snapshot') this.#applySnapshot(frame);
    else if (frame.type === 'snapshot_end') this.#endSnapshots();
    else if (frame.type === 'account' || frame.type === 'position' || frame.type === 'order') this.#applyChange(frame);
  }

  #applySnapshot({ account_id: id, account, positions, orders }: SnapshotFrame): void {
    this.#snapshots?.add(id);
    this.accounts.set(id, { account, positions: byId(positions), orders: byId(orders) });
  }

  /** An account without a snapshot is no longer accessible. */
  #endSnapshots(): void {
    for (const id of this.accounts.keys()) if (this.#snapshots?.has(id) === false) this.accounts.delete(id);
    this.#snapshots = null;
  }

  #applyChange(frame: AccountChange): void {
    const { account_id: id } = frame;
    const known = this.accounts.get(id);
    if (frame.type === 'account') {
      if (frame.event === 'removed') this.accounts.delete(id);
      else if (known !== undefined) known.account = frame.account;
      else this.accounts.set(id, { account: frame.account, positions: new Map(), orders: new Map() });
      return;
    }
    if (known === undefined) return;
    if (frame.type === 'position') {
      if (frame.event === 'closed') known.positions.delete(frame.position.id);
      else known.positions.set(frame.position.id, frame.position);
    } else if (frame.type === 'order') {
      if (isWorking(frame.event)) known.orders.set(frame.order.id, frame.order);
      else known.orders.delete(frame.order.id);
    }
  }
}

/** Whether the order is still working; an unknown event does not end it. */
function isWorking(event: string): boolean {
  return event !== 'filled' && event !== 'canceled' && event !== 'rejected' && event !== 'expired';
}

function byId<R extends { id: string }>(records: readonly R[]): Map<string, R> {
  return new Map(records.map((record) => [record.id, record]));
}
