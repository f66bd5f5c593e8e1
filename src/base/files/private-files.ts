import { hash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFolder, moveFile } from '../system/system.ts';
import { withoutSecrets } from '../text/plain-text.ts';

/** An open file, closed when it is disposed. Throws system errors. */
export function opened(file: string, flags: string | number, mode?: number): Disposable & { readonly fd: number } {
  const fd = openSync(file, flags, mode);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}

/** Whether a file is on disk once it is written. */
export type Speed = 'durable' | 'quick';

/**
 * Replaces a file atomically, readable only by its owner: a reader sees the old text or the new one. Known secrets are
 * removed, as in all output, because a host may echo them in a name. `quick` skips the fsync, for data that may be lost
 * in a power cut.
 */
export function writePrivateFile(file: string, text: string, speed: Speed = 'durable'): void {
  replaceFile(file, text, speed, false);
}

/** The same for the one file that contains a secret. */
export function writeSecretFile(file: string, text: string): void {
  replaceFile(file, text, 'durable', true);
}

/** Replaces a file of one of these kinds. */
export function replaceFile(file: string, text: string, speed: Speed, isSecret: boolean): void {
  complete(file, isSecret ? text : withoutSecrets(text), speed, (fresh) => moveFile(fresh, file));
}

/**
 * Creates a file that is complete and on disk before it has its name, readable only by its owner; false: it exists, and
 * was not changed. Of several processes, one creates it.
 */
export function createPrivateFile(file: string, content: string | Buffer): boolean {
  try {
    complete(file, content, 'durable', (fresh) => linkSync(fresh, file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file beside another one, and then gives it its name. */
function complete(file: string, content: string | Buffer, speed: Speed, name: (fresh: string) => void): void {
  makePrivateFolder(dirname(file));
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeNew(fresh, content, speed);
    // A umask may have removed more permissions than intended.
    chmodSync(fresh, 0o600);
    name(fresh);
  } finally {
    rmSync(fresh, { force: true });
  }
  if (speed === 'durable') syncFolder(dirname(file));
}

function writeNew(file: string, content: string | Buffer, speed: Speed): void {
  using open = opened(file, 'wx', 0o600);
  writeFileSync(open.fd, content);
  if (speed === 'durable') fsyncSync(open.fd);
}

/** Moves a file or folder to its present name, if it still has the one of an earlier version. */
export function renameFormer(former: string, present: string): void {
  if (former === present || !existsSync(former) || existsSync(present)) return;
  try {
    moveFile(former, present);
  } catch {
    // Another process was first, or the folder is read-only.
  }
}

/**
 * Creates a folder and its missing parents, private to the owner, and syncs their names to disk. Node's recursive mkdir
 * never returns for an existing folder that takes no new entries and reports ENOENT, as /proc does.
 */
export function makePrivateFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    createPrivateFolder(folder);
  } catch (error) {
    // Another process created it first.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
    throw error;
  }
  syncFolder(above);
}

/** Syncs the names in a folder to disk, where the system can do that. */
export function syncFolder(folder: string): void {
  try {
    using names = opened(folder, 'r');
    fsyncSync(names.fd);
  } catch {
    // Not every system can sync a folder.
  }
}

/** Like `a`, but does not block on a pipe without a reader. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
const sqliteBusy = 5;

/** Whether another process had a lock for too long. */
export function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === sqliteBusy;
}

/**
 * Takes a lock that one process at a time can hold; undefined while another holds it. Node has no file locks, but
 * SQLite does: an exclusive transaction on an empty database ends with the process, however it dies. Waits up to
 * `waitMs`. Throws system and SQLite errors where no lock is possible.
 */
export function holdFile(file: string, waitMs = 0): Disposable | undefined {
  makePrivateFolder(dirname(file));
  closeSync(openSync(file, appending, 0o600));
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { [Symbol.dispose]: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** The names in a folder; none if it does not exist. Throws other system errors. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A file's text and the status of the same open file. */
export interface ReadFile {
  text: string;
  status: Stats;
}

/**
 * Reads one of perp's own files. Throws system errors, and an error for anything but a regular file: reading a pipe
 * would block, and a device might never end.
 */
export function readRegularFile(file: string, maxBytes = Number.POSITIVE_INFINITY): ReadFile {
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  return reading(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0), (descriptor, status) => {
    if (!status.isFile()) throw new Error(`${file} is not a regular file`);
    if (status.size > maxBytes) throw new Error(`${file} is larger than ${maxBytes} bytes`);
    return { text: readFileSync(descriptor, 'utf8'), status };
  });
}

/** Does something with an open file, and closes it. */
export function reading<T>(file: string, flags: number, read: (descriptor: number, status: Stats) => T): T {
  using open = opened(file, flags);
  return read(open.fd, fstatSync(open.fd));
}

/** A longer input is treated as endless. */
const maxNamedBytes = 16 << 20;

/**
 * Reads a file named on the command line, which may be a pipe: `--file <(generate-groups)`. Throws system errors, and
 * an error for a device, which might never end.
 */
export function readNamedFile(file: string): string {
  return reading(file, constants.O_RDONLY, (descriptor, status) => {
    if (status.isCharacterDevice() || status.isBlockDevice()) throw new Error(`${file} is a device`);
    const chunks: Buffer[] = [];
    const chunk = Buffer.alloc(1 << 16);
    let length = 0;
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      length += read;
      if (length > maxNamedBytes) throw new Error(`${file} is larger than ${maxNamedBytes} bytes`);
      chunks.push(Buffer.from(chunk.subarray(0, read)));
    }
    return Buffer.concat(chunks).toString('utf8');
  });
}

const checkSumLength = 16;

/** A line that shows damage: its text after a checksum. */
export function checkedLine(text: string): string {
  return `${hash('sha256', text, 'hex').slice(0, checkSumLength)} ${text}\n`;
}

/** The text of such a line without its newline; undefined if it is damaged. */
export function checkedText(line: string): string | undefined {
  const text = line.slice(checkSumLength + 1);
  return checkedLine(text) === `${line}\n` ? text : undefined;
}

/** The object in a file that is one such line; undefined if there is no file. */
export function readChecked(file: string): object | 'damaged' | undefined {
  try {
    const text = checkedText(readFileSync(file, 'utf8').trimEnd());
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : 'damaged';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'damaged';
  }
}
