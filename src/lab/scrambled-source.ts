import { Book } from '../engine/book/book.ts';
import type { Ms, Price } from '../engine/model.ts';
import type { BookEvent, BookSnapshot, MarketEvent, MarketSource, Tape, VenueMarks } from '../engine/source.ts';
import { fraction, hash32, keyOf } from '../markets/synthetic/draws.ts';

/** What happens to the market: everything after this time is another one. Seed 0 turns every move around. */
export interface Scramble {
  readonly after: Ms;
  readonly seed: number;
}

/** The scrambled price never falls below this share of the price where it begins. */
const lowestShare = 0.25;

/**
 * The same source up to a time, and from there on another plausible market: its events come when they came, with books of
 * the same shape, but each move of the price goes the same way or the other, as the seed draws, and sizes are others.
 * Whoever decides the same up to that time has not seen what came after it.
 */
export function scrambledSource(source: MarketSource, scramble: Scramble): MarketSource {
  const markets = new Map(
    source.definitions.map(({ marketId }) => [marketId, new ScrambledMarket(source, marketId, scramble)]),
  );
  const { after } = scramble;
  const book: MarketSource['book'] = (marketId, time) =>
    time <= after ? source.book(marketId, time) : markets.get(marketId)!.book(time);
  return {
    name: source.name,
    definitions: source.definitions,
    book,
    open: (from) => new ScrambledTape(source.open(from), after, markets),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from, to, Math.min(asOf, after)),
    ...(source.hasMarks === undefined ? {} : { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
  };
}

class ScrambledTape implements Tape {
  private readonly tape: Tape;
  private readonly after: Ms;
  private readonly markets: ReadonlyMap<string, ScrambledMarket>;

  constructor(tape: Tape, after: Ms, markets: ReadonlyMap<string, ScrambledMarket>) {
    this.tape = tape;
    this.after = after;
    this.markets = markets;
  }

  /** The interest in prints is at scrambled prices, so the tape returns all of them. */
  watch(marketId: string, on: boolean): void {
    this.tape.watch(marketId, on);
  }

  peek(until: Ms): Ms | null {
    return this.tape.peek(until);
  }

  next(until: Ms): MarketEvent | null {
    const event = this.tape.next(until);
    if (event === null || event.time <= this.after) return event;
    return this.markets.get(event.marketId)!.event(event);
  }
}

/** One market after the time from which it is scrambled. */
class ScrambledMarket {
  private readonly source: MarketSource;
  private readonly marketId: string;
  private readonly after: Ms;
  private readonly seed: number;
  private readonly key: number;
  /** By how many price units everything is moved, from the time of the same index on. */
  private readonly times: Ms[] = [];
  private readonly offsets: Price[] = [];
  private walked: Walk | null = null;

  constructor(source: MarketSource, marketId: string, { after, seed }: Scramble) {
    this.source = source;
    this.marketId = marketId;
    this.after = after;
    this.seed = seed;
    this.key = keyOf(seed, marketId, 'scramble');
  }

  book(time: Ms): BookSnapshot | null {
    const book = this.source.book(this.marketId, time);
    if (book === null || book.time <= this.after) return book;
    const offset = this.offsetAt(time);
    const { bidsKnownTo: _, asksKnownTo: __, bids, asks, marks, ...rest } = book;
    return {
      ...rest,
      bids: this.levels(bids, bids.length / 2, offset, book.time),
      asks: this.levels(asks, asks.length / 2, offset, book.time),
      ...(marks === undefined ? {} : { marks: movedMarks(marks, offset) }),
    };
  }

  event(event: MarketEvent): MarketEvent {
    if (event.kind === 'gap' || event.kind === 'gap_end') return event;
    const offset = this.offsetAt(event.time);
    if (event.kind === 'marks') return { ...event, ...movedMarks(event, offset) };
    if (event.kind === 'print') {
      const size = this.size(event.size, event.time, event.price);
      return { ...event, price: Math.max(1, event.price + offset), size };
    }
    return this.bookEvent(event, offset);
  }

  /** A full book instead of changed levels: those that stay have moved, too. */
  private bookEvent(event: BookEvent, offset: Price): BookEvent {
    const { marketId, time, sequence } = event;
    const book = this.source.book(marketId, time);
    const isWhole = book !== null && book.gap === undefined && book.time === time;
    const [bids, asks] = isWhole ? [book.bids, book.asks] : [event.bids, event.asks];
    const [bidCount, askCount] = isWhole ? [bids.length / 2, asks.length / 2] : [event.bidCount, event.askCount];
    const moved = [this.levels(bids, bidCount, offset, time), this.levels(asks, askCount, offset, time)] as const;
    const counts = { bidCount: moved[0].length / 2, askCount: moved[1].length / 2 };
    return { kind: isWhole ? 'book' : event.kind, marketId, time, sequence, bids: moved[0], asks: moved[1], ...counts };
  }

  private levels(levels: ArrayLike<number>, count: number, offset: Price, time: Ms): number[] {
    const moved: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const price = levels[2 * at]! + offset;
      if (price > 0) moved.push(price, this.size(levels[2 * at + 1]!, time, at));
    }
    return moved;
  }

  /** Half to one and a half times a size; nothing stays nothing. */
  private size(lots: number, time: Ms, at: number): number {
    const share = 0.5 + fraction(hash32(this.key, time, at));
    return lots === 0 ? 0 : Math.max(1, Math.round(lots * share));
  }

  private offsetAt(time: Ms): Price {
    this.walked ??= new Walk(this.source, this.marketId, this.after);
    for (let step = this.walked.next(time); step !== null; step = this.walked.next(time)) {
      const before = this.offsets.at(-1) ?? 0;
      this.times.push(step.time);
      this.offsets.push(before + (this.turns(step, before) ? -2 * step.move : 0));
    }
    return this.offsets[lastUpTo(this.times, time)] ?? 0;
  }

  /** Whether a move goes the other way. */
  private turns({ time, bid, move, start }: Step, offset: Price): boolean {
    const turned = bid + offset - 2 * move;
    if (turned < start * lowestShare) return false;
    if (bid + offset < start * lowestShare) return true;
    return this.seed === 0 || hash32(this.key, time, -1) < 0;
  }
}

