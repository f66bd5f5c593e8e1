import type { Category, MarketDefinition } from '../engine/model.ts';

/** Decimals a price of provider hyperliquid may have at most, before the size decimals are taken off (simulation 1). */
const hyperliquidPriceDecimals = 6;

/** The markets of the default catalog, one per instrument, in the order in which they are listed (simulation 2). */
export const defaultCatalog: readonly MarketDefinition[] = [
  onTick('binance|BTCUSDT', 'BTC', 3, 10, '0.1'),
  onTick('binance|ETHUSDT', 'ETH', 3, 10, '0.01'),
  onTick('binance|SOLUSDT', 'SOL', 2, 8, '0.01'),
  onTick('bybit|XRPUSDT', 'XRP', 1, 8, '0.0001'),
  onTick('binance|DOGEUSDT', 'DOGE', 0, 5, '0.00001'),
  onTick('binance|BNBUSDT', 'BNB', 2, 8, '0.01'),
  onSignificantFigures('hyperliquid|HYPE', 'HYPE', 2, 5, 'crypto'),
  onSignificantFigures('hyperliquid|xyz:GOLD', 'GOLD', 4, 10, 'tradfi'),
  onSignificantFigures('hyperliquid|xyz:SP500', 'SP500', 3, 12, 'tradfi'),
  onSignificantFigures('hyperliquid|xyz:EUR', 'EUR', 1, 50, 'fx'),
];

/** Divides a market id at its first pipe; null when either part is missing. */
export function splitMarketId(marketId: string): { provider: string; coin: string } | null {
  const pipe = marketId.indexOf('|');
  if (pipe < 1 || pipe === marketId.length - 1) return null;
  return { provider: marketId.slice(0, pipe), coin: marketId.slice(pipe + 1) };
}

/**
 * Decimals of the price unit that provider hyperliquid's own rule asks for; at least 0. Its prices have no fixed tick:
 * five significant figures, 6 - sizeDecimals decimals, integers always allowed (simulation 1).
 */
export function hyperliquidDecimals(sizeDecimals: number): number {
  return Math.max(0, hyperliquidPriceDecimals - sizeDecimals);
}

function onTick(marketId: string, symbol: string, sizeDecimals: number, maxLeverage: number, tick: string) {
  const [, decimals = ''] = tick.split('.');
  return market(marketId, symbol, 'crypto', sizeDecimals, maxLeverage, decimals.length, Number(tick.replace('.', '')));
}

function onSignificantFigures(
  marketId: string,
  symbol: string,
  sizeDecimals: number,
  maxLeverage: number,
  category: Category,
) {
  return market(marketId, symbol, category, sizeDecimals, maxLeverage, hyperliquidDecimals(sizeDecimals), null);
}

function market(
  marketId: string,
  symbol: string,
  category: Category,
  sizeDecimals: number,
  maxLeverage: number,
  priceDecimals: number,
  tick: number | null,
): MarketDefinition {
  const { provider, coin } = splitMarketId(marketId)!;
  return { marketId, provider, symbol, coin, category, sizeDecimals, priceDecimals, tick, maxLeverage };
}
