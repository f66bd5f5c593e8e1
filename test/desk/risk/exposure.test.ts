import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  afterTrade,
  type Exposure,
  positionsAfter,
  positionsAfterAll,
  type Trade,
} from '../../../src/desk/risk/trade.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';

const long: Exposure = { size: 10, entry: 1_001 };

test('a trade adds at the average entry, reduces at the same one, flips to its own price, and ends flat', () => {
  const after = (size: number, price: number) => afterTrade(long, { size, price });
  assert.deepEqual(after(10, 1_003), { ...long, size: 20, entry: 1_002 });
  assert.deepEqual(after(-9.5, 900), { ...long, size: 0.5 });
  assert.deepEqual(after(-10.25, 900), { ...long, size: -0.25, entry: 900 });
  assert.equal(after(-10, 900), null);
  assert.equal(afterTrade({ ...long, size: 0.1 }, { size: -0.1 + 1e-15, price: 1 }), null);
});

const drawnTrade = fc.record({
  market: fc.constantFrom('BTC', 'ETH', 'SOL'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  size: fc.integer({ min: 1, max: 3 }),
  fill_price: fc.option(fc.integer({ min: 90, max: 110 }), { nil: undefined, freq: 6 }),
  status: fc.constantFrom('filled' as const, 'filled' as const, 'resting' as const),
});

test('positions after many trades are those after one trade at a time', () => {
  fc.assert(
    fc.property(fc.array(drawnTrade, { maxLength: 20 }), fc.nat(6), (drawn, split) => {
      const trades = drawn.map(
        ({ market, ...own }, requested_at): Trade => ({
          ...{ account_id: 'acc_1', market_id: market, provider: 'binance', symbol: market, coin: market },
          ...{ leverage: 2, margin_mode: 'cross', requested_at },
          ...own,
        }),
      );
      const one = (positions: readonly Position[], trade: Trade) => positionsAfter(positions, trade) ?? positions;
      const held = trades.slice(0, split).reduce(one, []);
      const rounded = (positions: readonly Position[]) =>
        positions.map((position) => ({ ...position, entry_price: position.entry_price.toPrecision(12) }));
      const rest = trades.slice(split);
      assert.deepEqual(rounded(positionsAfterAll(held, rest)), rounded(rest.reduce(one, held)));
    }),
  );
});
