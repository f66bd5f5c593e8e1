import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridMarket } from '../../../../src/programs/sdk/strategy/order-body.ts';

const record = {
  market_id: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  size_decimals: 3,
  max_leverage: 20,
} as const;

test('a size is rounded down to whole lots, or up if asked', () => {
  const { roundSize } = gridMarket(record).facts;
  assert.deepEqual([roundSize(0.0129), roundSize(0.0121, 'down'), roundSize(0.0121, 'up')], [0.012, 0.012, 0.013]);
});

test('what binary fractions add to a whole number of lots never makes it another one', () => {
  const { roundSize } = gridMarket(record).facts;
  assert.deepEqual([roundSize(0.1 + 0.2), roundSize(0.1 + 0.2, 'up'), roundSize(0.3 - 0.1)], [0.3, 0.3, 0.2]);
});

test('a price is rounded to the grid of its market; without one, it stays, and the step is unknown', () => {
  const known = gridMarket({ ...record, tick_size: 0.5 }).facts;
  assert.deepEqual(
    [known.priceStep, known.roundPrice(100.3, 'down'), known.roundPrice(100.3, 'up')],
    [0.5, 100, 100.5],
  );
  const unknown = gridMarket(record).facts;
  assert.deepEqual([unknown.sizeStep, unknown.priceStep, unknown.roundPrice(100.3, 'up')], [0.001, null, 100.3]);
});
