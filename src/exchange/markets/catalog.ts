import type { Category, MarketDefinition } from '../engine/model.ts';

/** Short name, decimals of a lot, maximum leverage, category, and tick (null: provider hyperliquid's rule). */
type CapturedMarket = readonly [
  symbol: string,
  sizeDecimals: number,
  maxLeverage: number,
  category: Category,
  tick: string | null,
];

/** Its group of instruments, price, daily volatility in percent, and daily volume in millions of USD. */
type Character = readonly [group: string, base: number, percent: number, millions: number];

/**
 * The service's markets, captured from the service, in its order. The service does not report ticks: these are the
 * venue's where known, or else typical of the venue's other markets. The last four values are those of the synthetic
 * market: made up, close to those of 2026.
 */
// biome-ignore format: one market a line
export const listed = [
  ['AAPL', 3, 5, 'tradfi', null, 'stock', 270, 1.5, 40],
  ['AAVE', 1, 3, 'crypto', '0.01', 'alt', 180, 4.4, 350],
  ['ADA', 0, 3, 'crypto', '0.0001', 'major', 0.62, 4, 900],
  ['AERO', 1, 2, 'crypto', '0.0001', 'alt', 0.72, 6, 60],
  ['ALGO', 1, 2, 'crypto', '0.00001', 'alt', 0.16, 4.6, 60],
  ['AMD', 2, 5, 'tradfi', '0.01', 'chip', 220, 3.1, 60],
  ['AMZN', 3, 5, 'tradfi', null, 'stock', 231, 1.9, 40],
  ['ANTHROPIC', 2, 5, 'tradfi', '0.01', 'stock', 420, 3, 12],
  ['APT', 1, 2, 'crypto', '0.001', 'alt', 2.4, 5, 110],
  ['ARB', 1, 2, 'crypto', '0.0001', 'alt', 0.27, 5, 160],
  ['ARM', 2, 5, 'tradfi', '0.01', 'chip', 138, 3, 15],
  ['ASTER', 0, 3, 'crypto', '0.0001', 'alt', 0.95, 6, 400],
  ['ATOM', 2, 2, 'crypto', '0.001', 'alt', 2.7, 4.6, 80],
  ['AVAX', 0, 3, 'crypto', '0.001', 'major', 17, 4.6, 400],
  ['AVGO', 2, 5, 'tradfi', '0.01', 'chip', 345, 2.6, 40],
  ['BABA', 2, 5, 'tradfi', '0.01', 'stock', 152, 2.4, 25],
  ['BCH', 3, 3, 'crypto', '0.01', 'alt', 560, 3.6, 250],
  ['BE', 2, 5, 'tradfi', '0.01', 'stock', 112, 5.5, 15],
  ['BMNR', 2, 5, 'tradfi', '0.01', 'coinStock', 34, 6, 60],
  ['BNB', 2, 8, 'crypto', '0.01', 'major', 650, 2.6, 1_100],
  ['1000BONK', 0, 2, 'crypto', '0.000001', 'meme', 0.0112, 6, 150],
  ['BRENTOIL', 2, 8, 'tradfi', null, 'oil', 64, 2, 60],
  ['BTC', 3, 10, 'crypto', '0.1', 'bitcoin', 95_000, 2.4, 36_000],
  ['CASHCAT', 0, 2, 'crypto', null, 'meme', 0.0042, 9, 4],
  ['CL', 2, 8, 'tradfi', '0.01', 'oil', 60, 2.1, 150],
  ['COHR', 2, 5, 'tradfi', '0.01', 'chip', 182, 4, 10],
  ['COIN', 2, 5, 'tradfi', '0.01', 'coinStock', 275, 3.8, 60],
  ['COPPER', 1, 5, 'tradfi', '0.001', 'copper', 5.1, 1.4, 20],
  ['CRCL', 2, 5, 'tradfi', '0.01', 'coinStock', 88, 5.5, 60],
  ['CRV', 1, 2, 'crypto', '0.0001', 'alt', 0.44, 5.6, 110],
  ['CRWV', 2, 5, 'tradfi', '0.01', 'chip', 88, 5.5, 40],
  ['CXMT', 2, 5, 'tradfi', '0.01', 'chip', 24, 4.5, 8],
  ['DASH', 3, 2, 'crypto', '0.01', 'apart', 58, 7, 120],
  ['DELL', 2, 5, 'tradfi', '0.01', 'chip', 132, 2.8, 10],
  ['DOGE', 0, 5, 'crypto', '0.00001', 'major', 0.35, 4.2, 1_500],
  ['DOT', 1, 2, 'crypto', '0.001', 'alt', 2.6, 4.5, 150],
  ['DRAM', 2, 5, 'tradfi', '0.01', 'chip', 31, 3.6, 10],
  ['ENA', 0, 3, 'crypto', '0.0001', 'alt', 0.29, 6.2, 300],
  ['ETC', 2, 2, 'crypto', '0.001', 'alt', 14.5, 4, 90],
  ['ETH', 3, 10, 'crypto', '0.01', 'ether', 3_300, 3.2, 6_800],
  ['ETHFI', 1, 2, 'crypto', '0.0001', 'alt', 0.92, 6, 70],
  ['EUR', 1, 50, 'fx', null, 'euro', 1.16, 0.4, 25],
  ['EWY', 2, 5, 'tradfi', '0.01', 'abroad', 97, 1.8, 12],
  ['FARTCOIN', 1, 2, 'crypto', '0.0001', 'meme', 0.36, 7.5, 200],
  ['FET', 0, 2, 'crypto', '0.0001', 'alt', 0.27, 6, 80],
  ['FIL', 1, 2, 'crypto', '0.001', 'alt', 1.7, 5, 140],
  ['GOLD', 4, 10, 'tradfi', null, 'gold', 4_100, 1.1, 300],
  ['GOOGL', 2, 4, 'tradfi', '0.01', 'stock', 312, 1.8, 60],
  ['GRAM', 1, 2, 'crypto', '0.0001', 'alt', 1.8, 4.4, 70],
  ['HBAR', 0, 2, 'crypto', '0.00001', 'alt', 0.15, 5, 130],
  ['HOOD', 2, 5, 'tradfi', '0.01', 'coinStock', 122, 4, 50],
  ['HYPE', 2, 5, 'crypto', '0.001', 'alt', 35, 4.6, 1_000],
  ['ICP', 0, 2, 'crypto', '0.001', 'alt', 3.9, 5.2, 90],
  ['INJ', 1, 2, 'crypto', '0.001', 'alt', 5.6, 5.4, 70],
  ['INTC', 2, 5, 'tradfi', '0.01', 'chip', 38, 3.2, 50],
  ['JP225', 5, 5, 'tradfi', null, 'abroad', 50_500, 1.5, 25],
  ['JPY', 2, 50, 'fx', null, 'yen', 156, 0.5, 20],
  ['JTO', 0, 2, 'crypto', '0.0001', 'alt', 0.42, 6, 40],
  ['JUP', 0, 2, 'crypto', '0.0001', 'alt', 0.23, 5.5, 80],
  ['KAITO', 1, 2, 'crypto', '0.0001', 'alt', 0.62, 7, 60],
  ['LDO', 0, 2, 'crypto', '0.0001', 'alt', 0.66, 5.6, 90],
  ['LINK', 2, 3, 'crypto', '0.001', 'major', 14.2, 4.4, 500],
  ['LIT', 1, 3, 'crypto', '0.0001', 'alt', 2.4, 7, 120],
  ['LLY', 4, 5, 'tradfi', null, 'stock', 1_060, 1.9, 8],
  ['LTC', 3, 3, 'crypto', '0.01', 'major', 88, 3.7, 300],
  ['META', 2, 5, 'tradfi', '0.01', 'stock', 655, 2.1, 40],
  ['MON', 0, 2, 'crypto', '0.00001', 'alt', 0.024, 8, 120],
  ['MRVL', 2, 5, 'tradfi', '0.01', 'chip', 91, 3.6, 15],
  ['MSFT', 3, 5, 'tradfi', null, 'stock', 484, 1.5, 30],
  ['MSTR', 2, 2, 'tradfi', '0.01', 'coinStock', 182, 4.6, 150],
  ['MU', 2, 5, 'tradfi', '0.01', 'chip', 255, 3.8, 80],
  ['NATGAS', 1, 5, 'tradfi', '0.001', 'gas', 4.2, 4, 40],
  ['NBIS', 2, 5, 'tradfi', '0.01', 'chip', 96, 5.5, 20],
  ['NEAR', 0, 3, 'crypto', '0.001', 'alt', 1.9, 5.2, 250],
  ['NVDA', 2, 5, 'tradfi', '0.01', 'chip', 184, 2.4, 200],
  ['ONDO', 1, 2, 'crypto', '0.0001', 'alt', 0.48, 5.2, 110],
  ['OP', 1, 2, 'crypto', '0.0001', 'alt', 0.34, 5.4, 110],
  ['OPENAI', 2, 5, 'tradfi', '0.01', 'stock', 730, 3, 15],
  ['ORCL', 2, 5, 'tradfi', '0.01', 'stock', 198, 3, 50],
  ['PALLADIUM', 4, 5, 'tradfi', null, 'metal', 1_610, 2.4, 15],
  ['PENDLE', 0, 2, 'crypto', '0.001', 'alt', 2.3, 6, 60],
  ['PENGU', 0, 2, 'crypto', '0.000001', 'meme', 0.0121, 7, 250],
  ['1000PEPE', 0, 2, 'crypto', '0.0000001', 'meme', 0.0052, 5.8, 500],
  ['PLATINUM', 4, 5, 'tradfi', null, 'metal', 1_720, 2.2, 20],
  ['PLTR', 2, 5, 'tradfi', '0.01', 'stock', 182, 3.2, 60],
  ['POL', 0, 3, 'crypto', '0.00001', 'alt', 0.136, 4.6, 60],
  ['PONS', 0, 2, 'crypto', '0.00001', 'alt', 0.052, 9, 20],
  ['PUMP', 0, 2, 'crypto', '0.000001', 'meme', 0.0029, 7.5, 300],
  ['PYTH', 0, 2, 'crypto', '0.00001', 'alt', 0.074, 5.8, 50],
  ['QCOM', 2, 5, 'tradfi', '0.01', 'chip', 174, 2.4, 12],
  ['QQQ', 2, 5, 'tradfi', '0.01', 'index', 618, 1.2, 40],
  ['RENDER', 1, 2, 'crypto', '0.001', 'alt', 2.2, 5.6, 80],
  ['RKLB', 2, 5, 'tradfi', '0.01', 'stock', 72, 5, 25],
  ['SEI', 0, 2, 'crypto', '0.00001', 'alt', 0.136, 5.6, 110],
  ['1000SHIB', 0, 2, 'crypto', '0.000001', 'meme', 0.0086, 4.6, 150],
  ['SILVER', 2, 8, 'tradfi', null, 'metal', 61, 2.4, 500],
  ['SKHX', 3, 5, 'tradfi', null, 'abroad', 405, 3.2, 40],
  ['SMSN', 3, 5, 'tradfi', null, 'abroad', 74, 2.4, 30],
  ['SNDK', 2, 5, 'tradfi', '0.01', 'chip', 242, 5.5, 60],
  ['SOL', 2, 8, 'crypto', '0.01', 'major', 190, 3.8, 5_000],
  ['SOXL', 2, 2, 'tradfi', '0.01', 'chip', 44, 7, 30],
  ['SP500', 3, 12, 'tradfi', null, 'index', 6_800, 1, 400],
  ['SPCX', 2, 5, 'tradfi', '0.01', 'stock', 62, 4, 25],
  ['SPX', 0, 2, 'crypto', '0.0001', 'meme', 0.56, 7, 60],
  ['SUI', 1, 3, 'crypto', '0.0001', 'major', 1.9, 5, 900],
  ['TAO', 3, 3, 'crypto', '0.01', 'alt', 285, 5.4, 200],
  ['TRUMP', 2, 2, 'crypto', '0.001', 'meme', 5.6, 5.4, 180],
  ['TRX', 0, 5, 'crypto', '0.00001', 'apart', 0.29, 1.9, 150],
  ['TSLA', 2, 5, 'tradfi', '0.01', 'stock', 448, 3.2, 250],
  ['TSM', 2, 5, 'tradfi', '0.01', 'chip', 298, 2.2, 30],
  ['UNI', 0, 3, 'crypto', '0.001', 'alt', 6.1, 5, 250],
  ['VVV', 2, 2, 'crypto', '0.001', 'alt', 2.4, 7.5, 40],
  ['WDC', 2, 5, 'tradfi', '0.01', 'chip', 182, 4, 10],
  ['WIF', 1, 2, 'crypto', '0.0001', 'meme', 0.41, 6.5, 150],
  ['WLD', 0, 3, 'crypto', '0.0001', 'alt', 0.61, 6, 250],
  ['WLFI', 0, 3, 'crypto', '0.00001', 'alt', 0.15, 5.5, 150],
  ['XLM', 0, 2, 'crypto', '0.00001', 'alt', 0.25, 4.4, 110],
  ['XMR', 3, 2, 'crypto', '0.01', 'apart', 430, 4.4, 150],
  ['XPL', 0, 2, 'crypto', '0.0001', 'alt', 0.17, 7.5, 150],
  ['XRP', 1, 8, 'crypto', '0.0001', 'major', 2.2, 3.8, 3_000],
  ['XYZ100', 4, 12, 'tradfi', null, 'index', 25_200, 1.3, 500],
  ['ZEC', 3, 3, 'crypto', '0.01', 'apart', 410, 8, 900],
] as const satisfies readonly (readonly [...CapturedMarket, ...Character])[];

