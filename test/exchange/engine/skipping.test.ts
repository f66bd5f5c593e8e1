import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scenario, usd } from './scenario.ts';
import { definition, type Level, type ScriptedEvent, SkippableSource } from './scripted-source.ts';

/* Events that provably change nothing are skipped (simulation 2.3); these are the edges of that. */

const flat = (time: number, mid: number, depth = 1_000): ScriptedEvent => ({
  time,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});
const skipping = (script: ScriptedEvent[]) => new Scenario(new SkippableSource(script, [definition()], 0)).to(0);

test('time that ends exactly where a mark leaves its band plays the event there', () => {
  for (const end of [9, 10]) {
    const scenario = skipping([flat(0, 1_000), flat(10, 1_020), flat(20, 1_000)]);
    const stop = scenario.place('buy', 1, { mode: 'stop_market', triggerPrice: 1_015 });
    assert.equal(scenario.to(end).record(stop).status, end < 10 ? 'resting' : 'filled');
    assert.equal(scenario.to(20).record(stop).settledAt, 10);
  }
});

test('what was taken from one side shrinks with every book, even if nothing was taken from the other', () => {
  for (const [side, bookSide] of [
    ['buy', 'ask'],
    ['sell', 'bid'],
  ] as const) {
    const scenario = skipping([flat(0, 1_000), flat(5, 1_000, 4), flat(6, 1_000)]);
    scenario.place(side, 10);
    const [level] = scenario.to(9).exchange.openState().consumption;
    assert.deepEqual([level?.bookSide, level?.consumed], [bookSide, 4]);
  }
});

test('risk is marked at the latest book, even of a market whose events were skipped', () => {
  const scenario = skipping([flat(0, 1_000), flat(1, 1_001), flat(5_000, 1_002), flat(6_000, 1_003)]);
  scenario.place('buy', 10);
  for (const [time, result] of [
    [1, 0],
    [5_000, 10],
    [6_000, 20],
  ] as const)
    assert.equal(scenario.to(time).exchange.risk(scenario.accountId).unrealizedPnl, usd(result));
});

test('the store is told when consumption last changed, even if nothing else did', () => {
  const scenario = skipping([flat(0, 1_000), flat(5, 1_000, 4)]);
  scenario.place('buy', 10);
  scenario.exchange.advance(9);
  const { time, consumption } = scenario.exchange.takeChanges();
  assert.deepEqual([time, [...consumption.values()].map(({ consumed }) => consumed)], [5, [4]]);
});

test('the store is told of halts', () => {
  const scenario = skipping([flat(0, 1_000)]);
  scenario.exchange.execute({ kind: 'set_halt', platform: false, categories: ['fx', 'crypto', 'fx'] });
  assert.deepEqual(scenario.exchange.takeChanges().halt, { platform: false, categories: ['crypto', 'fx'] });
});
