import type { HalfPrice } from '../model.ts';
import type { Market } from './market.ts';
import { marketOf, type Portfolio, touchOrder, type World } from './world.ts';

/** Brings a market's book up to date, unless the tape plays it. */
export function bringUpToDate(world: World, market: Market): void {
  if (market.watched || market.bookAsOf >= world.now) return;
  market.bookAsOf = world.now;
  const snapshot = world.source.book(market.id, world.now);
  if (snapshot === null) return;
  const { book } = market;
  const isInGap = snapshot.gap !== undefined;
  if (snapshot.time === book.time && snapshot.sequence === book.sequence && isInGap === (book.gap !== null)) return;
  book.load(snapshot);
  followBook(world, market);
}

/** Updates everything that depends on the changed levels of a book: consumption and queues. */
export function followBook(world: World, market: Market): void {
  const { book } = market;
  market.consumedBids.shrink(book.changedBids);
  market.consumedAsks.shrink(book.changedAsks);
  market.buys.followBook(book.changedBids, (order) => touchOrder(world, order));
  market.sells.followBook(book.changedAsks, (order) => touchOrder(world, order));
}

/** Brings the books of all markets where an account has positions or orders up to date. */
export function bringPositionsUpToDate(world: World, portfolio: Portfolio): void {
  for (const marketId of portfolio.positions.keys()) bringUpToDate(world, marketOf(world, marketId));
  // Orders without a price of their own reserve margin at the mark.
  for (const { marketId } of portfolio.orders.values()) bringUpToDate(world, marketOf(world, marketId));
}

/** Whether a market's book is recent enough for this account to act on. */
export function isFresh(world: World, portfolio: Portfolio, market: Market): boolean {
  return market.book.isFresh(world.now, portfolio.account.policy.limits.maxBookStalenessMs);
}

/** The fresh mark, else null. */
export function freshMark(world: World, portfolio: Portfolio, market: Market): HalfPrice | null {
  return isFresh(world, portfolio, market) ? market.book.mid : null;
}

/** Why a book is not fresh: it is missing, too old to `use`, or a side is empty. */
export function bookProblem({ id, book }: Market, isRecent: boolean, use: string): string {
  if (book.gap !== null)
    return `The book of ${id} is in a gap (${book.gap.reason}): there is nothing to ${use} until it is complete.`;
  if (book.time === Number.NEGATIVE_INFINITY) return `${id} has no book yet.`;
  if (!isRecent) return `The book of ${id} is too old to ${use}.`;
  return `The book of ${id} has no ${book.bids.count === 0 ? 'bids' : 'asks'}, so it has no mid to ${use}.`;
}
