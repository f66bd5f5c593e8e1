import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { marketName, nameMarketsAmong } from '../../../src/base/text/format.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

const forget = () => nameMarketsAmong(() => []);
beforeEach(forget);
afterEach(forget);

test('a market is written by its symbol, or by its id where another one has that symbol or coin', () => {
  assert.equal(marketName('binance|BTCUSDT', 'BTC'), 'BTC');
  assert.equal(marketName('binance|BTCUSDT'), 'binance:BTCUSDT');
  nameMarketsAmong(() => [
    ['binance|BTCUSDT', 'BTC'],
    ['binance|ETHUSDT', 'ETH'],
    ['hyperliquid|BTC', 'BTC'],
    ['binance|SOLUSDT', 'SOL'],
    ['other|SOL', 'WSOL'],
  ]);
  const table: [id: string, symbol: string, name: string][] = [
    ['binance|BTCUSDT', 'BTC', 'binance:BTCUSDT'],
    ['hyperliquid|BTC', 'BTC', 'hyperliquid:BTC'],
    ['binance|ETHUSDT', 'ETH', 'ETH'],
    ['binance|SOLUSDT', 'SOL', 'binance:SOLUSDT'],
    ['other|SOL', 'WSOL', 'WSOL'],
    ['bybit|ETHUSDT', 'ETH', 'bybit:ETHUSDT'],
    ['bybit|XRPUSDT', 'XRP', 'XRP'],
  ];
  for (const [id, symbol, name] of table) assert.equal(marketName(id, symbol), name, id);
  assert.equal(marketName('binance|ETHUSDT'), 'ETH');
});

trial('every table and view writes BTC, and the list of markets says its id', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--clock', 'manual', '--yes']);
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '2%');
  await desk.json('twap', 'place', 'BTC', 'buy', '0.1', '--duration', '5m');
  const lines = [
    'order --all',
    'fills',
    'positions',
    'positions show BTC',
    'twap list',
    'journal',
    'quote BTC',
    'pnl --by market',
  ];
  for (const line of lines) {
    const { out } = await desk.perp(line.split(' '));
    assert.match(out, /\bBTC\b/, line);
    assert.doesNotMatch(out, /BTCUSDT/, line);
  }
  assert.match((await desk.perp(['markets'])).out, /^BTC +binance:BTCUSDT /m);
});
