import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { Order } from '../../../src/exchange/engine/model.ts';
import { Scenario, type ScenarioOptions } from './scenario.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

const flat = (time: number, mid: number, depth = 1_000): ScriptedEvent => ({
  time,
  bids: [[mid - 1, depth]],
  asks: [[mid + 1, depth]],
});
const print = (time: number, price: number, size: number): ScriptedEvent => ({
  time,
  print: [price, size] as Level,
  aggressor: 'sell',
});
const bracket: Partial<PlaceOrder> = { takeProfitPrice: 1_050, stopLossPrice: 950 };

class Entries extends Scenario {
  /** Kind and size of the working exits. */
  exits(): [string, number][] {
    return this.working().map(({ exitGroup, triggerPrice, size }) => [`${exitGroup} ${triggerPrice}`, size]);
  }

  working(): Order[] {
    return this.exchange.openState().orders.filter(({ exitGroup }) => exitGroup !== null);
  }

  /** What an order's explanation says of its legs: kind and facts. */
  told(order: Order): [string, object][] {
    return this.explanations
      .filter(({ orderId, kind }) => orderId === order.id && kind.startsWith('leg_'))
      .map(({ kind, detail }) => [kind, detail]);
  }

  closeByHand(): void {
    const position = this.position()!;
    this.place(position.direction === 'long' ? 'sell' : 'buy', position.size, { reduceOnly: true });
  }
}

const entries = (script: ScriptedEvent[], options: ScenarioOptions = {}) =>
  new Entries([flat(0, 1_000), ...script], options).to(0) as Entries;

test('an entry that first reduces gets its exits if another order flipped the position before it', () => {
  const scenario = entries([print(1, 989, 5), print(2, 980, 99)]);
  scenario.place('sell', 10);
  const entry = scenario.place('buy', 30, { ...bracket, limitPrice: 990 });
  scenario.to(1);
  assert.equal(scenario.position()!.size, 5);
  scenario.place('buy', 10);
  assert.deepEqual(scenario.exits(), [], 'the entry has opened nothing yet');
  scenario.to(2);
  assert.equal(scenario.position()!.size, 30);
  assert.deepEqual(scenario.exits(), [
    ['tp 1050', 30],
    ['sl 950', 30],
  ]);
  const [tp, sl] = scenario.working() as [Order, Order];
  assert.deepEqual([tp.ocoSiblingOrderId, sl.ocoSiblingOrderId], [sl.id, tp.id]);
  assert.deepEqual(scenario.told(entry), [
    ['leg_attached', { take_profit_price: 1_050, order_id: tp.id, size: 30 }],
    ['leg_attached', { stop_loss_price: 950, order_id: sl.id, size: 30 }],
  ]);
});

test('an entry whose position was closed in between gets its exits on the one that it enlarges', () => {
  const scenario = entries([print(1, 989, 5), print(2, 980, 99)]);
  scenario.place('buy', 30, { ...bracket, limitPrice: 990 });
  scenario.to(1);
  assert.deepEqual(scenario.exits(), [
    ['tp 1050', 5],
    ['sl 950', 5],
  ]);
  scenario.closeByHand();
  assert.deepEqual(scenario.exits(), []);
  scenario.place('buy', 10);
  scenario.to(2);
  assert.equal(scenario.position()!.size, 35);
  assert.deepEqual(scenario.exits(), [
    ['tp 1050', 35],
    ['sl 950', 35],
  ]);
});

test('an entry that continues to fill after its take-profit filled gets a take-profit again', () => {
  const scenario = entries([print(1, 989, 10), flat(2, 1_051, 4), print(3, 980, 99)]);
  const entry = scenario.place('buy', 20, { ...bracket, limitPrice: 990 });
  scenario.to(1);
  const [tp] = scenario.working() as [Order];
  // Its owner takes profit on only a part.
  scenario.done({ kind: 'amend_order', orderId: tp.id, price: 1_050, size: 4 });
  scenario.to(2);
  assert.deepEqual(scenario.exits(), [['sl 950', 6]]);
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [
    ['sl 950', 16],
    ['tp 1050', 16],
  ]);
  const [sl, again] = scenario.working() as [Order, Order];
  assert.deepEqual([again.ocoSiblingOrderId, sl.ocoSiblingOrderId], [sl.id, again.id]);
  assert.equal(scenario.record(entry).status, 'filled');
});

