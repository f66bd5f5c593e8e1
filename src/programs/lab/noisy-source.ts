import { hash32, keyOf } from '../../base/terms/hash.ts';
import { Book } from '../../exchange/engine/book/book.ts';
import type { Ms, Price } from '../../exchange/engine/model.ts';
import type { MarketEvent, MarketSource, Tape } from '../../exchange/engine/source.ts';
import {
  alteredSource,
  alteredTape,
  applyTo,
  type BidMove,
  BidMoves,
  bookEvent,
  lastUpTo,
  type MarketMove,
  movedBook,
  movedEvent,
} from './moved-source.ts';

/** The seed with which prices keep their level. */
export const noiseOnly = 0;

/** The noise on market prices: its period and seed. */
interface PriceNoise {
  readonly from: Ms;
  readonly to: Ms;
  readonly seed: number;
}

/**
 * A price is off by at most this share of the median move of the best bid, so that hardly any move changes its
 * direction.
 */
const mostShare = 1 / 6;
/** All prices are higher or lower by this share, and by more than the range in which they were. */
const levelShare = 0.02;
/** A size is larger by one to this many lots. */
const mostLots = 4;
/** The delay after a move before the price may move by itself, and how often it does. */
const aloneWithinMs = 500;
const aloneOneIn = 4;

/**
 * The same markets at another price level, each price a few ticks off, by another number of ticks each time that the
 * best bid moves, and now and then in between; on a market that mostly moves by a few ticks, only the level differs.
 * Sizes are some lots larger. A strategy that reads price moves sees nearly the same; one that recognizes exact prices,
 * sizes or moves finds none of them again.
 */
export function noisySource(source: MarketSource, noise: PriceNoise): MarketSource {
  const markets = new Map(
    source.definitions.map(({ marketId, tick }) => [
      marketId,
      new NoisyMarket(source, { marketId, tick: tick ?? 0 }, noise),
    ]),
  );
  return alteredSource(source, {
    book(marketId, time) {
      const book = source.book(marketId, time);
      return book === null ? null : movedBook(book, markets.get(marketId)!.moveAt(time));
    },
    open: (from) => noisyTape(source, from, markets),
  });
}

/** Values of markets that are not watched are unknown. */
function noisyTape(source: MarketSource, from: Ms, markets: ReadonlyMap<string, NoisyMarket>): Tape {
  /** The real books, and the shift of the last event of each. */
  const books = new Map<string, { readonly book: Book; by: Price }>();
  const knownAt = (marketId: string, time: Ms) => {
    const there = books.get(marketId);
    if (there !== undefined) return there;
    const book = new Book();
    const loaded = source.book(marketId, time);
    if (loaded !== null) book.load(loaded);
    // The shift of its reader's book is unknown: the first event is a full book.
    const known = { book, by: Number.NaN };
    books.set(marketId, known);
    return known;
  };
  const replaced = (event: MarketEvent) => {
    const { marketId, time } = event;
    const known = knownAt(marketId, time);
    applyTo(known.book, event);
    const move = markets.get(marketId)!.moveAt(time);
    const isMoved = event.kind === 'delta' && move.by !== known.by;
    if (isMoved || event.kind === 'book') known.by = move.by;
    // All levels move, including unchanged ones.
    return isMoved ? bookEvent(event, movedBook(known.book.snapshot(), move)) : movedEvent(event, move);
  };
  return alteredTape(source.open(from), replaced, (marketId) => books.delete(marketId));
}

const unchanged = (time: Ms): Ms => time;

/** The shift of one market at any time. */
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

  /** The shift of all prices: so far that none of them recurs. */
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
