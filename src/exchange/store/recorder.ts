import { assert } from '../../base/terms/invariants.ts';
import type { Changes, OpenState, RecordKind, Records } from '../engine/commands.ts';
import type { Consumption } from '../engine/model.ts';
import { Counts } from './counts.ts';
import { Query, Writer } from './query.ts';
import { StoredRecords } from './records.ts';
import type { StateDatabase } from './state-database.ts';
import type { Table } from './table.ts';
import {
  consumption,
  copyGroups,
  explanations,
  head,
  ledger,
  type OpenTable,
  openStatuses,
  recordTables,
} from './tables.ts';

/** Every read of the exchange's records, and every write of its changes; those are inside the caller's transaction. */
export class Recorder extends StoredRecords {
  protected readonly counts = new Counts(this.database);
  readonly #writers = writersOf(this.database);
  readonly #head = new Query(this.database, head, 'WHERE row = 1');

  /** Writes the first state (engine: `emptyState`) into a file that has none. */
  initialize(open: OpenState): void {
    this.assertTransaction();
    this.#writers.head.add({ row: 1, ...open });
    this.#put(open, -1);
    for (const level of open.consumption) this.#consume(level);
  }

  /** Writes the changes of a command and of the time before it. */
  write(changes: Changes): void {
    this.assertTransaction();
    const writers = this.#writers;
    this.#put(changes, this.#advance(changes));
    for (const id of changes.deletedCopyGroups) this.#delete(copyGroups.name, 'id = ?', id);
    for (const posting of changes.ledger) writers.ledger.add(posting);
    for (const level of changes.consumption.values()) this.#consume(level);
    for (const explanation of changes.explanations) writers.explanations.add(explanation);
  }

  protected assertTransaction(): void {
    assert(this.database.inTransaction, 'changes-in-transaction', this.database.file);
  }

  /** Records numbered after `known` are new. */
  #put(records: Written, known: number): void {
    for (const [kind, writer] of this.#writers.records) {
      const { name } = recordTables[kind];
      for (const record of records[kind].values()) {
        if ('sequence' in record && record.sequence > known) writer.add(record);
        else writer.put(record);
        if (name in openStatuses) this.counts.note(name as OpenTable, record as { id: string; status: string });
      }
    }
  }

  /** Returns the last number of a record before. */
  #advance({ time, sequence, settleSequence, ledgerSequence, halt }: Changes): number {
    const known = this.#head.one();
    if (known === null) throw new Error('changes of a state that was never initialized');
    const hasGrown =
      sequence >= known.sequence && settleSequence >= known.settleSequence && ledgerSequence >= known.ledgerSequence;
    assert(hasGrown, 'numbers-grow', sequence);
    const moved = { ...known, time, sequence, settleSequence, ledgerSequence };
    this.#writers.head.put(halt === null ? moved : { ...moved, halt });
    return known.sequence;
  }

  #consume(level: Consumption): void {
    if (level.consumed > 0) this.#writers.consumption.put(level);
    else {
      const where = 'account_id = ? AND market_id = ? AND book_side = ? AND price = ?';
      this.#delete(consumption.name, where, level.accountId, level.marketId, level.bookSide, level.price);
    }
  }

  #delete(table: string, where: string, ...key: (string | number)[]): void {
    const { changes } = this.database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...key);
    this.database.gain(table, -changes);
  }
}

/** The records of an open state or of changes. */
type Written = { readonly [Kind in RecordKind]: { values(): Iterable<Records[Kind]> } };

function writersOf(database: StateDatabase) {
  return {
    records: Object.entries(recordTables).map(
      ([kind, table]) => [kind as RecordKind, new Writer(database, table as unknown as Table<AnyRecord>)] as const,
    ),
    head: new Writer(database, head),
    ledger: new Writer(database, ledger),
    consumption: new Writer(database, consumption),
    explanations: new Writer(database, explanations),
  };
}

type AnyRecord = Records[RecordKind];
