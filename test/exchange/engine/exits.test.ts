import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ExitOperation, PlaceOrder, ReplaceExits } from '../../../src/exchange/engine/commands.ts';
import type { Order } from '../../../src/exchange/engine/model.ts';
import { Scenario, type ScenarioOptions } from './scenario.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

const flat = (time: number, mid: number, depth = 1_000) => ({
  time,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});
const print = (time: number, price: number, size: number): ScriptedEvent => ({
  time,
  print: [price, size],
  aggressor: 'sell',
});
const bracket: Partial<PlaceOrder> = { takeProfitPrice: 1_050, stopLossPrice: 950 };

class Exits extends Scenario {
  exits(): Order[] {
    return [...this.orders.values()].filter(({ exitGroup, status }) => exitGroup !== null && status === 'resting');
  }

  /** group, type, price, size of the working exits. */
  table(): [string, string, number, number][] {
    return this.exits().map(({ exitGroup, type, triggerPrice, limitPrice, size }) => [
      exitGroup!,
      type,
      (triggerPrice ?? limitPrice)!,
      size,
    ]);
  }

  batch(operations: ExitOperation[], changes: Partial<ReplaceExits> = {}): ReplaceExits {
    const position = this.position()!;
    return {
      kind: 'replace_exits',
      positionId: position.id,
      expectedPositionSize: position.size,
      expectedOrders: this.exits().map(({ id, size, limitPrice, triggerPrice }) => ({
        orderId: id,
        executionType: limitPrice === null ? 'market' : 'limit',
        price: (triggerPrice ?? limitPrice)!,
        size,
      })),
      operations,
      ...changes,
    };
  }
}

const exits = (script: ScriptedEvent[] = [flat(0, 1_000)], options: ScenarioOptions = {}) =>
  new Exits(script, options).to(0) as Exits;
const place = (
  group: 'tp' | 'sl',
  price: number,
  size: number,
  executionType: 'market' | 'limit' = 'market',
  pair: number | null = null,
): ExitOperation => ({ kind: 'place', group, executionType, price, size, ocoPairWithOperationIndex: pair });

test('attached legs become exits of the whole position, siblings of each other', () => {
  const scenario = exits();
  scenario.place('buy', 10, bracket);
  assert.deepEqual(scenario.table(), [
    ['tp', 'take_profit', 1_050, 10],
    ['sl', 'stop_market', 950, 10],
  ]);
  const [tp, sl] = scenario.exits() as [Order, Order];
  assert.deepEqual([tp.ocoSiblingOrderId, sl.ocoSiblingOrderId], [sl.id, tp.id]);
  assert.ok(
    [tp, sl].every(
      (exit) => exit.reduceOnly && exit.side === 'sell' && exit.targetPositionId === scenario.position()!.id,
    ),
  );
});

test('exits grow with each fill of their entry', () => {
  const scenario = exits([flat(0, 1_000), print(1, 980, 4), print(2, 980, 3), print(3, 980, 99)]);
  scenario.place('buy', 5);
  scenario.place('buy', 10, { ...bracket, limitPrice: 981 });
  const sizes: number[][] = [0, 1, 2, 3].map((time) =>
    (scenario.to(time) as Exits).table().map(([, , , size]) => size),
  );
  assert.deepEqual(sizes, [[], [9, 9], [12, 12], [15, 15]]);
});

test('a fill of one leg ends the other; both end with the position', () => {
  for (const [mid, filled] of [
    [1_050, 'take_profit'],
    [949, 'stop_market'],
  ] as const) {
    const scenario = exits([flat(0, 1_000), flat(1, mid), flat(2, 1_000)]);
    scenario.place('buy', 10, bracket);
    scenario.to(1);
    assert.equal(scenario.fills().at(-1)!.type, filled);
    assert.equal(scenario.position(), undefined);
    assert.deepEqual(scenario.exits(), []);
  }
  const closed = exits();
  closed.place('buy', 10, bracket);
  closed.place('sell', 10);
  assert.deepEqual(closed.exits(), []);
});

