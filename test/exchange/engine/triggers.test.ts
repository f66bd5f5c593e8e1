import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestTypes, requires } from '../../../src/base/terms/order-types.ts';
import type { PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import { firesAbove } from '../../../src/exchange/engine/indexes/triggers.ts';
import type { OrderType, Side } from '../../../src/exchange/engine/model.ts';
import { Scenario } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

const other = 'binance|OTHER';
const two = [definition(), definition({ marketId: other })];
const flat = (time: number, mid: number, depth = 1_000, market = 'binance|TEST') => ({
  time,
  market,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});

test('a stop triggers when the mark moves against it, a take when it moves in its favor, exactly at the trigger price', () => {
  const table: [PlaceOrder['mode'], Side, number, number, number][] = [
    // mode, side, trigger, mark that does not fire, mark that fires
    ['stop_market', 'buy', 1_010, 1_009.5, 1_010],
    ['stop_market', 'sell', 990, 990.5, 990],
    ['take_market', 'buy', 990, 990.5, 990],
    ['take_market', 'sell', 1_010, 1_009.5, 1_010],
    ['stop_market', 'buy', 1_009.75, 1_009.5, 1_010],
    ['stop_market', 'sell', 989.75, 990, 989.5],
  ];
  for (const [mode, side, triggerPrice, before, at] of table) {
    const book = (time: number, mark: number) => ({
      time,
      bids: [[Math.ceil(mark) - 1, 1_000]] as Level[],
      asks: [[2 * mark - Math.ceil(mark) + 1, 1_000]] as Level[],
    });
    const scenario = new Scenario([flat(0, 1_000), book(1, before), book(2, at)]).to(0);
    const order = scenario.place(side, 10, { mode, triggerPrice });
    const name = `${mode} ${side} at ${triggerPrice}`;
    assert.deepEqual([order.status, order.type, order.mode, order.triggeredAt], ['resting', mode, mode, null], name);
    assert.equal(scenario.to(1).record(order).status, 'resting', name);
    const fired = scenario.to(2).record(order);
    assert.deepEqual(
      [fired.status, fired.triggeredAt, fired.stopTriggeredAt, fired.size],
      ['filled', 2, null, 10],
      name,
    );
  }
});

test('each type with a trigger on its own market fires on one side, and an order of the other side on the other', () => {
  // A buy fires when its mark is on this side of the trigger.
  const buyFires: Readonly<Record<string, 'above' | 'below'>> = {
    stop_market: 'above',
    stop_limit: 'above',
    take_market: 'below',
    take_limit: 'below',
    take_profit: 'below',
  };
  const own = requestTypes.filter((type) => requires(type, 'trigger') && !requires(type, 'watch'));
  assert.deepEqual(own, Object.keys(buyFires), 'say here on which side a new type fires');
  const scenario = new Scenario([flat(0, 1_000)]).to(0);
  for (const mode of own) {
    const armed = scenario.place('buy', 10, { mode: 'stop_market', triggerPrice: 1_010 });
    for (const side of ['buy', 'sell'] as const) {
      const isAbove = (side === 'buy') === (buyFires[mode] === 'above');
      assert.equal(firesAbove({ ...armed, mode, type: mode as OrderType, side }), isAbove, `${mode} ${side}`);
    }
  }
});

test('a gap fills at the book, not at the trigger', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 900)]).to(0);
  scenario.place('buy', 10);
  const stop = scenario.place('sell', 10, { mode: 'stop_market', triggerPrice: 990, reduceOnly: true });
  scenario.to(1);
  assert.equal(scenario.record(stop).notional, 899_000_000_000n * 1n);
});

test('a trigger that the mark already meets is refused', () => {
  const scenario = new Scenario([flat(0, 1_000)]).to(0);
  const table: [PlaceOrder['mode'], Side, number][] = [
    ['stop_market', 'buy', 1_000],
    ['stop_market', 'sell', 1_001],
    ['take_market', 'buy', 1_000],
    ['take_limit', 'sell', 999],
  ];
  for (const [mode, side, triggerPrice] of table) {
    const limitPrice = mode === 'take_limit' ? 1_005 : null;
    assert.equal(scenario.ruleAgainst(side, 1, { mode, triggerPrice, limitPrice }), 'trigger-side');
  }
});

