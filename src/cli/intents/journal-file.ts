import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, fdatasyncSync, fstatSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entry, lineOf, type Note } from './note.ts';

/** So much of settled writes is kept before the file begins anew. */
const mostSettledBytes = 1 << 20;

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
  #bytes = 0;
  /** The last append failed halfway: what follows begins on a line of its own. */
  #isTorn = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file, once there is one. */
  get file(): string | undefined {
    return this.#file;
  }

  /** Whether it holds a write whose outcome is not known. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Puts a write down; on disk when this returns. Throws what the system says when it can't be kept. */
  open(note: Note): void {
    const descriptor = this.#current();
    this.#append(descriptor, { kind: 'opened', note });
    fdatasyncSync(descriptor);
    this.#open.set(note.id, note);
  }

  /** Puts down that the outcome of one of its own writes is known. */
  close(id: string): void {
    if (!this.#open.delete(id) || this.#descriptor === undefined) return;
    this.#append(this.#descriptor, { kind: 'closed', id });
    if (this.#open.size === 0 && this.#bytes > mostSettledBytes) this.#remove();
  }

  /** The process ends: a file in which all is settled goes with it. */
  end(): void {
    if (this.#open.size === 0) this.#remove();
    else this.#letGo();
  }

  #append(descriptor: number, entry: Entry): void {
    const line = `${this.#isTorn ? '\n' : ''}${lineOf(entry)}`;
    this.#isTorn = true;
    appendFileSync(descriptor, line);
    this.#isTorn = false;
    this.#bytes += line.length;
  }

  #current(): number {
    // Whoever tidied up may have taken this process for dead, as one in another container does.
    if (this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink === 0) this.#letGo();
    return this.#descriptor ?? this.#create();
  }

  #create(): number {
    const made = mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncFolder(dirname(made));
    const name = `${Date.now().toString(36)}-${process.pid}-${randomBytes(4).toString('hex')}${journalEnding}`;
    this.#file = join(this.#folder, name);
    this.#descriptor = openSync(this.#file, 'ax', 0o600);
    this.#bytes = 0;
    for (const note of this.#open.values()) this.#append(this.#descriptor, { kind: 'opened', note });
    syncFolder(this.#folder);
    return this.#descriptor;
  }

  #remove(): void {
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
    this.#letGo();
  }

  #letGo(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#file = undefined;
    this.#isTorn = false;
  }
}

/** What a journal's name ends with. */
export const journalEnding = '.journal';

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