test('the other leg loses the size that one leg fills', () => {
  const scenario = exits([flat(0, 1_000), flat(1, 940, 4), flat(2, 940, 3), flat(3, 960, 100)]);
  scenario.place('buy', 10, bracket);
  scenario.to(1);
  assert.deepEqual(scenario.table(), [['tp', 'take_profit', 1_050, 6]]);
  scenario.to(3);
  assert.deepEqual(
    scenario
      .fills()
      .map(({ size, type }) => [type, size])
      .slice(1),
    [
      ['stop_market', 4],
      ['stop_market', 6],
    ],
  );
  assert.equal(scenario.position(), undefined);
});

test('when another order reduces a position, its exits are reduced with it, newest first', () => {
  const scenario = exits();
  scenario.place('buy', 10);
  scenario.done(scenario.batch([place('tp', 1_050, 6), place('tp', 1_060, 4), place('sl', 950, 5)]));
  scenario.place('sell', 3, { reduceOnly: true });
  assert.deepEqual(
    scenario.table().map(([group, , , size]) => [group, size]),
    [
      ['tp', 6],
      ['tp', 1],
      ['sl', 5],
    ],
  );
  scenario.place('sell', 3);
  assert.deepEqual(
    scenario.table().map(([group, , , size]) => [group, size]),
    [
      ['tp', 4],
      ['sl', 4],
    ],
  );
  scenario.done(scenario.batch([{ kind: 'modify', orderId: scenario.exits()[1]!.id, price: 960, size: null }]));
});

test('canceling one leg manually leaves the other on its own', () => {
  const scenario = exits();
  scenario.place('buy', 10, bracket);
  const [tp, sl] = scenario.exits() as [Order, Order];
  scenario.done({ kind: 'cancel_order', orderId: tp.id });
  assert.equal(scenario.record(sl).ocoSiblingOrderId, null);
  assert.deepEqual(scenario.table(), [['sl', 'stop_market', 950, 10]]);
});

test('a leg that a gap passed before the entry filled triggers at once', () => {
  const scenario = exits([flat(0, 1_000), { time: 1, bids: [[939, 100]], asks: [[941, 100]] }]);
  scenario.place('buy', 10, { limitPrice: 990, stopLossPrice: 950 });
  scenario.to(1);
  assert.deepEqual(
    scenario.fills().map(({ type, notional }) => [type, notional]),
    [
      ['limit', 990_000_000_000n],
      ['stop_market', 939_000_000_000n],
    ],
  );
});

test('legs on the wrong side of their entry are refused', () => {
  const scenario = exits();
  const table: [PlaceOrder['side'], Partial<PlaceOrder>][] = [
    ['buy', { takeProfitPrice: 1_000 }],
    ['buy', { stopLossPrice: 1_001 }],
    ['sell', { takeProfitPrice: 1_001 }],
    ['sell', { stopLossPrice: 999 }],
    ['buy', { limitPrice: 900, stopLossPrice: 950 }],
    ['buy', { mode: 'stop_market', triggerPrice: 1_100, takeProfitPrice: 1_050 }],
  ];
  for (const [side, changes] of table) assert.equal(scenario.ruleAgainst(side, 10, changes), 'exit-side');
});

test('an entry can’t be moved past its legs, resting or armed, unless the legs are moved first', () => {
  const scenario = exits();
  const amend = (order: Order, price: number) =>
    ({ kind: 'amend_order', orderId: order.id, price, size: null }) as const;
  const entries = [
    scenario.place('buy', 10, { limitPrice: 990, stopLossPrice: 980 }),
    scenario.place('sell', 10, { mode: 'stop_market', triggerPrice: 900, takeProfitPrice: 890 }),
  ] as const;
  for (const [entry, price] of [
    [entries[0], 980],
    [entries[1], 890],
  ] as const) {
    assert.equal(scenario.refused(amend(entry, price)).ruleId, 'exit-side');
    const [takeProfitPrice, stopLossPrice] = entry.side === 'buy' ? [undefined, 970] : [880, undefined];
    scenario.done({ kind: 'update_attached_exits', orderId: entry.id, takeProfitPrice, stopLossPrice });
    scenario.done(amend(entry, price));
  }
});

