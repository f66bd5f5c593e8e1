import type { Book, BookSide } from '../../exchange/engine/book/book.ts';
import { finestTick } from '../../exchange/engine/book/price-grid.ts';
import type { OpenState } from '../../exchange/engine/commands.ts';
import { defaultPolicy } from '../../exchange/engine/defaults.ts';
import type { MarketDefinition } from '../../exchange/engine/model.ts';
import type { Market as WireMarket } from '../../wire/contract/markets.ts';
import type { SimulationBook } from '../../wire/contract/simulation.ts';
import { decimal } from './numbers.ts';

/** Smallest notional of an order that adds exposure in every new account's policy, USD. */
const minNotional = defaultPolicy().limits.minOrderNotionalUsd;

/** A market in wire form (contract: Market). Reduce-only during a halt, and once it is no longer in the catalog. */
export function presentMarket(market: MarketDefinition, halt: OpenState['halt']): WireMarket {
  const isHalted = halt.platform || halt.categories.includes(market.category);
  return {
    market_id: market.marketId,
    provider: market.provider as WireMarket['provider'],
    symbol: market.symbol,
    coin: market.coin,
    size_decimals: market.sizeDecimals,
    max_leverage: market.maxLeverage,
    size_step: decimal(1, market.sizeDecimals),
    min_size: decimal(1, market.sizeDecimals),
    min_notional: minNotional,
    tick_size: decimal(finestTick(market), market.priceDecimals),
    market_type: 'perpetual',
    category: market.category,
    trading_enabled: !halt.platform,
    reduce_only: isHalted || market.isRetired === true,
  };
}

/** Levels per side that are shown, as on the stream of books. */
const shownLevels = 50;

/** A book in wire form (contract: SimulationBook). */
export function presentBook(
  market: MarketDefinition,
  { bids, asks, time }: Readonly<Pick<Book, 'bids' | 'asks' | 'time'>>,
): SimulationBook {
  return {
    market_id: market.marketId,
    time: Number.isFinite(time) ? time : null,
    bids: levelsOf(bids, market),
    asks: levelsOf(asks, market),
  };
}

function levelsOf({ prices, sizes, count }: BookSide, { priceDecimals, sizeDecimals }: MarketDefinition): number[][] {
  const levels: number[][] = [];
  for (let at = count - 1; at >= 0 && levels.length < shownLevels; at -= 1)
    levels.push([decimal(prices[at]!, priceDecimals), decimal(sizes[at]!, sizeDecimals)]);
  return levels;
}
