import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { defaultCatalog, firstCatalog, splitMarketId } from '../../../src/exchange/markets/catalog.ts';
import { instrumentOf } from '../../../src/exchange/markets/synthetic/profile.ts';
import { syntheticVersions } from '../../../src/exchange/markets/versions.ts';

test('the default catalog lists 122 markets, one per instrument, in the units that its venue trades in', () => {
  assert.equal(defaultCatalog.length, 122);
  assert.equal(new Set(defaultCatalog.map(({ symbol }) => symbol)).size, 122);
  const row = (symbol: string) => {
    const market = defaultCatalog.find((one) => one.symbol === symbol)!;
    return [
      market.marketId,
      market.category,
      market.sizeDecimals,
      market.maxLeverage,
      market.priceDecimals,
      market.tick,
    ];
  };
  assert.deepEqual(row('BTC'), ['binance|BTCUSDT', 'crypto', 3, 10, 1, 1]);
  assert.deepEqual(row('XRP'), ['binance|XRPUSDT', 'crypto', 1, 8, 4, 1]);
  assert.deepEqual(row('HYPE'), ['binance|HYPEUSDT', 'crypto', 2, 5, 3, 1]);
  assert.deepEqual(row('NVDA'), ['binance|NVDAUSDT', 'tradfi', 2, 5, 2, 1]);
  assert.deepEqual(row('GOLD'), ['hyperliquid|xyz:GOLD', 'tradfi', 4, 10, 2, null]);
  assert.deepEqual(row('JPY'), ['hyperliquid|xyz:JPY', 'fx', 2, 50, 4, null]);
  assert.deepEqual(row('1000PEPE'), ['binance|1000PEPEUSDT', 'crypto', 0, 2, 7, 1]);
});

test('whoever changes a market of the catalog raises its version', () => {
  const digest = hash('sha256', JSON.stringify(defaultCatalog), 'hex').slice(0, 16);
  // After a change of `captured`: raise `catalog` in src/exchange/markets/versions.ts, and write down both here.
  assert.deepEqual([syntheticVersions.catalog, digest], [2, 'bfc73c92d27fff06']);
});

test('every market of the catalogs has a known instrument', () => {
  for (const { symbol } of [...defaultCatalog, ...firstCatalog]) assert.ok(instrumentOf(symbol), symbol);
});

test('a market id consists of its provider and its coin', () => {
  for (const market of defaultCatalog) {
    assert.deepEqual(splitMarketId(market.marketId), { provider: market.provider, coin: market.coin });
  }
  assert.deepEqual(splitMarketId('hyperliquid|xyz:GOLD'), { provider: 'hyperliquid', coin: 'xyz:GOLD' });
  for (const broken of ['', '|', 'binance', 'binance|', '|BTCUSDT']) assert.equal(splitMarketId(broken), null);
});