test('an exit does not grow beyond the part of the position that its group has left', () => {
  const scenario = exits();
  scenario.place('buy', 10);
  scenario.done(scenario.batch([place('tp', 1_050, 4), place('tp', 1_060, 4, 'limit'), place('sl', 950, 10)]));
  const [armed, resting, stop] = scenario.exits() as [Order, Order, Order];
  const grow = (order: Order, price: number, size: number) =>
    ({ kind: 'amend_order', orderId: order.id, price, size }) as const;
  for (const command of [grow(armed, 1_050, 7), grow(resting, 1_060, 7), grow(stop, 950, 11)])
    assert.equal(scenario.refused(command).ruleId, 'exit-allocation');
  scenario.done(grow(armed, 1_040, 6));
  scenario.done(grow(resting, 1_070, 2));
  assert.deepEqual(scenario.table(), [
    ['tp', 'take_profit', 1_040, 6],
    ['tp', 'limit', 1_070, 2],
    ['sl', 'stop_market', 950, 10],
  ]);
});

test('legs over existing exits need permission to replace them', () => {
  const scenario = exits();
  scenario.place('buy', 10, bracket);
  assert.equal(scenario.ruleAgainst('buy', 5, { stopLossPrice: 960 }), 'exit-allocation');
  scenario.place('buy', 5, { stopLossPrice: 960, replaceOverlappingExits: true });
  assert.deepEqual(scenario.table(), [
    ['tp', 'take_profit', 1_050, 10],
    ['sl', 'stop_market', 960, 15],
  ]);
});

test('of two entries with different legs, the first to fill sets the exits; the other explains what it left out', () => {
  const scenario = exits([flat(0, 1_000), print(1, 980, 99), print(2, 970, 99)]);
  const first = scenario.place('buy', 4, { takeProfitPrice: 1_050, stopLossPrice: 950, limitPrice: 981 });
  const second = scenario.place('buy', 6, { takeProfitPrice: 1_050, stopLossPrice: 960, limitPrice: 971 });
  scenario.to(2);
  assert.deepEqual((scenario as Exits).table(), [
    ['tp', 'take_profit', 1_050, 10],
    ['sl', 'stop_market', 950, 10],
  ]);
  const [, sl] = (scenario as Exits).exits();
  const leftOut = scenario.explanations.filter(({ kind }) => kind === 'leg_left_out');
  assert.deepEqual(
    leftOut.map(({ orderId, detail }) => [orderId, detail]),
    [
      [
        second.id,
        { stop_loss_price: 960, reason: `${sl!.id} is the stop-loss of the position`, kept_order_id: sl!.id },
      ],
    ],
    'an equal take-profit needs no explanation',
  );
  assert.notEqual(first.id, second.id);
});

test('with permission to replace, the legs of the entry that fills last become the exits', () => {
  const scenario = exits([flat(0, 1_000), print(1, 980, 99), print(2, 970, 99)]);
  scenario.place('buy', 4, { stopLossPrice: 950, limitPrice: 981 });
  scenario.place('buy', 6, { stopLossPrice: 960, limitPrice: 971, replaceOverlappingExits: true });
  scenario.to(2);
  assert.deepEqual((scenario as Exits).table(), [['sl', 'stop_market', 960, 10]]);
  assert.ok(scenario.explanations.every(({ kind }) => kind !== 'leg_left_out'));
});

test('the legs of a resting entry are moved, added and removed until it fills', () => {
  const scenario = exits([flat(0, 1_000), print(1, 980, 4)]);
  const entry = scenario.place('buy', 10, { limitPrice: 981, stopLossPrice: 950 });
  const update = (takeProfitPrice: number | null | undefined, stopLossPrice: number | null | undefined) =>
    ({ kind: 'update_attached_exits', orderId: entry.id, takeProfitPrice, stopLossPrice }) as const;
  scenario.done(update(1_050, undefined));
  assert.deepEqual(
    [scenario.record(entry).attachedTakeProfitPrice, scenario.record(entry).attachedStopLossPrice],
    [1_050, 950],
  );
  scenario.done(update(undefined, null));
  assert.equal(scenario.record(entry).attachedStopLossPrice, null);
  assert.equal(scenario.refused(update(undefined, 985)).ruleId, 'exit-side');
  scenario.to(1);
  assert.deepEqual(scenario.table(), [['tp', 'take_profit', 1_050, 4]]);
  assert.equal(scenario.refused(update(undefined, 940)).code, 'conflict');
});