/** Maximum decimals of a price of provider hyperliquid, before its size decimals are subtracted (simulation 1). */
const hyperliquidPriceDecimals = 6;

/** The markets of the default catalog, one per instrument, in listing order (simulation 2.2). */
export const defaultCatalog: readonly MarketDefinition[] = listed.map((market) => definitionOf(market));

/** The default catalog of version 1, for states that do not record their markets. */
// biome-ignore format: one market a line
export const firstCatalog: readonly MarketDefinition[] = ([
  ['BTC', 3, 10, 'crypto', '0.1'],
  ['ETH', 3, 10, 'crypto', '0.01'],
  ['SOL', 2, 8, 'crypto', '0.01'],
  ['XRP', 1, 8, 'crypto', '0.0001'],
  ['DOGE', 0, 5, 'crypto', '0.00001'],
  ['BNB', 2, 8, 'crypto', '0.01'],
  ['HYPE', 2, 5, 'crypto', null],
  ['GOLD', 4, 10, 'tradfi', null],
  ['SP500', 3, 12, 'tradfi', null],
  ['EUR', 1, 50, 'fx', null],
] as const).map((market) => definitionOf(market, market[0] === 'XRP' ? 'bybit' : undefined));

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

/** Provider hyperliquid has its own markets, and those of xyz, which are not crypto. */
function definitionOf(
  [symbol, sizeDecimals, maxLeverage, category, tick]: CapturedMarket | readonly [...CapturedMarket, ...Character],
  provider = tick === null ? 'hyperliquid' : 'binance',
): MarketDefinition {
  const coin = tick !== null ? `${symbol}USDT` : category === 'crypto' ? symbol : `xyz:${symbol}`;
  const marketId = `${provider}|${coin}`;
  const priceDecimals = tick === null ? hyperliquidDecimals(sizeDecimals) : (tick.split('.')[1]?.length ?? 0);
  const units = tick === null ? null : Number(tick.replace('.', ''));
  return { marketId, provider, symbol, coin, category, sizeDecimals, priceDecimals, tick: units, maxLeverage };
}
