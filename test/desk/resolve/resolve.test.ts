import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../src/base/failure/failure.ts';
import { matchMarket } from '../../../src/desk/resolve/market.ts';
import { wholeLots } from '../../../src/desk/resolve/size.ts';
import { nearestId } from '../../../src/desk/resolve/unknown.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { nearest } from '../../../src/wire/contract/nearest.ts';
import { Desk } from '../../terminal/cli/practice.ts';

const market = (market_id: string, symbol: string, coin: string): Market => ({
  market_id,
  provider: market_id.split('|')[0] as Market['provider'],
  symbol,
  coin,
  size_decimals: 3,
  max_leverage: 10,
});
const markets = [
  market('binance|BTCUSDT', 'BTC', 'BTCUSDT'),
  market('bybit|ETHUSDT', 'ETH', 'ETHUSDT'),
  market('binance|ETHUSDT', 'ETH', 'ETHUSDT'),
  market('hyperliquid|xyz:GOLD', 'GOLD', 'xyz:GOLD'),
];

test('a market is found by id, coin or symbol, in any case', () => {
  const table: [string, string][] = [
    ['binance|BTCUSDT', 'binance|BTCUSDT'],
    ['binance:BTCUSDT', 'binance|BTCUSDT'],
    ['BINANCE:btcusdt', 'binance|BTCUSDT'],
    ['BTCUSDT', 'binance|BTCUSDT'],
    ['btc', 'binance|BTCUSDT'],
    ['hyperliquid:xyz:GOLD', 'hyperliquid|xyz:GOLD'],
    ['hyperliquid|xyz:GOLD', 'hyperliquid|xyz:GOLD'],
    ['xyz:GOLD', 'hyperliquid|xyz:GOLD'],
    ['gold', 'hyperliquid|xyz:GOLD'],
    ['bybit:ETHUSDT', 'bybit|ETHUSDT'],
  ];
  for (const [text, id] of table) assert.equal(matchMarket(text, markets)?.market_id, id, text);
  for (const text of ['', 'BT', 'lighter:BTCUSDT', '|', ':', '__proto__'])
    assert.equal(matchMarket(text, markets), undefined, text);
});

test('an ambiguous name lists the market ids', () => {
  for (const text of ['ETH', 'ethusdt']) {
    assert.throws(
      () => matchMarket(text, markets),
      (error) =>
        error instanceof Failure && error.facts.exit === 2 && /bybit:ETHUSDT, binance:ETHUSDT/.test(error.message),
    );
  }
});

test('notionals and percentages are rounded down to whole lots, exactly', () => {
  const table: [number[], number, number, number][] = [
    [[500], 61650.5, 3, 0.008],
    [[500], 50000, 3, 0.01],
    [[0.3], 0.1, 0, 3],
    [[10], 61650.5, 3, 0],
    [[0.07, 50], 100, 3, 0.035],
    [[1, 100], 100, 8, 1],
    [[1000], 1e-7, 0, 10_000_000_000],
  ];
  for (const [factors, divisor, decimals, size] of table) assert.equal(wholeLots(factors, divisor, decimals), size);
});

test('a size is at most the notional, and less than one lot below it', () => {
  const amounts = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100);
  const prices = fc.integer({ min: 1, max: 10_000_000 }).map((ticks) => ticks / 10);
  fc.assert(
    fc.property(amounts, prices, fc.integer({ min: 0, max: 5 }), (notional, price, decimals) => {
      const size = wholeLots([notional], price, decimals);
      const lots = BigInt(Math.round(size * 10 ** decimals));
      const worth = (of: bigint) => of * BigInt(Math.round(price * 10)) * 10n;
      const limit = BigInt(Math.round(notional * 100)) * 10n ** BigInt(decimals);
      assert.ok(worth(lots) <= limit);
      assert.ok(worth(lots + 1n) > limit);
    }),
  );
});

test('suggestions are similar, or there are none', () => {
  assert.equal(nearest('levrage', ['leverage', 'margin']), 'leverage');
  assert.equal(nearest('ls', ['list', 'show']), undefined);
  assert.equal(nearest('lsit', ['list', 'show']), 'list');
  assert.equal(nearest('zzz', ['list']), undefined);
});

test('an id is suggested for up to two typos, and only if no other is equally close', () => {
  const known = ['ord_000000003', 'ord_000000004', 'ord_00000001k'];
  const table: [string, string | undefined][] = [
    ['ord_00000003', 'ord_000000003'],
    ['ord_0000001k', 'ord_00000001k'],
    ['ord_000000005', undefined],
    ['ord_00000000', undefined],
    ['nope', undefined],
  ];
  for (const [id, near] of table) assert.equal(nearestId(id, known), near, id);
});

test('an order id of control characters is not found, and the error names ORDER', async () => {
  using desk = new Desk();
  const run = await desk.perp(['order', 'show', '\u001b[31mord']);
  assert.equal(run.exit, 3);
  assert.match(run.err, /^Error: There is no order "\\u001b\[31mord"\./);
});