test('a batch places, modifies and cancels exits, each with its type', () => {
  const scenario = exits();
  scenario.place('buy', 10);
  scenario.done(
    scenario.batch([
      place('tp', 1_050, 4),
      place('tp', 1_060, 6, 'limit', 2),
      place('sl', 950, 6, 'limit', 1),
      place('sl', 940, 4),
    ]),
  );
  assert.deepEqual(scenario.table(), [
    ['tp', 'take_profit', 1_050, 4],
    ['tp', 'limit', 1_060, 6],
    ['sl', 'stop_limit', 950, 6],
    ['sl', 'stop_market', 940, 4],
  ]);
  const [first, second, third] = scenario.exits() as [Order, Order, Order];
  assert.deepEqual(
    [second.ocoSiblingOrderId, third.ocoSiblingOrderId, first.ocoSiblingOrderId],
    [third.id, second.id, null],
  );
  scenario.done(
    scenario.batch([
      { kind: 'cancel', orderId: first.id },
      { kind: 'modify', orderId: second.id, price: 1_070, size: 10 },
      { kind: 'modify', orderId: third.id, price: 955, size: null },
    ]),
  );
  assert.deepEqual(scenario.table(), [
    ['tp', 'limit', 1_070, 10],
    ['sl', 'stop_limit', 955, 6],
    ['sl', 'stop_market', 940, 4],
  ]);
  assert.equal(scenario.exits()[1]!.limitPrice, 955);
});

test('any difference from what the caller saw is a stale snapshot, and nothing changes', () => {
  const scenario = exits();
  scenario.place('buy', 10, bracket);
  const fresh = scenario.batch([{ kind: 'cancel', orderId: scenario.exits()[0]!.id }]);
  const [tp, sl] = fresh.expectedOrders as [ReplaceExits['expectedOrders'][0], ReplaceExits['expectedOrders'][0]];
  const before = scenario.exchange.stateHash();
  const stale: Partial<ReplaceExits>[] = [
    { expectedPositionSize: 9 },
    { expectedOrders: [tp] },
    { expectedOrders: [tp, sl, { ...sl, orderId: 'ord_more' }] },
    { expectedOrders: [tp, tp] },
    { expectedOrders: [tp, { ...sl, size: 9 }] },
    { expectedOrders: [tp, { ...sl, price: 951 }] },
    { expectedOrders: [tp, { ...sl, executionType: 'limit' }] },
  ];
  for (const changes of stale) assert.equal(scenario.refused({ ...fresh, ...changes }).code, 'stale_snapshot');
  const message = (changes: Partial<ReplaceExits>) => scenario.refused({ ...fresh, ...changes }).message;
  assert.equal(message(stale[0]!), 'The size of the position has changed.');
  assert.equal(message(stale[1]!), 'The exits of the position have changed.');
  assert.equal(message({ ...stale[0], ...stale[1] }), 'The size and the exits of the position have changed.');
  assert.equal(scenario.exchange.stateHash(), before);
  scenario.done({ ...fresh, expectedOrders: [tp, { ...sl, executionType: null }] });
});

