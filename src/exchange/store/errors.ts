import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

/** Kinds of trouble with the file; each message says what to do. */
export type StoreErrorKind = SpokenKind | 'newer' | 'outdated';

/**
 * The state could not be read or written. Nothing of the transaction was kept, except for `in_doubt`: COMMIT itself
 * failed, and the transaction may or may not have been kept.
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

/** Whether a COMMIT failed, so it is unknown what was kept. */
export function isInDoubt(error: unknown): error is StoreError {
  return error instanceof StoreError && error.kind === 'in_doubt';
}

/** SQLite's primary result codes that concern the file (sqlite.org/rescode.html). */
const kindOfResultCode: Partial<Record<number, SpokenKind>> = {
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

const kindOfSystemCode: Partial<Record<string, SpokenKind>> = {
  EACCES: 'read_only',
  EPERM: 'read_only',
  EROFS: 'read_only',
  ENOSPC: 'full',
  EDQUOT: 'full',
};

const sentences = {
  foreign: (file) => `${file} belongs to another program and was not changed. Move it away, or use another location.`,
  corrupt: (file) =>
    `${file} is damaged or not a database. Restore it from a copy, or move it away to start with an empty state.`,
  read_only: (file) => `${file} can't be written. Make the file and its folder writable, or choose another location.`,
  full: (file) => `There is no space left to write ${file}. Free some disk space and try again; nothing was changed.`,
  busy: (file) => `Another process kept ${file} locked for too long. Try again when it is done; nothing was changed.`,
  io: (file) => `${file} could not be read or written. Check the path and the disk.`,
  moved: (file) =>
    `${file} was deleted or replaced while it was in use, so perp stopped writing to it. Stop the processes that use it, then start again.`,
  special: (file) => `${file} is not a regular file. Move it away, or choose another --state.`,
  no_locks: (file) =>
    `The file system of ${dirname(file)} does not support file locks, so two processes could write the same state. Set PERP_STATE_DIR to a folder on a local disk.`,
  in_doubt: (file) => `The disk failed during a commit to ${file}. The change may or may not have been made.`,
} satisfies Record<string, (file: string) => string>;

/** Kinds with a fixed message; the others name versions. */
type SpokenKind = keyof typeof sentences;

/** A StoreError of this kind, with its message. */
export function storeError(kind: SpokenKind, file: string, cause?: unknown): StoreError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new StoreError(kind, file, sentences[kind](file) + reason, cause);
}

function corrupt(file: string, what: string): StoreError {
  return new StoreError('corrupt', file, `${file} ${what}.`);
}

/** A row whose checksum does not match. */
export function damagedRow(file: string, table: string, key: string): StoreError {
  return corrupt(file, `is damaged: row ${key} of table ${table} has been altered`);
}

/** A missing row that every state must have. */
export function lostRow(file: string, table: string, key: string): StoreError {
  return corrupt(file, `is damaged: row ${key} of table ${table} is missing`);
}

/** An empty file, or only its log is left. */
export function emptied(file: string, what: string): StoreError {
  return corrupt(file, `${what}, so its contents are lost`);
}

/** Written rows are missing. */
export function lostRows(file: string, table: string, rows: number): StoreError {
  const [lost, are] = rows === 1 ? ['a row', 'is'] : [`${rows} rows`, 'are'];
  return corrupt(file, `is damaged: ${lost} of table ${table} ${are} missing`);
}

/** The file's schema is damaged: perp's own SQL is correct. */
const damagedSchema = /^(no such (table|column)|duplicate column name|unsupported file format)|has no column named/;

/** Turns errors of SQLite or the file system into a StoreError; others (a bug, a constraint) are rethrown unchanged. */
export function translated(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  if (typeof errcode === 'number') {
    const kind = damagedSchema.test(error.message) ? 'corrupt' : kindOfResultCode[errcode & 0xff];
    if (kind === undefined) return error;
    return storeError(kind === 'io' && !writable(file) ? 'read_only' : kind, file, error);
  }
  if (code === undefined || !('syscall' in error)) return error;
  return storeError(kindOfSystemCode[code] ?? 'io', file, error);
}

/**
 * Result codes of COMMIT after which nothing was stored: BUSY, FULL, CONSTRAINT. After any other, the outcome is
 * unknown.
 */
const definiteCommitCodes: ReadonlySet<number | undefined> = new Set([5, 13, 19]);

/**
 * The error of a failed COMMIT. If the disk fails during it, the log may contain the whole transaction, and the next
 * process that opens the file would then keep it.
 */
export function commitFailure(error: unknown, file: string): unknown {
  const { errcode } = error as { errcode?: number };
  if (errcode !== undefined && definiteCommitCodes.has(errcode & 0xff)) return translated(error, file);
  return storeError('in_doubt', file, error);
}

/** Whether SQLite found no space. */
export function isFull(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === 13;
}

/** Whether the file (if it exists) and its folder are writable. */
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
