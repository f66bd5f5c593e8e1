import { createHash, type Hash } from 'node:crypto';
import { closeSync, fdatasync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { Ms } from '../../exchange/engine/model.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import { compressPart, isCompressed, lockTape, partFile, TapeError } from './parts.ts';
import { resumeTape } from './resume.ts';
import { countLine, emptyPart, openGap, type PartSummary, type Standing, writeSummaries } from './summary.ts';
import { gapLine, lineOf, markOf, type TapeLine } from './tape-lines.ts';

const hourMs = 3_600_000;
const maxPartBytes = 64 * 2 ** 20;
/** Maximum time until a line is safely on disk. */
const syncMs = 30_000;

/** How a tape is split into parts and kept safe. */
export interface TapeOptions {
  now(): Ms;
  /** A new part starts with each hour (UTC), and when the open one reaches this many bytes. Default 64 MiB. */
  partBytes?: number;
  /** Writes bytes from an offset to the end of a file and returns how many; default: node:fs. */
  write?(fd: number, bytes: Buffer, offset: number): number;
  /** A market's current book on the tape; null if it is not available at the moment. */
  standing(marketId: string): Standing | null;
}

/** A reader of a tape that is being written. */
interface TapeListener {
  /** A new part starts; the lines at its start follow. */
  part(number: number): void;
  /** Lines, after they were written. */
  lines(lines: readonly string[]): void;
  /** The tape is writable again after a failure: events in between are missing from it. */
  repaired(): void;
}

/**
 * Writes a tape: a growing recording in parts, each of which is a valid recording. A line gets the time at which it is
 * written, which is later than any time already read, so nothing is ever added to what was played. Every line is passed
 * to the operating system as a whole before it counts; `sync` flushes it to disk.
 */
export class TapeWriter {
  readonly tape: string;
  /** The tape's contents when it was opened. */
  readonly resumed: ReturnType<typeof resumeTape>;
  /** Receives everything written from when it is set. */
  listener: TapeListener | null = null;
  private readonly options: TapeOptions;
  private readonly unlock: () => void;
  private readonly finished: PartSummary[];
  private count: PartSummary;
  /** Of the open part. */
  private hash: Hash = createHash('sha256');
  private fd: number;
  private size: number;
  private lastTime: Ms;
  private sealedTime: Ms = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private isDirty = false;
  private isClosed = false;
  private syncedAt: Ms | null = null;
  private failure: { since: Ms; problem: string } | null = null;
  private compressProblem: string | null = null;
  private readonly compressing = new Set<Promise<void>>();

  /**
   * Creates a tape for writing, or continues an existing one: an incomplete last line is cut off, and markets that were
   * being recorded are in a gap from now on. Throws a TapeError.
   */
  static open(tape: string, options: TapeOptions): TapeWriter {
    const unlock = lockTape(tape);
    try {
      return new TapeWriter(tape, options, unlock);
    } catch (error) {
      unlock();
      if (error instanceof TapeError) throw error;
      throw new TapeError(tape, `can't be written: ${messageOf(error)}`, { cause: error });
    }
  }

  private constructor(tape: string, options: TapeOptions, unlock: () => void) {
    this.tape = tape;
    this.options = options;
    this.unlock = unlock;
    this.resumed = resumeTape(tape);
    const { open, lastTime, finished, plain } = this.resumed;
    this.finished = [...finished];
    this.lastTime = lastTime ?? Number.NEGATIVE_INFINITY;
    const number = open?.count.number ?? finished.length + 1;
    this.fd = openSync(partFile(tape, number, false), 'a', 0o600);
    this.size = open?.bytes ?? 0;
    this.count = open?.count ?? emptyPart(number, options.now());
    try {
      if (this.size > 0) this.hash.update(readFileSync(partFile(tape, number, false)));
      const before = open?.count ?? finished.at(-1);
      if (this.size === 0) this.begin(number, before === undefined ? [] : headerOf(before, () => 'none')!);
      if (before !== undefined) this.endStanding(before);
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
    for (const pending of plain) this.compress(pending);
  }

  /** The status of the writer. */
  get status() {
    return {
      tape: this.tape,
      part: this.count.number,
      /** Bytes of text in the open part, and lines written to the whole tape by this process. */
      partBytes: this.size,
      lines: this.lines,
      /** Time of the last line; null if there is none yet. */
      lastTime: Number.isFinite(this.lastTime) ? this.lastTime : null,
      /** When everything written before it was last known to be on disk. */
      syncedAt: this.syncedAt,
      /** Since when it can't be written; null if it can. */
      failedAt: this.failure?.since ?? null,
      /** The current problem, such as a full disk; null if there is none. */
      problem: this.failure?.problem ?? this.compressProblem,
    };
  }

  /** The contents of the tape so far, part by part. */
  get summaries(): readonly PartSummary[] {
    return [...this.finished, this.count];
  }

  /** Declares that nothing will be added at or before this time. */
  seal(time: Ms): void {
    if (time > this.sealedTime) this.sealedTime = time;
  }

  /**
   * Writes lines, all with the same time, which it returns; null if the tape can't be written, or is closed, and then
   * none of them is on it.
   */
  append(added: readonly TapeLine[]): Ms | null {
    if (this.failure !== null) return null;
    let time = this.nextTime();
    if (this.isPartFull(time) && this.rotate(time)) time = this.nextTime();
    const lines = added.map(({ text }) => lineOf(time, text));
    if (!this.write(lines)) return null;
    for (const [at, content] of added.entries()) countLine(this.count, time, content, Buffer.byteLength(lines[at]!));
    this.lastTime = time;
    this.listener?.lines(lines);
    return time;
  }

  /** Notes that the machine's clock was set by this much. */
  noteJump(ms: Ms): void {
    if (this.failure === null) this.note({ clock_set_ms: ms });
  }

  /** Flushes written lines to disk. */
  async sync(): Promise<void> {
    if (!this.isDirty) return;
    const { fd } = this;
    const at = this.options.now();
    this.isDirty = false;
    await new Promise<void>((resolve) => {
      fdatasync(fd, (error) => {
        // A part that was finished meanwhile was synced when it was closed.
        if (error === null || fd !== this.fd) this.syncedAt = at;
        else this.fail(error);
        resolve();
      });
    });
  }

  /** Call about every second: flushes lines to disk in time, and retries after a failure. */
  tick(): void {
    if (this.failure !== null && !this.isClosed) this.repair();
    else if (this.isDirty && this.options.now() - (this.syncedAt ?? 0) >= syncMs) void this.sync();
  }

  /** Closes the tape: everything is on disk, and the last part is compressed if parts are. */
  async close(): Promise<void> {
    this.endPart();
    this.isClosed = true;
    await this.sync();
    closeSync(this.fd);
    if (isCompressed(this.tape)) this.compress(this.count.number);
    await Promise.all(this.compressing);
    this.keepSummaries();
    this.unlock();
  }

  /** The time of the next line. */
  private nextTime(): Ms {
    return Math.max(this.options.now(), this.lastTime, this.sealedTime + 1);
  }

  private isPartFull(time: Ms): boolean {
    const { partBytes = maxPartBytes } = this.options;
    const isOtherHour = Math.floor(time / hourMs) !== Math.floor(this.count.from / hourMs);
    return this.size >= partBytes || (isOtherHour && this.count.lines > 0);
  }

  /** Starts a new part with the current state; returns false if that is impossible now. */
  private rotate(now: Ms): boolean {
    const header = headerOf(this.count, this.options.standing);
    if (header === null) return false;
    const number = this.count.number + 1;
    if (!this.endPart()) return false;
    const before = { fd: this.fd, size: this.size, count: this.count, hash: this.hash };
    // Later than anything in the part before, so that a time identifies its part.
    this.lastTime = Math.max(now - 1, this.lastTime);
    try {
      this.fd = openSync(partFile(this.tape, number, false), 'wx', 0o600);
      this.size = 0;
      this.hash = createHash('sha256');
      this.begin(number, header);
    } catch (error) {
      // A file that was there already belongs to something else.
      if (this.fd !== before.fd) {
        closeSync(this.fd);
        rmSync(partFile(this.tape, number, false), { force: true });
      }
      Object.assign(this, before);
      this.fail(error);
      return false;
    }
    this.finished.push(before.count);
    this.keepSummaries();
    fdatasync(before.fd, () => closeSync(before.fd));
    if (isCompressed(this.tape)) this.compress(before.count.number);
    return true;
  }

  /** Ends the open part with its hash, which the next part repeats; false if it can't be written now. */
  private endPart(): boolean {
    if (this.failure !== null) return false;
    const sha256 = this.hash.copy().digest('hex');
    if (!this.note({ sha256 })) return false;
    this.count.sha256 = sha256;
    // Even if nothing came for a while: the end of a part is the time when it was closed.
    this.count.to = this.lastTime;
    return true;
  }

  /** Writes the start of a part: the current state, then the mark after which events follow. */
  private begin(number: number, header: readonly TapeLine[] = []): void {
    // The state comes after the last line of the part before, and before the mark: what is read from there on is new.
    const time = Math.max(this.nextTime(), number === 1 ? 0 : this.lastTime + 1);
    const before = number === 1 ? undefined : (this.count.sha256 ?? this.finished.at(-1)?.sha256);
    const lines = [
      ...header.map(({ text }) => lineOf(time - 1, text)),
      markOf(time, { part: number, previous_sha256: before }),
    ];
    const count = emptyPart(number, time);
    for (const [at, one] of header.entries()) countLine(count, time - 1, one, Buffer.byteLength(lines[at]!));
    this.writeAll(lines.join(''));
    this.count = count;
    this.lastTime = time;
    this.listener?.part(number);
    this.listener?.lines(lines);
  }

  /** The recorded markets are unknown since the tape last ended, so their gaps start now. */
  private endStanding({ markets, to }: PartSummary): void {
    const standing = Object.entries(markets).filter(([, market]) => market.books > 0 && openGap(market) === null);
    const gaps = standing.map(([marketId]) => gapLine(marketId, 'restart', to));
    if (gaps.length > 0 && this.append(gaps) === null) throw new TapeError(this.tape, this.failure!.problem);
  }

  /** Writes a line about the tape itself; returns false if it can't be written. */
  private note(facts: Readonly<Record<string, unknown>>): boolean {
    const time = this.nextTime();
    const line = markOf(time, facts);
    if (!this.write([line])) return false;
    this.lastTime = time;
    this.listener?.lines([line]);
    return true;
  }

  private write(lines: readonly string[]): boolean {
    // An answer may come after the end; the next file to be opened gets the same descriptor.
    if (this.isClosed) return false;
    // A closed part is continued: its summary must not state a hash that is gone if this process is killed.
    if (this.count.sha256 !== undefined) {
      delete this.count.sha256;
      this.keepSummaries();
    }
    try {
      this.writeAll(lines.join(''));
      this.lines += lines.length;
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Writes text completely or not at all. */
  private writeAll(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    this.isDirty = true;
    try {
      const { write = writeSync } = this.options;
      for (let done = 0; done < bytes.length; ) done += write(this.fd, bytes, done);
    } catch (error) {
      ftruncateSync(this.fd, this.size);
      throw error;
    }
    this.hash.update(bytes);
    this.size += bytes.length;
  }

  private fail(error: unknown): void {
    this.failure = { since: this.options.now(), problem: problemOf(error) };
  }

  /** Retries writing; if it works, writes a line that tells since when the tape could not be written. */
  private repair(): void {
    const { since, problem } = this.failure!;
    this.failure = null;
    if (this.note({ failed_since: since, problem })) this.listener?.repaired();
    else this.failure = { since, problem: this.failure!.problem };
  }

  private compress(number: number): void {
    const work = compressPart(this.tape, number).then(
      () => {
        this.compressProblem = null;
      },
      (error: unknown) => {
        this.compressProblem = `part ${number} stays uncompressed: ${problemOf(error)}`;
      },
    );
    this.compressing.add(work);
    void work.finally(() => this.compressing.delete(work));
  }

  private keepSummaries(): void {
    try {
      writeSummaries(this.tape, this.summaries);
    } catch {
      // Missing summaries are recreated from the parts.
    }
  }
}

/**
 * The state at the end of a part: every market with its book or its gap; null if a book is not available now. With book
 * `none`, only the market line is written.
 */
function headerOf(
  { markets }: PartSummary,
  standing: (marketId: string) => Standing | 'none' | null,
): TapeLine[] | null {
  const names: TapeLine[] = [];
  const books: TapeLine[] = [];
  for (const [marketId, market] of Object.entries(markets)) {
    names.push({ kind: 'market', marketId, text: market.market });
    const gap = openGap(market);
    const book = gap === null ? standing(marketId) : null;
    if (gap !== null) books.push(gapLine(marketId, gap.reason, gap.from));
    else if (book === null) return null;
    else if (book !== 'none') {
      books.push(book.book);
      if (book.marks != null) books.push(book.marks);
    }
  }
  return [...names, ...books];
}

function problemOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  return messageOf(error);
}
