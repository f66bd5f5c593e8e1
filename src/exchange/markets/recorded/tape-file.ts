import { readSync, writeSync } from 'node:fs';
import type { VenueMarks } from '../../engine/source.ts';
import type { PrintSum } from '../bars.ts';

/**
 * A compiled recording: one record after another. Every number is a 64-bit float in the machine's own byte order (it is
 * a cache, not a format to exchange), so an event's levels are read in place. The minutes of every market
 * (`writeMinutes`) and a JSON footer follow.
 *
 * A record starts with its kind and market number (kind + 16 x market), its length in words, its time and its line
 * number. For books, deltas and checkpoints, the numbers of bids and of asks follow, then all levels as price, size.
 * For prints: price, size, 1 (buy) or -1 (sell), and when it was made. For gaps: the number of their reason, and when
 * the last data before came. For ends of gaps: their prints, and the number of what is known. For a venue's own prices:
 * mark and index in halves of a price unit, funding rate, its hours, and when it is charged next; NaN where not known.
 * A checkpoint ends with two more levels of size 0: the prices down to which its bids and its asks are known; the
 * venue's own prices follow. A market in a gap has the start of that gap instead of a checkpoint.
 */
export const recordKind = {
  book: 1,
  delta: 2,
  print: 3,
  checkpoint: 4,
  marks: 5,
  marksCheckpoint: 6,
  gap: 7,
  gapEnd: 8,
  gapCheckpoint: 9,
} as const;

/** A record's first word is its kind plus this many times its market's number. */
export const kinds = 16;

/** Whether a record repeats the state, so that reading can start there; it is not an event. */
export function isCheckpoint(kind: number): boolean {
  const { checkpoint, marksCheckpoint, gapCheckpoint } = recordKind;
  return kind === checkpoint || kind === marksCheckpoint || kind === gapCheckpoint;
}

/** Words that every record begins with, and of a compiled book before its levels. */
const headWords = 4;
const bookHeaderWords = 6;
/** Words that say how far a compiled book is known. */
export const knownToWords = 4;

const wordBytes = 8;
const chunkWords = 2 ** 16;
/** A tape of at most this many words, 16 MB, is read at once. */
const smallWords = 2 ** 21;

/** Appends records to a file. */
export class TapeWriter {
  /** Words written so far: the offset of the next record. */
  words = 0;
  private readonly fd: number;
  private chunk = new Float64Array(chunkWords);
  private filled = 0;

  constructor(fd: number) {
    this.fd = fd;
  }

  /** Appends a record of a market that came at a time, in a line; returns its room, and where it continues there. */
  record(
    [kind, market, time, line]: readonly [kind: keyof typeof recordKind, market: number, time: number, line: number],
    values: readonly number[],
    more = 0,
  ): { room: Float64Array; at: number } {
    const length = headWords + values.length + more;
    const { room, at } = this.reserve(length);
    room.set([recordKind[kind] + kinds * market, length, time, line, ...values], at);
    return { room, at: at + length - more };
  }

  /** Reserves `length` words for a record: write it to `room` before the next call. */
  reserve(length: number): { room: Float64Array; at: number } {
    if (this.filled + length > this.chunk.length) this.flush();
    if (length > this.chunk.length) this.chunk = new Float64Array(length);
    const at = this.filled;
    this.filled += length;
    this.words += length;
    return { room: this.chunk, at };
  }

  /** Flushes the buffer. */
  flush(): void {
    if (this.filled === 0) return;
    writeFully(this.fd, Buffer.from(this.chunk.buffer, 0, this.filled * wordBytes));
    this.filled = 0;
  }

  /** Ends the file with a footer; TapeReader.footer finds it. */
  finish(footer: string): void {
    this.flush();
    const text = Buffer.from(footer, 'utf8');
    writeFully(this.fd, text);
    const trailer = new Float64Array([this.words, text.length, magic]);
    writeFully(this.fd, Buffer.from(trailer.buffer));
  }
}

/** A file of records; its number of words may grow. */
export interface TapeExtent {
  readonly fd: number;
  readonly words: number;
  /** All words of a small tape that stays as it is. */
  readonly whole?: () => Float64Array<ArrayBuffer>;
}

/** A tape that stays as it is. A small one is read once, for all its readers. */
export function finishedTape({ fd, words }: TapeExtent): TapeExtent {
  if (words > smallWords) return { fd, words };
  let whole: Float64Array<ArrayBuffer> | undefined;
  const read = () => {
    whole ??= readWords(fd, 0, new Float64Array(words));
    return whole;
  };
  return { fd, words, whole: read };
}

/** Reads records at any offset; each reader has its own window onto the file. */
export class TapeReader {
  /** The window; views into it stay valid, unless the reader overwrites it. */
  words = new Float64Array(0);
  /** Offset in `words` of the loaded record. */
  at = 0;
  private readonly tape: TapeExtent;
  private start = 0;
  /** The overwritten window; null if every window is new. */
  private room: Float64Array<ArrayBuffer> | null;

  /** `overwrites`: its views are valid until the next record is loaded. */
  constructor(tape: TapeExtent, overwrites = false) {
    this.tape = tape;
    this.room = overwrites ? new Float64Array(0) : null;
  }

  /** Loads the record at word `offset` into the window; false at the end of the records. */
  load(offset: number): boolean {
    if (offset >= this.tape.words) return false;
    const at = offset - this.start;
    if (at >= 0 && at + 2 <= this.words.length && at + this.words[at + 1]! <= this.words.length) {
      this.at = at;
      return true;
    }
    if (this.tape.whole !== undefined) {
      this.words = this.tape.whole();
      this.at = offset;
      return true;
    }
    this.fill(offset, chunkWords);
    if (this.words[1]! > this.words.length) this.fill(offset, this.words[1]!);
    this.at = 0;
    return true;
  }

