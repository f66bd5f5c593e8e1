import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExpectedFill, outcomeOf, type Scene } from '../../../src/desk/risk/worst-case.ts';

const market_id = 'binance|BTCUSDT';

/** Ten at 100 without leverage, bought or sold now, with no cost. */
const fill = (side: 'buy' | 'sell'): ExpectedFill => ({
  market_id,
  side,
  size: 10,
  notional: 1_000,
  waitsAt: undefined,
  leverage: 1,
  margin_mode: 'cross',
  reduceOnly: false,
  stop: undefined,
  target: undefined,
  replacesExits: false,
});

/** An account with nothing open, so far above its floor, USD. */
const scene = (room: number): Scene => ({
  standing: { account: { balance: 10_000 }, positions: [], working: [] },
  room,
  marks: new Map([[market_id, { price: 100, at: 0, tick: 0.1, feeBps: 0 }]]),
  gap: { bps: 0, walks: 0 },
});

describe('the end of an account after an order', () => {
  it('is the first price that uses up its room', () => {
    assert.deepEqual(outcomeOf(scene(500), fill('buy')).end, { by: 'floor', price: 50 });
    assert.deepEqual(outcomeOf(scene(500), fill('sell')).end, { by: 'floor', price: 150 });
  });

  it('is none if only a price of zero would use it up', () => {
    assert.deepEqual(outcomeOf(scene(999), fill('buy')).end, { by: 'floor', price: 0.1 });
    assert.equal(outcomeOf(scene(1_000), fill('buy')).end, undefined);
  });
});
