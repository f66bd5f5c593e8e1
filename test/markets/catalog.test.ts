import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultCatalog, splitMarketId } from '../../src/markets/catalog.ts';

test('the default catalog lists one market per instrument, with the units its venue trades in', () => {
  const rows = defaultCatalog.map((market) => [
    market.marketId,
    market.symbol,
    market.category,
    market.sizeDecimals,
    market.maxLeverage,
    market.priceDecimals,
    market.tick,
  ]);
  assert.deepEqual(rows, [
    ['binance|BTCUSDT', 'BTC', 'crypto', 3, 10, 1, 1],
    ['binance|ETHUSDT', 'ETH', 'crypto', 3, 10, 2, 1],
    ['binance|SOLUSDT', 'SOL', 'crypto', 2, 8, 2, 1],
    ['bybit|XRPUSDT', 'XRP', 'crypto', 1, 8, 4, 1],
    ['binance|DOGEUSDT', 'DOGE', 'crypto', 0, 5, 5, 1],
    ['binance|BNBUSDT', 'BNB', 'crypto', 2, 8, 2, 1],
    ['hyperliquid|HYPE', 'HYPE', 'crypto', 2, 5, 4, null],
    ['hyperliquid|xyz:GOLD', 'GOLD', 'tradfi', 4, 10, 2, null],
    ['hyperliquid|xyz:SP500', 'SP500', 'tradfi', 3, 12, 3, null],
    ['hyperliquid|xyz:EUR', 'EUR', 'fx', 1, 50, 5, null],
  ]);
});

test('a market id is its provider and its coin', () => {
  for (const market of defaultCatalog) {
    assert.deepEqual(splitMarketId(market.marketId), { provider: market.provider, coin: market.coin });
  }
  assert.deepEqual(splitMarketId('hyperliquid|xyz:GOLD'), { provider: 'hyperliquid', coin: 'xyz:GOLD' });
  for (const broken of ['', '|', 'binance', 'binance|', '|BTCUSDT']) assert.equal(splitMarketId(broken), null);
});
