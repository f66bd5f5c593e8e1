import type { Changes, OpenState } from '../engine/commands.ts';
import type { Consumption } from '../engine/model.ts';
import type { Connection } from './connection.ts';
import { Query, Writer } from './query.ts';
import { copyGroups, operations, scaledOrders, twaps } from './strategy-tables.ts';
import { accounts, consumption, explanations, type Head, head, ledger, orders, positions } from './tables.ts';

/** Writes the exchange's changes; always inside the caller's transaction. */
export class Recorder {
  readonly #connection: Connection;
  readonly #writers: ReturnType<typeof writersOf>;
  readonly #head: Query<Head>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#writers = writersOf(connection);
    this.#head = new Query(connection, head, 'WHERE row = 1');
  }

  /** Writes a complete state into a file that has none. */
  initialize({
    accounts,
    orders,
    positions,
    consumption,
    twaps,
    scaled,
    copyGroups,
    operations,
    ...clock
  }: OpenState): void {
    const writers = this.#writers;
    writers.head.add({ row: 1, ...clock });
    for (const account of accounts) writers.accounts.put(account);
    for (const order of orders) writers.orders.put(order);
    for (const position of positions) writers.positions.put(position);
    for (const level of consumption) this.#consume(level);
    for (const twap of twaps) writers.twaps.put(twap);
    for (const parent of scaled) writers.scaled.put(parent);
    for (const group of copyGroups) writers.copyGroups.put(group);
    for (const operation of operations) writers.operations.put(operation);
  }

  write(changes: Changes): void {
    const writers = this.#writers;
    this.#advance(changes);
    // Accounts first, because the other records refer to them.
    for (const account of changes.accounts.values()) writers.accounts.put(account);
    for (const order of changes.orders.values()) writers.orders.put(order);
    for (const position of changes.positions.values()) writers.positions.put(position);
    for (const twap of changes.twaps.values()) writers.twaps.put(twap);
    for (const parent of changes.scaled.values()) writers.scaled.put(parent);
    for (const group of changes.copyGroups.values()) writers.copyGroups.put(group);
    for (const id of changes.deletedCopyGroups)
      this.#connection.prepare('DELETE FROM copy_groups WHERE id = ?').run(id);
    for (const operation of changes.operations.values()) writers.operations.put(operation);
    for (const entry of changes.ledger) writers.ledger.add(entry);
    for (const level of changes.consumption.values()) this.#consume(level);
    for (const explanation of changes.explanations) writers.explanations.add(explanation);
  }

  #advance({ time, sequence, settleSequence, ledgerSequence, halt }: Changes): void {
    const known = this.#head.one();
    if (known === null) throw new Error('changes of a state that was never initialized');
    const moved = { ...known, time, sequence, settleSequence, ledgerSequence };
    this.#writers.head.put(halt === null ? moved : { ...moved, halt });
  }

  #consume(level: Consumption): void {
    if (level.consumed > 0) this.#writers.consumption.put(level);
    else
      this.#connection
        .prepare('DELETE FROM consumption WHERE account_id = ? AND market_id = ? AND book_side = ? AND price = ?')
        .run(level.accountId, level.marketId, level.bookSide, level.price);
  }
}

function writersOf(connection: Connection) {
  return {
    head: new Writer(connection, head),
    accounts: new Writer(connection, accounts),
    orders: new Writer(connection, orders),
    positions: new Writer(connection, positions),
    twaps: new Writer(connection, twaps),
    scaled: new Writer(connection, scaledOrders),
    copyGroups: new Writer(connection, copyGroups),
    operations: new Writer(connection, operations),
    ledger: new Writer(connection, ledger),
    consumption: new Writer(connection, consumption),
    explanations: new Writer(connection, explanations),
  };
}
