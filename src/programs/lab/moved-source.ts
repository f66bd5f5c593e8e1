import { firstPlace } from '../../base/terms/sorted.ts';
import { Book } from '../../exchange/engine/book/book.ts';
import type { Lots, Ms, Price } from '../../exchange/engine/model.ts';
import type {
  BookEvent,
  BookSnapshot,
  MarketEvent,
  MarketSource,
  Tape,
  VenueMarks,
} from '../../exchange/engine/source.ts';

/** The shift of one market: prices by a fixed amount, sizes by some lots for each price, times by this function. */
export interface MarketMove {
  readonly by: Price;
  readonly lotsAt: (price: Price) => Lots;
  readonly at: (time: Ms) => Ms;
}

/** The arrival of markets: some ms later, and stretched from a time on. */
export interface Later {
  readonly byMs: Ms;
  readonly from: Ms;
  /** With few binary digits, so that times are exact. */
  readonly stretch: number;
}

/** The shifted time of an event. */
export function laterAt({ byMs, from, stretch }: Later, time: Ms): Ms {
  return from + byMs + Math.ceil((time - from) * stretch);
}

/** The same markets later, and more slowly. */
export function laterSource(source: MarketSource, later: Later): MarketSource {
  const move: MarketMove = { by: 0, lotsAt: () => 0, at: (time) => laterAt(later, time) };
  const { byMs, from, stretch } = later;
  /** The last time whose shifted time isn't after another. */
  const back = (time: Ms) => from + Math.floor((time - byMs - from) / stretch);
  return alteredSource(source, {
    book(marketId, time) {
      const book = source.book(marketId, back(time));
      return book === null ? null : movedBook(book, move);
    },
    open(time) {
      const tape = source.open(back(time));
      return {
        watch: (...interest) => tape.watch(...interest),
        peek(until) {
          const next = tape.peek(back(until));
          return next === null ? null : move.at(next);
        },
        next(until) {
          const event = tape.next(back(until));
          return event === null ? null : movedEvent(event, move);
        },
      };
    },
    volume: (marketId, begin, to, asOf) => source.volume(marketId, back(begin), back(to), back(asOf)),
  });
}

