import type { MarketDefinition } from '../engine/model.ts';
import type { MarketData } from './bars.ts';
import { defaultCatalog } from './catalog.ts';
import { SyntheticMarkets } from './synthetic/markets.ts';
import type { LastTouch } from './synthetic/start.ts';
import { SyntheticTape } from './synthetic/tape.ts';

/**
 * The embedded market data (simulation 2): books and prints as a pure function of `seed`, market and time, the same on
 * every machine. At least two book events in every second, any moment from the Unix epoch on at random access,
 * `firstTouch` without playing. A definition whose symbol the default catalog lacks gets a plain made-up price.
 * Asking for a market without a definition throws a RangeError.
 */
export function syntheticSource(options: {
  /** Any finite number; whole numbers up to 2^53 give paths of their own. */
  seed: number;
  definitions?: readonly MarketDefinition[];
  /** Where markets go on from what older versions of their prices showed. */
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
    bars: (marketId, interval, from, count, until) => markets.bars(marketId).bars(interval, from, count, until),
    volume: (marketId, from, to) => markets.at(marketId).session.volume(from, to),
  };
}
