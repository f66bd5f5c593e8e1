import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { opened } from '../../base/files/private-files.ts';
import { isWindows } from '../../base/system/system.ts';
import { assert } from '../../base/terms/invariants.ts';
import { lineOf, type Note } from './note.ts';

/** A longer file is replaced by one that contains only open writes. */
const maxBytes = 1 << 20;
/** Space is allocated in blocks: writes within the file reach the disk a third faster. */
const roomBytes = 1 << 18;
/** Space for the line of any order. */
const longestLineBytes = 1 << 14;
/** With this many unsynced entries ahead, sync them: less than a batch prepares, so that they are on disk in time. */
const manyUnsynced = 32;
/** Settled writes may be recorded a little later, with the next line. */
const lazyMs = 1_000;

/**
 * The intents of one process: its own file in a folder, so no two processes wait for or overwrite each other. An opened
 * write, and the file's name, are on disk before sending. Settling is recorded without waiting: if the process or the
 * power dies first, the write stays open and is settled again with the same result.
 */
export class IntentFile {
  readonly #folder: string;
  readonly #open = new Map<string, Note>();
  /** Lines to write with the next one, by write; they wait until the disk takes them. */
  readonly #lazy = new Map<string, string>();
  /** The next lines of writes recorded ahead: formatted while nothing waits for them. */
  readonly #ahead = new Map<string, { released: string; answered: string }>();
  #timer: NodeJS.Timeout | undefined;
  #file: string | undefined;
  #descriptor: number | undefined;
  /** A file that was just created may be gone after a power failure, until its folder is synced. */
  #isNameSynced = false;
  /** Number of writes opened, number of those on disk, and which are not. */
  #opened = 0;
  #synced = 0;
  readonly #unsynced = new Map<string, number>();
  /** A sync in the background: its descriptor, the number of writes it covers, and its end. */
  #syncing: { descriptor: number; upTo: number; done: Promise<void> } | undefined;
  /** Position of the next line, and end of the allocated space. */
  #position = 0;
  #roomEnd = 0;
  /** The last line may be incomplete: writing it failed. */
  #isLineCutOff = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file, once created. */
  get file(): string | undefined {
    return this.#file;
  }

  /** Its notes with an unknown outcome, those of writes that were not sent yet included. */
  get openNotes(): Iterable<Note> {
    return this.#open.values();
  }

  /** Records a write; on disk when this returns. Throws the system's error if that fails, and then keeps nothing. */
  open(note: Note): void {
    try {
      this.#write(this.#current(), lineOf({ kind: 'opened', note }), true);
      this.#note(note);
      this.#syncNow();
    } catch (error) {
      this.close(note.id);
      throw error;
    }
  }

