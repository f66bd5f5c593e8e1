import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { judgeWrite, roomToTrade } from '../../../src/desk/mandate/judge-write.ts';
import type { Exposed, GateWrite, Mandate, Term, Verdict } from '../../../src/desk/mandate/mandate.ts';
import { type WriteId, writeOf } from '../../../src/wire/client/writes.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { type WriteAnswer, writeAnswers } from '../../wire/client/write-answers.ts';
import { account, btc, close, copyGroup, exposed, order, place, position, twap } from './exposures.ts';

const mandate: Mandate = {
  accounts: ['acc_1'],
  markets: [btc],
  sides: ['buy', 'sell'],
  largestOrderUsd: 1_000,
  largestPositionUsd: 2_000,
  lossPerDayUsd: 100,
  ordersPerMinute: 3,
  until: 900_000,
};

function judged(write: GateWrite, terms: Partial<Mandate> = {}, at: Partial<Exposed> = {}, now = 100_000): Verdict {
  return judgeWrite({ ...mandate, ...terms }, { ...exposed, ...at }, write, now);
}

/** The term that refuses; undefined if the write is allowed. */
function refusing(...given: Parameters<typeof judged>): Term | undefined {
  const verdict = judged(...given);
  return verdict.isAllowed ? undefined : verdict.term;
}

/** Each case: what refuses, if anything does, and the write with what it meets. */
function expectAll(cases: readonly [expected: Term | undefined, ...given: Parameters<typeof judged>][]): void {
  for (const [at, [expected, ...given]] of cases.entries()) assert.equal(refusing(...given), expected, `case ${at}`);
}

const limit = (size: number, more: object = {}) => place({ type: 'limit', size, limit_price: 100, ...more });
const cancel = (order_id: string): GateWrite => ({ operation: 'cancelOrder', account: 'acc_1', path: { order_id } });
const exits = (operations: readonly object[]): GateWrite => ({
  operation: 'replacePositionExitOrders',
  account: 'acc_1',
  path: { position_id: 'pos_1' },
  body: { expected_position_size: 5, expected_orders: [], operations },
});
const stopOf = (size: number, price: number, id = 'stop') =>
  order({ id, type: 'stop_market', side: 'sell', size, trigger_price: price, reduce_only: true, target: 'pos_1' });

test('what a mandate allows now says from which size on a person is asked', () => {
  const asks = { ...mandate, approveAboveUsd: 500 };
  const market = { market: btc, side: 'buy', now: 100_000 } as const;
  const { size, approvalAbove } = roomToTrade(asks, exposed, market);
  assert.deepEqual([size, approvalAbove], [10, 5]);
  for (const [lots, isAsked] of [
    [5, false],
    [5.001, true],
    [10, true],
  ] as const) {
    const verdict = judged(place({ size: lots }), asks);
    assert.equal(verdict.isAllowed && verdict.needsApproval, isAsked, String(lots));
  }
  assert.equal(roomToTrade({ ...asks, approveAboveUsd: 1_000 }, exposed, market).approvalAbove, null);
  assert.equal(roomToTrade({ ...asks, approveAboveUsd: 0 }, exposed, market).approvalAbove, 0);
  assert.equal(roomToTrade(mandate, exposed, market).approvalAbove, null);
});

test('where nothing may be added, the reason is the one for the smallest order', () => {
  const at = { ...exposed, positions: [position(20)] };
  const { size, why } = roomToTrade(mandate, at, { market: btc, side: 'buy', now: 100_000 });
  assert.equal(size, null);
  assert.equal(why, 'The position may be worth 2,000.10 USD with working orders; the limit is 2,000.00 USD.');
  const traded = new Map([[btc, { ...exposed.markets.get(btc)!, min_notional: 10 }]]);
  const least = roomToTrade(mandate, { ...at, markets: traded }, { market: btc, side: 'buy', now: 100_000 });
  assert.equal(least.why, 'The position may be worth 2,010.00 USD with working orders; the limit is 2,000.00 USD.');
});

