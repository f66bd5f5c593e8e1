import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstFrom, PrintSums } from '../../../src/exchange/markets/bars.ts';

test('prints of one span are one sum, with all of their sizes, and a finer price changes no size', () => {
  const made = new PrintSums(1_000);
  made.add(1_100, 50, 3);
  made.add(1_200, 40, 5);
  made.add(1_999, 60, 7);
  made.add(3_000, 45, 2);
  const first = { time: 1_000, open: 50, high: 60, low: 40, close: 60, volume: 15, quoteVolume: 770n, count: 3 };
  const second = { time: 3_000, open: 45, high: 45, low: 45, close: 45, volume: 2, quoteVolume: 90n, count: 1 };
  assert.deepEqual(made.sums, [first, second]);
  assert.deepEqual(
    [1_000, 1_001, 3_000, 3_001].map((time) => firstFrom(made.sums, time)),
    [0, 1, 1, 2],
  );
  made.refine(10);
  const finer = { open: 500, high: 600, low: 400, close: 600, quoteVolume: 7_700n };
  assert.deepEqual(made.sums[0], { ...first, ...finer });
});
