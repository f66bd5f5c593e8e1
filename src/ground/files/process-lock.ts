import { closeSync, constants, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder } from './private-files.ts';

/** Like `a`, but does not block on a pipe without a reader. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const sqliteBusy = 5;

/**
 * Takes a lock that one process at a time can hold; undefined while another holds it. Node has no file locks, but SQLite
 * does: an exclusive transaction on an empty database ends with the process, however it dies. Waits up to `waitMs`. Throws
 * system and SQLite errors where no lock is possible.
 */
export function holdFile(file: string, waitMs = 0): Disposable | undefined {
  makePrivateFolder(dirname(file));
  closeSync(openSync(file, appending, 0o600));
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw error;
  }
}