/** A source with the markets of another, but other events. */
export function alteredSource(
  source: MarketSource,
  own: Pick<MarketSource, 'book' | 'open'> & Partial<Pick<MarketSource, 'volume'>>,
): MarketSource {
  return {
    name: source.name,
    definitions: source.definitions,
    volume: (...asked) => source.volume(...asked),
    ...(source.hasMarks && { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
    ...own,
  };
}

/**
 * A tape whose events are replaced. The interest in prints is at the new prices, so the tape returns all of them.
 * `left`: a market is no longer watched.
 */
export function alteredTape(
  tape: Tape,
  replaced: (event: MarketEvent) => MarketEvent,
  left?: (marketId: string) => void,
): Tape {
  return {
    watch(marketId, on) {
      if (!on) left?.(marketId);
      tape.watch(marketId, on);
    },
    peek: (until) => tape.peek(until),
    next(until) {
      const event = tape.next(until);
      return event === null ? null : replaced(event);
    },
  };
}

/** A full book as an event. */
export function bookEvent(
  { marketId, time, sequence }: Pick<BookEvent, 'marketId' | 'time' | 'sequence'>,
  { bids, asks }: Pick<BookSnapshot, 'bids' | 'asks'>,
): MarketEvent {
  return { kind: 'book', marketId, time, sequence, bids, bidCount: bids.length / 2, asks, askCount: asks.length / 2 };
}

/** Keeps a book up to date. */
export function applyTo(book: Book, event: MarketEvent): void {
  const { time } = event;
  if (event.kind === 'gap') book.lose({ since: event.since ?? time, reason: event.reason });
  if (event.kind === 'book') book.replace(time, event.sequence, event);
  if (event.kind === 'delta') book.update(time, event.sequence, event);
}

/** An event as it is on a moved market. */
export function movedEvent(event: MarketEvent, move: MarketMove): MarketEvent {
  const { by, lotsAt, at } = move;
  const time = at(event.time);
  if (event.kind === 'gap') return { ...event, time, ...(event.since !== undefined && { since: at(event.since) }) };
  if (event.kind === 'gap_end') return { ...event, time };
  if (event.kind === 'marks') return { ...event, ...movedMarks(event, move) };
  if (event.kind === 'print') {
    const { tradedAt } = event;
    const [price, size] = [event.price + by, event.size + lotsAt(event.price)];
    return { ...event, time, price, size, ...(tradedAt !== undefined && { tradedAt: at(tradedAt) }) };
  }
  return { ...event, time, bids: raisedLevels(event.bids, move), asks: raisedLevels(event.asks, move) };
}

/** A book as it is on a moved market. */
export function movedBook(
  { bidsKnownTo, asksKnownTo, marks, gap, ...book }: BookSnapshot,
  move: MarketMove,
): BookSnapshot {
  const { by, at } = move;
  return {
    ...book,
    time: at(book.time),
    bids: raisedLevels(book.bids, move),
    asks: raisedLevels(book.asks, move),
    ...(bidsKnownTo === undefined ? {} : { bidsKnownTo: bidsKnownTo + by }),
    ...(asksKnownTo === undefined ? {} : { asksKnownTo: asksKnownTo + by }),
    ...(gap === undefined ? {} : { gap: { ...gap, since: at(gap.since) } }),
    ...(marks === undefined ? {} : { marks: { ...marks, ...movedMarks(marks, move) } }),
  };
}

/** Flat [price, size, ...]; a size of 0 removes its level. */
function raisedLevels(levels: ArrayLike<number>, { by, lotsAt }: MarketMove): number[] {
  return Array.from(levels, (value, at) => {
    if (at % 2 === 0) return value + by;
    return value === 0 ? 0 : value + lotsAt(levels[at - 1]!);
  });
}

function movedMarks({ time, mark, index, nextFundingAt }: VenueMarks, { by, at }: MarketMove) {
  return {
    time: at(time),
    mark: mark + 2 * by,
    index: index === null ? null : index + 2 * by,
    nextFundingAt: nextFundingAt === null ? null : at(nextFundingAt),
  };
}

/** One move of a best bid. */
export interface BidMove {
  readonly time: Ms;
  readonly bid: Price;
  /** The distance the best bid has moved. */
  readonly move: Price;
}

/** The moves of a market's best bid after a time, one after the other. */
export class BidMoves {
  /** The book at that time, or the first after it; null before one. */
  shape: Pick<BookSnapshot, 'bids' | 'asks'> | null = null;
  private readonly tape: Tape;
  private readonly book = new Book();
  private last = Number.NaN;

  constructor(source: MarketSource, marketId: string, after: Ms) {
    const book = source.book(marketId, after);
    if (book !== null) this.book.load(book);
    this.look();
    this.tape = source.open(after);
    this.tape.watch(marketId, true);
  }

  /** The best bid where it all begins. */
  get start(): Price {
    return this.shape?.bids[0] ?? Number.NaN;
  }

  /** The next move at or before a time. */
  next(until: Ms): BidMove | null {
    for (let event = this.tape.next(until); event !== null; event = this.tape.next(until)) {
      applyTo(this.book, event);
      const before = this.last;
      this.look();
      if (this.last === before || Number.isNaN(this.last)) continue;
      return { time: event.time, bid: this.last, move: Number.isNaN(before) ? 0 : this.last - before };
    }
    return null;
  }

  private look(): void {
    const { bids, asks } = this.book;
    if (bids.count === 0 || asks.count === 0) return;
    this.last = bids.best;
    this.shape ??= this.book.snapshot();
  }
}

/** Index of the last time that is not after `time`; -1 if there is none. */
export function lastUpTo(times: readonly Ms[], time: Ms): number {
  return firstPlace(times.length, (place) => times[place]! <= time) - 1;
}
