import { closeSync, openSync } from 'node:fs';
import type { MarketDefinition } from '../../engine/model.ts';
import type { VenueMarks } from '../../engine/source.ts';
import { powersOfTen } from './decimal-text.ts';
import {
  type BookLine,
  type GapEndLine,
  type GapLine,
  type GapReason,
  gapReasons,
  historiesKnown,
  type Line,
  parseLine,
  type TradeLine,
} from './line.ts';
import { LineFile } from './lines.ts';
import { MarketCompiler } from './market-compiler.ts';
import { LineProblem, quoted, RecordingError } from './recording-error.ts';
import { knownToWords, type MinutePlace, rescalePrices, TapeWriter, writeMinutes } from './tape-file.ts';

/**
 * Full books of every market are added to the tape after this many words, and at least four times the size of such a
 * set.
 */
const wordsBetweenCheckpoints = 2 ** 16;

/** Identifies a file and its version without reading it. */
export interface FileStamp {
  /** The version of the compiled form. */
  format: number;
  size: number;
  changedMs: number;
}

/** Facts about a recording that was read to its end: the footer of its compiled tape. */
export interface RecordingFacts {
  stamp: FileStamp;
  /** SHA-256 of the file as stored on disk, in hex. */
  fingerprint: string;
  firstTime: number;
  lastTime: number;
  definitions: MarketDefinition[];
  /** The sets of full books: their word offsets and times. */
  checkpoints: { offset: number; time: number }[];
  /** Ids of the markets with their venue's own prices. */
  marked: string[];
  /** Lots printed per time bin (VolumeCount), for each market. */
  volumes: [number, number][][];
  /** Number of words of records. */
  words: number;
  /** Where the tape stores each market's minutes. */
  minutes: MinutePlace[];
}

/**
 * Reads a recording to its end, checks every line, and writes the compiled tape to `tapeFile`, overwriting it. Throws a
 * RecordingError at the first problem; the tape is then unusable.
 */
export async function compileRecording(file: string, stamp: FileStamp, tapeFile: string): Promise<RecordingFacts> {
  const fd = openSync(tapeFile, 'w+', 0o600);
  try {
    const compiler = new Compiler(new TapeWriter(fd));
    const source = new LineFile(file);
    for await (const text of source.lines()) {
      try {
        compiler.take(parseLine(text), source.lineNumber);
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        const advice = compiler.markets.size === 0 ? ". perp sim import converts a venue's recording" : '';
        throw new RecordingError(file, source.lineNumber, `${error.message.replace(/\.$/, '')}${advice}`);
      }
    }
    if (compiler.markets.size === 0)
      throw new RecordingError(file, null, 'the recording is empty: no line names a market');
    return compiler.finish(fd, stamp, source.fingerprint());
  } finally {
    closeSync(fd);
  }
}

/** The known parts of a tape while it is being compiled; both lists grow. */
export type TapeIndex = Pick<RecordingFacts, 'definitions' | 'checkpoints'>;

/** Compiles a recording line by line. */
export class Compiler {
  readonly markets = new Map<string, { index: number; market: MarketCompiler }>();
  readonly index: TapeIndex = { definitions: [], checkpoints: [] };
  /** Time of the last line taken. */
  lastTime = 0;
  private readonly tape: TapeWriter;
  private readonly isRead: boolean;
  private firstTime: number | null = null;
  private sinceCheckpoint = 0;

  /**
   * `isRead`: the tape is read while it is being compiled. The price unit of a market line is then final, and a finer
   * price is an error.
   */
  constructor(tape: TapeWriter, isRead = false) {
    this.tape = tape;
    this.isRead = isRead;
  }

  take(line: Line, lineNumber: number): void {
    if (line.time < this.lastTime) {
      throw new LineProblem(`time goes backwards: ${line.time} after ${this.lastTime}`);
    }
    this.firstTime ??= line.time;
    if (this.sinceCheckpoint >= wordsBetweenCheckpoints) this.checkpoint();
    this.lastTime = line.time;
    if (line.kind === 'tape') return;
    if (line.kind === 'market') {
      const earlier = this.markets.get(line.marketId);
      if (earlier !== undefined) {
        earlier.market.redefine(line);
        this.index.definitions[earlier.index] = earlier.market.definition();
        return;
      }
      const market = new MarketCompiler(line, this.isRead);
      this.markets.set(line.marketId, { index: this.markets.size, market });
      this.index.definitions.push(market.definition());
      return;
    }
    const known = this.markets.get(line.marketId);
    if (known === undefined) throw new LineProblem(`no market line for ${quoted(line.marketId)} before this line`);
    const before = this.tape.words;
    if (line.kind === 'trade') this.takeTrade(line, lineNumber, known);
    else if (line.kind === 'gap') this.takeGap(line, lineNumber, known);
    else if (line.kind === 'gapEnd') this.takeGapEnd(line, lineNumber, known);
    else if (line.kind === 'marks') this.writeMarks('marks', known.index, lineNumber, known.market.takeMarks(line));
    else this.takeBook(line, lineNumber, known);
    this.sinceCheckpoint += this.tape.words - before;
  }

