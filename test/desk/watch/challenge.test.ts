import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tradingDayStart } from '../../../src/base/terms/day.ts';
import { byId, merge } from '../../../src/desk/account/account-state.ts';
import { alarmsOf, challengeOf } from '../../../src/desk/watch/challenge.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import type { Account } from '../../../src/wire/contract/accounts.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { tell } from '../account/tell.ts';

const time = Date.UTC(2026, 5, 10, 14);
const btc = { market_id: 'bybit|BTC', provider: 'bybit', symbol: 'BTC', coin: 'BTCUSDT' } as unknown as Market;
const requirements = { daily_loss_pct: 3, max_drawdown_pct: 5, profit_target_pct: 9 };

interface Given {
  balance: number;
  status?: string;
  pct?: number | null;
  positions?: Partial<Position>[];
  orders?: object[];
  fills?: number[];
}

/** A model with one account of 100,000 whose day began at 100,000, and BTC at 100. */
function modelOf({ balance, status = 'active', pct = 3, positions = [], orders = [], fills = [] }: Given): LiveModel {
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
  const account = {
    id: 'acc_1',
    status,
    starting_balance: 100_000,
    balance,
    risk: {
      daily_loss_floor: 97_000,
      max_drawdown_floor: 95_000,
      requirements: { ...requirements, daily_loss_pct: pct },
    },
  } as unknown as Account;
  const common = { account_id: 'acc_1', market_id: btc.market_id, symbol: 'BTC' };
  tell(model, {
    type: 'snapshot',
    seq: 1,
    time,
    account_id: 'acc_1',
    account,
    positions: positions.map((one) => ({ id: 'pos_1', ...common, side: 'long', opened_at: 0, ...one }) as Position),
    orders: orders.map((one) => ({ id: 'ord_1', ...common, side: 'sell', ...one }) as Order),
  } as never);
  tell(model, { type: 'snapshot_end' } as never);
  model.takeMid(btc.market_id, 100, time);
  const told = fills.map((at, index) => ({ id: `fill_${index}`, ...common, settled_at: at }) as unknown as Order);
  model.states = merge(model.states, 'acc_1', 'fills', byId(told), { askedAt: 1 });
  return model;
}

const of = (given: Given) => {
  const model = modelOf(given);
  return challengeOf(model.account!, model);
};

test('each floor shows the used share of its allowance, in steps of 50, 80 and 95%', () => {
  for (const [balance, daily, step] of [
    [100_000, 0, 0],
    [101_000, 0, 0],
    [98_501, 0.499_67, 0],
    [98_500, 0.5, 1],
    [97_600, 0.8, 2],
    [97_150, 0.95, 3],
    [96_000, 1, 3],
  ] as const) {
    const [first, second] = of({ balance }).gauges;
    assert.equal(first!.name, 'daily loss');
    assert.equal(first!.used!.toFixed(3), daily.toFixed(3), String(balance));
    assert.equal(first!.severity, step, String(balance));
    assert.equal(second!.used!.toFixed(3), Math.max(0, (100_000 - balance) / 5_000).toFixed(3));
  }
});

test('an allowance that is not known has no share, and an ended account no floors', () => {
  assert.deepEqual(
    of({ balance: 98_000, pct: null }).gauges.map(({ used, room }) => [used, room]),
    [
      [undefined, 1_000],
      [0.4, 3_000],
    ],
  );
  assert.deepEqual(of({ balance: 96_000, status: 'failed' }).gauges, []);
});

test('room is also in multiples of 1R of the open positions, if that of each is known', () => {
  const position = {
    ...{ status: 'open' as const, size: 10, entry_price: 100 },
    ...{ leverage: 1, isolated_margin_extra: 0, margin_mode: 'cross' as const },
  };
  const stop = { mode: 'stop_market', size: 10, trigger_price: 95, reduce_only: true, target_position_id: 'pos_1' };
  const given = { balance: 100_000, positions: [position], orders: [stop] };
  // 10 x (100 - 95), and the taker's fee of both ends.
  const atStop = 50 + 0.0003 * (1_000 + 950);
  const model = modelOf(given);
  model.takeExits('acc_1', new Map(), new Map([['pos_1', atStop]]));
  const covered = challengeOf(model.account!, model);
  assert.deepEqual(
    covered.gauges.map(({ roomInR }) => roomInR),
    [3_000, 5_000].map((room) => room / atStop),
  );
  assert.deepEqual(covered.uncovered, []);
  const partly = of({ balance: 100_000, positions: [position], orders: [{ ...stop, size: 4 }] });
  assert.deepEqual(
    partly.gauges.map(({ roomInR }) => roomInR),
    [undefined, undefined],
  );
  assert.deepEqual(partly.uncovered, [{ symbol: 'BTC', size: 6 }]);
  assert.equal(of({ balance: 100_000 }).gauges[0]!.roomInR, undefined);
});

test("the day's result counts from the start of the day, and its fills from the same moment", () => {
  const day = tradingDayStart(time);
  const challenge = of({ balance: 99_250, fills: [day - 1, day, day + 5] });
  assert.equal(challenge.dayPnl, -750);
  assert.deepEqual(challenge.dayFills, { count: 2, isAll: true });
  const many = Array.from({ length: 100 }, (_, at) => day + at);
  assert.deepEqual(of({ balance: 100_000, fills: many }).dayFills, { count: 100, isAll: false });
});

test('a warning has one key: each step of a floor, the daily one on each day, and the lock', () => {
  const model = modelOf({ balance: 97_600 });
  const warnings = () => alarmsOf(model.account!, model);
  const day = tradingDayStart(time);
  const reached = [`acc_1 daily loss 1 ${day}`, `acc_1 daily loss 2 ${day}`];
  assert.deepEqual(warnings(), reached);
  model.locks = new Map([['acc_1', { until: 5, since: 1, why: 'x' } as never]]);
  assert.deepEqual(warnings(), [...reached, 'acc_1 lock 5']);
  const ended = modelOf({ balance: 96_000, status: 'failed' });
  assert.deepEqual(alarmsOf(ended.account!, ended), ['acc_1 failed']);
});

test('whatever equity is, more of it never shows more used or a higher step', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 9e4, max: 1.1e5, noNaN: true }),
      fc.double({ min: 0, max: 1e4, noNaN: true }),
      (low, more) => {
        const [one, other] = [of({ balance: low }).gauges, of({ balance: low + more }).gauges];
        for (const [at, gauge] of one.entries()) {
          assert.ok(gauge.used! >= other[at]!.used!);
          assert.ok(gauge.severity >= other[at]!.severity);
        }
      },
    ),
  );
});