test('an order is allowed up to each term, and refused beyond it', () => {
  expectAll([
    [undefined, limit(10)],
    ['largestOrderUsd', limit(10.001)],
    [undefined, limit(10), {}, { positions: [position(10)] }],
    ['largestPositionUsd', limit(10), {}, { positions: [position(10.001)] }],
    ['largestPositionUsd', limit(10), {}, { positions: [position(5)], working: [order({ size: 5.001 })] }],
    [undefined, limit(10, { side: 'sell' }), {}, { positions: [position(15)] }],
    [undefined, limit(10), {}, { lostUsd: 99.99 }],
    ['lossPerDayUsd', limit(10), {}, { lostUsd: 100 }],
    ['accounts', { ...limit(1), account: 'acc_2' }],
    ['markets', limit(1, { market_id: 'binance|BTCUSDТ' })],
    ['sides', limit(1), { sides: ['sell'] }],
    [undefined, limit(1), {}, { sentAt: [40_000, 40_001, 40_001] }],
    ['ordersPerMinute', limit(1), {}, { sentAt: [40_001, 40_001, 40_001] }],
    ['ordersPerMinute', limit(1), {}, { sentAt: [40_001, 40_001, 999_999] }],
    [undefined, limit(1), {}, {}, 899_999],
    ['until', limit(1), {}, {}, 900_000],
    ['until', limit(1), {}, {}, Number.NaN],
    ['largestLeverage', limit(1, { leverage: 4 }), { largestLeverage: 3 }],
    [undefined, limit(1, { leverage: 3 }), { largestLeverage: 3 }],
  ]);
});

test('a number that is none is never allowed, and the refusal says so', () => {
  for (const size of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY]) {
    const verdict = judged(limit(size));
    assert.ok(!verdict.isAllowed);
    assert.match(verdict.why, /must be above zero/);
  }
  const verdict = judged(place({ size: 1 }), {}, { marks: new Map() });
  assert.ok(!verdict.isAllowed);
  assert.match(verdict.why, /know the mark of binance\|BTCUSDT/);
});

test('a refusal names the bound that counts: none below nothing', () => {
  const whyOf = (...given: Parameters<typeof judged>) => {
    const verdict = judged(...given);
    return verdict.isAllowed ? undefined : verdict.why;
  };
  const below = { ...account, risk: { ...account.risk, daily_loss_floor: 10_500 } } as typeof account;
  const risky = { largestOrderRoom: 0.1 };
  assert.match(whyOf(limit(1), risky, { account: below })!, /^An order may lose 10% of the room, 0\.00 USD, and/);
  assert.match(whyOf(limit(10), risky)!, /^An order may lose 10% of the room, 100\.00 USD, and/);
  const most = 'The leverage is 4, above the limit of 3.';
  assert.equal(whyOf(limit(1, { leverage: 4 }), { largestLeverage: 3 }), most);
});

test('nothing is added while a write under way changes an order that is not known', () => {
  const pending: GateWrite[] = [
    { operation: 'modifyOrder', account: 'acc_1', path: { order_id: 'gone' }, body: { price: 99 } },
  ];
  const verdict = judged(limit(1), {}, { pending });
  assert.ok(!verdict.isAllowed);
  assert.match(verdict.why, /the effect of a pending write/);
});

test('hours are in UTC, and what only reduces may be at any time', () => {
  const hours = [{ days: [1, 2, 3, 4, 5], from: 480, to: 1_080 }];
  const wednesday = Date.UTC(2026, 5, 10);
  const until = Number.POSITIVE_INFINITY;
  const at = (hour: number) => wednesday + hour * 3_600_000;
  expectAll([
    [undefined, limit(1), { hours, until }, {}, at(8)],
    ['hours', limit(1), { hours, until }, {}, at(18)],
    ['hours', limit(1), { hours, until }, {}, at(7.99)],
    ['hours', limit(1), { hours, until }, {}, at(3 * 24 + 12)],
    [undefined, close(), { hours, until }, { positions: [position(5)] }, at(20)],
  ]);
  const late = judged(limit(1), { hours, until }, {}, at(2 * 24 + 20));
  assert.equal(late.isAllowed ? undefined : late.would?.text, 'this order from 2026-06-15T08:00:00.000Z');
});

