import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

/** What went wrong with the file: each kind has its own way out, which the message names. */
export type StoreErrorKind =
  | 'corrupt'
  | 'foreign'
  | 'newer'
  | 'read_only'
  | 'full'
  | 'busy'
  | 'io'
  | 'moved'
  | 'special'
  | 'no_locks'
  | 'in_doubt';

/**
 * The state could not be read or written. Nothing of the transaction it happened in was kept, except for `in_doubt`:
 * COMMIT itself failed, and the transaction may or may not have been kept.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StoreErrorKind;
  /** The database file. */
  readonly file: string;

  constructor(kind: StoreErrorKind, file: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.file = file;
  }
}

/** Whether a COMMIT broke, so that nobody knows what it kept. */
export function isInDoubt(error: unknown): error is StoreError {
  return error instanceof StoreError && error.kind === 'in_doubt';
}

/** SQLite's primary result codes that say something about the file (sqlite.org/rescode.html). */
const kindOfResultCode: Partial<Record<number, StoreErrorKind>> = {
  3: 'read_only', // PERM
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  8: 'read_only', // READONLY
  10: 'io', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'io', // CANTOPEN
  15: 'busy', // PROTOCOL: lost the race for the log's locks too often
  26: 'corrupt', // NOTADB
};

const kindOfSystemCode: Partial<Record<string, StoreErrorKind>> = {
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

/** Kinds with a sentence of their own; a newer file's names the versions. */
type SpokenKind = Exclude<StoreErrorKind, 'newer'>;

const sentences: Record<SpokenKind, (file: string) => string> = {
  foreign: (file) =>
    `${file} is a database of another program. It is left as it is: move it away, or use another place.`,
  corrupt: (file) =>
    `${file} is damaged or not a database. Restore it from a copy, or move it away to start with an empty state.`,
  read_only: (file) => `${file} cannot be written. Make the file and its directory writable, or choose another place.`,
  full: (file) => `No room left to write ${file}. Free some disk space and repeat; nothing was changed.`,
  busy: (file) => `Another process kept ${file} locked for too long. Repeat when it is done; nothing was changed.`,
  io: (file) => `${file} could not be read or written. Check that the path and the disk are sound.`,
  moved: (file) =>
    `${file} was deleted or replaced while it was in use, so nothing more is written to it. Stop what uses it, then start again.`,
  special: (file) => `${file} is not a regular file. Move it away, or choose another --state.`,
  no_locks: (file) =>
    `The file system of ${dirname(file)} does not keep file locks, so two processes could write one state. Set PERP_STATE_DIR to a folder on a local disk.`,
  in_doubt: (file) => `The disk failed while ${file} was being committed. The change may or may not have been made.`,
};

/** A StoreError of this kind in the words a person needs. */
export function storeError(kind: SpokenKind, file: string, cause?: unknown): StoreError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new StoreError(kind, file, sentences[kind](file) + reason, cause);
}

/** A row whose checksum says that it is not what was written. */
export function damagedRow(file: string, table: string, key: string): StoreError {
  return new StoreError('corrupt', file, `${file} is damaged: row ${key} of table ${table} is not what was written.`);
}

/** A row without which a state cannot be. */
export function lostRow(file: string, table: string, key: string): StoreError {
  return new StoreError('corrupt', file, `${file} is damaged: row ${key} of table ${table} is missing.`);
}

/** The file's description of itself is not what was written: our own SQL is right. */
const damagedSchema = /^(no such (table|column)|duplicate column name|unsupported file format)|has no column named/;

/** Turns what SQLite or the file system threw into a StoreError; anything else (a bug, a constraint) passes unchanged. */
export function translated(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  if (typeof errcode === 'number') {
    const kind = damagedSchema.test(error.message) ? 'corrupt' : kindOfResultCode[errcode & 0xff];
    if (kind === undefined || kind === 'newer') return error;
    return storeError(kind === 'io' && !writable(file) ? 'read_only' : kind, file, error);
  }
  if (code === undefined || !('syscall' in error)) return error;
  const kind = kindOfSystemCode[code] ?? 'io';
  return kind === 'newer' ? error : storeError(kind, file, error);
}

/** Result codes of COMMIT that mean that nothing was kept: BUSY, FULL, CONSTRAINT. After any other, nobody knows. */
const definiteCommitCodes: ReadonlySet<number | undefined> = new Set([5, 13, 19]);

/**
 * The error of a failed COMMIT. When the disk fails in the middle of it, the log may hold the whole transaction, and the
 * next process that opens the file would then keep it.
 */
export function commitFailure(error: unknown, file: string): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode !== undefined && definiteCommitCodes.has(errcode & 0xff)) return translated(error, file);
  return storeError('in_doubt', file, error);
}

/** Whether SQLite found no room. */
export function isFull(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 13;
}

/** Whether the file (if it exists) and its directory let us write. */
function writable(file: string): boolean {
  for (const path of [file, dirname(file)]) {
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    }
  }
  return true;
}