  /** Flat levels of the book, delta or checkpoint last loaded. */
  bids(): Float64Array {
    const from = this.at + bookHeaderWords;
    return this.words.subarray(from, from + 2 * this.words[this.at + 4]!);
  }

  asks(): Float64Array {
    const from = this.at + bookHeaderWords + 2 * this.words[this.at + 4]!;
    return this.words.subarray(from, from + 2 * this.words[this.at + 5]!);
  }

  /** The prices down to which the bids and asks of the checkpoint last loaded are known. */
  knownTo(): [bids: number, asks: number] {
    const end = this.at + this.words[this.at + 1]!;
    return [this.words[end - knownToWords]!, this.words[end - knownToWords + 2]!];
  }

  /** The venue's own prices last loaded. */
  marks(): VenueMarks {
    const { words, at } = this;
    const known = (place: number) => (Number.isNaN(words[at + place]!) ? null : words[at + place]!);
    return {
      time: words[at + 2]!,
      mark: words[at + 4]!,
      index: known(5),
      fundingRate: known(6),
      fundingHours: known(7),
      nextFundingAt: known(8),
    };
  }

  private fill(offset: number, length: number): void {
    const count = Math.min(length, this.tape.words - offset);
    if (this.room !== null && this.room.length < count) this.room = new Float64Array(Math.max(count, chunkWords));
    this.words = readWords(this.tape.fd, offset, this.room?.subarray(0, count) ?? new Float64Array(count));
    this.start = offset;
  }
}

/** Fills words from an offset of a file that a TapeWriter wrote. */
function readWords(fd: number, offset: number, words: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  readFully(fd, new Uint8Array(words.buffer, words.byteOffset, words.byteLength), offset * wordBytes);
  return words;
}

/** The footer's text of a finished tape of `bytes` bytes; null if the tape is not finished. */
export function readFooter(fd: number, bytes: number): string | null {
  const trailer = new Float64Array(3);
  if (bytes < trailer.byteLength) return null;
  readFully(fd, new Uint8Array(trailer.buffer), bytes - trailer.byteLength);
  const [words, length, mark] = [trailer[0]!, trailer[1]!, trailer[2]!];
  if (mark !== magic || words * wordBytes + length + trailer.byteLength !== bytes) return null;
  const text = Buffer.alloc(length);
  readFully(fd, text, words * wordBytes);
  return text.toString('utf8');
}

/** Multiplies the prices of records: `factorAt` gives a record's factor by its offset and market. */
export function rescalePrices(fd: number, words: number, factorAt: (offset: number, market: number) => number): void {
  const reader = new TapeReader({ fd, words });
  for (let offset = 0; reader.load(offset); offset += reader.words[reader.at + 1]!) {
    const record = reader.words.slice(reader.at, reader.at + reader.words[reader.at + 1]!);
    const kind = record[0]! % kinds;
    const factor = factorAt(offset, Math.floor(record[0]! / kinds));
    if (factor === 1 || kind >= recordKind.gap) continue;
    const isMarks = kind === recordKind.marks || kind === recordKind.marksCheckpoint;
    const [from, to, step] = isMarks
      ? [4, 6, 1]
      : kind === recordKind.print
        ? [4, 5, 1]
        : [bookHeaderWords, record.length, 2];
    for (let i = from; i < to; i += step) record[i] = record[i]! * factor;
    writeFully(fd, Buffer.from(record.buffer), offset * wordBytes);
  }
}

/** Raised when the layout changes; older caches are then recompiled. */
const magic = 0x70_65_72_70_05;

function readFully(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(fd, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error('the compiled recording ends early');
    done += read;
  }
}

function writeFully(fd: number, bytes: Uint8Array, position?: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(fd, bytes, done, bytes.length - done, position === undefined ? null : position + done);
  }
}

/** Where a compiled tape stores one market's minutes: after its records. */
export interface MinutePlace {
  offset: number;
  count: number;
}

const wordsOfSum = 9;
/** A sum of price x size may not fit into one 64-bit float; it is stored exactly in two. */
const half = 2n ** 53n;

/** Appends the minutes of a market. */
export function writeMinutes(tape: TapeWriter, minutes: readonly PrintSum[]): MinutePlace {
  const place = { offset: tape.words, count: minutes.length };
  for (const { time, open, high, low, close, volume, quoteVolume, count } of minutes) {
    const { room, at } = tape.reserve(wordsOfSum);
    const [upper, lower] = [Number(quoteVolume / half), Number(quoteVolume % half)];
    room.set([time, open, high, low, close, volume, upper, lower, count], at);
  }
  return place;
}

/** Reads the minutes of a market as they were written. */
export function readMinutes(tape: TapeExtent, { offset, count }: MinutePlace): PrintSum[] {
  const words = readWords(tape.fd, offset, new Float64Array(wordsOfSum * count));
  return Array.from({ length: count }, (_, index) => {
    const [time, open, high, low, close, volume, upper, lower, prints] = words.subarray(wordsOfSum * index);
    const quoteVolume = BigInt(upper!) * half + BigInt(lower!);
    return {
      time: time!,
      open: open!,
      high: high!,
      low: low!,
      close: close!,
      volume: volume!,
      quoteVolume,
      count: prints!,
    };
  });
}
