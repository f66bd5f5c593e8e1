import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterTrade, type Exposure } from '../../../src/desk/risk/trade.ts';

const long: Exposure = { size: 10, entry: 1_001, leverage: 10, marginMode: 'isolated', extraMargin: 0 };
const trade = { leverage: 10, marginMode: 'isolated' } as const;

test('a trade adds at the average entry, reduces at the same one, flips to its own price, and ends flat', () => {
  const after = (size: number, price: number) => afterTrade(long, { size, price, ...trade });
  assert.deepEqual(after(10, 1_003), { ...long, size: 20, entry: 1_002 });
  assert.deepEqual(after(-9.5, 900), { ...long, size: 0.5 });
  assert.deepEqual(after(-10.25, 900), { ...long, size: -0.25, entry: 900 });
  assert.equal(after(-10, 900), null);
  assert.equal(afterTrade({ ...long, size: 0.1 }, { size: -0.1 + 1e-15, price: 1, ...trade }), null);
});
