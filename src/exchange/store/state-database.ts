import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { commitFailure, isFull, isInDoubt, StoreError, storeError, translated } from './errors.ts';
import { assertRegularFiles, LogSync, OpenedFiles, syncFolderOf, syncLog } from './opened-files.ts';
import { Statement } from './statement.ts';

/** In place of a file: the state is in memory, for this process alone, and gone when it is closed. */
export const inMemory = ':memory:';

/** How a state file is opened. */
export interface StoreOptions {
  /** How long a write waits for another process's transaction, ms; default 5,000. */
  busyTimeoutMs?: number;
  /** Upper bound of the file in pages of 4 KiB; a write beyond it fails as `full`. Default: the disk. */
  maxPages?: number;
}

/** Work that must happen together with every transaction. */
export interface TransactionHooks {
  /** Inside the transaction, after its work; `gains`: the number of rows that each table has gained. */
  beforeCommit(gains: ReadonlyMap<string, number>): void;
  /** Some or all writes are undone. */
  afterRollback(): void;
}

/** A record that is written before anything else is read or written. */
interface WaitingRow {
  readonly record: unknown;
  write(): void;
}

/**
 * One handle on a state file: statements prepared when first used, transactions, and every SQLite error as a
 * StoreError. Rows come as arrays in column order, integers as bigint.
 */
