import type { Order } from '../model.ts';
import type { GapEndEvent, GapEvent } from '../source.ts';
import { explain } from './changes.ts';
import type { Market } from './market.ts';
import type { World } from './world.ts';

/**
 * A gap in a market's data: nothing fills, triggers or is judged by its mark until the next full book. Orders that rest
 * keep their place; how much stands ahead of them is looked at again then.
 */
export function beginGap(world: World, market: Market, { time, reason }: GapEvent): void {
  if (market.book.gap !== null) return;
  market.book.lose({ since: time, reason });
  market.buys.hideAll();
  market.sells.hideAll();
  for (const order of waitingFor(world, market)) explain(world, order, 'gap', { reason });
}

/** The gap ends with the book that follows; prints that the venue's history has of it came before. */
export function endGap(world: World, market: Market, { prints, history }: GapEndEvent): void {
  const since = market.book.gap?.since ?? null;
  for (const order of waitingFor(world, market)) {
    explain(world, order, 'gap_end', { gap_since: since, gap_prints: prints, gap_history: history });
  }
}

/** Working orders that the market's events concern, oldest first. */
function waitingFor(world: World, market: Market): Order[] {
  const concerned = [...world.orders.values()].filter(
    ({ marketId, triggerMarketId }) => marketId === market.id || triggerMarketId === market.id,
  );
  return concerned.sort((one, other) => one.sequence - other.sequence);
}
