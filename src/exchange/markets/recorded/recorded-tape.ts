import { firstPlace } from '../../../base/terms/sorted.ts';
import { Book } from '../../engine/book/book.ts';
import type { Ms } from '../../engine/model.ts';
import type {
  BookEvent,
  BookSnapshot,
  GapEndEvent,
  GapEvent,
  MarketEvent,
  PrintEvent,
  Tape,
} from '../../engine/source.ts';
import type { TapeIndex } from './compile.ts';
import { gapReasons, historiesKnown } from './line.ts';
import { isCheckpoint, kinds, recordKind, type TapeReader } from './tape-file.ts';

const blank = { marketId: '', time: 0 };

/**
 * Events of a recording in file order. A market watched later starts after the tape's position: the last event
 * returned, or the `until` at which there was none left.
 */
export class RecordedTape implements Tape {
  private readonly facts: TapeIndex;
  private readonly reader: TapeReader;
  /** By market number: events up to this time are skipped; Infinity or absent: not watched. */
  private readonly after: number[] = [];
  private watched = 0;
  private position: Ms;
  /** There is no watched event before this word. */
  private offset: number;
  /** The offset at which the tape reached its position: a market watched now may have events from there on. */
  private positionOffset: number;
  /** Whether the record at `offset` is the next event. */
  private found = false;
  private readonly book: BookEvent = {
    ...blank,
    kind: 'book',
    sequence: 0,
    bids: [],
    bidCount: 0,
    asks: [],
    askCount: 0,
  };
  private readonly print: PrintEvent = { ...blank, kind: 'print', price: 0, size: 0, side: 'buy', tradedAt: 0 };
  private readonly gap: GapEvent = { ...blank, kind: 'gap', reason: '' };
  private readonly gapEnd: GapEndEvent = { ...blank, kind: 'gap_end', prints: 0, history: 'none' };

  constructor(facts: TapeIndex, reader: TapeReader, from: Ms) {
    this.facts = facts;
    this.reader = reader;
    this.position = from;
    this.offset = lastCheckpoint(facts, from);
    this.positionOffset = this.offset;
  }

  watch(marketId: string, on: boolean): void {
    const market = this.facts.definitions.findIndex((definition) => definition.marketId === marketId);
    if (market < 0) throw new RangeError(`no market ${JSON.stringify(marketId)} in the recording`);
    if (on === this.wantedAfter(market) < Number.POSITIVE_INFINITY) return;
    this.after[market] = on ? this.position : Number.POSITIVE_INFINITY;
    this.watched += on ? 1 : -1;
    // The tape does not advance while nothing is watched: a checkpoint may be far ahead of where it stopped.
    this.offset = Math.max(this.positionOffset, lastCheckpoint(this.facts, this.position));
    this.positionOffset = this.offset;
    this.found = false;
  }

  peek(until: Ms): Ms | null {
    return this.find(until) ? this.reader.words[this.reader.at + 2]! : null;
  }

  next(until: Ms): MarketEvent | null {
    if (!this.find(until)) {
      if (until > this.position) this.position = until;
      this.positionOffset = this.offset;
      return null;
    }
    const event = this.event();
    this.position = event.time;
    this.offset += this.reader.words[this.reader.at + 1]!;
    this.positionOffset = this.offset;
    this.found = false;
    return event;
  }

  private wantedAfter(market: number): Ms {
    return this.after[market] ?? Number.POSITIVE_INFINITY;
  }

  /** Reads on to the next watched event at or before `until` and puts it into the reader's window. */
  private find(until: Ms): boolean {
    if (this.watched === 0) return false;
    const { reader } = this;
    for (; reader.load(this.offset); this.offset += reader.words[reader.at + 1]!) {
      const { words, at } = reader;
      if (!this.found) {
        const kind = words[at]! % kinds;
        if (isCheckpoint(kind)) continue;
        if (words[at + 2]! > until) return false;
        if (words[at + 2]! <= this.wantedAfter(Math.floor(words[at]! / kinds))) continue;
        this.found = true;
      }
      return words[at + 2]! <= until;
    }
    return false;
  }

