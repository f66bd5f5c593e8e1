import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { stateFolder, type Variables } from '../files/folders.ts';
import { writeSecretFile } from '../files/private-files.ts';
import { parseSession, type Session, sessionText } from './session.ts';

/** The file of `perp login --insecure-storage`: in the state folder, which nobody copies around with their settings. */
export function sessionFile(variables: Variables): string {
  return join(stateFolder(variables), 'credentials.json');
}

/** The session kept for a host in the file. Refuses a file that somebody else could have written or can read. */
export function readSessionFile(variables: Variables, host: string): Session | undefined {
  const text = readKept(variables)[host];
  return text === undefined ? undefined : parseSession(text);
}

/** Keeps a session in the file, mode 0600, replaced whole. */
export function writeSessionFile(variables: Variables, host: string, session: Session): void {
  const kept = readKept(variables);
  writeSecretFile(sessionFile(variables), `${JSON.stringify({ ...kept, [host]: sessionText(session) })}\n`);
}

/** Removes a host's session, and the file with the last one. */
export function removeFromSessionFile(variables: Variables, host: string): void {
  const { [host]: removed, ...rest } = readKept(variables);
  if (removed === undefined) return;
  if (Object.keys(rest).length === 0) rmSync(sessionFile(variables));
  else writeSecretFile(sessionFile(variables), `${JSON.stringify(rest)}\n`);
}

/** Makes sure that the file can be trusted and its folder written, before anybody is asked to approve anything. */
export function checkSessionFile(variables: Variables): void {
  readKept(variables);
  const trial = join(stateFolder(variables), 'credentials.trial');
  try {
    writeSecretFile(trial, '');
    rmSync(trial);
  } catch (error) {
    throw refusal(
      `Cannot write into ${stateFolder(variables)}: ${(error as Error).message}`,
      'Set PERP_STATE_DIR to a folder of your own.',
    );
  }
}

function readKept(variables: Variables): Record<string, string> {
  const file = sessionFile(variables);
  const text = readTrusted(file);
  if (text === undefined) return {};
  try {
    const kept: unknown = JSON.parse(text);
    const isKept =
      typeof kept === 'object' && kept !== null && Object.values(kept).every((one) => typeof one === 'string');
    if (isKept) return kept as Record<string, string>;
  } catch {
    // Not JSON: the same refusal as for JSON of another shape. What the file holds is not repeated.
  }
  throw refusal(`${file} is not what perp login wrote.`, 'Remove it and log in again.');
}

/** The text of a file that belongs to this person and that nobody else can read or write; undefined when there is none. */
function readTrusted(file: string): string | undefined {
  let descriptor: number;
  let isLink = false;
  try {
    isLink = lstatSync(file).isSymbolicLink();
    // Also against a link that takes its place now.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isLink) throw linkRefusal(file);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw refusal(`Cannot read the kept login: ${message}.`, `Look at ${file}.`);
  }
  try {
    const status = fstatSync(descriptor);
    if (isLink) throw linkRefusal(file);
    if (!status.isFile()) throw refusal(`${file} is not a plain file.`, 'Remove it.');
    if (process.getuid !== undefined && status.uid !== process.getuid()) {
      throw refusal(`${file} belongs to somebody else.`, 'Remove it and log in again.');
    }
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      throw refusal(
        `Others on this machine can read ${file}, so its login is not used.`,
        `If only you had access so far: chmod 600 ${file}. Else: perp logout after that, and perp login.`,
      );
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function linkRefusal(file: string): Failure {
  return refusal(`${file} is a symbolic link, which is not followed.`, `Remove it: rm ${file}`);
}

function refusal(message: string, hint: string): Failure {
  return new Failure({ exit: exitCodes.notAllowed, code: 'insecure_storage', message, hint });
}
