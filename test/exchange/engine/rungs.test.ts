import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Price, Side } from '../../../src/exchange/engine/model.ts';
import { type Distribution, rungPrices, rungSizes } from '../../../src/exchange/engine/strategies/scaled.ts';

const toTick = (tick: number) => (price: Price, toward: 'down' | 'up') =>
  (toward === 'down' ? Math.floor(price / tick) : Math.ceil(price / tick)) * tick;

test('1000 over 10 rungs from 1600 to 1780: steps of 20, 100 each, 1690 on average', () => {
  const prices = rungPrices({ startPrice: 1_600, endPrice: 1_780, rungCount: 10, side: 'buy' }, toTick(1));
  const sizes = rungSizes(1_000, 10, 'flat');
  assert.deepEqual(prices, [1_600, 1_620, 1_640, 1_660, 1_680, 1_700, 1_720, 1_740, 1_760, 1_780]);
  assert.deepEqual(sizes, new Array(10).fill(100));
  assert.equal(prices.reduce((sum, price, rung) => sum + price * sizes[rung]!, 0) / 1_000, 1_690);
});

test('a rung between two grid prices is rounded away from the market', () => {
  const ladder = { startPrice: 100, endPrice: 110, rungCount: 4 };
  assert.deepEqual(rungPrices({ ...ladder, side: 'buy' }, toTick(1)), [100, 103, 106, 110]);
  assert.deepEqual(rungPrices({ ...ladder, side: 'sell' }, toTick(1)), [100, 104, 107, 110]);
  assert.deepEqual(rungPrices({ ...ladder, side: 'buy' }, toTick(5)), [100, 100, 105, 110]);
  assert.deepEqual(
    rungPrices({ startPrice: 110, endPrice: 100, rungCount: 3, side: 'sell' }, toTick(2)),
    [110, 106, 100],
  );
});

test('weights determine the sizes, and floored cumulative sizes make them sum to the total', () => {
  const table: [number, number, Distribution, number[]][] = [
    [10, 3, 'flat', [3, 3, 4]],
    [100, 4, 'ascending', [10, 20, 30, 40]],
    [100, 4, 'descending', [40, 30, 20, 10]],
    [11, 4, 'ascending', [1, 2, 3, 5]],
    [1, 2, 'flat', [0, 1]],
  ];
  for (const [total, count, distribution, sizes] of table) {
    assert.deepEqual(rungSizes(total, count, distribution), sizes);
  }
});

test('any ladder keeps its ends, its order and its total', () => {
  const ladder = fc.record({
    startPrice: fc.integer({ min: 1, max: 1e9 }).map((price) => price * 5),
    endPrice: fc.integer({ min: 1, max: 1e9 }).map((price) => price * 5),
    rungCount: fc.integer({ min: 2, max: 10 }),
    side: fc.constantFrom<Side>('buy', 'sell'),
  });
  const shape = fc.constantFrom<Distribution>('flat', 'ascending', 'descending');
  fc.assert(
    fc.property(ladder, shape, fc.integer({ min: 1, max: 1e12 }), (order, distribution, total) => {
      const prices = rungPrices(order, toTick(5));
      assert.equal(prices[0], order.startPrice);
      assert.equal(prices.at(-1), order.endPrice);
      const rising = [...prices].sort((a, b) => a - b);
      assert.deepEqual(order.startPrice <= order.endPrice ? prices : [...prices].reverse(), rising);
      const sizes = rungSizes(total, order.rungCount, distribution);
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        total,
      );
      assert.ok(sizes.every((size) => size >= 0));
    }),
  );
});
