import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startOf } from '../../base/self/self.ts';
import { storeError, translated } from '../../exchange/store/errors.ts';

/**
 * Refuses a folder whose file system does not support locks between processes (StoreError `no_locks`): two processes
 * could write the same state. Tested with its own file and a second process, since locks within one process never
 * conflict.
 */
export function assertLocksWork(folder: string): void {
  const file = join(folder, `.lock-probe-${process.pid}`);
  try {
    closeSync(openSync(file, 'wx', 0o600));
    using database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const [program, ...words] = startOf('lock-probe', ['--no-warnings'], file).words;
    const { status, error } = spawnSync(program, words, { stdio: 'ignore' });
    if (error !== undefined) throw error;
    if (status !== 0) throw storeError('no_locks', file);
  } catch (error) {
    const isAboutLocks = lockErrors.has((error as { errcode?: number }).errcode);
    throw isAboutLocks ? storeError('no_locks', file, error) : translated(error, file);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Errors that SQLite reports although no one else has the file open: BUSY, IOERR_RDLOCK, IOERR_LOCK. */
const lockErrors: ReadonlySet<number | undefined> = new Set([5, 10 | (9 << 8), 10 | (15 << 8)]);
