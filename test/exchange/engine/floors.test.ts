import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  breachedFloor,
  floorsOf,
  hasPassed,
  highestFloor,
  percentOf,
  remainingProfit,
  room,
} from '../../../src/exchange/engine/accounts/floors.ts';
import type { Plan } from '../../../src/exchange/engine/model.ts';

const usd = (amount: number) => BigInt(Math.round(amount * 100)) * 1_000_000n;
const none: Plan = {
  name: 'none',
  profitTargetPct: null,
  dailyLossPct: null,
  maxDrawdownPct: null,
  minimumTradingDays: 0,
  consistencyPct: null,
};
const select: Plan = { ...none, name: 'select', profitTargetPct: 9, dailyLossPct: 3, maxDrawdownPct: 3 };
const prime: Plan = { ...none, name: 'prime', profitTargetPct: 12, dailyLossPct: 3, maxDrawdownPct: 5 };

test('floors are percentages of the starting balance, the daily one below the equity at day start', () => {
  const table: [Plan, number, number | null, number | null, number | null][] = [
    // plan, day start equity, daily floor, drawdown floor, highest
    [select, 100_000, 97_000, 97_000, 97_000],
    [select, 104_000, 101_000, 97_000, 101_000],
    [prime, 98_000, 95_000, 95_000, 95_000],
    [prime, 97_500, 94_500, 95_000, 95_000],
    [{ ...prime, dailyLossPct: null }, 97_500, null, 95_000, 95_000],
    [none, 97_500, null, null, null],
  ];
  for (const [plan, dayStart, daily, drawdown, highest] of table) {
    const floors = floorsOf({ plan, startingBalance: usd(100_000), dayStartEquity: usd(dayStart) });
    const money = (amount: number | null) => (amount === null ? null : usd(amount));
    assert.deepEqual(floors, { dailyLoss: money(daily), maximumDrawdown: money(drawdown) });
    assert.equal(highestFloor(floors), money(highest));
  }
});

test('touching a floor is a breach; if both are touched, the drawdown is reported', () => {
  const floors = { dailyLoss: usd(101_000), maximumDrawdown: usd(97_000) };
  assert.equal(breachedFloor(floors, usd(101_000) + 1n), null);
  assert.equal(breachedFloor(floors, usd(101_000)), 'daily-loss');
  assert.equal(breachedFloor(floors, usd(97_000)), 'maximum-drawdown');
  assert.equal(breachedFloor({ dailyLoss: null, maximumDrawdown: null }, -1n), null);
});

test('room shrinks to zero at the floor', () => {
  assert.equal(room(usd(97_000), usd(98_500)), usd(1_500));
  assert.equal(room(usd(97_000), usd(96_000)), 0n);
  assert.equal(room(null, usd(96_000)), null);
});

test('passing requires the target on the realized balance, no open positions, and the minimum days', () => {
  const account = { plan: { ...select, minimumTradingDays: 2 }, startingBalance: usd(100_000), tradingDays: 2 };
  assert.equal(hasPassed({ ...account, balance: usd(109_000) }, 0), true);
  assert.equal(hasPassed({ ...account, balance: usd(109_000) - 1n }, 0), false);
  assert.equal(hasPassed({ ...account, balance: usd(109_000) }, 1), false);
  assert.equal(hasPassed({ ...account, balance: usd(109_000), tradingDays: 1 }, 0), false);
  assert.equal(hasPassed({ ...account, plan: none, balance: usd(500_000) }, 0), false);
  assert.equal(remainingProfit({ ...account, balance: usd(104_000) }), usd(5_000));
  assert.equal(remainingProfit({ ...account, balance: usd(110_000) }), 0n);
  assert.equal(remainingProfit({ ...account, plan: none, balance: usd(110_000) }), null);
});

test('percentages are exact', () => {
  assert.equal(percentOf(usd(100_000), 2.5), usd(2_500));
  assert.equal(percentOf(3n, 50), 2n);
  assert.equal(percentOf(usd(100_000), 0), 0n);
});
