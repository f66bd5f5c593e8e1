import type { MarkBand } from '../indexes/mark-band.ts';
import { bothQuiet, everQuiet, neverQuiet } from '../indexes/mark-band.ts';
import type { Price } from '../model.ts';
import type { Market } from './market.ts';
import type { World } from './world.ts';

/**
 * Between which marks do a market's events change nothing at all? Each room that hangs on a market answers for itself;
 * only where all agree may events be skipped instead of played (simulation 2: `firstTouch`).
 */
const interests: readonly ((world: World, market: Market) => MarkBand)[] = [
  restingOrders,
  everyEventCounts,
  (_world, market) => market.triggers.quiet,
  (world, market) => world.riskWatch.quiet(market.id),
  (world, market) => world.twapWatch.quiet(market.id),
];

/** The marks at which nothing of ours can change in the market. */
export function quietBand(world: World, market: Market): MarkBand {
  let band = everQuiet;
  for (const interest of interests) band = bothQuiet(band, interest(world, market));
  return band;
}

/** Consumption shrinks with any update of its level, what must get out tries every book, a chase follows each. */
function everyEventCounts(_world: World, market: Market): MarkBand {
  const isQuiet =
    market.consumedBids.isEmpty &&
    market.consumedAsks.isEmpty &&
    market.unfinished.size === 0 &&
    market.chases.size === 0;
  return isQuiet ? everQuiet : neverQuiet;
}

/** A resting order is untouched while neither a displayed level nor a print can come as far as its price. */
function restingOrders(world: World, market: Market): MarkBand {
  const { buys, sells } = market;
  if (buys.ranked.isEmpty && sells.ranked.isEmpty) return everQuiet;
  const { reach } = world.source;
  if (reach === undefined || reach >= 1) return neverQuiet;
  return { low: lowestQuiet(buys.top, reach), high: highestQuiet(-sells.top, reach) };
}

/** The lowest half price from which nothing reaches down to a price; a little higher, for rounding. */
function lowestQuiet(price: Price, reach: number): number {
  return Math.ceil(((2 * price) / (1 - reach)) * (1 + 1e-12)) + 1;
}

/** The highest half price from which nothing reaches up to a price; a little lower, for rounding. */
function highestQuiet(price: Price, reach: number): number {
  return Math.floor(((2 * price) / (1 + reach)) * (1 - 1e-12)) - 1;
}
