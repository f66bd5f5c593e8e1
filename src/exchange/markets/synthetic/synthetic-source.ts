import type { MarketDefinition } from '../../engine/model.ts';
import type { MarketData } from '../bars.ts';
import { defaultCatalog } from '../catalog.ts';
import { SyntheticMarkets, SyntheticTape } from './markets.ts';
import type { LastTouch } from './start.ts';

/**
 * The built-in market data (simulation 2.3): books and prints as a pure function of `seed`, market and time, the same
 * on every machine. Every second has at least two book events. Any moment from the Unix epoch on can be read directly;
 * `firstTouch` needs no playing. A definition whose symbol is not in the default catalog gets a plain made-up price.
 * Asking for a market without a definition throws a RangeError.
 */
export function syntheticSource(options: {
  /** Any finite number. Every whole number up to 2^53 gives different paths. */
  seed: number;
  definitions?: readonly MarketDefinition[];
  /** The touches that markets showed under an older version of their prices, to continue from. */
  lastTouches?: readonly LastTouch[];
}): MarketData {
  const definitions = options.definitions ?? defaultCatalog;
  const markets = new SyntheticMarkets(options.seed, definitions, options.lastTouches);
  return {
    name: 'synthetic',
    definitions,
    book: (marketId, time) => markets.at(marketId).book(time),
    open: (from) => new SyntheticTape(markets, from),
    firstTouch: (marketId, from, to, low, high) => markets.search(marketId).firstTouch(from, to, low, high),
    firstReach: (marketId, from, to, low, high) => markets.search(marketId).firstReach(from, to, low, high),
    firstShrink: (marketId, from, to, taken) => markets.at(marketId).firstShrink(from, to, taken),
    bars: (marketId, interval, from, count, until) => markets.bars(marketId).bars(interval, from, count, until),
    pricesSince: (marketId) => options.lastTouches?.find((one) => one.marketId === marketId)?.time ?? null,
    volume: (marketId, from, to) => markets.at(marketId).session.volume(from, to),
  };
}
