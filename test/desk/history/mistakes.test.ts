import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Evidence, mistakesIn, type StopMove } from '../../../src/desk/history/mistakes.ts';
import { type Fill, foldHistory, plannedRiskOf } from '../../../src/desk/history/records.ts';

/** `[seconds, side, size, price, stop]` */
type Row = readonly [at: number, side: 'buy' | 'sell', size: number, price: number, stop?: number];

const usd = (amount: number) => BigInt(Math.round(amount * 1e8));

function kinds(rows: readonly Row[], evidence: Partial<Evidence> = {}): string[] {
  const fills = rows.map(
    ([at, side, size, price, stop], index): Fill => ({
      orderId: `ord_${index}`,
      time: at * 1_000,
      marketId: 'binance|BTCUSDT',
      side,
      size,
      price,
      notional: usd(size * price),
      fee: 0n,
      realizedPnl: null,
      stopPrice: stop ?? null,
    }),
  );
  const whole: Evidence = {
    riskOf: plannedRiskOf,
    largestRisk: usd(1_000),
    stopMoves: [],
    stopRemovals: [],
    sentAt: (id) => fills.find(({ orderId }) => orderId === id)!.time,
    ...evidence,
  };
  return mistakesIn(foldHistory(fills, []).trips, whole).map(
    ({ kind, trip, time }) => `${kind} ${trip} @${time / 1_000}`,
  );
}

const moved = (at: number, from: number, to: number): StopMove => ({
  marketId: 'binance|BTCUSDT',
  time: at * 1_000,
  from,
  to,
});

const cases: [what: string, rows: Row[], evidence: Partial<Evidence>, found: string[]][] = [
  [
    'a trade with a stop within the risk',
    [
      [0, 'buy', 1, 100, 90],
      [9, 'sell', 1, 95],
    ],
    {},
    [],
  ],
  ['no stop', [[0, 'buy', 1, 100]], {}, ['no_stop 0 @0']],
  ['a risk of exactly the largest', [[0, 'buy', 100, 100, 90]], {}, []],
  ['a larger risk', [[0, 'buy', 100.001, 100, 90]], {}, ['too_much_risk 0 @0']],
  [
    'more at a lower price',
    [
      [0, 'buy', 1, 100, 90],
      [5, 'buy', 1, 99],
    ],
    {},
    ['averaged_loser 0 @5'],
  ],
  [
    'more at a higher price',
    [
      [0, 'buy', 1, 100, 90],
      [5, 'buy', 1, 101],
    ],
    {},
    [],
  ],
  [
    'a short, more at a higher price',
    [
      [0, 'sell', 1, 100, 110],
      [5, 'sell', 1, 101],
    ],
    {},
    ['averaged_loser 0 @5'],
  ],
  [
    'more at the same price, whose average has binary noise',
    [
      [0, 'buy', 0.007, 103.5, 90],
      [5, 'buy', 0.3, 103.5],
      [6, 'buy', 1.3, 103.5],
    ],
    {},
    [],
  ],
  [
    'an order that was sent before the trade',
    [
      [0, 'buy', 1, 100, 90],
      [5, 'buy', 1, 99],
    ],
    { sentAt: () => 0 },
    [],
  ],
  [
    'a slice of a TWAP',
    [
      [0, 'buy', 1, 100, 90],
      [5, 'buy', 1, 99],
    ],
    { sentAt: () => undefined },
    [],
  ],
  [
    'a partial close at a loss',
    [
      [0, 'buy', 2, 100, 90],
      [5, 'sell', 1, 99],
    ],
    {},
    [],
  ],
  ['a stop moved away', [[0, 'buy', 1, 100, 90]], { stopMoves: [moved(3, 90, 89)] }, ['stop_widened 0 @3']],
  ['a stop moved closer', [[0, 'buy', 1, 100, 90]], { stopMoves: [moved(3, 90, 91)] }, []],
  [
    'the stop of a short moved up',
    [[0, 'sell', 1, 100, 110]],
    { stopMoves: [moved(3, 110, 111)] },
    ['stop_widened 0 @3'],
  ],
  [
    'a stop removed',
    [[0, 'buy', 1, 100, 90]],
    { stopRemovals: [{ marketId: 'binance|BTCUSDT', time: 3_000, price: 90 }] },
    ['stop_removed 0 @3'],
  ],
  [
    'a stop removed as the trade is closed',
    [
      [0, 'buy', 1, 100, 90],
      [3, 'sell', 1, 101],
    ],
    { stopRemovals: [{ marketId: 'binance|BTCUSDT', time: 3_000, price: 90 }] },
    [],
  ],
  ['a stop moved before the trade', [[5, 'buy', 1, 100, 90]], { stopMoves: [moved(3, 90, 89)] }, []],
  [
    'another trade a minute after a loss',
    [
      [0, 'buy', 1, 100, 90],
      [1, 'sell', 1, 99],
      [61, 'buy', 1, 100, 90],
    ],
    {},
    ['revenge 1 @61'],
  ],
  [
    'later than that',
    [
      [0, 'buy', 1, 100, 90],
      [1, 'sell', 1, 99],
      [61.001, 'buy', 1, 100, 90],
    ],
    {},
    [],
  ],
  [
    'stop and reverse in one order',
    [
      [0, 'buy', 1, 100, 90],
      [1, 'sell', 2, 99],
    ],
    {},
    ['no_stop 1 @1'],
  ],
  [
    'an entry that was waiting before the loss',
    [
      [0, 'buy', 1, 100, 90],
      [5, 'sell', 1, 99],
      [6, 'buy', 1, 98, 90],
    ],
    { sentAt: () => 0 },
    [],
  ],
  [
    'another order at the moment of the loss, while the clock stands still',
    [
      [0, 'buy', 1, 100, 90],
      [5, 'sell', 1, 99],
      [5, 'buy', 1, 99, 90],
    ],
    {},
    ['revenge 1 @5'],
  ],
  [
    'after a win',
    [
      [0, 'buy', 1, 100, 90],
      [1, 'sell', 1, 101],
      [2, 'buy', 1, 100, 90],
    ],
    {},
    [],
  ],
];

for (const [what, rows, evidence, found] of cases)
  test(`${what}: ${found.length === 0 ? 'no mistake' : found.join(', ')}`, () => {
    assert.deepEqual(kinds(rows, evidence), found);
  });
