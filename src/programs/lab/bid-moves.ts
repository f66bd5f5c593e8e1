import { firstPlace } from '../../base/terms/decimal.ts';
import { Book } from '../../exchange/engine/book/book.ts';
import type { Ms, Price } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketSource, Tape } from '../../exchange/engine/source.ts';

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
      if (event.kind === 'gap') this.book.lose({ since: event.time, reason: event.reason });
      if (event.kind === 'book') this.book.replace(event.time, event.sequence, event);
      if (event.kind === 'delta') this.book.update(event.time, event.sequence, event);
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
