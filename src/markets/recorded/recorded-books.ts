import { Book } from '../../engine/book/book.ts';
import type { Ms } from '../../engine/model.ts';
import type { BookSnapshot } from '../../engine/source.ts';
import type { TapeIndex } from './compile.ts';
import { gapReasons } from './line.ts';
import { recordKind, type TapeReader } from './tape-file.ts';

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
    return this.held === null ? null : this.held.snapshot();
  }

  private restart(offset: number): void {
    this.offset = offset;
    this.held = null;
  }

  private play(until: Ms): void {
    const { reader } = this;
    while (reader.load(this.offset)) {
      const { words, at } = reader;
      const kind = words[at]! % 8;
      const time = words[at + 2]!;
      const isCheckpoint = kind === recordKind.checkpoint || kind === recordKind.gapCheckpoint;
      if (!isCheckpoint && time > until) return;
      this.offset += words[at + 1]!;
      if (kind === recordKind.print || Math.floor(words[at]! / 8) !== this.market) continue;
      // A checkpoint along the way repeats the current book.
      if (kind === recordKind.gapEnd || (isCheckpoint && this.held !== null)) continue;
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
export function lastCheckpoint({ checkpoints }: TapeIndex, time: Ms): number {
  let low = 0;
  let high = checkpoints.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (checkpoints[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : checkpoints[low - 1]!.offset;
}
