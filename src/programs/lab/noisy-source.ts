import { hash32, keyOf } from '../../base/terms/hash.ts';
import { Book } from '../../exchange/engine/book/book.ts';
import type { Ms, Price } from '../../exchange/engine/model.ts';
import type { MarketEvent, MarketSource, Tape } from '../../exchange/engine/source.ts';
import { type BidMove, BidMoves, lastUpTo } from './bid-moves.ts';
import { type MarketMove, movedBook, movedEvent } from './moved-source.ts';

/** The seed with which prices keep their level. */
export const noiseOnly = 0;

/** The noise on market prices: its period and seed. */
interface PriceNoise {
  readonly from: Ms;
  readonly to: Ms;
  readonly seed: number;
}

/**
 * A price is off by at most this share of the median move of the best bid, so that hardly a move changes its direction.
 */
const mostShare = 1 / 6;
/** All prices are higher or lower by this share, and by more than the range in which they were. */
const levelShare = 0.02;
/** A size is from one to so many lots larger. */
const mostLots = 4;
/** How soon after a move the price may move by itself, and how often it does. */
const aloneWithinMs = 500;
const aloneOneIn = 4;

/**
 * The same markets at another price level, each price a few ticks off, by another number of ticks each time that the
 * best bid moves, and now and then in between; on a market that mostly moves by a few ticks only the level is another.
 * Sizes are some lots larger. A strategy that reads how prices move sees nearly the same; one that recognizes exact
 * prices, sizes or moves sees none of them again.
 */
export function noisySource(source: MarketSource, noise: PriceNoise): MarketSource {
  const markets = new Map(
    source.definitions.map(({ marketId, tick }) => [
      marketId,
      new NoisyMarket(source, { marketId, tick: tick ?? 0 }, noise),
    ]),
  );
  return {
    name: source.name,
    definitions: source.definitions,
    book(marketId, time) {
      const book = source.book(marketId, time);
      return book === null ? null : movedBook(book, markets.get(marketId)!.moveAt(time));
    },
    open: (from) => new NoisyTape(source, from, markets),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from, to, asOf),
    ...(source.hasMarks === undefined ? {} : { hasMarks: (marketId: string) => source.hasMarks!(marketId) }),
  };
}

class NoisyTape implements Tape {
  private readonly tape: Tape;
  private readonly source: MarketSource;
  private readonly markets: ReadonlyMap<string, NoisyMarket>;
  /** The books as they really are, and by how much the last event of each was moved. */
  private readonly books = new Map<string, { readonly book: Book; by: Price }>();

  constructor(source: MarketSource, from: Ms, markets: ReadonlyMap<string, NoisyMarket>) {
    this.source = source;
    this.tape = source.open(from);
    this.markets = markets;
  }

  /** The interest in prints is at moved prices, so the tape returns all of them. Unwatched values are unknown. */
  watch(marketId: string, on: boolean): void {
    if (!on) this.books.delete(marketId);
    this.tape.watch(marketId, on);
  }

  peek(until: Ms): Ms | null {
    return this.tape.peek(until);
  }

  next(until: Ms): MarketEvent | null {
    const event = this.tape.next(until);
    if (event === null) return null;
    const { marketId, time } = event;
    const known = this.known(marketId, time);
    const { book } = known;
    if (event.kind === 'gap') book.lose({ since: event.since ?? time, reason: event.reason });
    if (event.kind === 'book') book.replace(time, event.sequence, event);
    if (event.kind === 'delta') book.update(time, event.sequence, event);
    const move = this.markets.get(marketId)!.moveAt(time);
    if (event.kind !== 'delta' || move.by === known.by) {
      if (event.kind === 'book') known.by = move.by;
      return movedEvent(event, move);
    }
    // All levels move, those that stay as well.
    known.by = move.by;
    const { bids, asks, sequence } = movedBook(book.snapshot(), move);
    return { kind: 'book', marketId, time, sequence, bids, bidCount: bids.length / 2, asks, askCount: asks.length / 2 };
  }

  private known(marketId: string, time: Ms): { readonly book: Book; by: Price } {
    const there = this.books.get(marketId);
    if (there !== undefined) return there;
    const book = new Book();
    const loaded = this.source.book(marketId, time);
    if (loaded !== null) book.load(loaded);
    // By how much its reader's book is moved is not known: the first event is a full book.
    const known = { book, by: Number.NaN };
    this.books.set(marketId, known);
    return known;
  }
}

const unchanged = (time: Ms): Ms => time;

/** By how much one market is moved at any time. */
class NoisyMarket {
  private readonly source: MarketSource;
  private readonly market: { readonly marketId: string; readonly tick: Price };
  private readonly noise: PriceNoise;
  private readonly key: number;
  private readonly times: Ms[] = [];
  private readonly moves: MarketMove[] = [];

  constructor(source: MarketSource, market: { readonly marketId: string; readonly tick: Price }, noise: PriceNoise) {
    this.source = source;
    this.market = market;
    this.noise = noise;
    this.key = keyOf(noise.seed, market.marketId, 'wander');
  }

  moveAt(time: Ms): MarketMove {
    if (this.moves.length === 0) this.draw();
    return this.moves[Math.max(0, lastUpTo(this.times, time))]!;
  }

  private draw(): void {
    const { source, market, noise } = this;
    const bidMoves = new BidMoves(source, market.marketId, noise.from);
    const steps: BidMove[] = [];
    for (let step = bidMoves.next(noise.to); step !== null; step = bidMoves.next(noise.to)) steps.push(step);
    const sizes = steps.map(({ move }) => Math.abs(move)).sort((one, other) => one - other);
    const most = market.tick > 0 ? Math.floor(((sizes[sizes.length >> 1] ?? 0) * mostShare) / market.tick) : 0;
    const lotsAt = (price: Price) => 1 + (this.hash(price, 0) % mostLots);
    const level = this.level(bidMoves.start, steps);
    const place = (time: Ms, purpose: number) => {
      const ticks = most === 0 ? 0 : 1 + (this.hash(time, purpose) % most);
      const by = level + (this.hash(time, purpose + 1) % 2 === 0 ? ticks : -ticks) * market.tick;
      this.times.push(time);
      this.moves.push({ by, lotsAt, at: unchanged });
    };
    place(noise.from, 1);
    for (const [at, { time }] of steps.entries()) {
      place(time, 1);
      const alone = time + 1 + (this.hash(time, 3) % aloneWithinMs);
      if (this.hash(time, 4) % aloneOneIn === 0 && alone < (steps[at + 1]?.time ?? noise.to)) place(alone, 5);
    }
  }

  /** By how much all prices are higher or lower: so far that none of them comes again. */
  private level(start: Price, steps: readonly BidMove[]): Price {
    const { tick } = this.market;
    if (this.noise.seed === noiseOnly || !(tick > 0) || !(start > 0)) return 0;
    let [lowest, highest] = [start, start];
    for (const { bid } of steps) [lowest, highest] = [Math.min(lowest, bid), Math.max(highest, bid)];
    const far = (highest - lowest) * (1.5 + (this.hash(0, 7) % 100) / 100) + start * levelShare;
    const by = Math.round(far / tick) * tick;
    return this.noise.seed % 2 === 0 && lowest - by > start / 2 ? -by : by;
  }

  private hash(first: number, second: number): number {
    return hash32(this.key, first, second) >>> 0;
  }
}
