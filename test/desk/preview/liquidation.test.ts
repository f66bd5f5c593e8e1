import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterTrade, type Exposure, isolatedPool, liquidationPrice } from '../../../src/desk/preview/liquidation.ts';
import { firstEnd } from '../../../src/desk/risk/outlook.ts';

const long: Exposure = { size: 10, entry: 1_001, leverage: 10, marginMode: 'isolated', extraMargin: 0 };
const trade = { leverage: 10, marginMode: 'isolated' } as const;

test('the previewed liquidation price is the exchange’s: long 10 at 1001, 10x, maintenance 5%, mark 1000', () => {
  const pool = isolatedPool(long, 1_000, 0.05);
  assert.deepEqual(pool, { equity: 1_001 - 10, maintenance: 500 });
  const price = liquidationPrice(long, 1_000, 0.05, pool)!;
  assert.ok(Math.abs(price - (1_000 - 49.1 / 0.95)) < 1e-9, String(price));
  const more = { ...long, extraMargin: 100 };
  assert.ok(liquidationPrice(more, 1_000, 0.05, isolatedPool(more, 1_000, 0.05))! < price);
  assert.equal(liquidationPrice(long, 1_000, 0.05, { equity: 1e6, maintenance: 0 }), undefined, 'out of reach');
});

test('a trade adds at the average entry, reduces at the same one, flips to its own price, and ends flat', () => {
  const after = (size: number, price: number) => afterTrade(long, { size, price, ...trade });
  assert.deepEqual(after(10, 1_003), { ...long, size: 20, entry: 1_002 });
  assert.deepEqual(after(-9.5, 900), { ...long, size: 0.5 });
  assert.deepEqual(after(-10.25, 900), { ...long, size: -0.25, entry: 900 });
  assert.equal(after(-10, 900), null);
  assert.equal(afterTrade({ ...long, size: 0.1 }, { size: -0.1 + 1e-15, price: 1, ...trade }), null);
});

test('what ends a position first is the nearer of floor and liquidation', () => {
  const table: [side: 'long' | 'short', breach: number | undefined, liquidation: number | undefined, end: unknown][] = [
    ['long', 90, 95, { by: 'liquidation', price: 95 }],
    ['long', 90, 85, { by: 'floor', price: 90 }],
    ['short', 110, 105, { by: 'liquidation', price: 105 }],
    ['short', 110, 115, { by: 'floor', price: 110 }],
    ['long', 90, undefined, { by: 'floor', price: 90 }],
    ['long', undefined, 85, { by: 'liquidation', price: 85 }],
    ['short', undefined, undefined, undefined],
  ];
  for (const [side, breach, liquidation, end] of table) assert.deepEqual(firstEnd(side, breach, liquidation), end);
});