interface Step {
  readonly time: Ms;
  readonly bid: Price;
  /** How far the best bid has moved. */
  readonly move: Price;
  /** The best bid where it all begins. */
  readonly start: Price;
}

/** The moves of a market's best bid after a time, one after the other. */
class Walk {
  private readonly tape: Tape;
  private readonly book = new Book();
  private start: Price;
  private last: Price;

  constructor(source: MarketSource, marketId: string, after: Ms) {
    const book = source.book(marketId, after);
    if (book !== null) this.book.load(book);
    this.start = this.book.bids.best;
    this.last = this.start;
    this.tape = source.open(after);
    this.tape.watch(marketId, true);
  }

  /** The next move at or before a time. */
  next(until: Ms): Step | null {
    for (let event = this.tape.next(until); event !== null; event = this.tape.next(until)) {
      if (event.kind === 'gap') this.book.lose({ since: event.time, reason: event.reason });
      if (event.kind === 'book') this.book.replace(event.time, event.sequence, event);
      if (event.kind === 'delta') this.book.update(event.time, event.sequence, event);
      const { best } = this.book.bids;
      if (Number.isNaN(best) || best === this.last) continue;
      const move = Number.isNaN(this.last) ? 0 : best - this.last;
      if (Number.isNaN(this.start)) this.start = best;
      this.last = best;
      return { time: event.time, bid: best, move, start: this.start };
    }
    return null;
  }
}

function movedMarks<M extends VenueMarks>(marks: M, offset: Price): M {
  const { mark, index } = marks;
  return {
    ...marks,
    mark: Math.max(1, mark + 2 * offset),
    index: index === null ? null : Math.max(1, index + 2 * offset),
  };
}

/** Index of the last time that is not after `time`; -1 if there is none. */
function lastUpTo(times: readonly Ms[], time: Ms): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