describe('what may add to a position', () => {
  it('is counted with every write under way', () => {
    expectAll([
      ['largestPositionUsd', limit(10), {}, { pending: [limit(10), limit(0.001)] }],
      [undefined, limit(10), {}, { pending: [limit(10)] }],
      [undefined, limit(10), {}, { pending: [limit(10), limit(10, { side: 'sell' })] }],
      ['largestPositionUsd', limit(10), {}, { working: [order({ id: 'o', size: 10.001 })], pending: [cancel('o')] }],
    ]);
  });

  it('is an order and what it is amended to, because it may fill before, until its answer is known', () => {
    const working = [order({ id: 'o', size: 10 })];
    const amend = (size: number | undefined, price = 100): GateWrite => ({
      operation: 'modifyOrder',
      account: 'acc_1',
      path: { order_id: 'o' },
      body: size === undefined ? { price } : { size, price },
    });
    expectAll([
      [undefined, limit(9), {}, { working, pending: [amend(1)] }],
      ['largestPositionUsd', limit(9.01), {}, { working, pending: [amend(1)] }],
      [undefined, limit(10), {}, { working, pending: [amend(undefined, 99)] }],
      [undefined, amend(10), {}, { working }],
      ['largestPositionUsd', amend(9), {}, { working, positions: [position(1.01)] }],
      ['largestPositionUsd', amend(4), {}, { working, pending: [amend(6.01)] }],
      ['largestPositionUsd', limit(1), {}, { working, pending: [amend(10), amend(undefined, 99)] }],
      ['largestOrderUsd', amend(10.01), {}, { working }],
      ['largestOrderUsd', amend(10, 100.1), {}, { working }],
      [undefined, amend(undefined), { hours: [] }, { working }],
      ['hours', amend(undefined, 99), { hours: [] }, { working }],
      ['hours', amend(9), { hours: [] }, { working }],
      ['largestPositionUsd', amend(9, 99), {}, { working: undefined }],
      ['largestPositionUsd', amend(9, 99)],
    ]);
  });

  it('is all of a ladder at its worst price, and what a TWAP has left', () => {
    const ladder = (size: number): GateWrite => ({
      operation: 'createScaledOrder',
      account: 'acc_1',
      body: { ...place({ size }).body, start_price: 80, end_price: 100, rung_count: 3, distribution: 'flat' },
    });
    const slices = (size: number): GateWrite => ({ ...place({ size }), operation: 'createTwapOrder' });
    expectAll([
      [undefined, ladder(10)],
      ['largestOrderUsd', ladder(10.01)],
      ['ordersPerMinute', ladder(10), {}, { sentAt: [99_999] }],
      [undefined, slices(10)],
      ['largestOrderUsd', slices(10.01)],
      ['largestPositionUsd', limit(10), {}, { twaps: [twap(20, 9)] }],
      [undefined, limit(10), {}, { twaps: [twap(20, 11)] }],
      ['stopWithin', ladder(1), { stopWithin: 0.1 }],
      ['stopWithin', slices(1), { stopWithin: 0.1 }],
    ]);
  });

  it('does not become less by a position of the other side, which may be closed before', () => {
    const held = { positions: [position(10)] };
    expectAll([
      ['largestPositionUsd', limit(10, { side: 'sell' }), { largestPositionUsd: 999 }, held],
      ['largestOrderUsd', place({ size: 11, side: 'sell' }), {}, held],
      ['sides', place({ size: 10, side: 'sell' }), { sides: ['buy'] }, held],
      [undefined, place({ size: 11, side: 'sell', reduce_only: true }), { sides: ['buy'] }, held],
    ]);
  });
});

test('what only reduces may be beyond sizes, sides, losses and hours, but counts as an order', () => {
  const reduce = place({ size: 99, side: 'sell', reduce_only: true });
  const at = { lostUsd: 1_000, positions: [position(99)] };
  expectAll([
    [undefined, reduce, { sides: ['buy'], hours: [] }, at],
    [undefined, reduce, {}, { ...at, positions: undefined, working: undefined, marks: new Map() }],
    ['ordersPerMinute', reduce, {}, { ...at, sentAt: [99_999, 99_999, 99_999] }],
    [undefined, cancel('o'), {}, { working: [order({ id: 'o', size: 1 })], sentAt: [99_999, 99_999, 99_999] }],
    ['until', reduce, {}, at, 900_000],
  ]);
});

