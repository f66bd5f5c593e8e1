import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

/** What went wrong with the file: each kind has its own way out, which the message names. */
export type StoreErrorKind = 'corrupt' | 'foreign' | 'newer' | 'read_only' | 'full' | 'busy' | 'io';

/** The state could not be read or written; nothing of the transaction it happened in was kept. */
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
};

/** A StoreError of this kind in the words a person needs. */
export function storeError(kind: SpokenKind, file: string, cause?: unknown): StoreError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new StoreError(kind, file, sentences[kind](file) + reason, cause);
}

/** Turns what SQLite or the file system threw into a StoreError; anything else (a bug, a constraint) passes unchanged. */
export function translated(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  if (typeof errcode === 'number') {
    const kind = kindOfResultCode[errcode & 0xff];
    if (kind === undefined || kind === 'newer') return error;
    return storeError(kind === 'io' && !writable(file) ? 'read_only' : kind, file, error);
  }
  if (code === undefined || !('syscall' in error)) return error;
  const kind = kindOfSystemCode[code] ?? 'io';
  return kind === 'newer' ? error : storeError(kind, file, error);
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
