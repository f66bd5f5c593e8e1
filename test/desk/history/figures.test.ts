import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hourMs } from '../../../src/base/terms/day.ts';
import { toMoney } from '../../../src/base/terms/decimal.ts';
import {
  deepestDrawdown,
  equityCurve,
  floorsAlong,
  momentsBetween,
  neededMarks,
} from '../../../src/desk/history/equity.ts';
import { excursionsOf } from '../../../src/desk/history/read-marks.ts';
import { type Fill, foldHistory, type Payment, plannedRiskOf, rMultipleOf } from '../../../src/desk/history/records.ts';
import { dateOfDay, dayFinder, figuresOf, resultsOf, timeInMarket } from '../../../src/desk/history/results.ts';
import { barRow, lineChart } from '../../../src/terminal/console/charts/line-chart.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';

let fillNumber = 0;

/** A fill of BTC without a fee. `realized` only if it closed something. */
function fill(time: number, side: 'buy' | 'sell', size: number, price: number, realized?: number, more = {}): Fill {
  const realizedPnl = realized === undefined ? null : toMoney(realized);
  fillNumber += 1;
  const orderId = `ord_${fillNumber}`;
  const money = { notional: toMoney(size * price), fee: 0n, realizedPnl };
  return { orderId, time, marketId: 'BTC', side, size, price, ...money, stopPrice: null, ...more };
}

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };
const usd = toMoney;

describe('round trips', () => {
  it('are positions from flat to flat, opened and closed in parts', () => {
    const { trips } = foldHistory(
      [fill(1, 'buy', 1, 100), fill(2, 'buy', 1, 110), fill(3, 'sell', 0.5, 120, 7.5), fill(4, 'sell', 1.5, 100, -7.5)],
      [],
    );
    assert.deepEqual(
      trips.map(({ side, openedAt, closedAt, openedLots, closedLots, largestLots, realizedPnl }) => [
        ...[side, openedAt, closedAt, openedLots, closedLots, largestLots, realizedPnl],
      ]),
      [['long', 1, 4, 20, 20, 20, 0n]],
    );
  });

  it('end and start at a fill that flips a position, and share its fee', () => {
    const { trips } = foldHistory(
      [fill(1, 'buy', 1, 100), fill(2, 'sell', 3, 110, 10, { fee: usd(0.9) }), fill(3, 'buy', 2, 100, 20)],
      [],
    );
    assert.deepEqual(
      trips.map(({ side, openedAt, closedAt, realizedPnl, fees }) => [side, openedAt, closedAt, realizedPnl, fees]),
      [
        ['long', 1, 2, usd(10), usd(0.3)],
        ['short', 2, 3, usd(20), usd(0.6)],
      ],
    );
  });

  it('opened and closed at a funding time pay carry only if they were open before it', () => {
    const carry: Payment = { kind: 'funding', amount: usd(-1), time: 5, orderId: null, marketId: 'BTC' };
    const { trips } = foldHistory(
      [fill(1, 'buy', 1, 100), fill(5, 'sell', 1, 100, 0), fill(5, 'buy', 1, 100), fill(5, 'sell', 1, 100, 0)],
      [carry],
    );
    assert.deepEqual(
      trips.map(({ funding }) => funding),
      [usd(1), 0n],
    );
  });

  it('that started before the history are counted in the sums, but not as trips', () => {
    const folded = foldHistory([fill(1, 'sell', 1, 100, 25)], []);
    assert.equal(folded.trips.length, 0);
    assert.equal(resultsOf(folded, all, () => null).total.realizedPnl, usd(25));
  });
});

it('a trip is won or lost by what is left of it after fees, and one that leaves nothing is neither', () => {
  const { trips, bookings } = foldHistory(
    [
      ...[fill(1, 'buy', 1, 100), fill(2, 'sell', 1, 101, 1, { fee: usd(1) })],
      ...[fill(3, 'buy', 1, 100), fill(4, 'sell', 1, 101, 1, { fee: usd(0.99) })],
      ...[fill(5, 'buy', 1, 100), fill(6, 'sell', 1, 101, 1, { fee: usd(1.01) })],
      ...[fill(7, 'buy', 1, 100), fill(8, 'sell', 1, 101, 1, { fee: usd(1.01) })],
    ],
    [],
  );
  const { total } = resultsOf({ trips, bookings }, all, () => null);
  assert.deepEqual([total.trips, total.won, total.lost], [4, 1, 2]);
});