describe('where a stop is asked for', () => {
  const stops = { stopWithin: 0.02 };
  const held = { positions: [position(5)], working: [stopOf(5, 99)] };

  it('whatever adds has one of its own, near enough', () => {
    expectAll([
      ['stopWithin', limit(5), stops],
      [undefined, limit(5, { stop_loss_price: 98 }), stops],
      ['stopWithin', limit(5, { stop_loss_price: 97.9 }), stops],
      ['stopWithin', limit(5, { stop_loss_price: 101 }), stops],
      [undefined, limit(5, { side: 'sell', stop_loss_price: 102 }), stops],
      ['stopWithin', limit(5, { side: 'sell', stop_loss_price: 102.1 }), stops],
      [undefined, limit(5, { stop_loss_price: 1 }), { stopWithin: Number.POSITIVE_INFINITY }],
      // A stop in profit may be far from an order below it, and is near enough to the position.
      ['stopWithin', limit(5, { limit_price: 103, stop_loss_price: 102 }), stops, held],
    ]);
  });

  it('a leg that the stops of the position leave out counts as none', () => {
    const two = { ...held, working: [stopOf(2, 99), stopOf(3, 99, 'other')] };
    expectAll([
      ['stopWithin', limit(5, { stop_loss_price: 99 }), stops, two],
      [undefined, limit(5, { stop_loss_price: 99, replace_overlapping_exits: true }), stops, two],
    ]);
  });

  it('a stop is not canceled, cut or moved away; moving it nearer and closing are free', () => {
    const modify = (price: number, size?: number) => exits([{ kind: 'modify', order_id: 'stop', price, size }]);
    const all: GateWrite = { operation: 'cancelAllAccountOrders', account: 'acc_1' };
    expectAll([
      ['stopWithin', cancel('stop'), stops, held],
      [undefined, cancel('stop'), {}, held],
      ['stopWithin', all, stops, held],
      ['stopWithin', modify(97), stops, held],
      ['stopWithin', modify(99, 4), stops, held],
      [undefined, modify(99.5), stops, held],
      ['stopWithin', exits([{ kind: 'cancel', order_id: 'stop' }]), stops, held],
      [
        undefined,
        exits([
          { kind: 'cancel', order_id: 'stop' },
          { kind: 'place', group: 'sl', price: 99.5, size: 5 },
        ]),
        stops,
        held,
      ],
      [
        'stopWithin',
        exits([
          { kind: 'cancel', order_id: 'stop' },
          { kind: 'place', group: 'sl', price: 99.5, size: 5, execution_type: 'limit' },
        ]),
        stops,
        held,
      ],
      [undefined, close(), stops, held],
      ['stopWithin', cancel('what'), stops, held],
    ]);
  });

  it('an order that may fill in the meantime keeps its stop, or what would take it away is refused', () => {
    const entry = order({ size: 5, attached_stop_loss_price: 99 });
    const all: GateWrite = { operation: 'cancelAllAccountOrders', account: 'acc_1' };
    const resized: GateWrite = {
      operation: 'modifyOrder',
      account: 'acc_1',
      path: { order_id: 'stop' },
      body: { price: 99, size: 5 },
    };
    const both = { ...held, working: [stopOf(5, 99), entry] };
    const room = { roomLeftUsd: 500 };
    const begun = (filled_size: number) => ({
      positions: [position(4)],
      working: [stopOf(4, 99), { ...entry, filled_size }],
    });
    expectAll([
      ['stopWithin', all, stops, { working: [entry] }],
      ['stopWithin', all, stops, { pending: [limit(5, { stop_loss_price: 99 })] }],
      ['stopWithin', limit(5, { stop_loss_price: 99 }), stops, { pending: [all] }],
      [undefined, resized, stops, held],
      ['stopWithin', resized, stops, both],
      [undefined, { ...resized, body: { price: 99.2 } }, stops, both],
      // Some of it has filled: without the last stop of the position, it loses its own.
      ['roomLeftUsd', cancel('stop'), room, begun(1)],
      [undefined, cancel('stop'), room, begun(0)],
    ]);
  });

  it('whatever stop may be in force is near enough to whatever may be held', () => {
    const leg = (price: number) =>
      limit(5, { limit_price: 97, stop_loss_price: price, replace_overlapping_exits: true });
    const batch = exits([{ kind: 'modify', order_id: 'stop', price: 96 }]);
    expectAll([
      // It is near its own order, and too far from the position that it would then be for.
      ['stopWithin', leg(95.5), stops, held],
      [
        'stopWithin',
        limit(5, { limit_price: 101, stop_loss_price: 99.5 }),
        stops,
        { ...held, working: [stopOf(5, 98)] },
      ],
      ['stopWithin', limit(5, { limit_price: 100, stop_loss_price: 99 }), stops, { ...held, pending: [batch] }],
    ]);
  });

  it('a price that follows its market, or waits for another one, has a bound of its own', () => {
    const other = { trigger_price: 5, trigger_market_id: 'binance|ETHUSDT', trigger_direction: 'above' };
    const conditional = (more: object) =>
      place({ type: 'conditional', size: 5, stop_loss_price: 99, ...other, ...more });
    const chase = (more: object) => place({ type: 'chase', size: 5, stop_loss_price: 99, ...more });
    expectAll([
      ['stopWithin', conditional({}), stops],
      [undefined, conditional({ limit_price: 100 }), stops],
      ['stopWithin', chase({}), stops],
      [undefined, chase({ chase_cap_price: 100.5 }), stops],
      ['stopWithin', chase({ chase_cap_price: 103 }), stops],
      [undefined, chase({})],
    ]);
  });

  it('an amendment under way may leave either of two prices', () => {
    const working = [order({ id: 'o', size: 5, limit_price: 100, attached_stop_loss_price: 98.1 })];
    const lower: GateWrite = {
      operation: 'modifyOrder',
      account: 'acc_1',
      path: { order_id: 'o' },
      body: { price: 98.2 },
    };
    const common = limit(1, { limit_price: 98.5, stop_loss_price: 97 });
    expectAll([
      [undefined, common, stops, { working: [{ ...working[0]!, limit_price: 98.2 }] }],
      ['stopWithin', common, stops, { working, pending: [lower] }],
    ]);
  });

  it('what another write may already have taken away is not given up for that', () => {
    const at = { positions: [position(5)], working: [stopOf(5, 98)], pending: [cancel('stop')] };
    const terms = { stopWithin: 0.03 };
    expectAll([
      ['stopWithin', cancel('stop'), terms, at],
      ['stopWithin', exits([{ kind: 'cancel', order_id: 'stop' }]), terms, at],
    ]);
  });

  it('two cancellations under way are both counted as done', () => {
    const spare = { ...held, working: [stopOf(5, 99), { ...stopOf(5, 98.5, 'spare') }] };
    expectAll([
      [undefined, cancel('spare'), stops, spare],
      ['stopWithin', cancel('spare'), stops, { ...spare, pending: [cancel('stop')] }],
      // A stop that is being placed may be refused.
      [
        'stopWithin',
        cancel('stop'),
        stops,
        { ...held, pending: [exits([{ kind: 'place', group: 'sl', price: 99, size: 5 }])] },
      ],
    ]);
  });
});

