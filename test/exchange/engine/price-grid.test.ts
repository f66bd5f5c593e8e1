import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finestTick, firstMarkAtOrAbove, snapToGrid } from '../../../src/exchange/engine/book/price-grid.ts';
import { definition } from './scripted-source.ts';

test('hyperliquid’s finest step is of 6 - size decimals; a price of more figures than five has a coarser one', () => {
  const market = definition({ provider: 'hyperliquid', tick: null, priceDecimals: 6, sizeDecimals: 2 });
  assert.equal(finestTick(market), 100);
  assert.deepEqual([snapToGrid(market, 123_456, 'down'), snapToGrid(market, 123_456, 'up')], [123_400, 123_500]);
  assert.deepEqual(
    [snapToGrid(market, 12_345_678, 'down'), snapToGrid(market, 12_345_678, 'up')],
    [12_345_000, 12_346_000],
  );
});

test('the first mark at or above a price is found exactly, and for a price beyond all marks it is never reached', () => {
  const market = definition({ priceDecimals: 2 });
  // A mark counts half price units.
  assert.deepEqual(
    [100, 100.001, 100.005, 100.0051, 100.01].map((price) => firstMarkAtOrAbove(market, price)),
    [20_000, 20_001, 20_001, 20_002, 20_002],
  );
  for (const price of [1e14, 1e15]) assert.equal(firstMarkAtOrAbove(market, price), Number.MAX_SAFE_INTEGER);
});
