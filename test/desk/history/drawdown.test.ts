import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawdownFrom } from '../../../src/desk/history/drawdown.ts';
import type { Booking, Trip } from '../../../src/desk/history/records.ts';
import { toMoney } from '../../../src/terms/decimal.ts';
import { Desk } from '../../cli/practice.ts';

/** A position of one unit, open from one time to another, with what its close books. */
function trip(
  marketId: string,
  side: 'long' | 'short',
  openedAt: number,
  closedAt: number | null,
  price: number,
): Trip {
  const steps = [{ fill: { time: openedAt }, lots: 1, cost: toMoney(price), realizedPnl: 0n }];
  return { marketId, side, openedAt, closedAt, steps, lotsPerUnit: 1 } as unknown as Trip;
}

const booking = (time: number, usd: number): Booking =>
  ({ time, realizedPnl: toMoney(usd), fees: 0n, funding: 0n, bankruptcy: 0n, transfer: 0n }) as unknown as Booking;
const bar = (from: number, high: number, low: number) => ({ from, to: from + 10, high, low });
const range = { from: 0, to: 100 };
const base = toMoney(1_000);

describe('the drawdown', () => {
  it('of one market is exact from bar to bar, however few moments a curve has', () => {
    const trips = [trip('A', 'long', 5, null, 100)];
    const bars = new Map([['A', [bar(0, 100, 100), bar(10, 140, 120), bar(20, 120, 70), bar(30, 100, 90)]]]);
    const found = drawdownFrom({ trips, bookings: [] }, base, range, bars)!;
    assert.deepEqual([found.amount, found.precision], [toMoney(70), 'exact']);
    assert.deepEqual([found.peak.time, found.trough.time], [10, 20]);
  });

  it('within one bar is at most its range', () => {
    const trips = [trip('A', 'short', 5, null, 100)];
    const found = drawdownFrom(
      { trips, bookings: [] },
      base,
      range,
      new Map([['A', [bar(0, 100, 100), bar(10, 150, 90)]]]),
    )!;
    assert.deepEqual([found.amount, found.precision], [toMoney(60), 'upper_bound']);
  });

  it('of several markets takes their extremes at their worst', () => {
    const trips = [trip('A', 'long', 0, null, 100), trip('B', 'short', 0, null, 100)];
    const bars = new Map([
      ['A', [bar(0, 100, 100), bar(10, 110, 90)]],
      ['B', [bar(0, 100, 100), bar(10, 120, 95)]],
    ]);
    const found = drawdownFrom({ trips, bookings: [] }, base, range, bars)!;
    assert.deepEqual([found.amount, found.precision], [toMoney(110 - 90 + 120 - 95), 'upper_bound']);
  });

  it('includes what was booked, and is none if equity never fell', () => {
    const trips = [trip('A', 'long', 5, 30, 100)];
    const bars = new Map([['A', [bar(0, 100, 100), bar(10, 105, 105), bar(20, 110, 110)]]]);
    const history = (result: number) => ({ trips, bookings: [booking(30, result)] });
    assert.equal(drawdownFrom(history(10), base, range, bars), null);
    assert.equal(drawdownFrom(history(-20), base, range, bars)!.amount, toMoney(30));
  });
});

it('no part of a history has a deeper drawdown than all of it', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('order', 'place', 'BTC', 'buy', '0.5', '--leverage', '5', '--force');
  for (const hours of ['5h', '9h', '14h']) {
    await desk.json('sim', 'advance', hours);
    await desk.json('order', 'place', 'ETH', 'buy', '3', '--leverage', '5', '--force');
  }
  await desk.json('sim', 'advance', '6h');
  const drawdownOf = async (...words: string[]) => (await desk.json('pnl', ...words)).drawdown;
  const whole = await drawdownOf();
  assert.equal(whole.precision, 'upper_bound');
  for (const from of ['1h', '5h', '20h']) {
    const part = await drawdownOf('--from', from);
    assert.ok(part.amount <= whole.amount, `${from}: ${part.amount} of ${whole.amount}`);
  }
});
