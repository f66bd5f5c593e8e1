import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slippageOf } from '../../../src/desk/writes/write-figures.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';

test('slippage is above zero for a fill that is worse than what the sender saw, whatever the side', () => {
  const table: [Partial<Order>, bps: number | null][] = [
    [{ side: 'buy', expected_price: 100, fill_price: 101 }, 100],
    [{ side: 'buy', expected_price: 100, fill_price: 99.5 }, -50],
    [{ side: 'sell', expected_price: 100, fill_price: 99 }, 100],
    [{ side: 'sell', expected_price: 100, fill_price: 100.5 }, -50],
    [{ side: 'buy', expected_price: 3, fill_price: 3.000001 }, 0.0033],
    [{ side: 'buy', expected_price: 100 }, null],
    [{ side: 'buy', expected_price: 0, fill_price: 1 }, null],
  ];
  for (const [order, bps] of table) assert.equal(slippageOf(order as Order), bps, JSON.stringify(order));
});
