import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { besideTape, TapeError } from './parts.ts';

/** SQLite's code for a database that another connection has locked. */
const busy = 5;

/**
 * Locks a tape for writing, which only one process may do at a time; the result releases the lock. Node has no file
 * locks, but SQLite does, and they end with the process, however it dies. Throws a TapeError while another process
 * holds the lock.
 */
export function lockTape(tape: string): () => void {
  const file = besideTape(tape, 'lock');
  if (!existsSync(dirname(file)))
    throw new TapeError(tape, `can't be written: there is no folder ${dirname(file)}; create it first`);
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal file is needed either.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new TapeError(tape, 'another process is recording to it', { cause: error });
  }
  return () => database.close();
}

/** Whether a process is writing a tape now. */
export function isBeingWritten(tape: string): boolean {
  if (!existsSync(besideTape(tape, 'lock'))) return false;
  try {
    lockTape(tape)();
    return false;
  } catch (error) {
    return error instanceof TapeError;
  }
}