test('a stop-limit becomes a limit when it triggers, and may rest; then its limit can be amended, before that its trigger', () => {
  const scenario = new Scenario([
    flat(0, 1_000),
    flat(1, 1_015),
    { time: 2, print: [1_005, 4], aggressor: 'sell' },
    { time: 3, print: [1_001, 50], aggressor: 'sell' },
  ]).to(0);
  const stop = scenario.place('buy', 10, { mode: 'stop_limit', triggerPrice: 1_020, limitPrice: 1_006 });
  const amend = (price: number, size: number | null = null) =>
    scenario.execute({ kind: 'amend_order', orderId: stop.id, price, size });
  const amended = amend(1_010);
  assert.ok(amended.ok && amended.queued);
  assert.deepEqual([scenario.record(stop).triggerPrice, scenario.record(stop).limitPrice], [1_010, 1_006]);
  const beyond = amend(1_000);
  assert.equal(beyond.ok ? '' : beyond.ruleId, 'trigger-side');
  scenario.to(1);
  const fired = scenario.record(stop);
  assert.deepEqual(
    [fired.status, fired.type, fired.triggeredAt, fired.stopTriggeredAt],
    ['resting', 'stop_limit', 1, 1],
  );
  scenario.to(2);
  assert.deepEqual(scenario.fillsOf(stop), [4]);
  const lower = amend(1_002);
  assert.ok(lower.ok && lower.queued === undefined);
  scenario.to(3);
  assert.deepEqual(scenario.fillsOf(stop), [4, 6]);
});

test('canceling an armed order is answered `queued`, and cancels it', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 1_100)]).to(0);
  const stop = scenario.place('buy', 10, { mode: 'stop_market', triggerPrice: 1_010 });
  const done = scenario.done({ kind: 'cancel_order', orderId: stop.id });
  assert.deepEqual([done.queued, done.order!.status, done.order!.cancelRequestedAt], [true, 'canceled', 0]);
  scenario.to(1);
  assert.equal(scenario.position(), undefined);
});

test('a reduce-only stop never overfills: 7142 against 2382 over books of 1000 fills 1000, 1000 and 382', () => {
  const scenario = new Scenario(
    [flat(0, 1_000, 5_000), flat(1, 985, 1_000), flat(2, 985, 800), flat(3, 984, 1_000), flat(4, 986, 1_000)],
    { startingBalance: 1e7, policy: (policy) => void Object.assign(policy.limits, { maxPositionValueUsd: 1e9 }) },
  ).to(0);
  scenario.place('buy', 2_382);
  const stop = scenario.place('sell', 7_142, { mode: 'stop_market', triggerPrice: 990, reduceOnly: true });
  scenario.to(1);
  assert.deepEqual([scenario.record(stop).status, scenario.record(stop).size], ['pending', 6_142]);
  scenario.to(4);
  assert.deepEqual(scenario.fillsOf(stop), [1_000, 1_000, 382]);
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.record(stop).status, 'canceled');
});

test('a triggered reduction stays within its tolerance and continues on later books', () => {
  const scenario = new Scenario([
    flat(0, 1_000),
    {
      time: 1,
      bids: [
        [979, 3],
        [970, 100],
      ],
      asks: [[981, 100]],
    },
    flat(2, 981, 100),
  ]).to(0);
  scenario.place('buy', 10);
  const stop = scenario.place('sell', 10, {
    mode: 'stop_market',
    triggerPrice: 990,
    reduceOnly: true,
    slippageToleranceBps: 20,
  });
  scenario.to(1);
  assert.deepEqual(scenario.fillsOf(stop), [3]);
  scenario.to(2);
  assert.deepEqual(scenario.fillsOf(stop), [3, 7]);
});

/** The worst price within 20 bps of a mid of 980 is 978.04 for a sell and 981.96 for a buy; of 1,000 998 and 1,002. */
const within: [side: 'sell' | 'buy', mid: number, worst: number][] = [
  ['sell', 980, 979],
  ['buy', 980, 981],
  ['sell', 1_000, 998],
  ['buy', 1_000, 1_002],
];

for (const [side, mid, worst] of within)
  test(`a tolerance of 20 bps lets a triggered ${side} trade down to the grid price within it: ${worst} at a mid of ${mid}`, () => {
    const sign = side === 'buy' ? 1 : -1;
    const steps = [1, 2, 3].map((step) => [mid + sign * step, 1] as Level);
    const book =
      side === 'buy'
        ? { bids: [[mid - 1, 9]] as Level[], asks: steps }
        : { bids: steps, asks: [[mid + 1, 9]] as Level[] };
    const before = mid - sign * 20;
    const scenario = new Scenario([flat(0, before), { time: 1, ...book }]).to(0);
    scenario.place(side === 'buy' ? 'sell' : 'buy', 3);
    const terms = { triggerPrice: before + sign * 10, reduceOnly: true, slippageToleranceBps: 20 };
    const stop = scenario.place(side, 3, { mode: 'stop_market', ...terms });
    assert.deepEqual(scenario.to(1).fillsOf(stop), [Math.abs(worst - mid)]);
  });

