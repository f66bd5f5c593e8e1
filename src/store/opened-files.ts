import { closeSync, fsyncSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeError, translated } from './errors.ts';

/** What belongs to a database, by what follows its name. The log comes first: left beside a new file it would be taken for its own. */
export const databaseSuffixes = ['-wal', '-shm', '-journal', ''] as const;

/** Refuses a pipe, a device or a folder in the place of a database or of a file beside it. */
export function assertRegularFiles(file: string): void {
  for (const suffix of databaseSuffixes) assertRegularFile(file + suffix);
}

/** Refuses a pipe, a device or a folder in the place of a file, if there is one: opening some of them never returns. */
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

/** Makes the names in a file's folder last, where the system can be asked to and lets us. Throws when the disk fails. */
export function syncFolderOf(file: string): void {
  try {
    const descriptor = openSync(dirname(file), 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (diskFailures.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

const diskFailures: ReadonlySet<string | undefined> = new Set(['EDQUOT', 'EIO', 'ENOSPC']);

/**
 * Notices when a database that is open, or a file beside it, was deleted or replaced. SQLite goes on writing into a file
 * without a name; what it says is committed would be gone when it closes.
 */
export class OpenedFiles {
  readonly #file: string;
  readonly #identities = new Map<string, string>();

  /** Of a database that was just opened. */
  constructor(file: string) {
    this.#file = file;
    this.#look('');
  }

  /** Whether they are where they were opened; one that is seen for the first time counts as just opened. */
  areInPlace(): boolean {
    // Windows deletes no file that is open, and has no inodes.
    if (process.platform === 'win32') return true;
    return this.#look('') && this.#look('-wal') && this.#look('-shm');
  }

  /** The database is closed: the next to open it makes the files beside it anew. */
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
