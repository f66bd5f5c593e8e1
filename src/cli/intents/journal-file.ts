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
import { type Entry, lineOf, type Note } from './note.ts';

/** A file that has grown so long begins anew with what in it is still open. */
const mostBytes = 1 << 20;
/** Room that is made at once: writing where the file is long already takes a third less time to reach the disk. */
const roomBytes = 1 << 18;
/** With so many put down ahead and not on disk, they are brought there. */
const manyUnsynced = 8;
/** What is settled may be told a little later, with the next line. */
const lazyMs = 1_000;

/**
 * The journal of one process: a file of its own below a folder, so that no two processes ever wait for, or overwrite,
 * each other. An opened write is on disk before it leaves, and so is the file's name. What settles it is not waited for:
 * whoever kills the process, or the power, before that is written leaves a write open that is settled again, with the
 * same result.
 */
export class JournalFile {
  readonly #folder: string;
  readonly #open = new Map<string, Note>();
  /** Lines to be written with the next one, by the write they are about. */
  readonly #lazy = new Map<string, 'answered' | 'closed'>();
  #timer: NodeJS.Timeout | undefined;
  #file: string | undefined;
  #descriptor: number | undefined;
  /** How many writes were put down so far, and how many of those are on disk; which are not. */
  #opened = 0;
  #synced = 0;
  readonly #unsynced = new Map<string, number>();
  #isSyncing = false;
  /** Where the next line goes, and where the room for lines ends. */
  #position = 0;
  #roomEnd = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file, once there is one. */
  get file(): string | undefined {
    return this.#file;
  }

  /** Of the notes in it whose outcome is not known. */
  get openIds(): Iterable<string> {
    return this.#open.keys();
  }

  /** Puts a write down; on disk when this returns. Throws what the system says when it can't be kept, and keeps nothing. */
  open(note: Note): void {
    try {
      this.#put(note);
      this.syncFor(note.id);
    } catch (error) {
      this.close(note.id);
      throw error;
    }
  }

