/** The venues where markets are traded. */
export const providers = ['binance', 'bybit', 'hyperliquid', 'lighter', 'fpx'] as const;
