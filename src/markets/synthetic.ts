import type { MarketDefinition } from '../engine/model.ts';
import type { MarketSource } from '../engine/source.ts';
import { defaultCatalog } from './catalog.ts';
import { SyntheticMarkets } from './synthetic/markets.ts';
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
}): MarketSource {
  const definitions = options.definitions ?? defaultCatalog;
  const markets = new SyntheticMarkets(options.seed, definitions);
  return {
    name: 'synthetic',
    definitions,
    get reach() {
      return markets.reach();
    },
    book: (marketId, time) => markets.at(marketId).book(time),
    open: (from) => new SyntheticTape(markets, from),
    firstTouch: (marketId, from, to, low, high) => markets.at(marketId).firstTouch(from, to, low, high),
    volume: (marketId, from, to) => markets.at(marketId).session.volume(from, to),
  };
}
