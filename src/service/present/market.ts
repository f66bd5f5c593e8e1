import type { Market as WireMarket } from '../../contract/markets.ts';
import { finestTick } from '../../engine/book/price-grid.ts';
import type { OpenState } from '../../engine/commands.ts';
import { defaultPolicy } from '../../engine/defaults.ts';
import type { MarketDefinition } from '../../engine/model.ts';
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
