import { assert } from '../../base/terms/invariants.ts';
import type { Changes, OpenState } from '../engine/commands.ts';
import type { Consumption } from '../engine/model.ts';
import { Counts } from './counts.ts';
import { Query, Writer } from './query.ts';
import { Records } from './records.ts';
import type { StateDatabase } from './state-database.ts';
import { copyGroups, operations, scaledOrders, twaps } from './strategy-tables.ts';
import { accounts, consumption, explanations, type Head, head, ledger, orders, positions } from './tables.ts';

/** Every read of the exchange's records, and every write of its changes; those are inside the caller's transaction. */
export class Recorder extends Records {
  protected readonly counts: Counts;
  readonly #database: StateDatabase;
  readonly #writers: ReturnType<typeof writersOf>;
  readonly #head: Query<Head>;

  constructor(database: StateDatabase) {
    super(database);
    this.#database = database;
    this.counts = new Counts(database);
    this.#writers = writersOf(database);
    this.#head = new Query(database, head, 'WHERE row = 1');
  }

  /** Writes the first state (engine: `emptyState`) into a file that has none. */
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
    this.assertTransaction();
    this.#writers.head.add({ row: 1, ...clock });
    this.#put({ accounts, orders, positions, twaps, scaled, copyGroups, operations }, -1);
    for (const level of consumption) this.#consume(level);
  }

  /** Writes the changes of a command and of the time before it. */
  write(changes: Changes): void {
    this.assertTransaction();
    const writers = this.#writers;
    const known = this.#advance(changes);
    this.#put(
      {
        accounts: changes.accounts.values(),
        orders: changes.orders.values(),
        positions: changes.positions.values(),
        twaps: changes.twaps.values(),
        scaled: changes.scaled.values(),
        copyGroups: changes.copyGroups.values(),
        operations: changes.operations.values(),
      },
      known.sequence,
    );
    for (const id of changes.deletedCopyGroups) this.#delete(copyGroups.name, 'id = ?', id);
    for (const posting of changes.ledger) writers.ledger.add(posting);
    for (const level of changes.consumption.values()) this.#consume(level);
    for (const explanation of changes.explanations) writers.explanations.add(explanation);
  }

  protected assertTransaction(): void {
    assert(this.#database.inTransaction, 'changes-in-transaction', this.#database.file);
  }

  /** Orders and positions numbered after `known` are new. */
  #put(records: Numbered, known: number): void {
    const writers = this.#writers;
    const { counts } = this;
    // Accounts first, because the other records refer to them.
    for (const account of records.accounts) writers.accounts.put(account);
    for (const order of records.orders) {
      if (order.sequence > known) writers.orders.add(order);
      else writers.orders.put(order);
      counts.note('orders', order);
    }
    for (const position of records.positions) {
      if (position.sequence > known) writers.positions.add(position);
      else writers.positions.put(position);
      counts.note('positions', position);
    }
    for (const twap of records.twaps) {
      writers.twaps.put(twap);
      counts.note('twap_orders', twap);
    }
    for (const parent of records.scaled) {
      writers.scaled.put(parent);
      counts.note('scaled_orders', parent);
    }
    for (const group of records.copyGroups) writers.copyGroups.put(group);
    for (const operation of records.operations) {
      writers.operations.put(operation);
      counts.note('operations', operation);
    }
  }

  /** Returns the head as it was. */
  #advance({ time, sequence, settleSequence, ledgerSequence, halt }: Changes): Head {
    const known = this.#head.one();
    if (known === null) throw new Error('changes of a state that was never initialized');
    const hasGrown =
      sequence >= known.sequence && settleSequence >= known.settleSequence && ledgerSequence >= known.ledgerSequence;
    assert(hasGrown, 'numbers-grow', sequence);
    const moved = { ...known, time, sequence, settleSequence, ledgerSequence };
    this.#writers.head.put(halt === null ? moved : { ...moved, halt });
    return known;
  }

  #consume(level: Consumption): void {
    if (level.consumed > 0) this.#writers.consumption.put(level);
    else {
      const where = 'account_id = ? AND market_id = ? AND book_side = ? AND price = ?';
      this.#delete(consumption.name, where, level.accountId, level.marketId, level.bookSide, level.price);
    }
  }

  #delete(table: string, where: string, ...key: (string | number)[]): void {
    const { changes } = this.#database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...key);
    this.#database.gain(table, -changes);
  }
}

/** The records of an open state or of changes that have their own number. */
type Numbered = {
  readonly [Name in 'accounts' | 'orders' | 'positions' | 'twaps' | 'scaled' | 'copyGroups' | 'operations']: Iterable<
    OpenState[Name][number]
  >;
};

function writersOf(database: StateDatabase) {
  return {
    head: new Writer(database, head),
    accounts: new Writer(database, accounts),
    orders: new Writer(database, orders),
    positions: new Writer(database, positions),
    twaps: new Writer(database, twaps),
    scaled: new Writer(database, scaledOrders),
    copyGroups: new Writer(database, copyGroups),
    operations: new Writer(database, operations),
    ledger: new Writer(database, ledger),
    consumption: new Writer(database, consumption),
    explanations: new Writer(database, explanations),
  };
}