describe('where room to the floor must be left', () => {
  const room = { roomLeftUsd: 500 };
  // Equity is 1,000 above the floor.
  it('everything counts down to its stop, and without one down to nothing', () => {
    expectAll([
      [undefined, limit(4), room],
      ['roomLeftUsd', limit(6), room],
      [undefined, limit(10, { stop_loss_price: 90 }), room],
      ['roomLeftUsd', limit(10, { stop_loss_price: 90 }), room, { working: [order({ id: 'o', size: 4.5 })] }],
      ['roomLeftUsd', limit(1, { side: 'sell' }), room],
      [undefined, limit(1, { side: 'sell', stop_loss_price: 110 }), room],
      [undefined, limit(1, { side: 'sell', margin_mode: 'isolated' }), room],
      ['roomLeftUsd', limit(1), room, { account: { ...account, risk: undefined } }],
      ['largestOrderRoom', limit(10, { stop_loss_price: 89 }), { largestOrderRoom: 0.1 }],
      [undefined, limit(9, { stop_loss_price: 90 }), { largestOrderRoom: 0.1 }],
    ]);
  });
});

test('copies count in each account that copies, and outside of the mandate nothing may copy', () => {
  const follower = { ...exposed, account: { ...account, id: 'acc_2', starting_balance: 20_000 } };
  const copies = [copyGroup('acc_1', 'acc_2')];
  const followers = new Map([['acc_2', follower]]);
  const inStep = new Map([['acc_2', { ...follower, positions: [position(12)] }]]);
  const both = { accounts: ['acc_1', 'acc_2'] };
  expectAll([
    ['accounts', limit(1), {}, { copies, followers }],
    // It copies twice the size.
    [undefined, limit(4.8), both, { copies, followers }],
    ['largestOrderUsd', limit(5.1), both, { copies, followers }],
    // What it has not copied yet is caught up with at once; what it has copied is part of its position.
    ['largestOrderUsd', limit(1), both, { copies, followers, positions: [position(6)] }],
    ['largestPositionUsd', limit(4.8), both, { copies, followers: inStep, positions: [position(6)] }],
    [undefined, limit(3.8), both, { copies, followers: inStep, positions: [position(6)] }],
    ['largestPositionUsd', limit(1), both, { copies, followers: new Map() }],
    ['stopWithin', limit(1, { stop_loss_price: 99 }), { ...both, stopWithin: 0.1 }, { copies, followers }],
    [undefined, close(), {}, { copies, followers, positions: [position(5)] }],
  ]);
});

