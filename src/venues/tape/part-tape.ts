import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ms } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketEvent, Tape } from '../../exchange/engine/source.ts';
import { Compiler, type TapeIndex } from '../../exchange/markets/recorded/compile.ts';
import { parseLine } from '../../exchange/markets/recorded/line.ts';
import { RecordedBooks, RecordedTape } from '../../exchange/markets/recorded/recorded-tape.ts';
import { LineProblem, messageOf, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { type TapeExtent, TapeReader, TapeWriter } from '../../exchange/markets/recorded/tape-file.ts';
import { linesIn, type PartFile, textOf } from './parts.ts';

/** One part of a tape, compiled for reading; it may still grow line by line. */
export class PartTape implements TapeExtent {
  readonly fd: number;
  isClosed = false;
  private readonly file: string;
  private readonly writer: TapeWriter;
  private readonly compiler: Compiler;
  private readonly books = new Map<string, RecordedBooks>();
  /** Shared by all its books, which copy what they read. */
  private readonly reader = new TapeReader(this, true);
  private lineNumber = 0;

  /** Errors name `file`. The compiled form is a private temporary file. */
  constructor(file: string) {
    this.file = file;
    this.fd = openScratch();
    this.writer = new TapeWriter(this.fd);
    this.compiler = new Compiler(this.writer, true);
  }

  get words(): number {
    this.writer.flush();
    return this.writer.words;
  }

  get index(): TapeIndex {
    return this.compiler.index;
  }

  /** Compiles a line; throws a RecordingError that names it. */
  take(line: string): void {
    this.lineNumber += 1;
    try {
      this.compiler.take(parseLine(line), this.lineNumber);
    } catch (error) {
      if (error instanceof LineProblem) throw new RecordingError(this.file, this.lineNumber, error.message);
      throw error;
    }
  }

  /** A market's book as of a time; null: the part has none. */
  book(marketId: string, time: Ms): BookSnapshot | null {
    let books = this.books.get(marketId);
    if (books === undefined) {
      const market = this.index.definitions.findIndex((definition) => definition.marketId === marketId);
      if (market < 0) return null;
      books = new RecordedBooks(this.index, this.reader, market);
      this.books.set(marketId, books);
    }
    return books.at(time);
  }

  open(from: Ms): RecordedTape {
    return new RecordedTape(this.index, new TapeReader(this), from);
  }

  has(marketId: string): boolean {
    return this.index.definitions.some((definition) => definition.marketId === marketId);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    closeSync(this.fd);
  }
}

/** Compiles a part's file piece by piece, without blocking the process. */
export class PartCompile {
  readonly tape: PartTape;
  private readonly text: Buffer;
  private readonly lines: Generator<[at: number, end: number]>;

  /** Throws a RecordingError for a file that can't be read. */
  constructor(part: PartFile) {
    try {
      this.text = textOf(part);
    } catch (error) {
      throw new RecordingError(part.file, null, `can't be read: ${messageOf(error)}`, { cause: error });
    }
    this.lines = linesIn(this.text);
    this.tape = new PartTape(part.file);
  }

  /** Compiles up to this many more lines; true after the last one. An incomplete last line is ignored. */
  step(lines = Number.POSITIVE_INFINITY): boolean {
    for (let count = 0; count < lines; count += 1) {
      const { value, done } = this.lines.next();
      if (done === true) return true;
      this.tape.take(this.text.toString('utf8', ...value));
    }
    return false;
  }
}

/** An empty, unnamed file; deleted when it is closed or the process ends. */
function openScratch(): number {
  mkdirSync(tmpdir(), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'perp-tape-'));
  try {
    return openSync(join(folder, 'part'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The parts of a tape, as a cursor needs them. */
export interface PartsInOrder {
  /** When the part at an index starts; null if there is none. */
  fromOf(at: number): Ms | null;
  /** The index of the part that contains this time; 0 for times before the first. */
  placeOf(time: Ms): number;
  part(at: number): PartTape;
  /** Everything up to this time has been read: nothing may be added there. */
  seal(time: Ms): void;
}

/** A cursor over the events of a tape, across its parts. Markets may appear while it is watching. */
export class TapeCursor implements Tape {
  /** When it was last used, by the clock that it was given. */
  usedAt: Ms;
  private readonly parts: PartsInOrder;
  private readonly now: () => Ms;
  private readonly watched = new Set<string>();
  /** Watched markets that do not occur in the current part yet. */
  private unknown: string[] = [];
  private position: Ms;
  private place: number;
  private part: PartTape | null = null;
  private tape: RecordedTape | null = null;

  constructor(parts: PartsInOrder, from: Ms, now: () => Ms) {
    this.parts = parts;
    this.now = now;
    this.usedAt = now();
    this.position = from;
    this.place = parts.placeOf(from);
    parts.seal(from);
  }

  /** The markets that it watches. */
  get markets(): ReadonlySet<string> {
    return this.watched;
  }

  watch(marketId: string, on: boolean): void {
    if (on === this.watched.has(marketId)) return;
    if (on) this.watched.add(marketId);
    else this.watched.delete(marketId);
    const place = this.parts.placeOf(this.position);
    if (this.tape === null || place !== this.place) this.seek(place, this.position);
    else if (this.part!.has(marketId)) this.tape.watch(marketId, on);
    else this.unknown = [...this.watched].filter((id) => !this.part!.has(id));
  }

  peek(until: Ms): Ms | null {
    this.parts.seal(until);
    while (this.watched.size > 0) {
      const time = this.current().peek(until);
      if (time !== null) return time;
      if (!this.goOn(until)) return null;
    }
    return null;
  }

  next(until: Ms): MarketEvent | null {
    this.parts.seal(until);
    while (this.watched.size > 0) {
      const event = this.current().next(until);
      if (event !== null) {
        this.position = event.time;
        return event;
      }
      if (!this.goOn(until)) break;
    }
    if (until > this.position) this.position = until;
    return null;
  }

  /** The cursor within the current part, for the watched markets that occur in it. */
  private current(): RecordedTape {
    this.usedAt = this.now();
    if (this.tape === null || this.part!.isClosed) this.seek(this.parts.placeOf(this.position), this.position);
    if (this.unknown.length > 0) {
      const known = this.unknown.filter((marketId) => this.part!.has(marketId));
      for (const marketId of known) this.tape!.watch(marketId, true);
      if (known.length > 0) this.unknown = this.unknown.filter((marketId) => !known.includes(marketId));
    }
    return this.tape!;
  }

  /** Moves to the next part if it has anything at or before `until`; the current part has nothing more. */
  private goOn(until: Ms): boolean {
    const from = this.parts.fromOf(this.place + 1);
    if (from === null || from > until) return false;
    // Everything in the part before is earlier than `from`; the state at the start of this part is not new.
    this.seek(this.place + 1, Math.max(this.position, from - 1));
    return true;
  }

  private seek(place: number, from: Ms): void {
    this.place = place;
    this.part = this.parts.part(place);
    this.tape = this.part.open(from);
    this.unknown = [];
    for (const marketId of this.watched) {
      if (this.part.has(marketId)) this.tape.watch(marketId, true);
      else this.unknown.push(marketId);
    }
  }
}
