import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readlinkSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Failure } from '../failure/failure.ts';
import { holdFile, isBusy, makePrivateFolder, replaceFile, type Speed } from './private-files.ts';

/** A file that several processes change. */
interface SharedFile {
  readonly file: string;
  /** `quick`: its contents may be lost in a power cut. */
  readonly speed?: Speed;
  /** It contains its own secret, which stays as it is. */
  readonly isSecret?: true;
  /** Its owner may store it elsewhere: a link is followed. Others are refused. */
  readonly followsLinks?: true;
  /** The file used to take turns; by default, one beside it. */
  readonly turns?: string;
  /** How long others may take for their turn. */
  readonly patienceMs?: number;
}

/** Replaces the file; null removes it. */
type Write = (text: string | null) => void;

const patience = 5_000;
/**
 * Without locks: the number of times a change that another process undid is repeated, and the delay before checking.
 */
const mostTries = 5;
const laterMs = 30;

let sayUnlocked: (text: string) => void = () => {};

/** Calls `say` with a sentence when a file is changed where there are no file locks. */
export function onMissingLocks(say: (text: string) => void): void {
  sayUnlocked = say;
}

/**
 * Changes a file of several processes: `work` reads it and writes it while no other process does. A reader sees the old
 * text or the new one, which is on disk, and only its owner can read it. Where the file system has no locks, it is read
 * again after a moment, and changed again if another process undid that. Throws a Failure for a link that it may not
 * follow, and when others don't end their turn.
 */
export function changeFile<T>(shared: SharedFile, work: (write: Write) => T): T {
  const file = shared.followsLinks === true ? linkTarget(shared.file) : withoutLink(shared.file);
  const put: Write = (text) => {
    if (text === null) rmSync(file, { force: true });
    else replaceFile(file, text, shared.speed ?? 'durable', shared.isSecret === true);
  };
  const folder = dirname(file);
  makePrivateFolder(folder);
  if (!locksIn(folder)) return unlocked(file, put, work);
  let hasTurn = false;
  try {
    using turns = new Turns(shared.turns ?? `${file}.lock`, shared.patienceMs ?? patience);
    return turns.take(() => {
      hasTurn = true;
      return work(put);
    });
  } catch (error) {
    if (hasTurn || !isBusy(error)) throw error;
    throw new Failure({
      code: 'file_busy',
      message: `Another process is changing ${file}. Nothing was changed.`,
      hint: 'Try again in a moment.',
      retryable: true,
    });
  }
}

function unlocked<T>(file: string, put: Write, work: (write: Write) => T): T {
  sayUnlocked(`The file system of ${file} has no file locks: simultaneous changes can be lost. Check the result.`);
  for (let tries = 1; ; tries++) {
    let written: string | null | undefined;
    const result = work((text) => {
      written = text;
      put(text);
    });
    if (written === undefined || tries === mostTries) return result;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, laterMs);
    if (textIn(file) === written) return result;
  }
}

function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const known = new Map<string, boolean>();

/** Whether files in a folder can be locked: one that nobody else has. */
function locksIn(folder: string): boolean {
  let works = known.get(folder);
  if (works !== undefined) return works;
  const file = join(folder, `.lock-trial-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    using held = holdFile(file);
    works = held !== undefined;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === undefined) throw error;
    works = false;
  } finally {
    rmSync(file, { force: true });
  }
  known.set(folder, works);
  return works;
}

function withoutLink(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  throw refused(
    `${file} is a symbolic link, which perp does not follow. Nothing was changed.`,
    `Remove it: rm ${file}`,
  );
}

/** The maximum number of links; more form a circle. */
const mostLinks = 20;

/** The end of a link; the file itself if it isn't one. Throws a Failure if others could replace the target. */
export function linkTarget(link: string): string {
  let file = link;
  for (let links = 0; lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true; links++) {
    if (links === mostLinks) throw refused(`${link} is part of a loop of symbolic links.`, `Remove it: rm ${link}`);
    file = resolve(dirname(file), readlinkSync(file));
  }
  if (file === link) return file;
  const why = distrustOf(file);
  if (why === undefined) return file;
  throw refused(
    `${link} leads to ${file}, and ${why}. Nothing was changed.`,
    'Point it to a file and a folder that only you can write to.',
  );
}

/** Why a file could be another user's; undefined if it couldn't. Root is trusted. */
function distrustOf(file: string): string | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  const isForeign = (status: Stats | undefined) => status !== undefined && status.uid !== own && status.uid !== 0;
  const [status, folder] = [file, dirname(file)].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (isForeign(status)) return 'that file belongs to another user';
  if (isForeign(folder)) return 'its folder belongs to another user';
  if (status !== undefined && (status.mode & 0o002) !== 0) return 'other users can write to that file';
  return folder !== undefined && (folder.mode & 0o002) !== 0 ? 'other users can write to its folder' : undefined;
}

function refused(message: string, hint: string): Failure {
  return new Failure({ code: 'insecure_file', message, hint });
}

/**
 * Gives processes turns at a shared resource. As with `holdFile`, SQLite's lock ends with its process, however it dies;
 * this one stays open, so a turn costs some microseconds.
 */
export class Turns implements Disposable {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;

  /** `file`: an empty one for the lock, created if absent. Throws system and SQLite errors. */
  constructor(file: string, waitMs = 5_000) {
    makePrivateFolder(dirname(file));
    try {
      closeSync(openSync(file, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    this.#database = new DatabaseSync(file, { timeout: waitMs });
    this.#database.exec('PRAGMA journal_mode = MEMORY');
    this.#begin = this.#database.prepare('BEGIN EXCLUSIVE');
    this.#end = this.#database.prepare('COMMIT');
  }

  /** Does something while no other process has its turn; throws SQLite's error if another one doesn't end its turn. */
  take<T>(work: () => T): T {
    this.#begin.run();
    try {
      return work();
    } finally {
      this.#end.run();
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
