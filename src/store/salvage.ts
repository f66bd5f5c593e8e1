import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Command } from '../engine/commands.ts';
import type { Ms } from '../engine/model.ts';
import { openForReading } from './health.ts';
import { journalCommand } from './journal-text.ts';
import { codes, idempotency, journal, keys, settings } from './service-tables.ts';
import type { Store } from './store.ts';
import type { Table } from './table.ts';
import { head } from './tables.ts';

/** Reads the intact parts of a damaged state, and changes nothing in it. */
export class Salvage {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = openForReading(file);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  setting(name: string): string | null {
    return this.#sound(settings).find((setting) => setting.name === name)?.value ?? null;
  }

  /** Exchange time of the last event, if still known. */
  get time(): Ms | null {
    return this.#sound(head)[0]?.time ?? null;
  }

  /** The journal's commands, oldest first. */
  *commands(): Iterable<{ time: Ms; command: Command }> {
    for (const row of this.#rows(journal, 'ORDER BY sequence')) {
      const { time, command } = journal.decode(row);
      yield { time, command: journalCommand(command) };
    }
  }

  /** Copies the settings, keys and idempotency records to a new state; inside a transaction. */
  handOver(store: Store): void {
    for (const { name, value } of this.#sound(settings)) store.setSetting(name, value);
    for (const key of this.#sound(keys)) store.credentials.addKey(key);
    for (const code of this.#sound(codes)) store.credentials.addCode(code);
    for (const record of this.#sound(idempotency)) store.remember(record);
  }

  #sound<R extends object>(table: Table<R>): R[] {
    return [...this.#rows(table, '')].filter((row) => table.isSound(row)).map((row) => table.decode(row));
  }

  #rows<R extends object>(table: Table<R>, tail: string): Iterable<SQLOutputValue[]> {
    const statement = this.#database.prepare(table.select(tail), { readBigInts: true, returnArrays: true });
    return statement.iterate() as unknown as Iterable<SQLOutputValue[]>;
  }
}
