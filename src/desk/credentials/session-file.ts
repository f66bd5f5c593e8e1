import { constants, fstatSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { opened, writeSecretFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { isOpenToOthers } from '../../base/system/system.ts';
import { jsonObjectIn } from '../../base/terms/json-object.ts';

/** A command-line session: the credential and its details from the service (API 5). */
export interface Session {
  readonly apiKey: string;
  /** Its label, from the device name. */
  readonly name: string;
  /** Unix ms. */
  readonly expiresAt: number;
}

/** A credential and its source; the text never appears in any message. */
export interface FoundCredential {
  readonly text: string;
  readonly source: 'api_key_file' | 'PERP_API_KEY' | 'keychain' | 'file';
  /** The source, as shown to the user. */
  readonly from: string;
  /** Set for a stored login. */
  readonly session?: { readonly name: string; readonly expiresAt: number };
  /** A warning to show whenever it is used. */
  readonly warning?: string | undefined;
}

/** The stored form, with the field names of the API. */
export function sessionText({ apiKey, name, expiresAt }: Session): string {
  return JSON.stringify({ api_key: apiKey, name, expires_at: expiresAt });
}

/** Parses the stored form; undefined for anything else. */
export function parseSession(text: string): Session | undefined {
  return readSession(jsonObjectIn(text));
}

/** Reads a session from the token exchange or the stored form; undefined if something is missing. */
export function readSession(value: unknown): Session | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { api_key: apiKey, name, expires_at: expiresAt } = value as Record<string, unknown>;
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{8,}$/.test(apiKey)) return undefined;
  if (typeof name !== 'string' || typeof expiresAt !== 'number' || !Number.isFinite(expiresAt)) return undefined;
  return { apiKey, name, expiresAt };
}

const logInAgain = 'Remove it and log in again.';

/**
 * The file of `perp login --insecure-storage`, in the state folder, which people do not copy along with their settings.
 */
export function sessionFile(variables: Variables): string {
  return join(stateFolder(variables), 'credentials.json');
}

/** The session stored for a host in the file. Refuses a file that other users could have written or can read. */
export function readSessionFile(variables: Variables, host: string): Session | undefined {
  const text = readKept(variables)[host];
  return text === undefined ? undefined : parseSession(text);
}

/** Stores a session in the file with mode 0600, replacing the file atomically. */
export function writeSessionFile(variables: Variables, host: string, session: Session): void {
  readKept(variables);
  changeFile({ file: sessionFile(variables), isSecret: true }, (write) => {
    write(`${JSON.stringify({ ...readKept(variables), [host]: sessionText(session) })}\n`);
  });
}

/** Removes a host's session; removes the file with the last one. */
export function removeFromSessionFile(variables: Variables, host: string): void {
  if (readKept(variables)[host] === undefined) return;
  changeFile({ file: sessionFile(variables), isSecret: true }, (write) => {
    const { [host]: _, ...rest } = readKept(variables);
    write(Object.keys(rest).length === 0 ? null : `${JSON.stringify(rest)}\n`);
  });
}

/** Checks that the file can be trusted and its folder is writable, before the user is asked to approve anything. */
export function checkSessionFile(variables: Variables): void {
  readKept(variables);
  const trial = join(stateFolder(variables), 'credentials.trial');
  try {
    writeSecretFile(trial, '');
    rmSync(trial);
  } catch (error) {
    throw refusal(
      `Can't write to ${stateFolder(variables)}: ${(error as Error).message}`,
      'Set PERP_STATE_DIR to a folder that you own.',
    );
  }
}

function readKept(variables: Variables): Record<string, string> {
  const file = sessionFile(variables);
  const text = readTrusted(file);
  if (text === undefined) return {};
  const kept = jsonObjectIn(text);
  if (kept !== null && Object.values(kept).every((one) => typeof one === 'string'))
    return kept as Record<string, string>;
  // Without repeating the content.
  throw refusal(`${file} was not written by perp login, or is damaged.`, logInAgain);
}

/**
 * The text of a file that belongs to this user and that no other user can read or write; undefined if it does not
 * exist.
 */
function readTrusted(file: string): string | undefined {
  let isLink = false;
  try {
    isLink = lstatSync(file).isSymbolicLink();
    // O_NOFOLLOW also guards against a link created just now.
    using open = opened(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(open.fd);
    if (isLink) throw new Error('a link');
    if (!status.isFile()) throw refusal(`${file} is not a regular file.`, 'Remove it.');
    if (process.getuid !== undefined && status.uid !== process.getuid()) {
      throw refusal(`${file} belongs to another user.`, logInAgain);
    }
    if (isOpenToOthers(status.mode)) {
      throw refusal(
        `Other users can read ${file}, so its login is not used.`,
        `If only you have had access so far, run chmod 600 ${file}. Otherwise also run perp logout and perp login.`,
      );
    }
    return readFileSync(open.fd, 'utf8');
  } catch (error) {
    if (isLink) throw refusal(`${file} is a symbolic link, which perp does not follow.`, `Remove it: rm ${file}`);
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw refusal(`Can't read the stored login: ${message}.`, `Check ${file}.`);
  }
}

function refusal(message: string, hint: string): Failure {
  return new Failure({ code: 'insecure_storage', message, hint });
}
