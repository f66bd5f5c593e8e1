import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { stateFolder, type Variables } from '../files/folders.ts';
import { makePrivateFolder } from '../files/private-files.ts';

/** Like `a`, but does not block on a pipe without a reader. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * A lock on the stored login, held by one process at a time: an exclusive transaction on an empty database, which ends
 * with the process in any case. Throws a Failure while another login or logout holds it. If the state folder is not
 * writable, no lock is possible or needed.
 */
export function holdLogin(variables: Variables): Disposable {
  let database: DatabaseSync;
  try {
    const folder = stateFolder(variables);
    makePrivateFolder(folder);
    // The dot avoids a clash with the lock of a simulation named login.
    const file = join(folder, '.login.lock');
    closeSync(openSync(file, appending, 0o600));
    database = new DatabaseSync(file, { timeout: 0 });
  } catch {
    return { [Symbol.dispose]() {} };
  }
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) throw inProgress();
    return { [Symbol.dispose]() {} };
  }
  return { [Symbol.dispose]: () => database.close() };
}

const sqliteBusy = 5;

function inProgress(): Failure {
  return new Failure({
    exit: exitCodes.conflict,
    code: 'login_in_progress',
    message: 'Another perp login or logout is running.',
    hint: 'Finish it, or stop it with Ctrl-C, and try again.',
  });
}
