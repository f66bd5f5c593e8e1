import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finestTick, snapToGrid } from '../../src/engine/book/price-grid.ts';
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
