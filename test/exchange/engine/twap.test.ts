import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlaceTwap } from '../../../src/exchange/engine/commands.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { Lots, TwapOrder } from '../../../src/exchange/engine/model.ts';
import { noRates, Scenario, type ScenarioOptions } from './scenario.ts';
import { type Level, type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

const second = 1_000;
const minute = 60 * second;

/** A fresh book every five seconds: in every second book, consumed sizes are available again. */
function books(minutes: number, mid: (time: number) => number = () => 1_000, depth = 1_000): ScriptedEvent[] {
  return Array.from({ length: minutes * 12 + 1 }, (_, at) => {
    const time = at * 5 * second;
    const size = depth + (at % 2);
    const centre = mid(time);
    return { time, bids: [[centre - 1, size]] as Level[], asks: [[centre + 1, size]] as Level[] };
  });
}

class Strategies extends Scenario {
  command(size: number, changes: Partial<PlaceTwap> = {}): PlaceTwap {
    return {
      kind: 'place_twap',
      accountId: this.accountId,
      marketId: 'binance|TEST',
      strategy: 'twap',
      side: 'buy',
      size,
      expectedPrice: 1_000,
      leverage: 10,
      marginMode: 'cross',
      durationMinutes: 5,
      sliceIntervalSeconds: 30,
      randomize: false,
      reduceOnly: false,
      triggerPrice: null,
      maxPrice: null,
      minPrice: null,
      ...changes,
    };
  }

  twap(size: number, changes: Partial<PlaceTwap> = {}): TwapOrder {
    return this.done(this.command(size, changes)).twap!;
  }

  children(twap: TwapOrder): [time: number, size: Lots][] {
    return this.fills()
      .filter(({ twapOrderId }) => twapOrderId === twap.id)
      .map(({ settledAt, size }) => [settledAt!, size]);
  }
}

const started = (script: readonly ScriptedEvent[], options: ScenarioOptions = {}) =>
  new Strategies(script, options).to(0) as Strategies;

test('a TWAP that waits for its trigger outlives its duration', () => {
  const scenario = started(books(20, (time) => (time < 15 * minute ? 1_000 : 1_010)));
  const twap = scenario.twap(20, { triggerPrice: 1_005 });
  scenario.to(10 * minute).place('buy', 1);
  assert.deepEqual([scenario.twaps.get(twap.id)!.status, scenario.children(twap).length], ['running', 0]);
  scenario.to(16 * minute);
  assert.equal(scenario.twaps.get(twap.id)!.activatedAt, 15 * minute);
});

test('a TWAP trades equal slices at start + i x interval as market children linked to it', () => {
  const scenario = started(books(6));
  const twap = scenario.twap(105);
  assert.deepEqual([twap.status, twap.sliceCount, twap.startedAt, twap.endAt], ['running', 10, 0, 5 * minute]);
  scenario.to(5 * minute);
  assert.deepEqual(
    scenario.children(twap),
    [10, 11, 10, 11, 10, 11, 10, 11, 10, 11].map((size, slice) => [slice * 30 * second, size]),
  );
  const children = scenario.fills();
  assert.ok(children.every(({ type, mode, status }) => type === 'market' && mode === 'market' && status === 'filled'));
  const done = scenario.twaps.get(twap.id)!;
  assert.deepEqual([done.status, done.completionReason, done.filledSize], ['completed', 'filled', 105]);
  assert.equal(done.completedAt, 270 * second);
  assert.equal(done.filledNotional, 10_510_500_000_000n);
});

test('later slices make up for missed ones, at most threefold; the strategy ends at the end of its duration', () => {
  const none = (time: number) => time > 40 * second && time < 160 * second;
  const script = books(6).map((book) =>
    'asks' in book && none(book.time) ? { ...book, asks: [[1_100, 1]] as Level[] } : book,
  );
  const scenario = started(script);
  const twap = scenario.twap(100);
  scenario.to(5 * minute);
  assert.deepEqual(
    scenario.children(twap).map(([time, size]) => [time / second, size]),
    [
      [0, 10],
      [30, 10],
      [180, 30],
      [210, 30],
      [240, 10],
      [270, 10],
    ],
  );
  const rejected = [...scenario.orders.values()].filter(({ status }) => status === 'rejected');
  assert.deepEqual(
    rejected.map(({ rejectRuleId, size }) => [rejectRuleId, size]),
    [
      ['insufficient-depth', 10],
      ['insufficient-depth', 20],
      ['insufficient-depth', 30],
      ['insufficient-depth', 30],
    ],
  );

  const thin = started(books(6, undefined, 10));
  const slow = thin.twap(150);
  thin.to(4 * minute + 59 * second);
  assert.equal(thin.twaps.get(slow.id)!.status, 'running');
  thin.to(5 * minute);
  const ended = thin.twaps.get(slow.id)!;
  assert.deepEqual([ended.status, ended.completionReason, ended.filledSize], ['completed', 'duration_elapsed', 0]);
});

test('with a trigger price, it starts once the mark has crossed that price from where it was', () => {
  const scenario = started(books(12, (time) => (time < 2 * minute ? 1_000 : 1_010)));
  const twap = scenario.twap(100, { triggerPrice: 1_009.5 });
  assert.deepEqual([twap.activatedAt, twap.nextRunAt, twap.triggerFrom], [null, null, 'below']);
  scenario.to(2 * minute - 1);
  assert.deepEqual(scenario.children(twap), []);
  scenario.to(10 * minute);
  const done = scenario.twaps.get(twap.id)!;
  assert.deepEqual([done.activatedAt, done.startedAt, done.endAt], [2 * minute, 0, 7 * minute]);
  assert.equal(scenario.children(twap)[0]![0], 2 * minute);
  assert.equal(done.filledSize, 100);
});

test('a mark outside its limits ends it', () => {
  for (const [changes, mid] of [
    [{ maxPrice: 1_004 }, 1_005],
    [{ minPrice: 996 }, 995],
  ] as const) {
    const scenario = started(books(6, (time) => (time < 65 * second ? 1_000 : mid)));
    const twap = scenario.twap(100, changes);
    scenario.to(6 * minute);
    const ended = scenario.twaps.get(twap.id)!;
    assert.deepEqual(
      [ended.status, ended.completionReason, ended.completedAt],
      ['completed', 'price_limit', 65 * second],
    );
    assert.equal(ended.filledSize, 30);
  }
  const inside = started(books(6, () => 1_000));
  const twap = inside.twap(100, { maxPrice: 1_000, minPrice: 1_000 });
  inside.to(6 * minute);
  assert.equal(inside.twaps.get(twap.id)!.completionReason, 'filled');
});

test('a VWAP follows the volume curve of its source', () => {
  class Curve extends ScriptedSource {
    override volume(_market?: string, from = 0, _to = 0, asOf = -1): number {
      asked.add(asOf);
      return from < 62 * second ? 3 : 1;
    }
  }
  const asked = new Set<number>();
  const scenario = new Strategies(new Curve(books(6))).to(2 * second) as Strategies;
  const twap = scenario.twap(140, { strategy: 'vwap' });
  scenario.to(6 * minute);
  assert.deepEqual([...asked], [2 * second], 'it requests the volume known at its start');
  assert.deepEqual(
    scenario.children(twap).map(([, size]) => size),
    [30, 30, 10, 10, 10, 10, 10, 10, 10, 10],
  );
});

test('canceling stops it and keeps its fills', () => {
  const scenario = started(books(6));
  const twap = scenario.twap(100);
  scenario.to(45 * second);
  const canceled = scenario.done({ kind: 'cancel_twap', twapOrderId: twap.id }).twap!;
  assert.deepEqual(
    [canceled.status, canceled.completionReason, canceled.canceledAt],
    ['canceled', 'canceled', 45 * second],
  );
  scenario.to(6 * minute);
  assert.equal(scenario.children(twap).length, 2);
  assert.equal(scenario.refused({ kind: 'cancel_twap', twapOrderId: twap.id }).code, 'not_found');
});

test('rules that refuse it at placement', () => {
  const scenario = started(books(6));
  const table: [Partial<PlaceTwap> & { size?: number }, string][] = [
    [{ size: 9 }, 'slice-size'],
    [{ size: 10.5 }, 'size-precision'],
    [{ leverage: 51 }, 'max-leverage'],
    [{ reduceOnly: true }, 'reduce-only'],
    [{ size: 1_000_000 }, 'max-position-value-usd'],
  ];
  for (const [changes, ruleId] of table) {
    assert.equal(scenario.refused(scenario.command(100, changes)).ruleId, ruleId, ruleId);
  }
  assert.equal(scenario.refused(scenario.command(100, { sliceIntervalSeconds: 151 })).code, 'invalid_request');
  const poor = started(books(6), {
    policy: (policy) => void Object.assign(policy.limits, { minOrderNotionalUsd: 10_001 }),
  });
  assert.equal(poor.refused(poor.command(100)).ruleId, 'slice-size');
  assert.equal(scenario.orders.size, 0);
});

test('slices do not count as trades or wait for the cooldown', () => {
  const scenario = started(books(6), {
    policy: (policy) => void Object.assign(policy.limits, { tradesPerMinute: 1, orderCooldownMs: 1e6 }),
  });
  const twap = scenario.twap(100);
  scenario.to(6 * minute);
  assert.equal(scenario.twaps.get(twap.id)!.completionReason, 'filled');
});

test('a reduce-only strategy ends when there is nothing left to reduce', () => {
  const scenario = started(books(6));
  scenario.place('sell', 30, { leverage: 10 });
  const twap = scenario.twap(100, { reduceOnly: true });
  scenario.to(6 * minute);
  const ended = scenario.twaps.get(twap.id)!;
  assert.deepEqual([ended.completionReason, ended.filledSize], ['rejected', 30]);
  assert.equal(scenario.position(), undefined);
});

const shape = fc.record({
  total: fc.integer({ min: 20, max: 3_000 }),
  depth: fc.integer({ min: 5, max: 200 }),
  randomize: fc.boolean(),
  strategy: fc.constantFrom('twap' as const, 'vwap' as const),
  maxPrice: fc.option(fc.integer({ min: 1_000, max: 1_010 }), { nil: null }),
  triggerPrice: fc.option(fc.integer({ min: 990, max: 1_010 }), { nil: null }),
  delay: fc.integer({ min: 0, max: 40_000 }),
  stops: fc.array(fc.integer({ min: 0, max: 10 * minute }), { maxLength: 6 }),
});

test('children add up to their parent, and stopping, restarting and dividing time do not change the result', () => {
  fc.assert(
    fc.property(shape, ({ total, depth, stops, delay, ...changes }) => {
      const script = books(10, (time) => 1_000 + Math.round(8 * Math.sin(time / 40_000)), depth);
      const options: ScenarioOptions = {
        policy: (policy) => void Object.assign(policy.limits, { executionDelayMaxMs: delay }),
      };
      const straight = started(script, options);
      const outcome = straight.execute(straight.command(total, changes));
      const restarted = started(script, options);
      restarted.execute(restarted.command(total, changes));
      for (const stop of stops.sort((a, b) => a - b)) {
        restarted.to(stop);
        restarted.exchange = new Exchange(restarted.source, restarted.exchange.openState(), noRates);
      }
      straight.to(10 * minute);
      restarted.to(10 * minute);
      assert.equal(restarted.exchange.stateHash(), straight.exchange.stateHash());
      assert.deepEqual(restarted.twaps, straight.twaps);
      if (!outcome.ok) return;
      const twap = straight.twaps.get(outcome.twap!.id)!;
      const children = straight.children(twap).reduce((sum, [, size]) => sum + size, 0);
      assert.equal(children, twap.filledSize);
      assert.ok(twap.filledSize <= twap.totalSize);
      assert.notEqual(twap.activatedAt === null ? 'waiting' : twap.status, 'running');
    }),
    { numRuns: process.env.PERP_LONG ? 1_000 : 20, endOnFailure: true },
  );
});
