import { constants, fsyncSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reading } from '../../base/files/private-files.ts';
import { isWindows } from '../../base/system/system.ts';
import { storeError, translated } from './errors.ts';

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
