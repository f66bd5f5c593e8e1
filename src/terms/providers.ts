/** The venues that markets are traded on. */
export const providers = ['binance', 'bybit', 'hyperliquid', 'lighter', 'fpx'] as const;