  /** Puts a write down before its turn comes; `syncFor` waits until it is on disk. */
  openAhead(note: Note): void {
    this.#put(note);
    if (this.#opened - this.#synced >= manyUnsynced) this.#syncBeside();
  }

  #put(note: Note): void {
    // Whoever tidied up may have taken this process for dead, as one in another container does.
    if (this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink === 0) this.#letGo();
    if (this.#position > mostBytes && this.#position > this.#open.size * 4_096) this.#beginAnew();
    this.#write(this.#descriptor ?? this.#create(), { kind: 'opened', note });
    this.#open.set(note.id, note);
    this.#unsynced.set(note.id, ++this.#opened);
  }

  /** Waits until a write is on disk, and with it all that were put down before. */
  syncFor(id: string): void {
    if (this.#descriptor === undefined || !this.#unsynced.has(id)) return;
    fdatasyncSync(this.#descriptor);
    this.#areSynced(this.#opened);
  }

  /** Brings what is put down to disk while others work, so that nobody has to wait for it. */
  #syncBeside(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined || this.#isSyncing) return;
    const upTo = this.#opened;
    this.#isSyncing = true;
    fdatasync(descriptor, (error) => {
      this.#isSyncing = false;
      if (error === null && descriptor === this.#descriptor) this.#areSynced(upTo);
    });
  }

  #areSynced(upTo: number): void {
    this.#synced = Math.max(this.#synced, upTo);
    for (const [id, number] of this.#unsynced) if (number <= upTo) this.#unsynced.delete(id);
  }

  /** Puts down that a write put down ahead leaves now. Whoever kills the process does not take this line back. */
  release(id: string): void {
    const note = this.#open.get(id);
    if (note === undefined || this.#descriptor === undefined) return;
    const { ahead: _, ...released } = note;
    this.#open.set(id, released);
    this.#write(this.#descriptor, { kind: 'released', id });
  }

  /** Puts down that one of its own writes is answered: known to this process, and to nobody should it end now. */
  answer(id: string): void {
    if (this.#open.has(id)) this.#writeLater(id, 'answered');
  }

  /** Puts down that what came of one of its own writes is known for good. */
  close(id: string): void {
    if (this.#open.delete(id)) this.#writeLater(id, 'closed');
  }

  /** Writes now what was to be written with the next line. */
  flush(): void {
    if (this.#lazy.size > 0 && this.#descriptor !== undefined)
      this.#writeText(this.#descriptor, this.#takeLazy(), false);
  }

  /**
   * The process ends: a file in which all is settled goes with it. When the disk does not let it, nothing is lost: what is
   * settled is settled again by whoever finds it open.
   */
  end(): void {
    try {
      if (this.#open.size > 0) this.flush();
      else if (this.#file !== undefined) removeFile(this.#file);
    } catch {
      this.#tryFlush();
    }
    this.#letGo();
  }

  #tryFlush(): void {
    try {
      this.flush();
    } catch {
      // It was tried.
    }
  }

  #create(): number {
    const made = mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncFolder(dirname(made));
    const name = `${Date.now().toString(36)}-${process.pid}-${randomBytes(4).toString('hex')}${journalEnding}`;
    this.#file = join(this.#folder, name);
    this.#descriptor = openSync(this.#file, 'wx', 0o600);
    for (const note of this.#open.values()) this.#write(this.#descriptor, { kind: 'opened', note });
    syncFolder(this.#folder);
    return this.#descriptor;
  }

  #beginAnew(): void {
    const old = this.#file;
    this.#letGo();
    fdatasyncSync(this.#create());
    this.#areSynced(this.#opened);
    if (old !== undefined) removeFile(old);
  }

  #writeLater(id: string, kind: 'answered' | 'closed'): void {
    this.#lazy.set(id, kind);
    this.#timer ??= setTimeout(() => this.flush(), lazyMs).unref();
  }

  #write(descriptor: number, entry: Entry): void {
    this.#writeText(descriptor, this.#takeLazy() + lineOf(entry), entry.kind === 'opened');
  }

  #takeLazy(): string {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = [...this.#lazy].map(([id, kind]) => lineOf({ kind, id }));
    this.#lazy.clear();
    return lines.join('');
  }

  #writeText(descriptor: number, text: string, isMoreToCome: boolean): void {
    const bytes = Buffer.from(text);
    if (this.#position + bytes.length > this.#roomEnd) this.#makeRoom(descriptor, bytes.length, isMoreToCome);
    const position = this.#position;
    // A line that fails halfway is left behind; the next one begins after it.
    this.#position += bytes.length;
    writeWhole(descriptor, bytes, position);
  }

  /**
   * Room at the end of the file, where others may have put lines of their own by now. The first line takes what it
   * needs: most processes write once.
   */
  #makeRoom(descriptor: number, leastBytes: number, isMoreToCome: boolean): void {
    const { size } = fstatSync(descriptor);
    if (isMoreToCome && size > 0) {
      const room = Buffer.alloc(roomBytes + leastBytes, ' ');
      room.write('\n');
      room.write('\n', room.length - 1);
      writeWhole(descriptor, room, size);
      this.#roomEnd = size + room.length;
    } else if (size > 0) writeWhole(descriptor, Buffer.from('\n'), size);
    this.#position = size === 0 ? 0 : size + 1;
  }

  #letGo(): void {
    try {
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    } catch {
      // What it says of earlier lines comes too late; those that matter were synced.
    }
    clearTimeout(this.#timer);
    this.#lazy.clear();
    this.#timer = undefined;
    this.#descriptor = undefined;
    this.#file = undefined;
    this.#position = 0;
    this.#roomEnd = 0;
  }
}

/** What a journal's name ends with. */
export const journalEnding = '.journal';

/** Removes a file, unless somebody else did: `rmSync` takes longer than all else at the end of a command. */
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

/** Makes names in a folder last; Windows does that by itself and has no way to ask. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
