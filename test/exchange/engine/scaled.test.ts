import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlaceScaled } from '../../../src/exchange/engine/commands.ts';
import type { ScaledOrder } from '../../../src/exchange/engine/model.ts';
import { Scenario, type ScenarioOptions } from './scenario.ts';
import { definition, type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

const book: ScriptedEvent = { time: 0, bids: [[1_790, 50]], asks: [[1_800, 500]] };
const print = (time: number, price: number, size: number): ScriptedEvent => ({
  time,
  print: [price, size],
  aggressor: 'sell',
});

class Ladders extends Scenario {
  command(size: number, changes: Partial<PlaceScaled> = {}): PlaceScaled {
    return {
      kind: 'place_scaled',
      accountId: this.accountId,
      marketId: 'binance|TEST',
      side: 'buy',
      size,
      startPrice: 1_600,
      endPrice: 1_780,
      rungCount: 10,
      distribution: 'flat',
      leverage: 50,
      marginMode: 'cross',
      reduceOnly: false,
      marketableLimitAcknowledged: false,
      ...changes,
    };
  }

  ladder(size: number, changes: Partial<PlaceScaled> = {}): ScaledOrder {
    return this.done(this.command(size, changes)).scaled!;
  }

  rungs(ladder: ScaledOrder) {
    return this.scaled.get(ladder.id)!.rungs;
  }
}

const rich: ScenarioOptions = {
  startingBalance: 10_000_000,
  policy: (policy) => void Object.assign(policy.limits, { maxPositionValueUsd: 1e9, maxBookStalenessMs: 1e9 }),
};
const ladders = (script: readonly ScriptedEvent[], options: ScenarioOptions = rich) =>
  new Ladders(script, options).to(0) as Ladders;

test('1000 over 10 rungs from 1600 to 1780 rest as separate limit orders, linked to the ladder', () => {
  const scenario = ladders([book]);
  const ladder = scenario.ladder(1_000);
  assert.equal(ladder.status, 'working');
  const orders = ladder.rungs.map(({ orderId }) => scenario.orders.get(orderId!)!);
  assert.deepEqual(
    orders.map(({ limitPrice, size }) => [limitPrice, size]),
    [1_600, 1_620, 1_640, 1_660, 1_680, 1_700, 1_720, 1_740, 1_760, 1_780].map((price) => [price, 100]),
  );
  assert.ok(
    orders.every(
      ({ type, status, scaledOrderId }) => type === 'limit' && status === 'resting' && scaledOrderId === ladder.id,
    ),
  );
});

test('prints fill rungs from the top; the ladder is completed with its last rung', () => {
  const scenario = ladders([book, print(1, 1_770, 100), print(2, 1_500, 60), print(3, 1_500, 10_000)]);
  const ladder = scenario.ladder(30, { rungCount: 3, startPrice: 1_760 });
  scenario.to(1);
  assert.deepEqual(
    scenario.rungs(ladder).map(({ liquidityRole }) => liquidityRole),
    [null, null, 'maker'],
  );
  scenario.to(3);
  const done = scenario.scaled.get(ladder.id)!;
  assert.deepEqual([done.status, done.completedAt], ['completed', 2]);
});

test('a rung that would cross is rejected without the acknowledgment; the others are placed', () => {
  const shape = { rungCount: 3, startPrice: 1_780, endPrice: 1_820 } as const;
  const scenario = ladders([book]);
  const ladder = scenario.ladder(30, shape);
  assert.deepEqual(
    ladder.rungs.map(({ orderId, rejectReason, rejectRuleId }) => [
      scenario.orders.get(orderId!)!.status,
      rejectReason !== null,
      rejectRuleId,
    ]),
    [
      ['resting', false, null],
      ['rejected', true, 'marketable-limit'],
      ['rejected', true, 'marketable-limit'],
    ],
  );
  assert.equal(ladder.status, 'working');

  const takes = ladders([book]).ladder(30, { ...shape, marketableLimitAcknowledged: true });
  assert.deepEqual(
    takes.rungs.map(({ liquidityRole }) => liquidityRole),
    [null, 'taker', 'taker'],
  );
});

test('a ladder with only rejected rungs is rejected', () => {
  const ladder = ladders([book]).ladder(30, { rungCount: 3, startPrice: 1_800, endPrice: 1_820 });
  assert.equal(ladder.status, 'rejected');
});

test('canceling ends the working rungs; fills stay', () => {
  const scenario = ladders([book, print(1, 1_770, 10)]);
  const ladder = scenario.ladder(30, { rungCount: 3, startPrice: 1_760 });
  scenario.to(1);
  const canceled = scenario.done({ kind: 'cancel_scaled', scaledOrderId: ladder.id }).scaled!;
  assert.deepEqual([canceled.status, canceled.canceledAt], ['canceled', 1]);
  assert.deepEqual(
    canceled.rungs.map(({ orderId }) => scenario.orders.get(orderId!)!.status),
    ['canceled', 'canceled', 'filled'],
  );
  assert.equal(scenario.refused({ kind: 'cancel_scaled', scaledOrderId: ladder.id }).code, 'not_found');
});

test('rungs canceled one by one end their ladder', () => {
  const scenario = ladders([book]);
  const ladder = scenario.ladder(20, { rungCount: 2 });
  for (const { orderId } of ladder.rungs) scenario.done({ kind: 'cancel_order', orderId: orderId! });
  assert.equal(scenario.scaled.get(ladder.id)!.status, 'canceled');
});

test('rules that refuse a whole ladder', () => {
  const source = new ScriptedSource(
    [{ time: 0, bids: [[17_900, 50]], asks: [[18_000, 500]] }],
    [definition({ priceDecimals: 1, sizeDecimals: 1, tick: 5, maxLeverage: 20 })],
  );
  const scenario = new Ladders(source, {
    policy: (policy) => void Object.assign(policy.limits, { minOrderNotionalUsd: 100 }),
  });
  scenario.to(0);
  const table: [number, Partial<PlaceScaled>, string][] = [
    [1.05, {}, 'size-precision'],
    [1, { startPrice: 1_600.1 }, 'price-precision'],
    [1, { endPrice: 1_780.25 }, 'price-precision'],
    [0.5, {}, 'rung-size'],
    [0.1, { rungCount: 2 }, 'rung-size'],
    [0.6, { rungCount: 3, distribution: 'ascending', startPrice: 900 }, 'rung-size'],
    [10, { leverage: 21 }, 'max-leverage'],
    [10, { reduceOnly: true, leverage: 20 }, 'reduce-only'],
  ];
  for (const [size, changes, ruleId] of table) {
    assert.equal(scenario.refused(scenario.command(size, { leverage: 20, ...changes })).ruleId, ruleId, ruleId);
  }
  assert.equal(scenario.orders.size, 0);
});

test('whatever fills and cancels, a ladder’s orders sum to its total and it ends with the last of them', () => {
  const shape = fc.record({
    size: fc.integer({ min: 10, max: 500 }),
    rungCount: fc.integer({ min: 2, max: 10 }),
    distribution: fc.constantFrom('flat' as const, 'ascending' as const, 'descending' as const),
    startPrice: fc.integer({ min: 1_500, max: 1_850 }),
    endPrice: fc.integer({ min: 1_500, max: 1_850 }),
    marketableLimitAcknowledged: fc.boolean(),
  });
  const prints = fc.array(fc.tuple(fc.integer({ min: 1_480, max: 1_800 }), fc.integer({ min: 1, max: 300 })), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(shape, prints, fc.array(fc.nat(9)), ({ size, ...changes }, tape, cancels) => {
      const scenario = ladders([book, ...tape.map(([price, lots], at) => print(at + 1, price, lots))]);
      const outcome = scenario.execute(scenario.command(size, changes));
      if (!outcome.ok) return;
      const { id } = outcome.scaled!;
      scenario.to(tape.length);
      const ladder = () => scenario.scaled.get(id)!;
      const orders = () => ladder().rungs.map(({ orderId }) => scenario.orders.get(orderId!)!);
      for (const at of cancels) {
        const order = orders()[at % orders().length]!;
        if (order.status === 'resting') scenario.done({ kind: 'cancel_order', orderId: order.id });
      }
      assert.equal(
        orders().reduce((sum, order) => sum + order.initialSize, 0),
        size,
      );
      const filled = scenario.fills().reduce((sum, fill) => sum + fill.size, 0);
      assert.equal(
        orders().reduce((sum, order) => sum + order.filledSize, 0),
        filled,
      );
      assert.equal(
        ladder().status === 'working',
        orders().some(({ status }) => status === 'resting'),
      );
      if (ladder().status === 'completed') assert.ok(filled > 0);
    }),
    { numRuns: process.env.PERP_LONG ? 1_000 : 30, endOnFailure: true },
  );
});