  private event(): MarketEvent {
    const { words, at } = this.reader;
    const kind = words[at]! % kinds;
    const { marketId } = this.facts.definitions[Math.floor(words[at]! / kinds)]!;
    if (kind === recordKind.print) {
      this.print.marketId = marketId;
      this.print.time = words[at + 2]!;
      this.print.price = words[at + 4]!;
      this.print.size = words[at + 5]!;
      this.print.side = words[at + 6]! > 0 ? 'buy' : 'sell';
      this.print.tradedAt = words[at + 7]!;
      return this.print;
    }
    if (kind === recordKind.marks) return { kind: 'marks', marketId, ...this.reader.marks() };
    if (kind === recordKind.gap) {
      const [time, reason, since] = [words[at + 2]!, gapReasons[words[at + 4]!]!, words[at + 5]!];
      return Object.assign(this.gap, { marketId, time, reason, since });
    }
    if (kind === recordKind.gapEnd) {
      const history = historiesKnown[words[at + 5]!]!;
      return Object.assign(this.gapEnd, { marketId, time: words[at + 2]!, prints: words[at + 4]!, history });
    }
    this.book.kind = kind === recordKind.book ? 'book' : 'delta';
    this.book.marketId = marketId;
    this.book.time = words[at + 2]!;
    this.book.sequence = words[at + 3]!;
    this.book.bids = this.reader.bids();
    this.book.bidCount = words[at + 4]!;
    this.book.asks = this.reader.asks();
    this.book.askCount = words[at + 5]!;
    return this.book;
  }
}

/**
 * Random access to one market's full books: from the last checkpoint at or before the requested time, forward over the
 * records after it. The position is kept, so that a later time costs only the records in between.
 */
export class RecordedBooks {
  private readonly facts: TapeIndex;
  private readonly reader: TapeReader;
  private readonly market: number;
  /** The current book; null before the market's first. */
  private held: Book | null = null;
  /** The current book includes all records before this word and none after it. */
  private offset = 0;
  /** The last requested time. */
  private asked = Number.NEGATIVE_INFINITY;

  constructor(facts: TapeIndex, reader: TapeReader, market: number) {
    this.facts = facts;
    this.reader = reader;
    this.market = market;
  }

  at(time: Ms): BookSnapshot | null {
    const checkpoint = lastCheckpoint(this.facts, time);
    if (time < this.asked || checkpoint > this.offset) this.restart(checkpoint);
    this.asked = time;
    this.play(time);
    // Before its first book, a market may have the venue's own prices.
    const isKnown = this.held !== null && (this.held.time > Number.NEGATIVE_INFINITY || this.held.gap !== null);
    return isKnown ? this.held!.snapshot() : null;
  }

  private restart(offset: number): void {
    this.offset = offset;
    this.held = null;
  }

  private play(until: Ms): void {
    const { reader } = this;
    while (reader.load(this.offset)) {
      const { words, at } = reader;
      const kind = words[at]! % kinds;
      const time = words[at + 2]!;
      const isRepeated = isCheckpoint(kind);
      if (!isRepeated && time > until) return;
      this.offset += words[at + 1]!;
      if (kind === recordKind.print || Math.floor(words[at]! / kinds) !== this.market) continue;
      // A checkpoint along the way repeats the current book.
      if (kind === recordKind.marks || kind === recordKind.marksCheckpoint) {
        this.held ??= new Book();
        this.held.takeMarks(reader.marks());
        continue;
      }
      if (kind === recordKind.gapEnd || (isRepeated && this.held !== null && this.held.time > Number.NEGATIVE_INFINITY))
        continue;
      this.held ??= new Book();
      if (kind >= recordKind.gap) {
        this.held.lose({ since: words[at + 5]!, reason: gapReasons[words[at + 4]!]! });
        continue;
      }
      const [sequence, bids, asks] = [words[at + 3]!, reader.bids(), reader.asks()];
      const levels = { bids, bidCount: words[at + 4]!, asks, askCount: words[at + 5]! };
      if (kind === recordKind.delta) this.held.update(time, sequence, levels);
      else this.held.replace(time, sequence, levels);
      if (kind === recordKind.checkpoint) [this.held.bids.knownTo, this.held.asks.knownTo] = reader.knownTo();
    }
  }
}

/** Word offset of the last checkpoint that is not after `time`; 0 if there is none. */
function lastCheckpoint({ checkpoints }: TapeIndex, time: Ms): number {
  const after = firstPlace(checkpoints.length, (place) => checkpoints[place]!.time <= time);
  return checkpoints[after - 1]?.offset ?? 0;
}
