import { venueMarkStaleMs } from '../defaults.ts';
import type { BandWatch } from '../indexes/band-watch.ts';
import type { HalfPrice } from '../model.ts';
import { followsVenue } from '../observed.ts';
import type { Market } from './market.ts';
import { marketOf, type Portfolio, type Seat, touchOrder, type World } from './world.ts';

/** Brings a market's book up to date, unless the tape plays it. */
export function bringUpToDate(world: World, market: Market): void {
  if (market.watched || market.bookAsOf >= world.now) return;
  market.bookAsOf = world.now;
  const snapshot = world.source.book(market.id, world.now);
  if (snapshot === null) return;
  const { book } = market;
  const isInGap = snapshot.gap !== undefined;
  const isSame = snapshot.time === book.time && snapshot.sequence === book.sequence;
  if (isSame && isInGap === (book.gap !== null)) {
    book.marks = snapshot.marks ?? null;
    return;
  }
  book.load(snapshot);
  followBook(world, market);
}

/** Updates everything that depends on the changed levels of a book: consumption and queues. */
export function followBook(world: World, market: Market): void {
  const { book } = market;
  if (!market.isUntaken) {
    market.consumedBids.shrink(book.changedBids);
    market.consumedAsks.shrink(book.changedAsks);
  }
  if (!market.awaitsPrice) return;
  market.buys.followBook(book.changedBids, (order) => touchOrder(world, order));
  market.sells.followBook(book.changedAsks, (order) => touchOrder(world, order));
}

/** Brings the books of all markets where an account has positions or orders up to date. */
export function bringPositionsUpToDate(world: World, portfolio: Portfolio): void {
  for (const marketId of portfolio.positions.keys()) bringUpToDate(world, marketOf(world, marketId));
  // Orders without their own price reserve margin at the mark.
  for (const { marketId } of portfolio.orders.values()) bringUpToDate(world, marketOf(world, marketId));
}

/** Brings the books of a seat's market, and of all others of its account, up to date. */
export function upToDate<S extends Seat>(seat: S): S {
  bringUpToDate(seat.world, seat.market);
  bringPositionsUpToDate(seat.world, seat.portfolio);
  return seat;
}

/** Whether a market's book is recent enough for this account to act on, and has both sides. */
export function isFresh({ world, portfolio, market }: Seat): boolean {
  return market.book.isFresh(world.now, portfolio.account.policy.limits.maxBookStalenessMs);
}

/**
 * The mark by which an account is measured, if its market's book is fresh, and, where that is the venue's own mark, if
 * that is fresh, too; else null (simulation 2.1).
 */
export function freshMark(seat: Seat): HalfPrice | null {
  const { world, portfolio, market } = seat;
  if (!isFresh(seat)) return null;
  return followsVenue(portfolio.account.policy) ? freshVenuePrice(world, market, 'mark') : market.book.mid;
}

/** The venue's own mark or index, if it is fresh; else null. */
export function freshVenuePrice(world: World, { book }: Market, price: 'mark' | 'index'): HalfPrice | null {
  const { marks } = book;
  return marks === null || world.now - marks.time > venueMarkStaleMs ? null : marks[price];
}

/** The last mark by which an account is measured, however old; null if there is none. */
export function lastMark(portfolio: Portfolio, { book }: Market): HalfPrice | null {
  if (followsVenue(portfolio.account.policy) && book.marks !== null) return book.marks.mark;
  return Number.isNaN(book.mid) ? null : book.mid;
}

/** Reports a market's current marks to those that wait for them: its midpoint, and its venue's own. */
export function followPrices(world: World, watch: BandWatch, market: Market): void {
  watch.markMoved(market.id, market.book.mid);
  if (market.book.marks !== null)
    watch.markMoved(market.venueKey, freshVenuePrice(world, market, 'mark') ?? Number.NaN);
}

/**
 * Why a market has no fresh mark: its book is missing, too old to `use`, or has an empty side; else its venue's mark
 * is.
 */
export function bookProblem({ id, book }: Market, isRecent: boolean, use: string): string {
  if (book.gap !== null)
    return `The book of ${id} is in a gap (${book.gap.reason}): it can't be used to ${use} until it is complete.`;
  if (book.time === Number.NEGATIVE_INFINITY) return `${id} has no book yet.`;
  if (!isRecent) return `The book of ${id} is too old to ${use}.`;
  if (book.bids.count > 0 && book.asks.count > 0)
    return `The venue's own mark of ${id} ${book.marks === null ? 'is not known' : 'is too old'}: there is nothing to ${use}.`;
  return `The book of ${id} has no ${book.bids.count === 0 ? 'bids' : 'asks'}, so it has no mid to ${use}.`;
}
