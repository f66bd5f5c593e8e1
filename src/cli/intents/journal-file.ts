import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entry, lineOf, type Note } from './note.ts';

/** So much of settled writes is kept before the file begins anew. */
const mostSettledBytes = 1 << 20;
/** Room that is made at once: writing where the file is long already takes a third less time to reach the disk. */
const roomBytes = 1 << 18;

/**
 * The journal of one process: a file of its own below a folder, so that no two processes ever wait for, or overwrite,
 * each other. A line is on disk when `open` returns, and so is the file's name. Closing is not waited for: a line that a
 * power failure takes back leaves a write open that is settled again, with the same result.
 */
export class JournalFile {
  readonly #folder: string;
  readonly #open = new Map<string, Note>();
  #file: string | undefined;
  #descriptor: number | undefined;
  #isSynced = true;
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

  /** Puts a write down; on disk when this returns. Throws what the system says when it can't be kept. */
  open(note: Note): void {
    this.openAhead(note);
    this.sync();
  }

  /** Puts a write down; on disk after the next `sync`. */
  openAhead(note: Note): void {
    // Whoever tidied up may have taken this process for dead, as one in another container does.
    if (this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink === 0) this.#letGo();
    this.#isSynced = false;
    this.#write(this.#descriptor ?? this.#create(), { kind: 'opened', note });
    this.#open.set(note.id, note);
  }

  /** Waits until all that was put down is on disk. */
  sync(): void {
    if (this.#isSynced || this.#descriptor === undefined) return;
    fdatasyncSync(this.#descriptor);
    this.#isSynced = true;
  }

  /** Puts down that a write put down ahead leaves now. Whoever kills the process does not take this line back. */
  release(id: string): void {
    if (this.#open.has(id) && this.#descriptor !== undefined) this.#write(this.#descriptor, { kind: 'released', id });
  }

  /** Puts down that one of its own writes is answered: known to this process, and to nobody should it end now. */
  answer(id: string): void {
    if (this.#open.has(id) && this.#descriptor !== undefined) this.#write(this.#descriptor, { kind: 'answered', id });
  }

  /** Puts down that what came of one of its own writes is known for good. */
  close(id: string): void {
    if (!this.#open.delete(id) || this.#descriptor === undefined) return;
    this.#write(this.#descriptor, { kind: 'closed', id });
    if (this.#open.size === 0 && this.#position > mostSettledBytes) this.#remove();
  }

  /** The process ends: a file in which all is settled goes with it. */
  end(): void {
    if (this.#open.size === 0) this.#remove();
    else this.#letGo();
  }

  #create(): number {
    const made = mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncFolder(dirname(made));
    const name = `${Date.now().toString(36)}-${process.pid}-${randomBytes(4).toString('hex')}${journalEnding}`;
    this.#file = join(this.#folder, name);
    this.#descriptor = openSync(this.#file, 'wx', 0o600);
    this.#position = 0;
    this.#roomEnd = 0;
    for (const note of this.#open.values()) this.#write(this.#descriptor, { kind: 'opened', note });
    syncFolder(this.#folder);
    return this.#descriptor;
  }

  #write(descriptor: number, entry: Entry): void {
    const line = Buffer.from(lineOf(entry));
    if (this.#position + line.length > this.#roomEnd) this.#makeRoom(descriptor, entry, line.length);
    const position = this.#position;
    // A line that fails halfway is left behind; the next one begins after it.
    this.#position += line.length;
    writeWhole(descriptor, line, position);
  }

  /**
   * Room at the end of the file, where others may have put lines of their own by now. The first line takes what it
   * needs, and so does a closing line after it: most processes write once.
   */
  #makeRoom(descriptor: number, { kind }: Entry, leastBytes: number): void {
    const { size } = fstatSync(descriptor);
    if (kind === 'opened' && size > 0) {
      const room = Buffer.alloc(roomBytes + leastBytes, ' ');
      room.write('\n');
      room.write('\n', room.length - 1);
      writeWhole(descriptor, room, size);
      this.#roomEnd = size + room.length;
    } else if (size > 0) writeWhole(descriptor, Buffer.from('\n'), size);
    this.#position = size === 0 ? 0 : size + 1;
  }

  #remove(): void {
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
    this.#letGo();
  }

  #letGo(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#file = undefined;
  }
}

/** What a journal's name ends with. */
export const journalEnding = '.journal';

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
