import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { commitFailure, isFull, isInDoubt, StoreError, storeError, translated } from './errors.ts';
import { assertRegularFiles, OpenedFiles, syncFolderOf } from './opened-files.ts';

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
  readonly #options: StoreOptions;
  readonly #statements = new Map<string, Statement>();
  readonly #files: OpenedFiles;
  #database: DatabaseSync;
  /** What this handle knows of the file is not to be believed: it has to be opened anew first. */
  #isStale = false;

  /** Opens the file, and makes it (mode 0600, in directories 0700) if there is none. */
  constructor(file: string, options: StoreOptions = {}) {
    this.file = resolve(file);
    this.#options = options;
    this.attempt(() => {
      assertRegularFiles(this.file);
      if (existsSync(this.file)) accessSync(this.file, constants.R_OK | constants.W_OK);
      else createPrivate(this.file);
    });
    this.#database = this.attempt(() => this.#opened());
    this.#files = new OpenedFiles(this.file);
  }

  /** Releases the file; the last process to do so folds the write-ahead log into it. */
  close(): void {
    if (this.#database.isOpen) this.attempt(() => this.#database.close());
  }

  get inTransaction(): boolean {
    return !this.#isStale && this.#database.isOpen && this.#database.isTransaction;
  }

  /** The statement of this SQL, shared by everyone who asks for it. */
  prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = new Statement(this.file, () => this.#current().prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  execute(sql: string): void {
    this.attempt(() => this.#current().exec(sql));
  }

  /** Makes a function of JavaScript one of SQL; integers come as bigint. */
  define(name: string, call: (...values: SQLInputValue[]) => SQLInputValue): void {
    this.#current().function(name, { varargs: true, useBigIntArguments: true, deterministic: true }, call);
  }

  /**
   * Runs `work` as the only writer of all processes and commits it durably, or keeps none of it: whatever `work` throws
   * passes on after the rollback. Waits for other writers (StoreError `busy` when that takes too long). When COMMIT
   * itself breaks (StoreError `in_doubt`), the next use of this handle opens the file anew and finds out what it holds.
   */
  transaction<T>(work: () => T): T {
    if (this.inTransaction) throw new Error('a transaction is already open: use savepoint');
    this.assertInPlace();
    this.prepare('BEGIN IMMEDIATE').run();
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    this.#commit();
    return result;
  }

  /** StoreError `moved` when the file was deleted or replaced since it was opened. */
  assertInPlace(): void {
    if (!this.attempt(() => this.#files.areInPlace())) throw storeError('moved', this.file);
  }

  /** Runs `work` in the open transaction, or in one of its own. */
  within<T>(work: () => T): T {
    return this.inTransaction ? work() : this.transaction(work);
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

  #commit(): void {
    try {
      this.#database.exec('COMMIT');
      // What is committed into a file without a name is lost when it closes.
      this.assertInPlace();
    } catch (error) {
      const failure = commitFailure(error, this.file);
      this.#rollBack();
      if (isInDoubt(failure)) this.#distrust();
      throw failure;
    }
  }

  /** A full disk or an I/O error may have rolled the transaction back already. */
  #rollBack(): void {
    try {
      if (this.inTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // Nothing of it is kept either way, but the handle is of no use.
      this.#distrust();
    }
  }

  #distrust(): void {
    this.#isStale = true;
    for (const statement of this.#statements.values()) statement.forget();
  }

  #current(): DatabaseSync {
    if (this.#isStale) this.#openAnew();
    return this.#database;
  }

  /**
   * Opens the file anew after a COMMIT that broke. What is found then is made final by a commit of our own: it takes the
   * place in the log where the broken one may still stand.
   */
  #openAnew(): void {
    if (!this.#files.areInPlace()) throw storeError('moved', this.file);
    if (this.#database.isOpen) this.#database.close();
    this.#files.forgetLogs();
    this.#database = this.#opened();
    const version = Number((this.#database.prepare('PRAGMA user_version').get() as unknown as [bigint])[0]);
    this.#database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`);
    syncFolderOf(this.file);
    this.#isStale = false;
  }

  #opened(): DatabaseSync {
    const { busyTimeoutMs = 5_000, maxPages } = this.#options;
    const hasLog = (statSync(`${this.file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
    const database = new DatabaseSync(this.file, { timeout: busyTimeoutMs, readBigInts: true, returnArrays: true });
    try {
      // FULL: a commit is on the disk before anyone hears of it. A longer log than usual before it is folded into the file:
      // pages that every commit changes are then folded in less often.
      database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 4000');
      if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
      if (hasLog) foldLog(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** A prepared statement, or the intention to prepare one: start-up pays only for what it uses. */
export class Statement {
  readonly #file: string;
  readonly #prepare: () => StatementSync;
  #prepared: StatementSync | undefined;

  constructor(file: string, prepare: () => StatementSync) {
    this.#file = file;
    this.#prepare = prepare;
  }

  /** Prepared again at the next use: the file is being opened anew. */
  forget(): void {
    this.#prepared = undefined;
  }

  /** Executes it; the number of rows changed and the rowid of the last one inserted. */
  run(...parameters: SQLInputValue[]): { changes: number; rowid: number } {
    try {
      this.#prepared ??= this.#prepare();
      const { changes, lastInsertRowid } = this.#prepared.run(...parameters);
      return { changes: Number(changes), rowid: Number(lastInsertRowid) };
    } catch (error) {
      throw translated(error, this.#file);
    }
  }

  /** Executes it for its effect alone, with parameters by position. */
  write(parameters: readonly SQLInputValue[]): void {
    try {
      this.#prepared ??= this.#prepare();
      this.#prepared.run(...parameters);
    } catch (error) {
      throw translated(error, this.#file);
    }
  }

  row(...parameters: SQLInputValue[]): SQLOutputValue[] | undefined {
    try {
      this.#prepared ??= this.#prepare();
      return this.#prepared.get(...parameters) as unknown as SQLOutputValue[] | undefined;
    } catch (error) {
      throw translated(error, this.#file);
    }
  }

  rows(...parameters: SQLInputValue[]): SQLOutputValue[][] {
    try {
      this.#prepared ??= this.#prepare();
      return this.#prepared.all(...parameters) as unknown as SQLOutputValue[][];
    } catch (error) {
      throw translated(error, this.#file);
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

/**
 * Brings a log into the database, and both to the disk. A process that ended in the middle of a commit may have left a
 * log that was never synced: what is read from it counts only from then on.
 */
function foldLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    // On a full disk the state can still be read.
    if (!isFull(error)) throw error;
  }
}

function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}
