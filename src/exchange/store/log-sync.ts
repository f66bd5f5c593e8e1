import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { type StoreError, storeError } from './errors.ts';

/** Commits that reach the disk with the same sync. */
interface Round {
  synced: Promise<void>;
  resolve(): void;
  reject(error: StoreError): void;
}

/**
 * Syncs a database's write-ahead log in its own thread, while the next commits are made: one sync at a time, and
 * what was committed during one waits for the next.
 */
export class LogSync {
  readonly #file: string;
  readonly #assertInPlace: () => void;
  readonly #onFailure: (error: StoreError) => void;
  #descriptor: number | null = null;
  #running: Round | null = null;
  #next: Round | null = null;

  /**
   * `assertInPlace` throws if the file was deleted or replaced, so that what is synced is lost. `onFailure` is called
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

  /** Resolves when the sync that is running ends; null: none is. Commits in the meantime wait for the next sync. */
  get running(): Promise<void> | null {
    return this.#running?.synced ?? null;
  }

  /** Something was committed. */
  committed(): void {
    if (this.#running === null) this.#begin(round());
    else this.#next ??= round();
  }

  /** Forgets the log, and rejects what is not known to be on disk; the next commit opens the log again. */
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

/** Nothing depends on it: a sync has said what is on disk. */
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
  // Anyone who waits for it handles the failure.
  promise.catch(() => {});
  return { synced: promise, resolve, reject };
}