  /**
   * Makes the next write wait only for its own line: creates the file, and allocates space. If the disk refuses, `open`
   * tries again.
   */
  makeReady(): void {
    try {
      const descriptor = this.#current();
      if (this.#roomEnd - this.#position > longestLineBytes) return;
      this.#makeRoom(descriptor, longestLineBytes, true, true);
      this.#syncNow();
    } catch {
      // Nothing was to be kept.
    }
  }

  /** Records a write before its turn, with the next line; `syncFor` waits until it is on disk. */
  openAhead(note: Note): void {
    this.#current();
    const { id } = note;
    this.#writeLater(id, lineOf({ kind: 'opened', note }));
    this.#note(note);
    this.#ahead.set(id, { released: lineOf({ kind: 'released', id }), answered: lineOf({ kind: 'answered', id }) });
    if (this.#opened - this.#synced >= manyUnsynced) this.#syncBeside();
  }

  #note(note: Note): void {
    this.#open.set(note.id, note);
    this.#unsynced.set(note.id, ++this.#opened);
  }

  /** The file to write to: created if there is none, and replaced if it is long. */
  #current(): number {
    // Another process, such as one in another container, may have taken this one for dead and removed the file.
    if (this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink === 0) this.#closeFile();
    if (this.#position > maxBytes && this.#position > this.#open.size * 4_096) this.#beginNewFile();
    return this.#descriptor ?? this.#create();
  }

  /** Waits until a write and all earlier ones are on disk. */
  async syncFor(id: string): Promise<void> {
    const syncing = this.#syncing;
    const number = this.#unsynced.get(id);
    if (syncing?.descriptor === this.#descriptor && number !== undefined && number <= syncing!.upTo)
      await syncing!.done;
    if (this.#unsynced.has(id)) this.#syncNow();
  }

  #syncNow(): void {
    if (this.#descriptor === undefined) return;
    this.flush();
    fdatasyncSync(this.#descriptor);
    // After its contents: the disk has then usually written the name with them.
    if (!this.#isNameSynced) syncFolder(this.#folder);
    this.#isNameSynced = true;
    this.#areSynced(this.#opened);
  }

  /** Syncs recorded writes in the background, once the file has its name on disk: `syncFor` sees to that. */
  #syncBeside(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined || this.#syncing !== undefined || !this.#isNameSynced || !this.#isFlushed()) return;
    const upTo = this.#opened;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#syncing = { descriptor, upTo, done };
    fdatasync(descriptor, (error) => {
      this.#syncing = undefined;
      if (error === null && descriptor === this.#descriptor) this.#areSynced(upTo);
      resolve();
    });
  }

  #areSynced(upTo: number): void {
    this.#synced = Math.max(this.#synced, upTo);
    for (const [id, number] of this.#unsynced) if (number <= upTo) this.#unsynced.delete(id);
  }

  /** Records that a write recorded ahead is about to be sent. Killing the process can't undo this line. */
  release(id: string): void {
    assert(!this.#unsynced.has(id), 'kept-before-sent', id);
    const note = this.#open.get(id);
    if (note === undefined || this.#descriptor === undefined) return;
    const { ahead: _, ...released } = note;
    this.#open.set(id, released);
    this.#write(this.#descriptor, this.#ahead.get(id)!.released);
  }

  /** Records that one of its writes was answered, although the process has not yet shown the answer. */
  answer(id: string): void {
    if (this.#open.has(id)) this.#writeLater(id, this.#ahead.get(id)?.answered ?? lineOf({ kind: 'answered', id }));
  }

  /** Records that the outcome of one of its writes is final. */
  close(id: string): void {
    this.#ahead.delete(id);
    if (this.#open.delete(id)) this.#writeLater(id, lineOf({ kind: 'closed', id }));
  }

  /** Writes the pending lines now. */
  flush(): void {
    if (this.#lazy.size > 0 && this.#descriptor !== undefined) this.#write(this.#descriptor, '');
  }

  /**
   * Ends the file: a file without open writes is removed. If the disk refuses, nothing is lost, because settled
   * writes can be settled again.
   */
  end(): void {
    try {
      if (this.#open.size > 0) this.flush();
      else if (this.#file !== undefined) removeFile(this.#file);
    } catch {
      this.#isFlushed();
    }
    this.#closeFile();
  }

  /** Writes the pending lines, unless the disk refuses: the next write tries again. */
  #isFlushed(): boolean {
    try {
      this.flush();
      return true;
    } catch {
      return false;
    }
  }

  #create(): number {
    const made = mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncFolder(dirname(made));
    const name = `${Date.now().toString(36)}-${process.pid}-${randomBytes(4).toString('hex')}${intentFileEnding}`;
    this.#file = join(this.#folder, name);
    this.#descriptor = openSync(this.#file, 'wx', 0o600);
    try {
      for (const note of this.#open.values()) this.#write(this.#descriptor, lineOf({ kind: 'opened', note }), true);
    } catch (error) {
      // A file without all of them must not be continued.
      this.#closeFile();
      throw error;
    }
    return this.#descriptor;
  }

  #beginNewFile(): void {
    const old = this.#file;
    this.#closeFile();
    this.#create();
    this.#syncNow();
    if (old !== undefined) removeFile(old);
  }

  #writeLater(id: string, line: string): void {
    this.#lazy.set(id, line);
    this.#timer ??= setTimeout(() => this.#isFlushed(), lazyMs).unref();
  }

  /** Writes a line after those that have waited for it. */
  #write(descriptor: number, line: string, isMoreToCome = this.#ahead.size > 0): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = [...this.#lazy.values(), line].join('');
    // A partly written line is abandoned; the next one starts after it, on its own line.
    const bytes = Buffer.from(this.#isLineCutOff ? `\n${text}` : text);
    if (this.#position + bytes.length > this.#roomEnd) this.#makeRoom(descriptor, bytes.length, isMoreToCome);
    const position = this.#position;
    this.#position += bytes.length;
    this.#isLineCutOff = true;
    writeWhole(descriptor, bytes, position);
    this.#isLineCutOff = false;
    this.#lazy.clear();
  }

  /**
   * Allocates space at the end of the file, where other processes may have appended lines. The first line takes only
   * what it needs, because most processes write once; `isExpected`: this one will write more.
   */
  #makeRoom(descriptor: number, minBytes: number, isMoreToCome: boolean, isExpected = false): void {
    const { size } = fstatSync(descriptor);
    if (isExpected || (isMoreToCome && size > 0)) {
      const room = Buffer.alloc(roomBytes + minBytes, ' ');
      room.write('\n');
      room.write('\n', room.length - 1);
      writeWhole(descriptor, room, size);
      this.#roomEnd = size + room.length;
    } else if (size > 0) writeWhole(descriptor, Buffer.from('\n'), size);
    this.#position = size === 0 ? 0 : size + 1;
  }

  #closeFile(): void {
    try {
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    } catch {
      // Errors about earlier lines come too late; the lines that matter were synced.
    }
    clearTimeout(this.#timer);
    this.#lazy.clear();
    this.#timer = undefined;
    this.#descriptor = undefined;
    this.#isNameSynced = false;
    this.#file = undefined;
    this.#position = 0;
    this.#roomEnd = 0;
    this.#isLineCutOff = false;
  }
}

/** File name suffix of intent files. */
export const intentFileEnding = '.journal';

/** Removes a file if it still exists. `rmSync` would take longer than everything else at the end of a command. */
export function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}

/** Syncs the names in a folder; Windows does that automatically and has no call for it. */
function syncFolder(folder: string): void {
  if (isWindows()) return;
  using names = opened(folder, 'r');
  fsyncSync(names.fd);
}