export class StateDatabase {
  readonly file: string;
  readonly #options: StoreOptions;
  readonly #statements = new Map<string, Statement>();
  /** Null: in memory. */
  readonly #files: OpenedFiles | null;
  /** Rows that tables gained in the open transaction. */
  #gains = new Map<string, number>();
  /** A transaction is in progress; asking SQLite for every row would take as long as a small row does. */
  #isWriting = false;
  /** Rows of the open transaction that are not written yet, by table. */
  readonly #waiting = new Map<string, WaitingRow[]>();
  readonly #writeWaiting = (): void => {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const rows of waiting) for (const row of rows) row.write();
  };
  #companion: TransactionHooks | null = null;
  #database: DatabaseSync;
  /** This handle's view of the file can't be trusted: it must be reopened first. */
  #isStale = false;
  /** Syncs the log beside other work; null: every commit is on disk when it returns. */
  #later: LogSync | null = null;
  #onLost = (): void => {};
  /** SQLite's count of commits by others up to which all of them are on disk. */
  #durableVersion: bigint | null = null;

  /** Opens the file, or creates it (mode 0600, in folders 0700). */
  constructor(file: string, options: StoreOptions = {}) {
    const isFile = file !== inMemory;
    this.file = isFile ? resolve(file) : file;
    this.#options = options;
    this.attempt(() => {
      if (!isFile) return;
      assertRegularFiles(this.file);
      if (existsSync(this.file)) accessSync(this.file, constants.R_OK | constants.W_OK);
      else createPrivate(this.file);
    });
    this.#database = this.attempt(() => this.#opened());
    this.#files = isFile ? new OpenedFiles(this.file) : null;
  }

  /** Releases the file; the last process to do so checkpoints the write-ahead log. */
  close(): void {
    this.#later?.abandon(storeError('in_doubt', this.file));
    if (this.#database.isOpen) this.attempt(() => this.#database.close());
  }

  get inTransaction(): boolean {
    return !this.#isStale && this.#database.isOpen && this.#database.isTransaction;
  }

  follow(companion: TransactionHooks): void {
    this.#companion = companion;
  }

  /**
   * From now on, a commit returns before it is on disk: callers wait for `unsynced` before they answer. `onLost` is
   * called if the disk fails before that; the next use of this handle then finds out what the file contains.
   */
  syncLater(onLost: () => void): void {
    if (this.#files === null) return;
    this.#onLost = onLost;
    const failed = (error: StoreError) => {
      this.#undone();
      this.#distrust(error);
    };
    this.#later = new LogSync(this.file, () => this.assertInPlace(), failed);
    this.execute('PRAGMA synchronous = NORMAL');
  }

  /**
   * Resolves when all reads and commits here are on disk, or rejects with `in_doubt`; null if they already are. Another
   * process may sync its commits later, so they are synced here before anyone relies on them.
   */
  unsynced(): Promise<void> | null {
    if (this.#files === null) return null;
    if (this.#later !== null) return this.#later.pending;
    try {
      const version = this.dataVersion();
      if (version !== this.#durableVersion) syncLog(this.file);
      this.#durableVersion = version;
      return null;
    } catch (error) {
      throw storeError('in_doubt', this.file, error);
    }
  }

  /** Resolves when a sync in the background ends; null if none is running. */
  syncing(): Promise<void> | null {
    return this.#later?.running ?? null;
  }

  /** Nothing needs to be synced up to now if there is no log, as when no other process uses the file. */
  lookForLog(): void {
    if (this.#files === null) return;
    const version = this.dataVersion();
    if (!hasLog(this.file)) this.#durableVersion = version;
  }

  /** SQLite's own count of commits by others, as seen by this handle. */
  dataVersion(): bigint {
    if (this.#files === null) return 0n;
    return this.prepare('PRAGMA data_version').row()![0] as bigint;
  }

  /** A table gained rows, or lost them if the number is below zero. */
  gain(table: string, rows: number): void {
    if (rows === 0) return;
    this.#gains.set(table, (this.#gains.get(table) ?? 0) + rows);
    if (!this.#isWriting && !this.inTransaction) this.transaction(() => {});
  }

  /** The statement of this SQL, shared by all callers. With `isBesideWaiting`, it may not see rows that wait. */
  prepare(sql: string, isBesideWaiting = false): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      const before = isBesideWaiting ? undefined : this.#writeWaiting;
      statement = new Statement(this.file, () => this.#current().prepare(sql), before);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /**
   * Writes a record in the open transaction before anything else is read or written, at the latest before COMMIT:
   * consecutive rows of one table take much less time than rows between other work. Outside of a transaction, writes it
   * now.
   */
  writeLater<R>(table: string, record: R, write: (record: R) => void): void {
    if (!this.#isWriting) {
      write(record);
      return;
    }
    const rows = this.#waiting.get(table);
    const row = { record, write: () => write(record) };
    if (rows === undefined) this.#waiting.set(table, [row]);
    else rows.push(row);
  }

  /** The records of a table that are not written yet, oldest first. */
  waitingIn(table: string): readonly WaitingRow[] {
    return this.#waiting.get(table) ?? [];
  }

  execute(sql: string): void {
    this.#writeWaiting();
    this.attempt(() => this.#current().exec(sql));
  }

  /** Makes a JavaScript function available in SQL; integers are passed as bigint. */
  define(name: string, call: (...values: SQLInputValue[]) => SQLInputValue): void {
    this.#current().function(name, { varargs: true, useBigIntArguments: true, deterministic: true }, call);
  }

  /**
   * Runs `work` as the only writer of all processes and commits it durably, or keeps none of it: an error from `work`
   * is rethrown after the rollback. Waits for other writers (StoreError `busy` if that takes too long). If COMMIT
   * itself fails (StoreError `in_doubt`), the next use of this handle reopens the file to find out what it contains.
   */
  transaction<T>(work: () => T): T {
    if (this.inTransaction) throw new Error('a transaction is already open');
    this.assertInPlace();
    this.prepare('BEGIN IMMEDIATE').run();
    let result: T;
    try {
      this.#isWriting = true;
      result = work();
      this.#writeWaiting();
      this.#companion?.beforeCommit(this.#gains);
    } catch (error) {
      this.#undone();
      this.#rollBack();
      throw error;
    } finally {
      this.#isWriting = false;
    }
    this.#gains = new Map();
    this.#commit();
    return result;
  }

  /** StoreError `moved` if the file was deleted or replaced since it was opened. */
  assertInPlace(): void {
    const files = this.#files;
    if (files !== null && !this.attempt(() => files.areInPlace())) throw storeError('moved', this.file);
  }

  /** Runs `work` in the open transaction, or in one of its own. */
  within<T>(work: () => T): T {
    return this.inTransaction ? work() : this.transaction(work);
  }

  /** Runs reads that must see one snapshot of the file, no matter what other processes write in the meantime. */
  snapshot<T>(work: () => T): T {
    if (this.inTransaction) return work();
    this.prepare('BEGIN').run();
    try {
      return work();
    } finally {
      if (this.inTransaction) this.prepare('COMMIT').run();
    }
  }

  /** Calls SQLite or the file system, and translates errors. */
  attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw translated(error, this.file);
    }
  }

  #undone(): void {
    this.#waiting.clear();
    this.#gains = new Map();
    this.#companion?.afterRollback();
  }

  #commit(): void {
    try {
      if (this.#files === null) this.prepare('COMMIT').run();
      else this.#database.exec('COMMIT');
      // Commits to a deleted file are lost when it closes; a sync checks for that itself.
      if (this.#later === null) this.assertInPlace();
      else this.#later.committed();
    } catch (error) {
      const failure = commitFailure(error, this.file);
      this.#undone();
      this.#rollBack();
      if (isInDoubt(failure)) this.#distrust(failure);
      throw failure;
    }
  }

  /** A full disk or an I/O error may have rolled the transaction back already. */
  #rollBack(): void {
    try {
      if (this.inTransaction) this.#database.exec('ROLLBACK');
    } catch (error) {
      // Nothing of it is kept either way, but the handle is unusable.
      this.#distrust(storeError('in_doubt', this.file, error));
    }
  }

  #distrust(error: StoreError): void {
    this.#isStale = true;
    for (const statement of this.#statements.values()) statement.forget();
    if (this.#later === null) return;
    if (this.#later.pending !== null) this.#onLost();
    this.#later.abandon(error);
  }

  #current(): DatabaseSync {
    if (this.#isStale) this.#reopen();
    return this.#database;
  }

  /**
   * Reopens the file after a COMMIT that failed. Our own commit then finalizes the contents found: it replaces the
   * failed one, which may still be in the log.
   */
  #reopen(): void {
    // The contents of memory are unknown.
    if (this.#files?.areInPlace() !== true) throw storeError('moved', this.file);
    if (this.#database.isOpen) this.#database.close();
    this.#files.forgetLogs();
    this.#database = this.#opened();
    const version = Number((this.#database.prepare('PRAGMA user_version').get() as unknown as [bigint])[0]);
    this.#database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`);
    syncFolderOf(this.file);
    if (this.#later !== null) this.#database.exec('PRAGMA synchronous = NORMAL');
    this.#isStale = false;
  }

  #opened(): DatabaseSync {
    const { busyTimeoutMs = 5_000, maxPages } = this.#options;
    const isLogged = this.file !== inMemory && hasLog(this.file);
    const database = new DatabaseSync(this.file, { timeout: busyTimeoutMs, readBigInts: true, returnArrays: true });
    try {
      // FULL: a commit is on disk before it is reported. The log may grow longer than usual before it is checkpointed,
      // so that pages that every commit changes are copied less often.
      database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 4000');
      if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
      if (isLogged) checkpointLog(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** Retries while another process holds a lock that SQLite itself does not wait for. */
export function untilFree<T>(work: () => T): T {
  const deadline = Date.now() + 5_000;
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
 * Checkpoints a log, and syncs it and the database to disk. A process that ended during a commit may have left a log
 * that was never synced: reads from it are durable only after this.
 */
function checkpointLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch (error) {
    // On a full disk, the state can still be read.
    if (!isFull(error)) throw error;
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}
