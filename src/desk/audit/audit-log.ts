import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../base/failure/failure.ts';
import type { OwnerSecret } from '../../base/files/owner-secret.ts';
import { makePrivateFolder, syncFolder } from '../../base/files/private-files.ts';
import { Turns } from '../../base/files/shared-file.ts';
import { counted } from '../../base/text/format.ts';
import {
  type AuditPlace,
  type ChainEnd,
  emptyChain,
  endBefore,
  logFileOf,
  logFiles,
  nextLines,
  walk,
} from './chain.ts';
import { AuditHead } from './head.ts';
import type { AuditRecord } from './record.ts';

/** Dependencies of an audit log besides its place. */
interface AuditLogOptions {
  readonly secret: OwnerSecret;
  /** Takes a remark for the owner, in a sentence. */
  note?(text: string): void;
  /** Wall time, Unix ms. */
  now?(): number;
  /** A longer file is followed by another one. */
  readonly fileBytes?: number;
}

/** Days of a busy gate; a file is read at once to verify it. */
const defaultFileBytes = 32 << 20;
/** Writes are synced after this long, unless someone waits for that, ms. */
const lazyMs = 500;
/** Records that may follow are written after this long at most, ms. */
const followMs = 20;

/**
 * The audit log of gates: records in a hash chain, appended by any number of processes, and its signed head apart from
 * it. Appended records outlive the process at once, and a power failure within a second. The head is signed after each
 * sync, so it is never ahead of the data that survives a power failure.
 */
export class AuditLog implements AsyncDisposable {
  readonly #place: AuditPlace;
  readonly #head: AuditHead;
  readonly #turns: Turns;
  readonly #options: Required<AuditLogOptions>;
  #file = '';
  #descriptor = -1;
  /** Identifies the open file: another one in its place is not ours. */
  #inode = 0;
  /** The end of the chain, and where in the file the next line begins. */
  #end: ChainEnd = emptyChain;
  #position = 0;
  #synced: ChainEnd = emptyChain;
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Records that are written with the next one, or soon. */
  #following: AuditRecord[] = [];
  #followTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** A sync failed: the contents of the disk are unknown. */
  #broken: Failure | undefined;

  /** Opens the log, or begins one. Throws a failure if it is damaged or can't be written. */
  static open(place: AuditPlace, options: AuditLogOptions): AuditLog {
    try {
      makePrivateFolder(place.folder);
      return new AuditLog(place, options);
    } catch (error) {
      throw error instanceof Failure ? error : notLogged(place.folder, error);
    }
  }