test('a batch with a violation anywhere changes nothing', () => {
  const scenario = exits();
  scenario.place('buy', 10, bracket);
  const [tp, sl] = scenario.exits() as [Order, Order];
  const cancel: ExitOperation = { kind: 'cancel', orderId: tp.id };
  const before = scenario.exchange.stateHash();
  const table: [ExitOperation[], string][] = [
    [[cancel, place('sl', 940, 1)], 'exit-allocation'],
    [[cancel, place('tp', 999, 1)], 'exit-side'],
    [[cancel, place('tp', 1_000.5, 1, 'limit')], 'price-precision'],
    [[cancel, place('tp', 990, 1, 'limit')], 'marketable-limit'],
    [[cancel, place('tp', 1_050, 0.5)], 'size-precision'],
    [[cancel, { kind: 'modify', orderId: sl.id, price: 1_001, size: null }], 'exit-side'],
    [[cancel, { kind: 'modify', orderId: sl.id, price: 940, size: 11 }], 'exit-allocation'],
    [[cancel, cancel], 'invalid_request'],
    [[{ kind: 'cancel', orderId: 'ord_nobody' }], 'not_found'],
    [[cancel, place('tp', 1_050, 5, 'market', 1)], 'invalid_request'],
    [[cancel, place('tp', 1_050, 5, 'market', 2), place('tp', 1_060, 5)], 'invalid_request'],
    [[cancel, place('tp', 1_050, 5, 'market', 7)], 'invalid_request'],
    [[cancel, place('tp', 1_050, 5, 'market', 0)], 'invalid_request'],
    [[place('tp', 1_050, 3, 'market', 2), place('tp', 1_060, 3, 'market', 2), place('sl', 950, 3)], 'invalid_request'],
  ];
  for (const [operations, code] of table) {
    const refused = scenario.refused(scenario.batch(operations));
    assert.equal(refused.ruleId ?? refused.code, code);
    assert.equal(scenario.exchange.stateHash(), before, code);
  }
});

test('a stop-limit whose delay ends on an old book waits on the book instead of being lost', () => {
  const delayed: ScenarioOptions = {
    policy: (policy) =>
      Object.assign(policy.limits, {
        executionDelayMinMs: 3_000,
        executionDelayMaxMs: 3_000,
        maxBookStalenessMs: 2_000,
      }),
  };
  const books = [flat(0, 1_000), flat(2_000, 1_000), flat(4_000, 943), flat(4_500, 950), flat(9_000, 950)];
  const scenario = exits(books, delayed);
  scenario.place('buy', 10);
  scenario.to(4_000 - 1);
  scenario.done(scenario.batch([place('sl', 944, 10, 'limit')]));
  const [stop] = scenario.exits() as [Order];
  scenario.to(8_000);
  assert.equal(scenario.record(stop).status, 'resting');
  scenario.to(9_000);
  assert.equal(scenario.record(stop).status, 'filled');
  assert.equal(scenario.position(), undefined);
});

test('pairs may be named from both ends or from one, forward or backward', () => {
  for (const [first, second] of [
    [1, 0],
    [1, null],
    [null, 0],
  ] as const) {
    const scenario = exits();
    scenario.place('buy', 10);
    scenario.done(scenario.batch([place('tp', 1_050, 10, 'market', first), place('sl', 950, 10, 'market', second)]));
    const [tp, sl] = scenario.exits() as [Order, Order];
    assert.deepEqual([tp.ocoSiblingOrderId, sl.ocoSiblingOrderId], [sl.id, tp.id]);
  }
});

test('however the market moves, siblings never fill more than the position, and no exit outlives it', () => {
  const walk = fc.array(fc.tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 1, max: 12 })), {
    maxLength: 15,
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      walk,
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.boolean(),
      (size, steps, side, limits) => {
        let mid = 1_000;
        const script = steps.map(([step, depth], at) => {
          mid += step;
          return flat(at + 1, mid, depth);
        });
        const scenario = exits([flat(0, 1_000), ...script]);
        const [tp, sl] = side === 'buy' ? [1_030, 970] : [970, 1_030];
        scenario.place(side, size);
        const execution = limits ? 'limit' : 'market';
        scenario.done(scenario.batch([place('tp', tp!, size, execution, 1), place('sl', sl!, size, execution)]));
        scenario.to(steps.length);
        const filled = scenario
          .fills()
          .slice(1)
          .reduce((sum, fill) => sum + fill.size, 0);
        const left = scenario.position()?.size ?? 0;
        assert.equal(filled + left, size);
        const working = scenario.exchange.openState().orders;
        if (left === 0) assert.deepEqual(working, []);
        for (const order of working) assert.equal(order.size, left);
      },
    ),
    { numRuns: process.env.PERP_LONG ? 2_000 : 60, endOnFailure: true },
  );
});