describe('figures', () => {
  const { trips } = foldHistory(
    [
      fill(0, 'buy', 1, 100, undefined, { stopPrice: 90 }),
      fill(10, 'sell', 1, 130, 30),
      fill(20, 'sell', 1, 130, undefined, { stopPrice: 135 }),
      fill(40, 'buy', 1, 140, -10),
      fill(50, 'buy', 1, 100),
      fill(80, 'sell', 1, 110, 10),
    ],
    [],
  );

  it('count wins, losses and R', () => {
    const figures = figuresOf(trips, plannedRiskOf);
    const { won, lost, expectancy, profitFactor, averageWin, averageLoss, tripsWithR, totalR } = figures;
    assert.deepEqual(
      { won, lost, expectancy, profitFactor, averageWin, averageLoss, tripsWithR, totalR },
      {
        ...{ won: 2, lost: 1, expectancy: usd(10), profitFactor: 4, averageWin: usd(20), averageLoss: usd(-10) },
        ...{ tripsWithR: 2, totalR: 3 - 2 },
      },
    );
    assert.equal(rMultipleOf(trips[1]!, plannedRiskOf(trips[1]!)), -2);
  });

  it('name the largest win and loss, wherever they are among the trips', () => {
    const results = [-5, 3, -20, 9, -7, 4];
    const fills = results.flatMap((result, at) => [
      fill(10 * at, 'buy', 1, 100),
      fill(10 * at + 1, 'sell', 1, 100 + result, result),
    ]);
    const { largestWin, largestLoss } = figuresOf(foldHistory(fills, []).trips, plannedRiskOf);
    assert.deepEqual([largestWin, largestLoss], [usd(9), usd(-20)]);
  });

  it('are null without data', () => {
    const { winRate, expectancy, profitFactor, averageR, averageHeldMs } = figuresOf([], plannedRiskOf);
    assert.deepEqual([winRate, expectancy, profitFactor, averageR, averageHeldMs], [null, null, null, null, null]);
  });

  it('count overlapping time in the market once', () => {
    assert.equal(timeInMarket(trips, 0, 100), 10 + 20 + 30);
    assert.equal(timeInMarket([trips[0]!, trips[0]!], 5, 100), 5);
  });

  it('have no R for a stop on the winning side', () => {
    const [trip] = foldHistory([fill(0, 'buy', 1, 100, undefined, { stopPrice: 101 })], []).trips;
    assert.equal(plannedRiskOf(trip!), null);
  });
});

describe('days', () => {
  it('start at midnight in New York and have 23 to 25 hours', () => {
    const hours = (noon: string) => {
      const dayOf = dayFinder();
      const first = dayOf(Date.parse(noon));
      let time = first;
      while (dayOf(time) === first) time += hourMs;
      return [dateOfDay(first), (time - first) / hourMs];
    };
    assert.deepEqual(hours('2026-03-08T16:00Z'), ['2026-03-08', 23]);
    assert.deepEqual(hours('2026-11-01T16:00Z'), ['2026-11-01', 25]);
    assert.deepEqual(hours('2026-11-21T16:00Z'), ['2026-11-21', 24]);
  });

  it('have the sums of their own hours and the trips that end in them', () => {
    const [before, after] = [Date.parse('2026-11-01T03:59:59Z'), Date.parse('2026-11-01T04:00Z')];
    const folded = foldHistory(
      [fill(before, 'buy', 1, 100, undefined, { fee: usd(1) }), fill(after, 'sell', 1, 105, 5)],
      [],
    );
    const { days } = resultsOf(folded, all, () => null);
    assert.deepEqual(
      days.map(({ key, fees, realizedPnl, trips }) => [dateOfDay(key), fees, realizedPnl, trips]),
      [
        ['2026-10-31', usd(1), 0n, 0],
        ['2026-11-01', 0n, usd(5), 1],
      ],
    );
  });
});

