import { closeSync, constants, fdatasync, fdatasyncSync, fsyncSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reading } from '../../base/files/private-files.ts';
import { isWindows } from '../../base/system/system.ts';
import { type StoreError, storeError, translated } from './errors.ts';

/** A database's files, by suffix. The log comes first: if left, a new file would use it as its own. */
export const databaseSuffixes = ['-wal', '-shm', '-journal', ''] as const;

/** Refuses a pipe, a device or a folder in place of a database or one of its files. */
export function assertRegularFiles(file: string): void {
  for (const suffix of databaseSuffixes) assertRegularFile(file + suffix);
}

/** Refuses a pipe, a device or a folder in place of a file: opening some of them never returns. */
export function assertRegularFile(path: string): void {
  if (statusOf(path)?.isFile() === false) throw storeError('special', path);
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw translated(error, path);
  }
}

/** Syncs the folder of a file, if the system supports and permits it. Throws if the disk fails. */
export function syncFolderOf(file: string): void {
  try {
    reading(dirname(file), constants.O_RDONLY, fsyncSync);
  } catch (error) {
    if (diskFailures.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** Syncs a file's contents. Throws if the disk fails. */
export function syncFile(file: string): void {
  reading(file, constants.O_RDWR, fsyncSync);
}

const diskFailures: ReadonlySet<string | undefined> = new Set(['EDQUOT', 'EIO', 'ENOSPC']);

/**
 * Detects that an open database, or one of its files, was deleted or replaced. SQLite continues to write to a deleted
 * file; what it reports as committed would be lost when it closes.
 */
export class OpenedFiles {
  readonly #file: string;
  readonly #identities = new Map<string, string>();

  /** For a newly opened database. */
  constructor(file: string) {
    this.#file = file;
    this.#look('');
  }

  /** Whether they are still the opened files; one seen for the first time counts as just opened. */
  areInPlace(): boolean {
    // Windows does not delete open files, and has no inodes.
    if (isWindows()) return true;
    return this.#look('') && this.#look('-wal') && this.#look('-shm');
  }

  /** The database is closed: the next process to open it creates the other files again. */
  forgetLogs(): void {
    this.#identities.delete('-wal');
    this.#identities.delete('-shm');
  }

  #look(suffix: string): boolean {
    const status = statusOf(this.#file + suffix);
    const found = status === undefined ? undefined : `${status.dev} ${status.ino}`;
    const known = this.#identities.get(suffix);
    if (known === undefined && found !== undefined) this.#identities.set(suffix, found);
    return known === undefined || known === found;
  }
}

/** Commits that reach the disk with the same sync. */
interface Round {
  synced: Promise<void>;
  resolve(): void;
  reject(error: StoreError): void;
}

/**
 * Syncs a database's write-ahead log in its own thread, while the next commits are made: one sync at a time; commits
 * during a sync wait for the next.
 */
export class LogSync {
  readonly #file: string;
  readonly #assertInPlace: () => void;
  readonly #onFailure: (error: StoreError) => void;
  #descriptor: number | null = null;
  #running: Round | null = null;
  #next: Round | null = null;

  /**
   * `assertInPlace` throws if the file was deleted or replaced, so that a sync would be lost. `onFailure` is called
   * when a sync fails, and abandons it.
   */
  constructor(file: string, assertInPlace: () => void, onFailure: (error: StoreError) => void) {
    this.#file = file;
    this.#assertInPlace = assertInPlace;
    this.#onFailure = onFailure;
  }

  /** Resolves once everything committed so far is on disk, or rejects with `in_doubt`; null: it is on disk. */
  get pending(): Promise<void> | null {
    return (this.#next ?? this.#running)?.synced ?? null;
  }

  /** Resolves when the running sync ends; null if none is running. Commits in the meantime wait for the next sync. */
  get running(): Promise<void> | null {
    return this.#running?.synced ?? null;
  }

  /** Something was committed. */
  committed(): void {
    if (this.#running === null) this.#begin(round());
    else this.#next ??= round();
  }

  /** Forgets the log, and rejects commits that aren't known to be on disk; the next commit opens the log again. */
  abandon(error: StoreError): void {
    const lost = [this.#running, this.#next];
    // A sync that is running keeps it open until it ends.
    if (this.#descriptor !== null && this.#running === null) release(this.#descriptor);
    this.#descriptor = null;
    this.#running = null;
    this.#next = null;
    for (const one of lost) one?.reject(error);
  }

  #begin(begun: Round): void {
    this.#descriptor ??= openSync(logOf(this.#file), 'r+');
    const descriptor = this.#descriptor;
    this.#running = begun;
    fdatasync(descriptor, (error) => {
      if (this.#running !== begun) {
        release(descriptor);
        return;
      }
      try {
        if (error !== null) throw error;
        this.#assertInPlace();
      } catch (failure) {
        this.#onFailure(storeError('in_doubt', this.#file, failure));
        release(descriptor);
        return;
      }
      this.#ended(begun);
    });
  }

  #ended(done: Round): void {
    this.#running = null;
    done.resolve();
    const next = this.#next;
    this.#next = null;
    if (next !== null) this.#begin(next);
  }
}

/** Nothing depends on it: a completed sync already guarantees what is on disk. */
function release(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // A failing disk.
  }
}

/** Syncs a database's log now; without a log, everything is in the database. */
export function syncLog(file: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(logOf(file), 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function logOf(file: string): string {
  return `${file}-wal`;
}

function round(): Round {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Its waiters handle the failure.
  promise.catch(() => {});
  return { synced: promise, resolve, reject };
}