test('an exit canceled manually does not return with the next fill: the entry has lost that leg, and says so', () => {
  const scenario = entries([print(1, 989, 5), print(2, 989, 5), print(3, 980, 99)]);
  const entry = scenario.place('buy', 30, { ...bracket, limitPrice: 990 });
  const other = scenario.place('buy', 7, { stopLossPrice: 940, limitPrice: 985 });
  scenario.to(1);
  const [, sl] = scenario.working() as [Order, Order];
  scenario.done({ kind: 'cancel_order', orderId: sl.id });
  assert.deepEqual(
    [scenario.record(entry).attachedTakeProfitPrice, scenario.record(entry).attachedStopLossPrice],
    [1_050, null],
  );
  assert.deepEqual(scenario.told(entry).slice(2), [['leg_removed', { stop_loss_price: 950, order_id: sl.id }]]);
  assert.equal(scenario.record(other).attachedStopLossPrice, 940, 'an order without fills keeps its legs');
  scenario.to(2);
  assert.deepEqual(scenario.exits(), [['tp 1050', 10]]);
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [
    ['tp 1050', 30],
    ['sl 940', 37],
  ]);
});

test('a batch that replaces an exit keeps the entry’s leg, and the exit grows with it', () => {
  const scenario = entries([print(1, 989, 5), print(2, 980, 99)]);
  const entry = scenario.place('buy', 30, { ...bracket, limitPrice: 990 });
  scenario.to(1);
  const [tp, sl] = scenario.working() as [Order, Order];
  const batch = {
    kind: 'replace_exits',
    positionId: scenario.position()!.id,
    expectedPositionSize: 5,
    expectedOrders: [tp, sl].map(({ id, triggerPrice, size }) => ({
      orderId: id,
      executionType: null,
      price: triggerPrice!,
      size,
    })),
  } as const;
  scenario.done({
    ...batch,
    operations: [
      { kind: 'cancel', orderId: sl.id },
      { kind: 'cancel', orderId: tp.id },
      { kind: 'place', group: 'sl', executionType: 'market', price: 970, size: 5, ocoPairWithOperationIndex: null },
    ],
  });
  const { attachedTakeProfitPrice, attachedStopLossPrice } = scenario.record(entry);
  assert.deepEqual([attachedTakeProfitPrice, attachedStopLossPrice], [null, 950]);
  scenario.to(2);
  assert.deepEqual(scenario.exits(), [['sl 970', 30]]);
});

test('an entry that only reduced says that its legs had nothing to protect', () => {
  const scenario = entries([]);
  scenario.place('buy', 30);
  const entry = scenario.place('sell', 10, { takeProfitPrice: 950, stopLossPrice: 1_050 });
  const reason = 'the order has only reduced a position';
  assert.deepEqual(scenario.told(entry), [
    ['leg_left_out', { take_profit_price: 950, reason }],
    ['leg_left_out', { stop_loss_price: 1_050, reason }],
  ]);
  const { status, rejectReason, rejectRuleId } = scenario.record(entry);
  assert.equal(rejectReason, `take-profit at 950 and stop-loss at 1050 left out: ${reason}`);
  assert.deepEqual([status, rejectRuleId], ['filled', 'exit-allocation']);
});

test('a leg replaced by exits of others is noted in the explanation and on the record', () => {
  const scenario = entries([print(1, 989, 5), print(2, 984, 3), print(3, 970, 99)]);
  scenario.place('buy', 5, { ...bracket, limitPrice: 990 });
  const second = scenario.place('buy', 10, { takeProfitPrice: 1_050, stopLossPrice: 960, limitPrice: 985 });
  scenario.to(2);
  const [tp, sl] = scenario.working() as [Order, Order];
  const reason = `${sl.id} is the stop-loss of the position`;
  assert.deepEqual(scenario.told(second), [
    ['leg_attached', { take_profit_price: 1_050, order_id: tp.id, size: 8 }],
    ['leg_left_out', { stop_loss_price: 960, reason, kept_order_id: sl.id }],
  ]);
  const { rejectReason, rejectRuleId, attachedStopLossPrice } = scenario.record(second);
  assert.equal(rejectReason, `stop-loss at 960 left out: ${reason}`);
  assert.deepEqual([rejectRuleId, attachedStopLossPrice], ['exit-allocation', 960]);
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [
    ['tp 1050', 15],
    ['sl 950', 15],
  ]);
  assert.equal(scenario.told(second).length, 2, 'reported once');
  assert.ok(
    scenario.fills().every(({ partialOfOrderId, rejectReason: why }) => partialOfOrderId === null || why === null),
  );
});

test('the reason is removed when the position closes and the next one has the legs', () => {
  const scenario = entries([print(1, 989, 5), print(2, 984, 3), print(3, 980, 99)]);
  scenario.place('buy', 5, { stopLossPrice: 950, limitPrice: 990 });
  const second = scenario.place('buy', 10, { stopLossPrice: 960, limitPrice: 985 });
  scenario.to(2);
  scenario.closeByHand();
  assert.equal(scenario.record(second).rejectRuleId, 'exit-allocation');
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [['sl 960', 7]]);
  assert.deepEqual([scenario.record(second).rejectReason, scenario.record(second).rejectRuleId], [null, null]);
});