test('what belongs to the owner is never allowed', () => {
  const operations = [
    'saveCopyTradingConfigurations',
    'disableCopyTradingConfiguration',
    'acknowledgeCopyTradingStop',
    'revokeCliSession',
  ] as const;
  for (const operation of operations) assert.equal(refusing({ operation, account: 'acc_1' }), 'writes');
});

test('a size that a refusal names is accepted, and one lot more is not', () => {
  const refused = judged(limit(50), {}, { positions: [position(7.7)] });
  assert.ok(!refused.isAllowed);
  assert.equal(refused.would?.text, 'a size up to 10 BTC');
  assert.equal(refusing(limit(refused.would.size!)), undefined);
  assert.equal(refusing(limit(refused.would.size! + 0.001)), 'largestOrderUsd');
});

test('an order against a position is told that it may close it', () => {
  const refused = judged(place({ size: 5, side: 'sell' }), { sides: ['buy'] }, { positions: [position(5)] });
  assert.ok(!refused.isAllowed);
  assert.equal(refused.would?.text, 'this order with reduce_only, to close the position');
});

test('an order above the threshold waits for a person', () => {
  const verdict = judged(limit(5.01), { approveAboveUsd: 500 });
  assert.ok(verdict.isAllowed && verdict.needsApproval);
  const below = judged(limit(5), { approveAboveUsd: 500 });
  assert.ok(below.isAllowed && !below.needsApproval);
});

test('of all writes of the API, only those that surely reduce pass while nothing is known', () => {
  const nothing: Partial<Exposed> = {
    account: undefined,
    positions: undefined,
    working: undefined,
    twaps: undefined,
    copies: undefined,
    marks: new Map(),
    lostUsd: undefined,
  };
  const writes = Object.keys(operations).filter((id): id is WriteId => writeOf(id) !== undefined);
  const body = { ...place({ size: 1 }).body, operations: [], price: 1, stop_loss_price: 1, extra_margin: 0 };
  const passing = (terms: Partial<Mandate>) =>
    writes.filter((operation) => judged({ operation, account: 'acc_1', path: {}, body }, terms, nothing).isAllowed);
  const expected = (when: WriteAnswer['passesUnknown'][]) =>
    writes.filter((id) => when.includes(writeAnswers[id]?.passesUnknown));
  assert.deepEqual(passing({ stopWithin: 0.02 }), expected(['always']));
  assert.deepEqual(passing({}), expected(['always', 'without stops']));
});