  finish(fd: number, stamp: FileStamp, fingerprint: string): RecordingFacts {
    const markets = [...this.markets.values()].map(({ market }) => market);
    const { words } = this.tape;
    this.tape.flush();
    if (markets.some(({ refined }) => refined.length > 1)) {
      rescalePrices(fd, words, (offset, index) => {
        const { refined, priceDecimals } = markets[index]!;
        const then = refined.findLast((change) => change.offset <= offset)!;
        return powersOfTen[priceDecimals - then.decimals]!;
      });
    }
    const facts = {
      stamp,
      fingerprint,
      firstTime: this.firstTime!,
      lastTime: this.lastTime,
      definitions: markets.map((market) => market.definition()),
      checkpoints: this.index.checkpoints,
      marked: markets.filter(({ isMarked }) => isMarked).map((market) => market.definition().marketId),
      volumes: markets.map((market) => market.volume.entries()),
      words,
      minutes: markets.map((market) => writeMinutes(this.tape, market.minutes.sums)),
    };
    this.tape.finish(JSON.stringify(facts));
    return facts;
  }

  private takeTrade(line: TradeLine, lineNumber: number, { index, market }: Known): void {
    const { price, size } = market.readTrade(line, this.tape.words);
    market.volume.add(line.time, size);
    if (!this.isRead) market.minutes.add(line.time, price, size);
    const side = line.side === 'buy' ? 1 : -1;
    this.tape.record(['print', index, line.time, lineNumber], [price, size, side, line.tradedAt]);
  }

  private takeGap({ time, reason, since }: GapLine, lineNumber: number, { index, market }: Known): void {
    market.book.lose({ since, reason });
    this.tape.record(['gap', index, time, lineNumber], [gapReasons.indexOf(reason), since]);
  }

  private takeGapEnd({ time, prints, history }: GapEndLine, lineNumber: number, { index }: Known): void {
    this.tape.record(['gapEnd', index, time, lineNumber], [prints, historiesKnown.indexOf(history)]);
  }

  private writeMarks(kind: 'marks' | 'marksCheckpoint', index: number, lineNumber: number, marks: VenueMarks): void {
    const { time, mark, index: follows, fundingRate, fundingHours, nextFundingAt } = marks;
    const facts = [mark, follows, fundingRate, fundingHours, nextFundingAt].map((value) => value ?? Number.NaN);
    this.tape.record([kind, index, time, lineNumber], facts);
  }

  private takeBook(line: BookLine, lineNumber: number, { index, market }: Known): void {
    if (line.kind === 'delta' && !market.hasBook) {
      throw new LineProblem(`a delta for ${quoted(line.marketId)} before any full book`);
    }
    const { levels, bidCount, askCount } = market.read(line, this.tape.words);
    market.apply(line, lineNumber, bidCount, askCount);
    const count = 2 * (bidCount + askCount);
    const { room, at } = this.tape.record([line.kind, index, line.time, lineNumber], [bidCount, askCount], count);
    room.set(levels.subarray(0, count), at);
  }

  /** Adds every market's full book to the tape, as of the last line taken. */
  private checkpoint(): void {
    const offset = this.tape.words;
    for (const { index, market } of this.markets.values()) {
      const { bids, asks, time, sequence, gap } = market.book;
      if (gap !== null) {
        const reason = gapReasons.indexOf(gap.reason as GapReason);
        this.tape.record(['gapCheckpoint', index, gap.since, sequence], [reason, gap.since]);
      }
      if (!market.hasBook) continue;
      const length = 2 * (bids.count + asks.count) + knownToWords;
      const { room, at } = this.tape.record(['checkpoint', index, time, sequence], [bids.count, asks.count], length);
      room.set([bids.knownTo, 0, asks.knownTo, 0], asks.write(room, bids.write(room, at)));
      if (market.book.marks !== null) this.writeMarks('marksCheckpoint', index, sequence, market.book.marks);
    }
    this.index.checkpoints.push({ offset, time: this.lastTime });
    // The next set comes after four times its length, so that large books do not fill the tape.
    this.sinceCheckpoint = Math.min(0, wordsBetweenCheckpoints - 4 * (this.tape.words - offset));
  }
}

interface Known {
  index: number;
  market: MarketCompiler;
}
