import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { toMoney } from '../../../src/base/terms/decimal.ts';
import { type Bar, drawdownFrom } from '../../../src/desk/history/equity.ts';
import type { Booking, Trip } from '../../../src/desk/history/records.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, trial } from '../../tiers.ts';

/** A position of one unit, open from one time to another, with what its close books. */
function trip(
  marketId: string,
  side: 'long' | 'short',
  openedAt: number,
  closedAt: number | null,
  price: number,
): Trip {
  const fills = [{ fill: { time: openedAt }, lots: 1, cost: toMoney(price), realizedPnl: 0n }];
  return { marketId, side, openedAt, closedAt, fills, lotsPerUnit: 1 } as unknown as Trip;
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

  it('from a bar that a booking divides is an upper bound: its highest price may have come before or after', () => {
    const trips = [trip('A', 'long', 5, null, 100)];
    const bars = new Map([['A', [bar(0, 100, 100), bar(10, 140, 130), bar(20, 120, 70)]]]);
    for (const [at, precision] of [
      [15, 'upper_bound'],
      [20, 'exact'],
    ] as const) {
      const found = drawdownFrom({ trips, bookings: [booking(at, 0)] }, base, range, bars)!;
      assert.deepEqual([found.amount, found.precision], [toMoney(70), precision]);
    }
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

/** Prices of one market, in bars of ten, and the same in bars of thirty. */
function randomBars(chance: Chance): { fine: Bar[]; coarse: Bar[] } {
  const fine: Bar[] = [];
  let price = 100;
  for (let from = 0; from <= 290; from += 10) {
    price = Math.max(1, price + chance.between(-20, 20));
    fine.push({
      from,
      to: from + 10,
      high: price + chance.between(0, 10),
      low: Math.max(1, price - chance.between(0, 10)),
    });
  }
  const coarse = fine
    .filter((_, at) => at % 3 === 0)
    .map(({ from }, at) => {
      const parts = fine.slice(at * 3, at * 3 + 3);
      return {
        from,
        to: from + 30,
        high: Math.max(...parts.map(({ high }) => high)),
        low: Math.min(...parts.map(({ low }) => low)),
      };
    });
  return { fine, coarse };
}

it('no part of a random history has a deeper drawdown than all of it, also where its bars are finer', () => {
  for (let trial = 1; trial <= 100; trial++) {
    const chance = new Chance(seed * 1_000 + trial);
    const markets = ['A', 'B', 'C'].slice(0, chance.between(1, 3));
    const bars = new Map(markets.map((id) => [id, randomBars(chance)]));
    const trips = markets
      .flatMap((id) => {
        const openedAt = chance.between(0, 200);
        const closedAt = chance.chance(0.5) ? openedAt + chance.between(1, 90) : null;
        return [trip(id, chance.pick(['long', 'short'] as const), openedAt, closedAt, 100)];
      })
      .sort((one, other) => one.openedAt - other.openedAt);
    const bookings = trips
      .flatMap(({ closedAt }) => (closedAt === null ? [] : [booking(closedAt, chance.between(-60, 60))]))
      .sort((one, other) => one.time - other.time);
    const drawdownOf = (from: number, to: number, kind: 'fine' | 'coarse') => {
      const read = new Map([...bars].map(([id, of]) => [id, of[kind]]));
      return drawdownFrom({ trips, bookings }, base, { from, to }, read)?.amount ?? 0n;
    };
    const from = chance.between(0, 250);
    const to = chance.between(from + 1, 300);
    for (const kind of ['fine', 'coarse'] as const) {
      const whole = drawdownOf(0, 300, kind);
      const part = drawdownOf(from, to, 'fine');
      assert.ok(part <= whole, `seed ${seed}, trial ${trial}: ${from} to ${to} has ${part}, all ${kind} bars ${whole}`);
    }
  }
});

trial('no part of a history has a deeper drawdown than all of it', async () => {
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
