import assert from 'node:assert/strict';
import { it } from 'node:test';
import { coverAfter } from '../../../src/desk/preview/protection.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';

const held = { id: 'pos_1', market_id: 'BTC', side: 'long', size: 2, entry_price: 100 } as Position;
const stop = {
  id: 'ord_1',
  market_id: 'BTC',
  type: 'stop_market',
  mode: 'stop_market',
  side: 'sell',
  size: 1,
  trigger_price: 90,
};
const working = [{ ...stop, target_position_id: 'pos_1', reduce_only: true }] as Order[];
const exposure = (size: number) => ({ size, entry: 100, leverage: 1, marginMode: 'cross', extraMargin: 0 }) as const;
const after = (
  side: 'buy' | 'sell',
  size: number,
  more: { stop?: number; positions?: Position[]; working?: Order[] } = {},
) =>
  coverAfter(
    {
      order: { market_id: 'BTC', side, size: 1, ...(more.stop !== undefined && { stop_loss_price: more.stop }) },
      positions: more.positions ?? [held],
      working: more.working ?? working,
    } as unknown as Parameters<typeof coverAfter>[0],
    exposure(size),
  );

it('an order that adds keeps the stops of its position, which cover what they did', () => {
  assert.deepEqual(after('buy', 3), { size: 3, covered: 1, first: 90 });
});

it('an order that reduces keeps them for no more than what is left', () => {
  assert.deepEqual(after('sell', 1), { size: 1, covered: 1, first: 90 });
  assert.deepEqual(after('sell', 0.5), { size: 0.5, covered: 0.5, first: 90 });
});

it('an order that turns the position leaves no stop of it', () => {
  assert.deepEqual(after('sell', -1), { size: 1, covered: 0, first: undefined });
});

it('the stop of an order that opens, adds or turns covers all of it; that of one that reduces is left out', () => {
  assert.deepEqual(after('buy', 3, { stop: 95 }), { size: 3, covered: 3, first: 95 });
  assert.deepEqual(after('sell', -1, { stop: 105 }), { size: 1, covered: 1, first: 105 });
  assert.deepEqual(after('buy', 1, { stop: 95, positions: [] }), { size: 1, covered: 1, first: 95 });
  assert.deepEqual(after('sell', 1, { stop: 105 }), { size: 1, covered: 1, first: 90 });
});

it('of a short position the other way around', () => {
  const short = { ...held, side: 'short' } as Position;
  const above = [{ ...working[0]!, side: 'buy', trigger_price: 110 }] as Order[];
  assert.deepEqual(after('sell', -3, { positions: [short], working: above }), { size: 3, covered: 1, first: 110 });
  assert.deepEqual(after('buy', 1, { positions: [short], working: above }), { size: 1, covered: 0, first: undefined });
});
