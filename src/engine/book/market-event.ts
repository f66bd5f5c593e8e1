import { fillFromBook, fillFromPrint } from '../fills/maker-fills.ts';
import type { MarketEvent } from '../source.ts';
import type { World } from '../world.ts';
import { followBook } from './current-book.ts';
import type { Market } from './market.ts';

/** A market event: the book and what hangs on it, then maker fills at their old prices (simulation 2). */
export function takeMarketEvent(world: World, market: Market, event: MarketEvent): void {
  if (event.kind === 'print') {
    fillFromPrint(world, market, event);
    return;
  }
  const { book } = market;
  if (event.kind === 'book') book.replace(event.time, event.sequence, event);
  else book.update(event.time, event.sequence, event);
  followBook(world, market);
  fillFromBook(world, market);
}
