import { hash } from 'node:crypto';
import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, Failure } from '../../ground/failure/failure.ts';
import { placeOf, stateFolder, type Variables } from '../../ground/files/folders.ts';
import { renameFormer, writePrivateFile } from '../../ground/files/private-files.ts';
import { dateTime } from '../../ground/text/format.ts';
import { assert } from '../../terms/invariants.ts';
import type { Destination } from '../intents/note.ts';

/** A lock on one account: perp refuses anything that adds exposure. Times are the exchange's, Unix ms. */
export interface TradingLock {
  account: string;
  since: number;
  until: number;
  why: string;
}

/**
 * Folder of an environment's locks; it exists only while there are locks, so one check of the folder is enough without
 * them.
 */
export function lockFolder(variables: Variables, destination: Destination): string {
  return join(guardFolder(variables, destination), locksName);
}

/** The folders in which an account of this environment may be locked. */
export function lockFolders(variables: Variables, destination: Destination): string[] {
  return guardFolders(variables, destination).map((folder) => join(folder!, locksName));
}

const locksName = 'locks';

/** Locks an account. An existing lock that ends later is kept. */
export function lockAccount(folder: string, lock: TradingLock): void {
  const known = readLock(folder, lock.account);
  if (known !== undefined && known !== 'damaged' && known.until >= lock.until) return;
  assert(known === undefined || known === 'damaged' || lock.until > known.until, 'lock-grows', lock.account);
  const text = JSON.stringify(lock);
  writePrivateFile(fileOf(folder, lock.account), `${checkSum(text)} ${text}\n`);
}

/** Removes an account's lock; false if there was none. */
export function unlockAccount(folder: string, account: string): boolean {
  const known = readLock(folder, account) !== undefined;
  rmSync(fileOf(folder, account), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Other accounts are locked, or none was.
  }
  return known;
}

/** An account's lock, whether or not it has ended; undefined if there is none. */
export function readLock(folder: string, account: string): TradingLock | 'damaged' | undefined {
  let line: string;
  try {
    line = readFileSync(fileOf(folder, account), 'utf8').trimEnd();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return 'damaged';
  }
  const text = line.slice(checkSumLength + 1);
  return line.slice(0, checkSumLength) === checkSum(text) ? (JSON.parse(text) as TradingLock) : 'damaged';
}

/** The refusal of a write that adds exposure (exit 5). A damaged lock holds until it is removed. */
export function lockedFailure(account: string, lock: TradingLock | 'damaged'): Failure {
  const isDamaged = lock === 'damaged';
  return new Failure({
    exit: exitCodes.rejected,
    code: 'guard_lock',
    message: isDamaged
      ? `Account ${account} is locked, and its lock file is damaged. Nothing was sent.`
      : `Account ${account} is locked until ${dateTime(lock.until)}: ${lock.why}. Nothing was sent.`,
    hint: 'Closing, canceling and --reduce-only still work; perp guard unlock ends the lock.',
    details: isDamaged ? { account_id: account } : { account_id: account, since: lock.since, until: lock.until },
  });
}

const checkSumLength = 16;

function checkSum(text: string): string {
  return hash('sha256', text, 'hex').slice(0, checkSumLength);
}

function fileOf(folder: string, account: string): string {
  return join(folder, `${accountFile(account)}.lock`);
}

/** Everything that guards keep about one environment: a folder below the state folder. */
export function guardFolder(variables: Variables, destination: Destination): string {
  const [folder, former] = guardFolders(variables, destination);
  if (former !== undefined) renameFormer(former, folder);
  return folder;
}

/**
 * The folder of an environment, and the one that an earlier version named by the address as written: a guard of that
 * version may still be running.
 */
export function guardFolders(
  variables: Variables,
  { environment, baseUrl, state }: Destination,
): [folder: string, former?: string] {
  const folderAt = (where: string | null) => {
    const name = hash('sha256', JSON.stringify([environment, where, state ?? null]), 'hex').slice(0, 16);
    return join(stateFolder(variables), 'guard', name);
  };
  if (baseUrl === undefined) return [folderAt(null)];
  const place = placeOf(baseUrl);
  return place === baseUrl ? [folderAt(place)] : [folderAt(place), folderAt(baseUrl)];
}

/** An account's name for files; its id may be any text. */
export function accountFile(account: string): string {
  return hash('sha256', account, 'hex').slice(0, 16);
}
