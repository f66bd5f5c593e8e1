import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { commonMove, endsOf } from '../../../src/desk/risk/breach.ts';
import type { Mark, Standing } from '../../../src/desk/risk/path-account.ts';
import { it, trial } from '../../tiers.ts';
import { newTally, tryPath } from './paths.ts';

const market_id = 'binance|TEST';
const marks = new Map<string, Mark>([[market_id, { price: 100, at: 0, tick: 0.1, feeBps: 0 }]]);
const entry = {
  id: 'ord_1',
  account_id: 'acc_1',
  market_id,
  type: 'limit',
  mode: 'limit',
  side: 'buy',
  leverage: 10,
  margin_mode: 'cross',
  reduce_only: false,
  status: 'resting',
  requested_at: 1,
  expected_price: 100,
} as const;

const standing = (working: readonly object[]): Standing => ({
  account: { balance: 100_000 },
  positions: [
    {
      market_id,
      side: 'long',
      size: 150,
      entry_price: 100,
      leverage: 10,
      margin_mode: 'cross',
      isolated_margin_extra: 0,
    },
  ],
  working: working as Standing['working'],
});

const falling = (...working: object[]) => endsOf(standing(working), 3_000, marks).get(market_id)!.falling;

describe('the mark that ends an account, with its own orders', () => {
  it('counts a dip buy from its price on', () => {
    assert.deepEqual(falling(), { by: 'floor', price: 80 });
    // 150 lose 300 until 98, then 750 lose 2,700 in another 3.6.
    assert.deepEqual(falling({ ...entry, size: 600, limit_price: 98 }), { by: 'floor', price: 94.4 });
  });

  it('is out of reach if a stop closes everything before, and nearer if it closes only a part', () => {
    const stop = { ...entry, id: 'ord_2', side: 'sell', type: 'stop_market', mode: 'stop_market', reduce_only: true };
    assert.equal(falling({ ...stop, size: 150, trigger_price: 90, target_position_id: 'pos' }), undefined);
    // 1,500 are lost at 90, and the other 75 lose the rest in another 20.
    assert.deepEqual(falling({ ...stop, size: 75, trigger_price: 90, target_position_id: 'pos' }), {
      by: 'floor',
      price: 70,
    });
  });

  it('counts a dip buy only as far as the margin pays that positions leave', () => {
    const { positions, working } = standing([{ ...entry, size: 600, limit_price: 98 }]);
    const poor = { account: { balance: 2_000 }, positions, working };
    // 1,500 of 2,000 are bound: the rest pays 52 of 600. 150 lose 300 until 98, then 202 lose 700 in another 3.5.
    assert.deepEqual(endsOf(poor, 1_000, marks).get(market_id)!.falling, { by: 'floor', price: 94.5 });
  });

  it('is where an isolated position is liquidated alone, before any floor', () => {
    const limits = {
      maintenance_margin_ratio_bps: 50,
      liquidation_fee_bps: 50,
      max_open_positions: 10,
      max_position_value_usd: 1_000_000,
    };
    const policy = { limits, fee_exempt: true, slippage_tolerance_bps: { max: 250 }, maximum_total_notional_usd: null };
    const isolated = {
      ...standing([]),
      positions: standing([]).positions.map((one) => ({ ...one, margin_mode: 'isolated' as const })),
      policy: policy as unknown as Standing['policy'],
    };
    // A margin of 1,500 is 0.5 % of the value at 90.4522.
    assert.deepEqual(endsOf(isolated, 3_000, marks).get(market_id), {
      falling: { by: 'liquidation', price: 90.45 },
      rising: undefined,
      loss: 1_500,
    });
  });

  it('is told as a fall where the account ends equally far either way', () => {
    const orders = [
      { ...entry, size: 100, limit_price: 98 },
      { ...entry, id: 'ord_2', side: 'sell', size: 100, limit_price: 102 },
    ];
    const flat = { ...standing(orders), positions: [] };
    // From 98 down and from 102 up, 100 lose the room in another 10.
    assert.equal(commonMove(flat, 1_000, marks), -12);
  });

  it('counts both, as in the documents', () => {
    const stop = { ...entry, id: 'ord_2', side: 'sell', type: 'stop_market', mode: 'stop_market', reduce_only: true };
    const exit = { ...stop, size: 150, trigger_price: 95, target_position_id: 'pos' };
    assert.deepEqual(falling({ ...entry, size: 600, limit_price: 98 }, exit), { by: 'floor', price: 94.25 });
  });

  it('counts the stop that an entry brings along for the whole position', () => {
    const dip = { ...entry, size: 100, limit_price: 98, attached_stop_loss_price: 95 };
    assert.equal(falling(dip), undefined);
    assert.deepEqual(falling({ ...dip, size: 1_000 }), { by: 'floor', price: 95.65 });
  });

  it('counts the fee of a stop by limit that fills just before the account ends', () => {
    const marksWithFee = new Map<string, Mark>([[market_id, { price: 100, at: 0, tick: 0.1, feeBps: 100 }]]);
    const stop = { ...entry, id: 'ord_2', side: 'sell', type: 'stop_limit', mode: 'stop_limit', reduce_only: true };
    const exit = { ...stop, size: 50, trigger_price: 80.2, limit_price: 80.1, target_position_id: 'pos' };
    const { falling: end } = endsOf(standing([exit]), 3_000, marksWithFee).get(market_id)!;
    // 150 lose 2,970 until 80.2, and 50 of them pay 40.1 to leave.
    assert.deepEqual(end, { by: 'floor', price: 80.2 });
  });

  it('counts everything that happens at the price at which the position is closed', () => {
    const marksWithFee = new Map<string, Mark>([[market_id, { price: 100, at: 0, tick: 0.1, feeBps: 100 }]]);
    const exit = { ...entry, side: 'sell', type: 'stop_market', mode: 'stop_market', reduce_only: true, size: 150 };
    const take = { ...entry, id: 'ord_2', type: 'take_market', mode: 'take_market', size: 600 };
    const lossWith = (...working: object[]) => endsOf(standing(working), 3_000, marksWithFee).get(market_id)!.loss;
    // 150 lose 1,500 until 90, and pay 135 to leave.
    assert.equal(lossWith({ ...exit, trigger_price: 90 }), 1_635);
    assert.equal(lossWith({ ...exit, trigger_price: 90 }, { ...take, trigger_price: 89.9 }), 1_635);
    // The same fall buys 600 again, for another 540.
    assert.equal(lossWith({ ...exit, trigger_price: 90 }, { ...take, trigger_price: 90 }), 2_175);
  });

  it('reads what was seen of a book without the noise of doubles', () => {
    const depth = { sell: { size: 150, average: 0.010000000000001563, worst: 0.01 } };
    const seen = new Map<string, Mark>([[market_id, { price: 100, at: 0, tick: 0.01, feeBps: 0, depth }]]);
    const stop = { ...entry, id: 'ord_2', side: 'sell', type: 'stop_market', mode: 'stop_market', reduce_only: true };
    const exit = { ...stop, size: 150, trigger_price: 90, target_position_id: 'pos' };
    // At the stop, 150 lose 1,500 and 1.5 more to the book.
    assert.equal(endsOf(standing([exit]), 1_501.6, seen).get(market_id)!.falling, undefined);
    assert.deepEqual(endsOf(standing([exit]), 1_501.5, seen).get(market_id)!.falling, { by: 'floor', price: 90 });
  });

  it('counts what a TWAP has not sent yet as bought now, if that is worse', () => {
    const twap = {
      id: 'twap_1',
      account_id: 'acc_1',
      market_id,
      strategy: 'twap',
      side: 'buy',
      total_size: 200,
      filled_size: 50,
      leverage: 10,
      margin_mode: 'cross',
      reduce_only: false,
      status: 'running',
      activated_at: 1,
    };
    const told = (side: string) =>
      endsOf({ ...standing([]), twaps: [{ ...twap, side }] as unknown as Standing['twaps'] }, 3_000, marks);
    assert.deepEqual(told('buy').get(market_id)!.falling, { by: 'floor', price: 90 });
    assert.deepEqual(told('sell').get(market_id)!.falling, { by: 'floor', price: 80 });
  });
});

trial('accounts with working orders of every kind die where perp says, moved half a tick at a time', () => {
  const tally = newTally();
  // The last ones have shown faults.
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1_275, 10_540, 16_089]) tryPath(seed, tally);
  assert.deepEqual([tally.early, tally.followers.early, tally.more], [[], [], []]);
  assert.ok(tally.deaths > 3, JSON.stringify(tally));
});