describe('equity', () => {
  const folded = foldHistory([fill(10, 'buy', 2, 100), fill(30, 'sell', 1, 120, 20)], []);

  it('is the balance plus the unrealized PnL at the mark', () => {
    assert.deepEqual([...neededMarks(folded.trips, [0, 10, 20, 30, 40])], [['BTC', [10, 20, 30, 40]]]);
    const curve = equityCurve(folded, [0, 10, 20, 30], (_, time) => (time === 20 ? 90 : 120));
    assert.deepEqual(
      curve.map(({ balance, equity }) => [balance, equity]),
      [
        [0n, 0n],
        [0n, usd(40)],
        [0n, usd(-20)],
        [usd(20), usd(40)],
      ],
    );
  });

  it('counts what is open at each moment, whether or not it is closed later', () => {
    const closed = foldHistory([fill(10, 'buy', 2, 100), fill(30, 'sell', 2, 120, 40)], []);
    const curve = equityCurve(closed, [10, 20, 30, 40], () => 110);
    assert.deepEqual(
      curve.map(({ equity }) => equity),
      [usd(20), usd(20), usd(40), usd(40)],
    );
  });

  it('counts a position without a mark at cost', () => {
    assert.equal(equityCurve(folded, [20], () => null)[0]!.equity, 0n);
  });

  it('has a maximum drawdown from its highest value so far', () => {
    const points = [100, 120, 90, 130, 105].map((value, time) => ({ time, balance: 0n, equity: usd(value) }));
    const { amount, percent, peak, trough } = deepestDrawdown(points)!;
    assert.deepEqual([amount, percent, peak.time, trough.time], [usd(30), 25, 1, 2]);
    assert.equal(deepestDrawdown(points.slice(0, 2)), null);
  });

  it('has a daily floor that resets each day, and a drawdown floor that stays', () => {
    const midnight = Date.parse('2026-11-21T05:00Z');
    const points = [midnight - 1, midnight, midnight + 1].map((time, at) => ({
      ...{ time, balance: 0n, equity: usd(1_000 + at * 10) },
    }));
    const plan = { startingBalance: usd(1_000), startedAt: 0, dailyLossPct: 3, maxDrawdownPct: 5 };
    const floors = floorsAlong(points, plan);
    assert.deepEqual(
      floors.map(({ dailyLoss, maximumDrawdown }) => [dailyLoss, maximumDrawdown]),
      [
        [usd(970), usd(950)],
        [usd(980), usd(950)],
        [usd(980), usd(950)],
      ],
    );
    const fresh = floorsAlong(points, { ...plan, startedAt: midnight });
    assert.deepEqual(
      fresh.map(({ dailyLoss }) => dailyLoss),
      [usd(970), usd(970), usd(970)],
      'on the first day, from the starting balance: the first point may be after a fee',
    );
  });

  it('is sampled at equal intervals, at every start of a day, and at both ends', () => {
    const [from, to] = [Date.parse('2026-10-30T17:03Z'), Date.parse('2026-11-03T09:00Z')];
    const moments = momentsBetween(from, to, 50);
    assert.deepEqual([moments[0], moments.at(-1)], [from, to]);
    for (const midnight of ['2026-11-01T04:00Z', '2026-11-02T05:00Z'])
      assert.ok(moments.includes(Date.parse(midnight)));
    assert.ok(moments.length < 60);
  });
});

describe('the maximum adverse excursion of a trip', () => {
  it('uses candles between its fills, and the fills themselves', () => {
    const [trip] = foldHistory([fill(10, 'buy', 1, 100), fill(40, 'sell', 1, 95, -5)], []).trips;
    const candles = [
      { from: 5, to: 15, high: 500, low: 1 },
      { from: 15, to: 25, high: 104, low: 93 },
      { from: 35, to: 45, high: 500, low: 1 },
    ];
    assert.deepEqual(excursionsOf(trip!, candles), { against: usd(-7), favor: usd(4) });
    assert.deepEqual(excursionsOf(trip!, []), { against: usd(-5), favor: 0n });
  });

  it('includes profit realized along the way', () => {
    const fills = [fill(10, 'sell', 2, 100), fill(20, 'buy', 1, 90, 10), fill(40, 'buy', 1, 130, -30)];
    const [trip] = foldHistory(fills, []).trips;
    assert.deepEqual(excursionsOf(trip!, [{ from: 25, to: 30, high: 120, low: 90 }]), {
      against: usd(-20),
      favor: usd(20),
    });
  });
});

describe('the chart', () => {
  const samples = [1, 2, 3, 4].map((value, time) => ({ time: time * hourMs, value }));
  const layout = { width: 40, height: 4, label: (value: number) => value.toFixed(2) };

  it('fits its width and height, in braille or ASCII', () => {
    for (const isUnicode of [true, false]) {
      const rows = lineChart(samples, { ...layout, isUnicode }).map((row) => row.map(textOf).join(''));
      assert.equal(rows.length, 5);
      assert.ok(rows.every((row) => row.length <= 40));
      assert.ok(rows[0]!.startsWith('4.00 ') && rows[3]!.startsWith('1.00 '), rows.join('\n'));
      assert.equal(/^[\x20-\x7e]*$/.test(rows.join('')), !isUnicode);
    }
  });

  it('accepts a flat curve or a single point', () => {
    const flat = samples.map(({ time }) => ({ time, value: 5 }));
    assert.equal(lineChart(flat, { ...layout, isUnicode: true }).length, 5);
    assert.deepEqual(lineChart(samples.slice(0, 1), { ...layout, isUnicode: true }), []);
    assert.equal(
      barRow(
        flat.map(({ time }) => ({ time, value: 0 })),
        5,
        true,
      ),
      '     ',
    );
  });
});
