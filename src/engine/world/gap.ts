import type { Order } from '../model.ts';
import type { GapEndEvent, GapEvent } from '../source.ts';
import { explain } from './changes.ts';
import type { Market } from './market.ts';
import type { World } from './world.ts';

/**
 * A gap in a market's data: nothing fills or triggers, and its mark is not used, until the next full book. Resting
 * orders keep their place; the size ahead of them is then determined again.
 */
export function beginGap(world: World, market: Market, { time, reason, since = time }: GapEvent): void {
  if (market.book.gap !== null) return;
  market.book.lose({ since, reason });
  market.buys.hideAll();
  market.sells.hideAll();
  for (const order of waitingFor(world, market)) explain(world, order, 'gap', { reason });
}

/** The gap ends with the book that follows; prints of the gap from the venue's history come before it. */
export function endGap(world: World, market: Market, { prints, history }: GapEndEvent): void {
  const since = market.book.gap?.since ?? null;
  for (const order of waitingFor(world, market)) {
    explain(world, order, 'gap_end', { gap_since: since, gap_prints: prints, gap_history: history });
  }
}

/** Working orders that the market's events affect, oldest first. */
function waitingFor(world: World, market: Market): Order[] {
  const concerned = [...world.orders.values()].filter(
    ({ marketId, triggerMarketId }) => marketId === market.id || triggerMarketId === market.id,
  );
  return concerned.sort((one, other) => one.sequence - other.sequence);
}
