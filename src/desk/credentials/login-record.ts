import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../ground/files/folders.ts';
import { writePrivateFile } from '../../ground/files/private-files.ts';
import { readRegularFile } from '../../ground/files/regular-file.ts';

/** Where a session's credential is stored. */
export type Place = 'keychain' | 'file';

/** A login without its credential: enough to tell a missing login from none at all. */
export interface LoginRecord {
  readonly name: string;
  /** Unix ms. */
  readonly expiresAt: number;
  readonly place: Place;
}

type Records = Record<string, { name: string; expires_at: number; kept: Place }>;

/** The last login on a host; undefined if there is none, or it can't be read. */
export function loginRecord(variables: Variables, host: string): LoginRecord | undefined {
  const record = readRecords(variables)[host];
  if (record === undefined) return undefined;
  const { name, expires_at: expiresAt, kept: place } = record;
  if (typeof name !== 'string' || typeof expiresAt !== 'number' || (place !== 'keychain' && place !== 'file'))
    return undefined;
  return { name, expiresAt, place };
}

/** Records a login, or with undefined removes the record. Throws file system errors. */
export function recordLogin(variables: Variables, host: string, record: LoginRecord | undefined): void {
  const { [host]: former, ...rest } = readRecords(variables);
  if (record === undefined && former === undefined) return;
  const next: Records =
    record === undefined
      ? rest
      : { ...rest, [host]: { name: record.name, expires_at: record.expiresAt, kept: record.place } };
  if (Object.keys(next).length === 0) rmSync(recordFile(variables), { force: true });
  else writePrivateFile(recordFile(variables), `${JSON.stringify(next, null, 2)}\n`);
}

function readRecords(variables: Variables): Records {
  try {
    const records: unknown = JSON.parse(readRegularFile(recordFile(variables)).text);
    const isRecords =
      typeof records === 'object' &&
      records !== null &&
      Object.values(records).every((one) => typeof one === 'object' && one !== null);
    return isRecords ? (records as Records) : {};
  } catch {
    return {};
  }
}

function recordFile(variables: Variables): string {
  return join(stateFolder(variables), 'logins.json');
}
