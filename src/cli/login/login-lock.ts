import { join } from 'node:path';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { stateFolder, type Variables } from '../../ground/files/folders.ts';
import { holdFile } from '../../ground/files/process-lock.ts';

/**
 * A lock on the stored login, held by one process at a time. Throws a Failure while another login or logout holds it. If
 * the state folder is not writable, no lock is possible or needed.
 */
export function holdLogin(variables: Variables): Disposable {
  let held: Disposable | undefined;
  try {
    // The dot avoids a clash with the lock of a simulation named login.
    held = holdFile(join(stateFolder(variables), '.login.lock'));
  } catch {
    return { [Symbol.dispose]() {} };
  }
  if (held !== undefined) return held;
  throw new Failure({
    exit: exitCodes.conflict,
    code: 'login_in_progress',
    message: 'Another perp login or logout is running.',
    hint: 'Finish it, or stop it with Ctrl-C, and try again.',
  });
}
