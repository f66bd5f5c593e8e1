import { fraction, hash32, keyOf } from '../../base/terms/hash.ts';
import type { Ms, Price } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketEvent, MarketSource, VenueMarks } from '../../exchange/engine/source.ts';
import { alteredSource, alteredTape, type BidMove, BidMoves, bookEvent, lastUpTo } from './moved-source.ts';

/**
 * The change to the market: everything after this time is replaced. Seed 0 inverts every move; with the negative of a
 * seed, every move goes the other way than with that seed.
 */
interface Scramble {
  readonly after: Ms;
  readonly seed: number;
}

/** The scrambled price never falls below this share of the price where it begins. */
const lowestShare = 0.25;

/**
 * The same source up to a time, and from there on another plausible market: its events come at the same times, but each
 * move of the price goes the same way or the other, as the seed draws, and books have their shape at that time, with
 * drawn sizes. So it contains no information about the real price.
 */
export function scrambledSource(source: MarketSource, scramble: Scramble): MarketSource {
  const markets = new Map(
    source.definitions.map(({ marketId }) => [marketId, new ScrambledMarket(source, marketId, scramble)]),
  );
  const { after } = scramble;
  return alteredSource(source, {
    book: (marketId, time) => (time <= after ? source.book(marketId, time) : markets.get(marketId)!.book(time)),
    open: (from) =>
      alteredTape(source.open(from), (event) =>
        event.time <= after ? event : markets.get(event.marketId)!.event(event),
      ),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from, to, Math.min(asOf, after)),
  });
}

/** One market after the time from which it is scrambled. */
class ScrambledMarket {
  private readonly source: MarketSource;
  private readonly marketId: string;
  private readonly scramble: Scramble;
  private readonly key: number;
  /** The best bid, and its distance from the real one, from the time of the same index on. */
  private readonly times: Ms[] = [];
  private readonly bids: Price[] = [];
  private readonly offsets: Price[] = [];
  private opened: BidMoves | null = null;

  constructor(source: MarketSource, marketId: string, scramble: Scramble) {
    this.source = source;
    this.marketId = marketId;
    this.scramble = scramble;
    this.key = keyOf(Math.abs(scramble.seed), marketId, 'scramble');
  }

  book(time: Ms): BookSnapshot | null {
    const book = this.source.book(this.marketId, time);
    if (book === null || book.time <= this.scramble.after) return book;
    const { bidsKnownTo: _, asksKnownTo: __, marks, ...rest } = book;
    const moved = marks === undefined ? {} : { marks: movedMarks(marks, this.at(marks.time).offset) };
    return { ...rest, ...(rest.gap === undefined ? this.levels(book.time) : {}), ...moved };
  }

  event(event: MarketEvent): MarketEvent {
    if (event.kind === 'gap' || event.kind === 'gap_end') return event;
    const { offset } = this.at(event.time);
    if (event.kind === 'marks') return { ...event, ...movedMarks(event, offset) };
    if (event.kind === 'print') {
      const isBuy = hash32(this.key, event.time, event.size) < 0;
      const { bids, asks } = this.levels(event.time);
      const price = (isBuy ? asks[0] : bids[0]) ?? event.price;
      return { ...event, price, size: this.size(event.size, event.time, -2), side: isBuy ? 'buy' : 'sell' };
    }
    // A full book instead of changed levels: unchanged ones have moved, too.
    return bookEvent(event, this.levels(event.time));
  }

  /** The levels of the book where it all began, moved to the scrambled price. */
  private levels(time: Ms): { bids: number[]; asks: number[] } {
    const { bid } = this.at(time);
    const { shape } = this.bidMoves;
    if (shape === null) return { bids: [], asks: [] };
    const moved = (levels: readonly number[], side: number) => {
      const result: number[] = [];
      for (let at = 0; at < levels.length; at += 2) {
        const price = levels[at]! - shape.bids[0]! + bid;
        if (price > 0) result.push(price, this.size(levels[at + 1]!, time, at + side));
      }
      return result;
    };
    return { bids: moved(shape.bids, 0), asks: moved(shape.asks, 1) };
  }

  /** Half to one and a half times a size. */
  private size(lots: number, time: Ms, at: number): number {
    return Math.max(1, Math.round(lots * (0.5 + fraction(hash32(this.key, time, at)))));
  }

  private get bidMoves(): BidMoves {
    this.opened ??= new BidMoves(this.source, this.marketId, this.scramble.after);
    return this.opened;
  }

  private at(time: Ms): { bid: Price; offset: Price } {
    const { bidMoves } = this;
    for (let step = bidMoves.next(time); step !== null; step = bidMoves.next(time)) {
      const offset = (this.offsets.at(-1) ?? 0) + (this.turns(step) ? -2 * step.move : 0);
      this.times.push(step.time);
      this.bids.push(step.bid + offset);
      this.offsets.push(offset);
    }
    const index = lastUpTo(this.times, time);
    return { bid: this.bids[index] ?? bidMoves.start, offset: this.offsets[index] ?? 0 };
  }

  /** Whether a move goes the other way. */
  private turns({ time, bid, move }: BidMove): boolean {
    const [offset, lowest] = [this.offsets.at(-1) ?? 0, this.bidMoves.start * lowestShare];
    if (bid + offset - 2 * move < lowest) return false;
    if (bid + offset < lowest) return true;
    const { seed } = this.scramble;
    return seed === 0 || hash32(this.key, time, -1) < 0 === seed > 0;
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