test('a triggered entry that the book can’t fill is rejected, and its reservation is released', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 1_011, 5)]).to(0);
  const stop = scenario.place('buy', 50, { mode: 'stop_market', triggerPrice: 1_010 });
  assert.equal(scenario.ruleAgainst('buy', 60), 'insufficient-margin');
  scenario.to(1);
  assert.deepEqual(
    [scenario.record(stop).status, scenario.record(stop).rejectRuleId],
    ['rejected', 'insufficient-depth'],
  );
  scenario.place('buy', 1);
});

test('a conditional waits for the mark of another market and trades in its own', () => {
  for (const [triggerDirection, mark] of [
    ['above', 2_010],
    ['below', 1_990],
  ] as const) {
    const script = [
      flat(0, 1_000),
      flat(0, 2_000, 10, other),
      flat(1, 1_300),
      flat(2, 2_001, 10, other),
      flat(3, mark, 10, other),
    ];
    const scenario = new Scenario(new ScriptedSource(script, two)).to(0);
    const order = scenario.place('buy', 10, {
      mode: 'conditional',
      triggerMarketId: other,
      triggerDirection,
      triggerPrice: mark,
    });
    assert.deepEqual([order.type, order.mode], ['stop_market', 'conditional']);
    assert.equal(scenario.to(2).record(order).status, 'resting');
    assert.equal(scenario.to(3).record(order).status, 'filled');
    assert.equal(scenario.record(order).notional, 1_301_000_000_000n);
  }
});

test('orders triggered by the same event are executed by request time, then by id', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(10, 1_020, 10)]).to(0);
  const late = (triggerPrice: number) => scenario.place('buy', 10, { mode: 'stop_market', triggerPrice });
  const first = late(1_015);
  scenario.to(1);
  const second = late(1_005);
  scenario.to(10);
  assert.equal(scenario.record(first).status, 'filled');
  assert.equal(scenario.record(second).rejectRuleId, 'insufficient-depth');
});

test('a take-profit only reduces, belongs to its position and ends with it', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 1_020)]).to(0);
  const take: Partial<PlaceOrder> = { mode: 'take_profit', triggerPrice: 1_010 };
  assert.equal(scenario.ruleAgainst('sell', 5, take), 'reduce-only');
  scenario.place('buy', 10);
  const { id } = scenario.position()!;
  assert.equal(
    scenario.refused(scenario.order('sell', 5, { ...take, targetPositionId: 'pos_other' })).code,
    'not_found',
  );
  const kept = scenario.place('sell', 5, { ...take, targetPositionId: id });
  const gone = scenario.place('sell', 5, { ...take, triggerPrice: 1_050 });
  scenario.to(1);
  assert.equal(scenario.record(kept).status, 'filled');
  scenario.place('sell', 5, { reduceOnly: true });
  assert.equal(scenario.record(gone).status, 'canceled');
});

test('armed and resting orders are counted together, and no more than the policy allows are accepted', () => {
  const scenario = new Scenario([flat(0, 1_000)], {
    policy: (policy) => void Object.assign(policy.limits, { maxRestingOrders: 2 }),
  }).to(0);
  scenario.place('buy', 1, { limitPrice: 900 });
  scenario.place('buy', 1, { mode: 'stop_market', triggerPrice: 1_010 });
  assert.equal(scenario.ruleAgainst('buy', 1, { limitPrice: 900 }), 'max-resting-orders');
  assert.equal(scenario.ruleAgainst('buy', 1, { mode: 'stop_market', triggerPrice: 1_010 }), 'max-resting-orders');
  assert.equal(scenario.ruleAgainst('buy', 1, { mode: 'chase' }), 'max-resting-orders');
  scenario.place('buy', 1, { limitPrice: 1_001, timeInForce: 'ioc' });
});

test('a delayed trigger reaches the book when its delay is over', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 1_010), flat(20, 1_012)], {
    policy: (policy) => void Object.assign(policy.limits, { executionDelayMinMs: 25, executionDelayMaxMs: 25 }),
  }).to(0);
  const stop = scenario.place('buy', 1, { mode: 'stop_market', triggerPrice: 1_010 });
  assert.equal(stop.status, 'resting');
  scenario.to(25);
  assert.deepEqual([scenario.record(stop).status, scenario.record(stop).triggeredAt], ['pending', 1]);
  scenario.to(26);
  assert.equal(scenario.record(stop).notional, 101_300_000_000n);
});