test('exits that the owner has split are unchanged; further fills without an exit are noted', () => {
  const scenario = entries([print(1, 989, 10), print(2, 989, 5), print(3, 980, 99)]);
  const entry = scenario.place('buy', 20, { stopLossPrice: 950, limitPrice: 990 });
  scenario.to(1);
  const [sl] = scenario.working() as [Order];
  scenario.done({
    kind: 'replace_exits',
    positionId: scenario.position()!.id,
    expectedPositionSize: 10,
    expectedOrders: [{ orderId: sl.id, executionType: null, price: 950, size: 10 }],
    operations: [
      { kind: 'modify', orderId: sl.id, price: 950, size: 6 },
      { kind: 'place', group: 'sl', executionType: 'market', price: 940, size: 4, ocoPairWithOperationIndex: null },
    ],
  });
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [
    ['sl 950', 6],
    ['sl 940', 4],
  ]);
  const reason = 'several orders share the position as its stop-loss';
  assert.deepEqual(scenario.told(entry).slice(1), [['leg_left_out', { stop_loss_price: 950, reason }]]);
  assert.equal(scenario.record(entry).rejectReason, `stop-loss at 950 left out: ${reason}`);
});

test('an entry whose exits another one replaces says so while it works, and so do the exits', () => {
  const scenario = entries([print(1, 989, 5), print(2, 984, 12), print(3, 970, 99)]);
  const first = scenario.place('buy', 30, { stopLossPrice: 950, limitPrice: 985 });
  const second = scenario.place('buy', 10, { stopLossPrice: 960, limitPrice: 990, replaceOverlappingExits: true });
  scenario.to(1);
  scenario.done({ kind: 'amend_order', orderId: second.id, price: 980, size: null });
  scenario.to(2);
  const [old] = scenario.working() as [Order];
  assert.deepEqual(scenario.exits(), [['sl 960', 17]], 'set by the first entry to fill');
  assert.equal(scenario.record(first).rejectRuleId, 'exit-allocation');
  const third = scenario.place('buy', 1, { stopLossPrice: 940, replaceOverlappingExits: true });
  const [now] = scenario.working() as [Order];
  const reason = `${now.id} is the stop-loss of the position`;
  for (const [entry, price] of [
    [first, 950],
    [second, 960],
  ] as const) {
    const facts = { stop_loss_price: price, reason, kept_order_id: now.id };
    assert.deepEqual(scenario.told(entry).at(-1), ['leg_left_out', facts]);
    assert.equal(scenario.record(entry).rejectReason, `stop-loss at ${price} left out: ${reason}`);
  }
  assert.equal(scenario.record(old).rejectReason, `replaced by the exits of ${third.id}`);
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [['sl 940', 41]], 'their fills still increase it');
  assert.equal(scenario.told(second).length, 2);
});

test('a state that is reopened in between continues the same way', () => {
  const scenario = entries([print(1, 989, 5), print(2, 989, 5), print(3, 979, 99)]);
  scenario.place('buy', 30, { stopLossPrice: 950, limitPrice: 990, replaceOverlappingExits: true });
  scenario.to(1);
  const [sl] = scenario.working() as [Order];
  scenario.done({ kind: 'amend_order', orderId: sl.id, price: 970, size: null });
  scenario.exchange = new Exchange(scenario.source, scenario.exchange.openState(), scenario.rates);
  scenario.to(3);
  assert.deepEqual(scenario.exits(), [['sl 970', 30]], 'replaced at its first fill and not again');
});

test('a liquidation that stops early leaves no exits, and they say why', () => {
  const scenario = entries([flat(1_000, 940, 3), flat(1_500, 990, 50)], {
    policy: (policy) => Object.assign(policy.limits, { maintenanceMarginRatioBps: 500, liquidationFeeBps: 0 }),
  });
  const entry = scenario.place('buy', 10, { stopLossPrice: 900, leverage: 10, marginMode: 'isolated' });
  const [sl] = scenario.working() as [Order];
  scenario.to(1_500);
  assert.equal(scenario.position()!.size, 7);
  assert.deepEqual(scenario.exits(), []);
  assert.deepEqual(scenario.told(entry), [['leg_attached', { stop_loss_price: 900, order_id: sl.id, size: 10 }]]);
  const { status, rejectReason } = scenario.record(sl);
  assert.deepEqual([status, rejectReason], ['canceled', 'its margin is being liquidated']);
});
