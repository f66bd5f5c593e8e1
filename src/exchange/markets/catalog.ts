import type { MarketDefinition } from '../engine/model.ts';
import { type CapturedMarket, captured } from './captured.ts';

/** Maximum decimals of a price of provider hyperliquid, before its size decimals are subtracted (simulation 1). */
const hyperliquidPriceDecimals = 6;

/** The markets of the default catalog, one per instrument, in listing order (simulation 2.2). */
export const defaultCatalog: readonly MarketDefinition[] = captured.map(definitionOf);

/** The default catalog of version 1, for states that do not record their markets. */
// biome-ignore format: one market a line
export const firstCatalog: readonly MarketDefinition[] = ([
  ['binance', 'BTCUSDT', 'BTC', 3, 10, 'crypto', '0.1'],
  ['binance', 'ETHUSDT', 'ETH', 3, 10, 'crypto', '0.01'],
  ['binance', 'SOLUSDT', 'SOL', 2, 8, 'crypto', '0.01'],
  ['bybit', 'XRPUSDT', 'XRP', 1, 8, 'crypto', '0.0001'],
  ['binance', 'DOGEUSDT', 'DOGE', 0, 5, 'crypto', '0.00001'],
  ['binance', 'BNBUSDT', 'BNB', 2, 8, 'crypto', '0.01'],
  ['hyperliquid', 'HYPE', 'HYPE', 2, 5, 'crypto', null],
  ['hyperliquid', 'xyz:GOLD', 'GOLD', 4, 10, 'tradfi', null],
  ['hyperliquid', 'xyz:SP500', 'SP500', 3, 12, 'tradfi', null],
  ['hyperliquid', 'xyz:EUR', 'EUR', 1, 50, 'fx', null],
] as const).map(definitionOf);

/** A market's definition in the default catalog or the previous one; undefined if it is in neither. */
export function catalogMarket(marketId: string | undefined): MarketDefinition | undefined {
  const hasId = (market: MarketDefinition) => market.marketId === marketId;
  return defaultCatalog.find(hasId) ?? firstCatalog.find(hasId);
}

/** Splits a market id at its first pipe; null if either part is missing. */
export function splitMarketId(marketId: string): { provider: string; coin: string } | null {
  const pipe = marketId.indexOf('|');
  if (pipe < 1 || pipe === marketId.length - 1) return null;
  return { provider: marketId.slice(0, pipe), coin: marketId.slice(pipe + 1) };
}

/**
 * Decimals of the price unit under provider hyperliquid's rule; at least 0. Its prices have no fixed tick:
 * five significant figures, 6 - sizeDecimals decimals, integers always allowed (simulation 1).
 */
export function hyperliquidDecimals(sizeDecimals: number): number {
  return Math.max(0, hyperliquidPriceDecimals - sizeDecimals);
}

/** The maximum leverage of a market if neither the catalog nor its venue says it. */
export const leverageWhenUnknown = 10;

/** The symbol of a coin that the catalog does not list: BTCUSDT, BTC-USDT-SWAP and xyz:GOLD give BTC, BTC and GOLD. */
export function symbolOf(coin: string): string {
  const base = coin.slice(coin.indexOf(':') + 1);
  return /^(.+?)-?(USDT|USDC|USD)(-SWAP)?$/.exec(base)?.[1] ?? base;
}

function definitionOf(market: CapturedMarket): MarketDefinition {
  const [provider, coin, symbol, sizeDecimals, maxLeverage, category, tick] = market;
  const marketId = `${provider}|${coin}`;
  const priceDecimals = tick === null ? hyperliquidDecimals(sizeDecimals) : (tick.split('.')[1]?.length ?? 0);
  const units = tick === null ? null : Number(tick.replace('.', ''));
  return { marketId, provider, symbol, coin, category, sizeDecimals, priceDecimals, tick: units, maxLeverage };
}
