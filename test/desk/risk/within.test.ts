import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountLater, outlookOf } from '../../../src/desk/risk/outlook.ts';
import type { Marks } from '../../../src/desk/risk/path-account.ts';
import type { Account } from '../../../src/wire/contract/accounts.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { Desk } from '../../terminal/cli/practice.ts';

const hour = 3_600_000;
/** Half an hour before midnight in New York. */
const evening = Date.UTC(2026, 0, 10, 4, 30);

function account(daily: number, drawdown: number, at = evening): Account {
  return {
    id: 'acc_1',
    account_number: '1',
    name: 'one',
    stage: 'evaluation',
    status: 'active',
    starting_balance: 100_000,
    balance: 100_000,
    created_at: 0,
    risk: {
      observed_at: at,
      marks_complete: true,
      missing_markets: [],
      equity: 100_000,
      unrealized_pnl: 0,
      margin_used: 0,
      available_balance: 100_000,
      gross_exposure: 80_000,
      daily_loss_floor: 100_000 - daily,
      max_drawdown_floor: 100_000 - drawdown,
      daily_loss_room: daily,
      max_drawdown_room: drawdown,
      remaining_profit: 9_000,
      requirements: {
        daily_loss_pct: 3,
        max_drawdown_pct: 5,
        profit_target_pct: 9,
        consistency_pct: null,
        minimum_trading_days: 0,
      },
    },
  };
}

/** 800 at 100 pay 1 USD an hour. */
const held = [{ market_id: 'binance|TEST', size: 800 }];
const marks: Marks = new Map([['binance|TEST', { price: 100, at: 0, tick: 0.01, category: 'crypto' }]]);
const later = (one: Account, hours: number) => {
  const { account: then, ahead } = accountLater(one, held, marks, hours * hour)!;
  const { daily_loss_room: daily, daily_loss_floor: floor, max_drawdown_room: drawdown } = then.risk!;
  return { daily, floor, drawdown, balance: then.balance, carry: ahead.carry, day: ahead.new_day_at };
};

describe('an account after a time at unchanged marks', () => {
  it('pays carry at every full hour', () => {
    assert.equal(later(account(2_000, 5_000), 0.4).carry, 0);
    const { carry, drawdown, balance } = later(account(2_000, 5_000), 4);
    assert.deepEqual([carry, drawdown, balance], [4, 4_996, 99_996]);
  });

  it('has the floor of the new day if that leaves less', () => {
    const turn = Date.UTC(2026, 0, 10, 5);
    // Today's gain is out of reach tomorrow: 3,000 of the equity at midnight, after 1 of carry, minus 3 until 08:30.
    assert.deepEqual(later(account(4_500, 5_000), 4), {
      ...{ daily: 2_997, floor: 96_999, drawdown: 4_996, balance: 99_996, carry: 4, day: turn },
    });
    assert.deepEqual(later(account(4_500, 5_000), 0.4).day, null);
  });

  it('has the floor of today if that leaves less', () => {
    const { daily, floor } = later(account(1_000, 5_000), 4);
    assert.deepEqual([daily, floor], [999, 99_000]);
  });

  it('ends nearer: its outlook counts both', () => {
    const position: Position = {
      id: 'pos',
      account_id: 'acc_1',
      market_id: 'binance|TEST',
      provider: 'binance',
      symbol: 'TEST',
      coin: 'TEST',
      side: 'long',
      size: 800,
      entry_price: 100,
      leverage: 10,
      margin_mode: 'cross',
      isolated_margin_extra: 0,
      status: 'open',
      opened_at: 0,
    };
    const ending = (within?: number) =>
      outlookOf(account(4_500, 5_000), { positions: [position], working: [], within }, marks).ends.get('binance|TEST')!
        .falling?.price;
    assert.deepEqual([ending(), ending(4 * hour)], [94.375, 96.25]);
  });
});

it('accounts show, positions and quote count the same time, and say so', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('order', 'place', 'BTC', 'buy', '0.5', '--leverage', '2', '--force');
  const now = (await desk.json('accounts', 'show')).computed;
  const { computed: then } = await desk.json('accounts', 'show', '--within', '4h');
  const [position] = await desk.json('positions', '--within', '4h');
  const [market] = Object.keys(now.breach_prices);
  const [before, after] = [now, then].map((one) => one.breach_prices[market!]);
  const { carry } = then.within;
  assert.ok(Math.abs(carry - (position.computed.mark * 0.5 * 3 * 4) / 24 / 1e4) < 1e-6, `${carry}`);
  assert.ok(after > before && after - before - 2 * carry < 0.02, `${before} ${after}, carry ${carry}`);
  assert.deepEqual([position.computed.breach_price, position.computed.within], [after, then.within]);
  const { computed: quoted } = await desk.json('quote', 'BTC', '--side', 'buy', '--size', '0.5', '--within', '4h');
  assert.ok(Math.abs(quoted.within.carry - 2 * carry) < 1e-6);
  const { err } = await desk.perp(['positions', '--within', '4h']);
  assert.match(err, /includes the next 4h: [\d.]+ USD of carry.*assuming that marks don't move/);
  assert.equal((await desk.perp(['quote', 'BTC', '--within', '4h'])).exit, 2);
});
