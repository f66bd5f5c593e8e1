import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { StoreError, translated } from './errors.ts';

/** How a state file is opened. */
export interface StoreOptions {
  /** How long a write waits for another process's transaction; default 5 000. */
  busyTimeoutMs?: number;
  /** Upper bound of the file in pages of 4 KiB; a write beyond it fails as `full`. Default: the disk. */
  maxPages?: number;
}

/**
 * One handle on a state file: statements prepared when first used, transactions, and every SQLite error as a StoreError.
 * Rows come as arrays in column order, integers as bigint.
 */
export class Connection {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  /** Opens the file, and makes it (mode 0600, in directories 0700) if there is none. */
  constructor(file: string, { busyTimeoutMs = 5_000, maxPages }: StoreOptions = {}) {
    this.file = resolve(file);
    this.#database = this.attempt(() => {
      if (existsSync(this.file)) accessSync(this.file, constants.R_OK | constants.W_OK);
      else createPrivate(this.file);
      return new DatabaseSync(this.file, { timeout: busyTimeoutMs, readBigInts: true, returnArrays: true });
    });
    try {
      // FULL: a commit is on the disk before anyone hears of it. A longer log than usual before it is folded into the file:
      // pages that every commit changes are then folded in less often.
      this.execute('PRAGMA synchronous = FULL; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 4000');
      if (maxPages !== undefined) this.execute(`PRAGMA max_page_count = ${maxPages}`);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Releases the file; the last process to do so folds the write-ahead log into it. */
  close(): void {
    if (this.#database.isOpen) this.attempt(() => this.#database.close());
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** The statement of this SQL, shared by everyone who asks for it. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = new Statement(this, () => this.#database.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  execute(sql: string): void {
    this.attempt(() => this.#database.exec(sql));
  }

  /**
   * Runs `work` as the only writer of all processes and commits it durably, or keeps none of it: whatever `work` throws
   * passes on after the rollback. Waits for other writers (StoreError `busy` when that takes too long).
   */
  transaction<T>(work: () => T): T {
    if (this.inTransaction) throw new Error('a transaction is already open: use savepoint');
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.prepare('COMMIT').run();
      return result;
    } catch (error) {
      // A full disk or an I/O error may have rolled the transaction back already.
      if (this.inTransaction) this.prepare('ROLLBACK').run();
      throw error;
    }
  }

  /** Runs `work` inside the open transaction; what it throws undoes only its own writes and passes on. */
  savepoint<T>(work: () => T): T {
    if (!this.inTransaction) throw new Error('a savepoint needs an open transaction');
    this.prepare('SAVEPOINT item').run();
    try {
      const result = work();
      this.prepare('RELEASE item').run();
      return result;
    } catch (error) {
      if (this.inTransaction) {
        this.prepare('ROLLBACK TO item').run();
        this.prepare('RELEASE item').run();
      }
      throw error;
    }
  }

  /** Runs reads that must see one moment of the file, whatever other processes write meanwhile. */
  snapshot<T>(work: () => T): T {
    if (this.inTransaction) return work();
    this.prepare('BEGIN').run();
    try {
      return work();
    } finally {
      if (this.inTransaction) this.prepare('COMMIT').run();
    }
  }

  /** Calls into SQLite or the file system, errors translated. */
  attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw translated(error, this.file);
    }
  }
}

/** A prepared statement, or the intention to prepare one: start-up pays only for what it uses. */
export class Statement {
  readonly #connection: Connection;
  readonly #prepare: () => StatementSync;
  #prepared: StatementSync | undefined;

  constructor(connection: Connection, prepare: () => StatementSync) {
    this.#connection = connection;
    this.#prepare = prepare;
  }

  /** Executes it; the number of rows changed and the rowid of the last one inserted. */
  run(...parameters: SQLInputValue[]): { changes: number; rowid: number } {
    try {
      this.#prepared ??= this.#prepare();
      const { changes, lastInsertRowid } = this.#prepared.run(...parameters);
      return { changes: Number(changes), rowid: Number(lastInsertRowid) };
    } catch (error) {
      throw translated(error, this.#connection.file);
    }
  }

  /** Executes it for its effect alone, with parameters by position. */
  write(parameters: readonly SQLInputValue[]): void {
    try {
      this.#prepared ??= this.#prepare();
      this.#prepared.run(...parameters);
    } catch (error) {
      throw translated(error, this.#connection.file);
    }
  }

  row(...parameters: SQLInputValue[]): SQLOutputValue[] | undefined {
    try {
      this.#prepared ??= this.#prepare();
      return this.#prepared.get(...parameters) as unknown as SQLOutputValue[] | undefined;
    } catch (error) {
      throw translated(error, this.#connection.file);
    }
  }

  rows(...parameters: SQLInputValue[]): SQLOutputValue[][] {
    try {
      this.#prepared ??= this.#prepare();
      return this.#prepared.all(...parameters) as unknown as SQLOutputValue[][];
    } catch (error) {
      throw translated(error, this.#connection.file);
    }
  }
}

/** Tries again while another process holds a lock that SQLite does not wait for by itself. */
export function untilFree<T>(work: () => T, timeoutMs = 5_000): T {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === 'busy') || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}
