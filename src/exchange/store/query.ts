import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { assert } from '../../base/terms/invariants.ts';
import { damagedRow } from './errors.ts';
import type { StateDatabase } from './state-database.ts';
import type { Statement } from './statement.ts';
import type { Table } from './table.ts';

/** Where a page ends: the next one starts after it. `time` and `sequence` are the list's sort key, newest first. */
export interface PageKey {
  time: number;
  sequence: number;
}

/** One page, newest first; `next` is null on the last page. */
export interface Page<R> {
  rows: R[];
  next: PageKey | null;
}

/** A page to read: at most `limit` rows after `after` (null: from the newest). */
export interface PageRequest {
  limit: number;
  after: PageKey | null;
}

/** Before every row: the newest row comes right after it. */
const newest: PageKey = { time: Number.MAX_SAFE_INTEGER, sequence: Number.MAX_SAFE_INTEGER };

/** Records of one table, chosen by `tail` (what follows FROM table, with numbered parameters). */
export class Query<R extends object> {
  readonly #database: StateDatabase;
  readonly #table: Table<R>;
  readonly #tail: string;
  readonly #isBesideWaiting: boolean;
  #statement: Statement | undefined;

  /** With `isBesideWaiting`, rows that wait to be written aren't found, and keep waiting. */
  constructor(database: StateDatabase, table: Table<R>, tail: string, isBesideWaiting = false) {
    this.#database = database;
    this.#table = table;
    this.#tail = tail;
    this.#isBesideWaiting = isBesideWaiting;
  }

  get sql(): string {
    return this.#table.select(this.#tail);
  }

  /** StoreError `corrupt` if a row is damaged. */
  one(...parameters: SQLInputValue[]): R | null {
    const row = this.#prepared().row(...parameters);
    return row === undefined ? null : this.#decoded(row);
  }

  all(...parameters: SQLInputValue[]): R[] {
    return this.#prepared()
      .rows(...parameters)
      .map((row) => this.#decoded(row));
  }

  #decoded(row: readonly SQLOutputValue[]): R {
    if (!this.#table.isSound(row)) throw damagedRow(this.#database.file, this.#table.name, this.#table.keyOf(row));
    return this.#table.decode(row);
  }

  #prepared(): Statement {
    this.#statement ??= this.#database.prepare(this.sql, this.#isBesideWaiting);
    return this.#statement;
  }
}

/**
 * A list read in pages by its sort key: each page seeks to its key in an index that ends in it, so earlier rows cost
 * nothing, and rows of one millisecond are neither skipped nor repeated (API 4.8). Reads `limit` + 1 index rows.
 */
export class PageQuery<R extends object> {
  readonly #query: Query<R>;
  readonly #keyOf: (row: R) => PageKey;

  /** `filter` uses parameters from ?4 on; `time` and `sequence` are the sort key's columns. */
  constructor(
    database: StateDatabase,
    table: Table<R>,
    { filter, time, sequence }: { filter: string; time: string | null; sequence: string },
    keyOf: (row: R) => PageKey,
  ) {
    const behind = time === null ? `${sequence} < ?2` : `(${time}, ${sequence}) < (?1, ?2)`;
    const order = time === null ? `${sequence} DESC` : `${time} DESC, ${sequence} DESC`;
    this.#query = new Query(database, table, `WHERE ${filter} AND ${behind} ORDER BY ${order} LIMIT ?3`);
    this.#keyOf = keyOf;
  }

  get sql(): string {
    return this.#query.sql;
  }

  page({ limit, after }: PageRequest, ...filter: SQLInputValue[]): Page<R> {
    const { time, sequence } = after ?? newest;
    return pageOf(this.#query.all(time, sequence, limit + 1, ...filter), limit, this.#keyOf);
  }
}

/** The page of at most `limit` rows, when one more was read if there is one. */
export function pageOf<R>(rows: R[], limit: number, keyOf: (row: R) => PageKey): Page<R> {
  if (rows.length <= limit) return { rows, next: null };
  rows.pop();
  return { rows, next: keyOf(rows.at(-1)!) };
}

/** Writes records of one table, and counts the rows that it gains. */
export class Writer<R extends object> {
  readonly #database: StateDatabase;
  readonly #table: Table<R>;
  #insert: Statement | undefined;
  #insertIfNew: Statement | undefined;
  #update: Statement | undefined;

  constructor(database: StateDatabase, table: Table<R>) {
    this.#database = database;
    this.#table = table;
  }

  /** Adds a record whose key must be new. */
  add(record: R): void {
    this.#insert ??= this.#database.prepare(this.#table.insert());
    this.#insert.write(this.#table.encode(record));
    this.#database.gain(this.#table.name, 1);
  }

  /** Updates the stored record, or adds it if there is none. */
  put(record: R): void {
    const values = this.#table.encode(record);
    assert(this.#isUpdated(values) || this.#isAdded(values), 'row-written', this.#table.name);
  }

  /** Adds a record unless its key is known; returns whether it did. */
  addNew(record: R): boolean {
    return this.#isAdded(this.#table.encode(record));
  }

  #isAdded(values: readonly SQLInputValue[]): boolean {
    this.#insertIfNew ??= this.#database.prepare(this.#table.insertIfNew());
    const { changes } = this.#insertIfNew.run(...values);
    this.#database.gain(this.#table.name, changes);
    return changes > 0;
  }

  #isUpdated(values: readonly SQLInputValue[]): boolean {
    this.#update ??= this.#database.prepare(this.#table.update());
    return this.#update.run(...values).changes > 0;
  }
}
