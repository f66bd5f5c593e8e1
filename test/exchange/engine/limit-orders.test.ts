import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../../../src/exchange/engine/model.ts';
import { Scenario, usd } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

const still = {
  time: 0,
  bids: [
    [99, 100],
    [98, 70],
  ] as Level[],
  asks: [
    [101, 100],
    [102, 50],
  ] as Level[],
};
const print = (time: number, price: number, size: number, aggressor: 'buy' | 'sell' = 'sell') => ({
  time,
  print: [price, size] as Level,
  aggressor,
});
const sum = (order: Order) => [order.status, order.size, order.filledSize, order.initialSize];

test('100 lots ahead of an order of 50: prints of 80, 30 and 50 fill 0, 10 and 40', () => {
  const scenario = new Scenario([still, print(1, 99, 80), print(2, 99, 30), print(3, 99, 50)]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.equal(order.queueAhead, 100);
  assert.deepEqual(scenario.to(1).fillsOf(order), []);
  assert.deepEqual(scenario.to(2).fillsOf(order), [10]);
  assert.deepEqual(sum(scenario.record(order)), ['resting', 40, 10, 50]);
  assert.deepEqual(scenario.to(3).fillsOf(order), [10, 40]);
  const done = scenario.record(order);
  assert.deepEqual(sum(done), ['filled', 40, 50, 50]);
  assert.equal(done.liquidityRole, 'maker');
  assert.equal(scenario.position()!.cost, usd(50 * 99));
});

test('a partial fill is a child record that points to its parent', () => {
  const scenario = new Scenario([still, print(1, 99, 110)]);
  const order = scenario.place('buy', 50, { limitPrice: 99, clientOrderId: 'mine' });
  scenario.to(1);
  const [child] = scenario.fills();
  assert.deepEqual(
    {
      parent: child!.partialOfOrderId,
      root: child!.partialFillRootOrderId,
      client: child!.clientOrderId,
      size: child!.size,
      filled: child!.filledSize,
      initial: child!.initialSize,
      notional: child!.notional,
      settledAt: child!.settledAt,
    },
    {
      parent: order.id,
      root: order.id,
      client: null,
      size: 10,
      filled: 10,
      initial: 10,
      notional: usd(990),
      settledAt: 1,
    },
  );
  assert.equal(scenario.record(order).clientOrderId, 'mine');
});

test('prints through the price fill the order regardless of the queue, at its own price', () => {
  const scenario = new Scenario([still, print(1, 98, 30), print(2, 97, 100)]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.deepEqual(scenario.to(1).fillsOf(order), [30]);
  assert.deepEqual(scenario.to(2).fillsOf(order), [30, 20]);
  assert.equal(scenario.position()!.cost, usd(50 * 99));
});

test('prints from the same side and at worse prices do nothing', () => {
  const scenario = new Scenario([still, print(1, 99, 500, 'buy'), print(2, 100, 500)]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.deepEqual(scenario.to(2).fillsOf(order), []);
  assert.equal(scenario.record(order).queueAhead, 100);
});

test('sells rest and fill as mirror images', () => {
  const scenario = new Scenario([still, print(1, 101, 130, 'buy'), print(2, 103, 500, 'buy')]);
  const order = scenario.place('sell', 50, { limitPrice: 101 });
  assert.deepEqual(scenario.to(1).fillsOf(order), [30]);
  assert.deepEqual(scenario.to(2).fillsOf(order), [30, 20]);
  assert.equal(scenario.position()!.direction, 'short');
});

test('the opposite best at or through the price fills the order up to the displayed size, once', () => {
  const crossing = {
    bids: [[95, 10]] as Level[],
    asks: [
      [98, 20],
      [99, 15],
      [100, 500],
    ] as Level[],
  };
  const scenario = new Scenario([still, { time: 1, ...crossing }, { time: 2, ...crossing }]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.deepEqual(scenario.to(2).fillsOf(order), [35]);
  assert.equal(scenario.position()!.cost, usd(35 * 99));
  assert.equal(
    scenario.ruleAgainst('buy', 501),
    'insufficient-depth',
    'what filled the maker is consumed for takers, too',
  );
});

test('what is displayed fills only one of two orders of an account, also if it is a single lot', () => {
  const crossing = { bids: [[95, 10]] as Level[], asks: [[99, 1]] as Level[] };
  const scenario = new Scenario([still, { time: 1, ...crossing }]);
  const orders = [1, 2].map(() => scenario.place('buy', 1, { limitPrice: 99 }));
  scenario.to(1);
  assert.deepEqual(
    orders.map((order) => scenario.record(order).status),
    ['filled', 'resting'],
  );
});

test('an order whose caller names no expected price records the mid, else its own price', () => {
  const scenario = new Scenario([
    { time: 0, bids: [[99, 10]], asks: [[102, 10]] },
    { time: 1, bids: [[99, 10]], asks: [] },
  ]);
  const expected = () => scenario.place('buy', 1, { limitPrice: 95 }).expectedPrice;
  assert.deepEqual([expected(), scenario.to(1) && expected()], [100.5, 95]);
  assert.equal(scenario.place('buy', 1, { limitPrice: 95, expectedPrice: 97 }).expectedPrice, 97);
});

test('the queue ahead never exceeds what is displayed', () => {
  const shown = (time: number, size: number) => ({
    time,
    bids: [
      [99, size],
      [98, 70],
    ] as Level[],
    asks: still.asks,
  });
  const scenario = new Scenario([still, shown(1, 40), shown(2, 300), print(3, 99, 60)]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.equal(scenario.to(1).record(order).queueAhead, 40);
  assert.equal(scenario.to(2).record(order).queueAhead, 40);
  assert.deepEqual(scenario.to(3).fillsOf(order), [20]);
});

test('a level beyond the visible depth gets its queue when it is first seen', () => {
  const scenario = new Scenario([
    still,
    {
      time: 1,
      bids: [
        [97, 10],
        [96, 25],
      ],
      asks: [[101, 100]],
    },
    { time: 2, bids: [[97, 10]], asks: [[101, 100]] },
    {
      time: 3,
      bids: [
        [97, 10],
        [96, 40],
        [95, 1],
      ],
      asks: [[101, 100]],
    },
    {
      time: 4,
      bids: [
        [97, 10],
        [95, 1],
      ],
      asks: [[101, 100]],
    },
  ]);
  const seen = scenario.place('buy', 20, { limitPrice: 96 });
  assert.equal(seen.queueAhead, null);
  assert.equal(scenario.to(1).record(seen).queueAhead, 25);
  assert.equal(scenario.to(2).record(seen).queueAhead, 25, 'out of sight: unchanged');
  assert.equal(scenario.to(3).record(seen).queueAhead, 25, 'more arrived behind it');
  assert.equal(scenario.to(4).record(seen).queueAhead, 0, 'visible again, with nothing displayed there');
});

test('an order that ended while its level was out of sight, through a gap, gets no queue any more', () => {
  const deep = { bids: [[99, 10] as Level, [96, 25] as Level], asks: [[101, 100] as Level] };
  const scenario = new Scenario([still, { time: 1, gap: 'lag' }, { time: 2, ...deep }]);
  const order = scenario.place('buy', 20, { limitPrice: 96 });
  const other = scenario.place('buy', 20, { limitPrice: 96 });
  scenario.to(1).done({ kind: 'cancel_order', orderId: order.id });
  assert.deepEqual([scenario.record(order).status, scenario.record(order).queueAhead], ['canceled', null]);
  scenario.to(2);
  assert.deepEqual([scenario.record(order).queueAhead, scenario.record(other).queueAhead], [null, 25]);
});

test('an order between the best prices is first in line', () => {
  const scenario = new Scenario([still, print(1, 100, 5)]);
  const order = scenario.place('buy', 20, { limitPrice: 100 });
  assert.equal(order.queueAhead, 0);
  assert.deepEqual(scenario.to(1).fillsOf(order), [5]);
});

test('each print’s size is used once per account, first come first served at any price', () => {
  const scenario = new Scenario([{ ...still, bids: [[97, 1]] }, print(1, 98, 50)]);
  const first = scenario.place('buy', 30, { limitPrice: 98 });
  const better = scenario.place('buy', 30, { limitPrice: 99 });
  const later = scenario.place('buy', 30, { limitPrice: 98 });
  const stranger = scenario.openAccount();
  const other = scenario.place('buy', 90, { limitPrice: 98, accountId: stranger });
  scenario.to(1);
  assert.deepEqual(
    [first, better, later, other].map((order) => scenario.fillsOf(order)),
    [[30], [20], [], [50]],
  );
});

test('no order fills from a print older than its acceptance', () => {
  const scenario = new Scenario([still, print(5, 98, 500)]);
  scenario.to(5);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.deepEqual(scenario.to(10).fillsOf(order), []);
  for (const [tradedAt, fills] of [
    [3, []],
    [4, [5]],
    [5, [5]],
  ] as const) {
    const late = { ...print(9, 99, 105), tradedAt };
    const reported = new Scenario([still, late]).to(4);
    const rested = reported.place('buy', 5, { limitPrice: 99 });
    assert.deepEqual(reported.to(9).fillsOf(rested), fills, `placed at 4, traded at ${tradedAt}, reported at 9`);
  }
});

test('time in force: the crossing part fills; the rest rests, expires, or nothing fills at all', () => {
  const table: [tif: 'gtc' | 'ioc' | 'fok', size: number, limit: number, status: string, fills: number[]][] = [
    ['gtc', 120, 101, 'resting', [100]],
    ['gtc', 100, 101, 'filled', [100]],
    ['gtc', 20, 100, 'resting', []],
    ['ioc', 120, 101, 'expired', [100]],
    ['ioc', 120, 100, 'expired', []],
    ['ioc', 120, 102, 'filled', [120]],
    ['fok', 150, 102, 'filled', [150]],
  ];
  for (const [timeInForce, size, limitPrice, status, fills] of table) {
    const scenario = new Scenario([still]);
    const order = scenario.place('buy', size, { limitPrice, timeInForce, marketableLimitAcknowledged: true });
    assert.equal(order.status, status, `${timeInForce} ${size} at ${limitPrice}`);
    assert.deepEqual(scenario.fillsOf(order), fills);
    assert.equal(
      order.filledSize,
      fills.reduce((all, one) => all + one, 0),
    );
  }
  const scenario = new Scenario([still]);
  const refused = scenario.refused(scenario.order('buy', 101, { limitPrice: 101, timeInForce: 'fok' }));
  assert.equal(refused.ruleId, 'insufficient-depth');
  assert.equal(refused.details!.available_size, 100);
});

test('an ioc over four levels stops at its limit, with the average price of its fills', () => {
  const source = new ScriptedSource(
    [
      {
        time: 0,
        bids: [[670_000, 100]],
        asks: [
          [670_100, 10],
          [670_255, 10],
          [670_400, 12],
          [676_000, 30],
        ],
      },
    ],
    [definition({ priceDecimals: 1, sizeDecimals: 1 })],
  );
  const scenario = new Scenario(source, { startingBalance: 1_000_000 });
  const order = scenario.place('buy', 2.5, { limitPrice: 68_000, timeInForce: 'ioc' });
  assert.equal(Number(order.notional) / order.size / 1e7, 67_022.2);
  const taken = scenario.explanations.find(({ kind }) => kind === 'taken')!.detail.taken as number[][];
  assert.deepEqual(taken, [
    [670_100, 10],
    [670_255, 10],
    [670_400, 5],
  ]);
});

test('a gtc limit that would cross needs an acknowledgment', () => {
  const scenario = new Scenario([still]);
  assert.equal(scenario.ruleAgainst('buy', 20, { limitPrice: 101 }), 'marketable-limit');
  assert.equal(scenario.ruleAgainst('sell', 20, { limitPrice: 99 }), 'marketable-limit');
  assert.equal(scenario.place('buy', 20, { limitPrice: 101, marketableLimitAcknowledged: true }).status, 'filled');
});

test('the rest of a limit that crossed does not take from the same level again', () => {
  const scenario = new Scenario([
    still,
    { time: 1, bids: still.bids, asks: [[101, 100]] },
    { time: 2, bids: still.bids, asks: [[101, 104]] },
  ]);
  const order = scenario.place('buy', 130, { limitPrice: 101, marketableLimitAcknowledged: true });
  assert.deepEqual(scenario.to(1).fillsOf(order), [100]);
  assert.deepEqual(scenario.to(2).fillsOf(order), [100, 4], 'only the increase');
});

test('a good-till-date order ends at its date, and not before', () => {
  const scenario = new Scenario([still, print(1000, 98, 5)]);
  const order = scenario.place('buy', 50, { limitPrice: 99, timeInForce: 'gtd', gtdExpiresAt: 1000 });
  scenario.to(999);
  assert.equal(scenario.record(order).status, 'resting');
  scenario.to(5000);
  assert.deepEqual(scenario.fillsOf(order), [5], 'an event at the same moment comes first');
  assert.deepEqual([scenario.record(order).status, scenario.record(order).settledAt], ['expired', 1000]);
});

test('cancel keeps the children; a second cancel finds nothing', () => {
  const scenario = new Scenario([still, print(1, 98, 5)]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  scenario.to(1).done({ kind: 'cancel_order', orderId: order.id });
  assert.deepEqual(sum(scenario.record(order)), ['canceled', 45, 5, 50]);
  assert.deepEqual(scenario.fillsOf(order), [5]);
  assert.equal(scenario.refused({ kind: 'cancel_order', orderId: order.id }).code, 'not_found');
});

test('an amended order keeps its place only if its price is unchanged and its size does not grow', () => {
  const table: [price: number, size: number | null, queueAhead: number, keeps: boolean][] = [
    [99, 20, 60, true],
    [99, null, 60, true],
    [99, 60, 100, false],
    [98, null, 70, false],
  ];
  for (const [price, size, queueAhead, keeps] of table) {
    const scenario = new Scenario([
      still,
      {
        ...still,
        time: 1,
        bids: [
          [99, 60],
          [98, 70],
        ],
      },
      { ...still, time: 2 },
    ]);
    const order = scenario.place('buy', 50, { limitPrice: 99 });
    scenario.to(2);
    const amended = scenario.done({ kind: 'amend_order', orderId: order.id, price, size }).order!;
    assert.deepEqual([amended.limitPrice, amended.size], [price, size ?? 50]);
    assert.equal(amended.queueAhead, queueAhead);
    assert.equal(amended.priority === order.priority, keeps);
  }
});

test('an amendment that breaks a rule changes nothing', () => {
  const scenario = new Scenario([still]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  const table: [price: number, size: number | null, rule: string][] = [
    [101, null, 'marketable-limit'],
    [98.5, null, 'price-precision'],
    [99, 0.5, 'size-precision'],
    [5, 1, 'min-order-notional-usd'],
    [99, 100_000, 'max-position-value-usd'],
    [99, 1_100, 'insufficient-margin'],
  ];
  for (const [price, size, rule] of table) {
    const before = scenario.exchange.stateHash();
    assert.equal(scenario.refused({ kind: 'amend_order', orderId: order.id, price, size }).ruleId, rule);
    assert.equal(scenario.exchange.stateHash(), before);
  }
});

test('a reduction is clipped to its position at every fill and canceled when the position is closed', () => {
  const scenario = new Scenario([still, print(1, 101, 120, 'buy'), print(2, 103, 500, 'buy')]);
  scenario.place('buy', 40);
  const first = scenario.place('sell', 100, { limitPrice: 101, reduceOnly: true });
  const second = scenario.place('sell', 30, { limitPrice: 102, reduceOnly: true });
  scenario.to(1);
  assert.deepEqual(scenario.fillsOf(first), [20]);
  scenario.to(2);
  assert.deepEqual(scenario.fillsOf(first), [20, 20]);
  assert.deepEqual(sum(scenario.record(first)), ['canceled', 60, 40, 100]);
  assert.equal(scenario.record(second).status, 'canceled');
  assert.equal(scenario.position(), undefined);
});
