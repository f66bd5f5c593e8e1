import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scenario } from './scenario.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

const at = (time: number, bid: number, ask: number): ScriptedEvent => ({
  time,
  bids: [[bid, 100]] as Level[],
  asks: [[ask, 100]] as Level[],
});

test('a chase follows the best price of its side up and down at its offset, never past its cap', () => {
  const script = [at(0, 1_000, 1_002), at(1, 1_004, 1_006), at(2, 1_020, 1_022), at(3, 1_008, 1_012)];
  const buying = new Scenario(script).to(0);
  const buy = buying.place('buy', 10, { mode: 'chase', chaseOffset: 1, chaseCapPrice: 1_010 });
  assert.deepEqual([buy.type, buy.mode, buy.status, buy.limitPrice], ['limit', 'chase', 'resting', 999]);
  assert.deepEqual(
    [1, 2, 3].map((time) => buying.to(time).record(buy).limitPrice),
    [1_003, 1_010, 1_007],
  );

  const selling = new Scenario([at(0, 1_000, 1_002), at(1, 1_001, 1_004), at(2, 997, 999)]).to(0);
  const sell = selling.place('sell', 10, { mode: 'chase', chaseCapPrice: 1_000 });
  assert.equal(sell.limitPrice, 1_002);
  assert.deepEqual(
    [1, 2].map((time) => selling.to(time).record(sell).limitPrice),
    [1_004, 1_000],
  );
});

test('the explanation of a long chase has every move of the first minute, then one move per minute', () => {
  const seconds = Array.from({ length: 301 }, (_, second) => at(second * 1_000, 1_000 + (second % 2), 1_003));
  const scenario = new Scenario(seconds).to(0);
  const order = scenario.place('buy', 10, { mode: 'chase' });
  scenario.to(300_000);
  const told = scenario.explanations.filter((line) => line.orderId === order.id && line.kind === 'repriced');
  assert.equal(told.length, 59 + 5);
});

test("a chase's price is rounded away from the market onto the grid", () => {
  const source = new ScriptedSource([at(0, 1_003, 1_008)], [definition({ priceDecimals: 1, tick: 5 })]);
  const scenario = new Scenario(source).to(0);
  assert.equal(scenario.place('buy', 10, { mode: 'chase' }).limitPrice, 1_000);
  assert.equal(scenario.place('buy', 10, { mode: 'chase', chaseOffset: 0.31 }).limitPrice, 995);
  assert.equal(scenario.place('sell', 10, { mode: 'chase' }).limitPrice, 1_010);
});

test('a move loses the order’s place in the queue; a print at its price fills it only after the queue', () => {
  const scenario = new Scenario([
    at(0, 1_000, 1_002),
    { time: 1, print: [1_000, 105], aggressor: 'sell' },
    at(2, 1_001, 1_003),
    { time: 3, print: [1_001, 100], aggressor: 'sell' },
    { time: 4, print: [1_001, 50], aggressor: 'sell' },
  ]).to(0);
  const chase = scenario.place('buy', 10, { mode: 'chase' });
  scenario.to(1);
  assert.deepEqual(scenario.fillsOf(chase), [5]);
  scenario.to(3);
  assert.deepEqual(scenario.fillsOf(chase), [5]);
  scenario.to(4);
  assert.deepEqual(scenario.fillsOf(chase), [5, 5]);
  assert.equal(scenario.record(chase).status, 'filled');
});

test('a chase needs a fresh book, never takes, and is not amended', () => {
  const scenario = new Scenario([at(0, 1_000, 1_002), at(1, 1_010, 1_012)]).to(0);
  const chase = scenario.place('buy', 10, { mode: 'chase' });
  assert.equal(scenario.refused({ kind: 'amend_order', orderId: chase.id, price: 990, size: null }).code, 'conflict');
  scenario.to(1);
  assert.equal(scenario.position(), undefined);
  scenario.to(60_000);
  assert.equal(scenario.ruleAgainst('buy', 10, { mode: 'chase' }), 'stale-book');
});

test('a book through its price fills it at that price before it moves', () => {
  const scenario = new Scenario([at(0, 1_000, 1_002), at(1, 990, 992)]).to(0);
  const chase = scenario.place('buy', 10, { mode: 'chase' });
  scenario.to(1);
  assert.deepEqual([scenario.record(chase).status, scenario.record(chase).notional], ['filled', 1_000_000_000_000n]);
});

test('of chases that move at one moment, the first in line moves first, and is filled first', () => {
  const scenario = new Scenario([
    at(0, 1_000, 1_002),
    at(1, 999, 1_002),
    at(2, 998, 1_002),
    { time: 3, print: [998, 104], aggressor: 'sell' },
  ]).to(0);
  const moved = scenario.place('buy', 10, { mode: 'chase' });
  const waiting = scenario.place('buy', 10, { mode: 'chase', chaseCapPrice: 999 });
  assert.deepEqual([moved.limitPrice, waiting.limitPrice], [1_000, 999]);
  scenario.to(2);
  assert.deepEqual([scenario.record(moved).limitPrice, scenario.record(waiting).limitPrice], [998, 998]);
  assert.ok(scenario.record(waiting).priority < scenario.record(moved).priority);
  scenario.to(3);
  assert.deepEqual([scenario.fillsOf(waiting), scenario.fillsOf(moved)], [[4], []]);
});
