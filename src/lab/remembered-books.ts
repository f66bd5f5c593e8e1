import type { Ms } from '../engine/model.ts';
import type { BookSnapshot, MarketSource } from '../engine/source.ts';

/** How many numbers the books of all sources of a process may have together: 16 MB. */
export const mostNumbers = 2 ** 21;

/** What a book needs besides its levels, as numbers. */
const ownNumbers = 32;

/**
 * The same source, which keeps the books that it was asked for. One trial after another mostly asks for the same: to find
 * a book again means to play the tape up to it. With more than `most` numbers, those that are new are not kept.
 */
export function rememberedBooks(source: MarketSource, most: number): MarketSource {
  const known = new Map<string, Map<Ms, BookSnapshot | null>>();
  for (const { marketId } of source.definitions) known.set(marketId, new Map());
  let room = most;
  return {
    ...source,
    book(marketId, time) {
      const books = known.get(marketId);
      const found = books?.get(time);
      if (found !== undefined) return found;
      const book = source.book(marketId, time);
      room -= ownNumbers + (book === null ? 0 : book.bids.length + book.asks.length);
      if (room > 0) books?.set(time, book);
      return book;
    },
  };
}
