import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Ms } from '../../../engine/model.ts';
import type { BookSnapshot } from '../../../engine/source.ts';
import { Compiler, type TapeIndex } from '../../recorded/compile.ts';
import { parseLine } from '../../recorded/line.ts';
import { RecordedBooks, RecordedTape } from '../../recorded/recorded-tape.ts';
import { LineProblem, messageOf, RecordingError } from '../../recorded/recording-error.ts';
import { type TapeExtent, TapeReader, TapeWriter } from '../../recorded/tape-file.ts';
import type { PartFile } from './parts.ts';

const newline = 10;

/** One part of a tape, compiled for reading; it may still grow line by line. */
export class PartTape implements TapeExtent {
  readonly fd: number;
  isClosed = false;
  private readonly file: string;
  private readonly writer: TapeWriter;
  private readonly compiler: Compiler;
  private readonly books = new Map<string, RecordedBooks>();
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
      books = new RecordedBooks(this.index, new TapeReader(this), market);
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
  private at = 0;

  /** Throws a RecordingError for a file that can't be read. */
  constructor({ file, isGzip }: PartFile) {
    try {
      const bytes = readFileSync(file);
      this.text = isGzip ? gunzipSync(bytes) : bytes;
    } catch (error) {
      throw new RecordingError(file, null, `can't be read: ${messageOf(error)}`, { cause: error });
    }
    this.tape = new PartTape(file);
  }

  /** Compiles up to this many more lines; true after the last one. An incomplete last line is ignored. */
  step(lines = Number.POSITIVE_INFINITY): boolean {
    for (let count = 0; count < lines; count += 1) {
      const end = this.text.indexOf(newline, this.at);
      if (end < 0) return true;
      this.tape.take(this.text.toString('utf8', this.at, end));
      this.at = end + 1;
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