  private constructor(place: AuditPlace, options: AuditLogOptions) {
    this.#place = place;
    this.#head = new AuditHead(place.headFile, options.secret);
    this.#options = { note: () => {}, now: Date.now, fileBytes: defaultFileBytes, ...options };
    this.#turns = new Turns(join(place.folder, 'lock'));
    try {
      this.#turns.take(() => this.#start());
    } catch (error) {
      this.#turns[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Appends a record, preceded by pending ones; returns its number. From now on, it survives the end of the process.
   * Throws a failure if it can't be written: the recorded action must not be done then.
   */
  append(record: AuditRecord): number {
    this.#append([...this.#following, record]);
    return this.#end.seq;
  }

  /**
   * Appends a record together with the next one, or after a moment: it is about something that has happened, and that
   * is found out again if it is lost. A failing log informs its owner.
   */
  follow(record: AuditRecord): void {
    if (this.#isClosed) return;
    this.#following.push(record);
    this.#followTimer ??= setTimeout(() => this.#appendFollowing(), followMs).unref();
  }

  /**
   * Resolves once every record so far is on disk; throws a failure if the disk refuses. One sync serves all waiters.
   */
  async synced(): Promise<void> {
    const { seq } = this.#end;
    while (this.#synced.seq < seq) {
      if (this.#broken !== undefined) throw this.#broken;
      this.#syncing ??= this.#sync().finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#appendFollowing();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    try {
      await this.synced();
      this.#head.syncNow();
    } catch (error) {
      this.#fail(error);
    }
    await this.#syncing?.catch(() => {});
    closeSync(this.#descriptor);
    this.#turns[Symbol.dispose]();
  }

  #append(records: readonly AuditRecord[]): void {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      this.#turns.take(() => {
        this.#catchUp();
        if (this.#position > this.#options.fileBytes) this.#beginNextFile();
        this.#write(records);
      });
    } catch (error) {
      throw error instanceof Failure ? error : notLogged(this.#place.folder, error);
    }
    clearTimeout(this.#followTimer);
    this.#followTimer = undefined;
    this.#following = [];
  }

  #appendFollowing(): void {
    if (this.#following.length === 0) return;
    try {
      this.#append(this.#following);
    } catch (error) {
      // Past events can't be changed. Later writes are refused as long as the log fails.
      if (error !== this.#broken) this.#options.note(error instanceof Error ? error.message : String(error));
      this.#followTimer = undefined;
      this.#following = [];
    }
  }

  #syncLazily(): void {
    this.#timer = undefined;
    this.synced()
      .then(() => this.#head.syncBeside())
      .catch((error) => this.#fail(error));
  }

  async #sync(): Promise<void> {
    const end = this.#end;
    const descriptor = this.#descriptor;
    try {
      await promisify(fdatasync)(descriptor);
      if (this.#synced.seq < end.seq) this.#synced = end;
      this.#turns.take(() => this.#head.advance(this.#synced));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** From now on, nothing is appended: the contents of the disk are unknown. */
  #fail(error: unknown): Failure {
    if (this.#broken !== undefined) return this.#broken;
    this.#broken = error instanceof Failure ? error : notSynced(this.#place.folder, error);
    this.#options.note(this.#broken.message);
    return this.#broken;
  }

  #start(): void {
    const files = logFiles(this.#place.folder);
    const head = this.#head.read();
    if (files.length === 0 && head === 'missing') this.#head.begin();
    else if (head === 'missing') throw damaged(this.#place, 'its head is missing');
    else if (head === 'unsigned') throw damaged(this.#place, "its head is not signed with the owner's secret");
    const signed = typeof head === 'string' ? emptyChain : head;
    if (files.length === 0 && signed.seq > 0) throw damaged(this.#place, 'it is gone, and its head is still there');
    if (files.length === 0) this.#create(1);
    else {
      this.#use(files.at(-1)!.file);
      this.#end = endBefore(files);
      this.#takeOver(signed);
    }
  }

  /** Reads on to the end of the file. Only the part after the head may be incomplete: nobody relied on it. */
  #takeOver(signed: ChainEnd): void {
    const bytes = this.#bytesFrom(0, statSync(this.#file).size);
    const { end, until, wanted } = walk(bytes, this.#end, signed.seq);
    if (wanted !== signed.hash)
      throw damaged(
        this.#place,
        end.seq < signed.seq ? `record ${end.seq + 1} is missing or altered` : 'a record was altered',
      );
    this.#end = end;
    this.#position = until;
    this.#synced = signed;
    this.#setAside(bytes.subarray(until));
    const unsigned = end.seq - signed.seq;
    if (unsigned === 0) return;
    const says = `The last ${counted(unsigned, 'record')} of the audit log had not been signed when it was opened.`;
    this.#write([{ kind: 'event', time: this.#options.now(), event: 'unsigned', says, facts: { records: unsigned } }]);
  }

  /** Records that other processes appended since the last look. */
  #catchUp(): void {
    for (;;) {
      const status = statSync(this.#file, { throwIfNoEntry: false });
      if (status?.ino !== this.#inode) throw damaged(this.#place, 'it was moved or removed while in use');
      if (status.size < this.#position) throw damaged(this.#place, 'it was truncated while in use');
      if (status.size > this.#position) {
        const bytes = this.#bytesFrom(this.#position, status.size);
        const { end, until } = walk(bytes, this.#end);
        this.#end = end;
        this.#position += until;
        this.#setAside(bytes.subarray(until));
      }
      const next = logFileOf(this.#place.folder, this.#end.seq + 1);
      if (next === this.#file || statSync(next, { throwIfNoEntry: false }) === undefined) return;
      this.#leaveFile();
      this.#use(next);
    }
  }

  /** Sets aside an incomplete end, left by a killed process or a full disk, and records that in the log. */
  #setAside(rest: Buffer): void {
    if (rest.length === 0) return;
    ftruncateSync(this.#descriptor, this.#position);
    const says = `A gate was stopped while writing the audit log: ${counted(rest.length, 'byte')} of an incomplete record were set aside. Its request was not sent.`;
    const facts = { incomplete: rest.toString('latin1', 0, 2_000) };
    this.#write([{ kind: 'event', time: this.#options.now(), event: 'recovered', says, facts }]);
    this.#options.note(says);
  }

  #write(records: readonly AuditRecord[]): void {
    const { lines, end } = nextLines(records, this.#end);
    try {
      for (let written = 0; written < lines.length; )
        written += writeSync(this.#descriptor, lines, written, lines.length - written, this.#position + written);
    } catch (error) {
      try {
        ftruncateSync(this.#descriptor, this.#position);
      } catch {
        // The next one to write sets the rest aside.
      }
      throw error;
    }
    this.#position += lines.length;
    this.#end = end;
    this.#timer ??= setTimeout(() => this.#syncLazily(), lazyMs).unref();
  }

  /** Follows a file that is long. Its contents are on disk first, so that only the last file can be incomplete. */
  #beginNextFile(): void {
    try {
      fdatasyncSync(this.#descriptor);
      this.#head.advance(this.#end);
      this.#head.syncNow();
    } catch (error) {
      throw this.#fail(error);
    }
    this.#synced = this.#end;
    this.#leaveFile();
    this.#create(this.#end.seq + 1);
  }

  #create(first: number): void {
    const file = logFileOf(this.#place.folder, first);
    closeSync(openSync(file, 'wx', 0o600));
    syncFolder(this.#place.folder);
    this.#use(file);
  }

  #use(file: string): void {
    this.#descriptor = openSync(file, 'r+');
    this.#file = file;
    this.#inode = statSync(file).ino;
    this.#position = 0;
  }

  /** A sync in progress still needs the descriptor. */
  #leaveFile(): void {
    const descriptor = this.#descriptor;
    const close = () => closeSync(descriptor);
    if (this.#syncing === undefined) close();
    else this.#syncing.then(close, close);
  }

  #bytesFrom(position: number, until: number): Buffer {
    const bytes = Buffer.alloc(until - position);
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(this.#descriptor, bytes, read, bytes.length - read, position + read);
      if (more === 0) break;
      read += more;
    }
    return bytes.subarray(0, read);
  }
}

function notLogged(folder: string, error: unknown): Failure {
  const message = (why: string) => `Nothing was sent, because the audit log in ${folder} can't be written (${why}).`;
  return diskFailure(error, message, 'Free some space, or make sure that only this user can write there.');
}

function notSynced(folder: string, error: unknown): Failure {
  const message = (why: string) =>
    `The audit log in ${folder} can't be synced (${why}), so its last second may be lost. No more writes are sent.`;
  return diskFailure(error, message, 'Fix the disk, then start the gate again.');
}

function diskFailure(error: unknown, message: (why: string) => string, hint: string): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure({ code: 'not_logged', message: message(why), hint }, { cause: error });
}

function damaged({ folder, headFile }: AuditPlace, what: string): Failure {
  return new Failure({
    code: 'audit_damaged',
    message: `The audit log in ${folder} is damaged: ${what}.`,
    hint: `perp audit verify shows details. To start a new log, move that folder and ${headFile} away, and keep both.`,
  });
}
