import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import { Scenario } from './scenario.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

const levels = (...pairs: Level[]): Level[] => pairs;
const still: ScriptedEvent = { time: 0, bids: levels([99, 100], [98, 70]), asks: levels([101, 100], [102, 50]) };
const print = (time: number, price: number, size: number, tradedAt = time): ScriptedEvent => {
  return { time, print: [price, size], aggressor: 'sell', tradedAt };
};
const gap: ScriptedEvent = { time: 10, gap: 'sequence' };
const gapEnd = (prints: number, history: 'whole' | 'part' | 'none'): ScriptedEvent => {
  return { time: 20, gapPrints: prints, history };
};
const told = (scenario: Scenario, orderId: string) =>
  scenario.explanations.filter((one) => one.orderId === orderId).map(({ kind, detail }) => [kind, detail] as const);

test('in a gap a quote is unavailable and an order that must execute is refused, however young the last book is', () => {
  const scenario = new Scenario([still, gap]).to(11);
  const quote = scenario.exchange.quote('binance|TEST', {});
  assert.equal(!quote.ok && quote.code, 'unavailable');
  assert.match(quote.ok ? '' : quote.message, /is in a gap \(sequence\)/);
  assert.equal(scenario.ruleAgainst('buy', 1), 'stale-book');
});

test('the next full book ends a gap, even if it is unchanged', () => {
  const scenario = new Scenario([still, gap, { ...still, time: 20 }]).to(20);
  assert.equal(scenario.exchange.quote('binance|TEST', {}).ok, true);
  assert.equal(scenario.place('buy', 1).status, 'filled');
});

test('prints of the gap fill a resting order beyond its queue; then the book continues', () => {
  const late = [print(20, 99, 80, 12), print(20, 99, 30, 14), gapEnd(2, 'whole')];
  const scenario = new Scenario([still, gap, ...late, { ...still, time: 20 }]);
  const order = scenario.place('buy', 50, { limitPrice: 99 });
  assert.deepEqual(scenario.to(19).fillsOf(order), []);
  assert.deepEqual(scenario.to(20).fillsOf(order), [10]);
  const { detail } = scenario.explanations.find(({ kind }) => kind === 'made')!;
  assert.equal(detail.print_time, 14, 'when it was traded, not when it was told');
});

test('a late print fills no order that was placed after it', () => {
  const scenario = new Scenario([still, gap, print(20, 98, 500, 12), gapEnd(1, 'whole'), { ...still, time: 20 }]);
  const before = scenario.to(11).place('buy', 5, { limitPrice: 98 });
  const after = scenario.to(15).place('buy', 5, { limitPrice: 98 });
  scenario.to(20);
  assert.deepEqual(scenario.fillsOf(after), []);
  // In the gap, the size ahead of it was unknown.
  assert.equal(scenario.record(before).queueAhead, 70);
  assert.deepEqual(scenario.fillsOf(before), []);
});

test('an order placed in a gap is queued behind what the next full book shows', () => {
  const book: ScriptedEvent = { time: 20, bids: levels([99, 40]), asks: levels([101, 100]) };
  const scenario = new Scenario([still, gap, book]).to(15);
  const order = scenario.place('buy', 5, { limitPrice: 99 });
  assert.equal(order.queueAhead, null);
  assert.equal(scenario.to(20).record(order).queueAhead, 40);
});

test('a queue is never longer after a gap than it was before', () => {
  const book = (size: number): ScriptedEvent => {
    return { time: 20, bids: levels([99, size]), asks: levels([101, 100]) };
  };
  for (const [size, ahead] of [
    [400, 100],
    [30, 30],
  ] as const) {
    const scenario = new Scenario([still, gap, book(size)]);
    const order = scenario.place('buy', 5, { limitPrice: 99 });
    assert.equal(scenario.to(20).record(order).queueAhead, ahead);
  }
});

test('without history, a book that returns through a resting order fills it', () => {
  const book: ScriptedEvent = { time: 20, bids: levels([96, 10]), asks: levels([97, 3], [98, 100]) };
  const scenario = new Scenario([still, gap, gapEnd(0, 'none'), book]);
  const order = scenario.place('buy', 5, { limitPrice: 97 });
  assert.deepEqual(scenario.to(20).fillsOf(order), [3]);
});

test('a stop waits for the end of the gap, and triggers on the book that ends it', () => {
  const book: ScriptedEvent = { time: 20, bids: levels([90, 500]), asks: levels([91, 500]) };
  const scenario = new Scenario([still, gap, gapEnd(0, 'none'), book]);
  scenario.place('buy', 10);
  const stop = scenario.place('sell', 10, { mode: 'stop_market', triggerPrice: 95, reduceOnly: true });
  assert.equal(scenario.to(19).record(stop).status, 'resting');
  assert.equal(scenario.to(20).record(stop).status, 'filled');
  assert.equal(scenario.position(), undefined);
});

test('explanations of orders name the gap and what ended it', () => {
  const scenario = new Scenario([still, gap, print(20, 99, 1, 12), gapEnd(1, 'part'), { ...still, time: 20 }]);
  const resting = scenario.place('buy', 5, { limitPrice: 99 });
  const armed = scenario.place('sell', 5, { mode: 'stop_market', triggerPrice: 95 });
  scenario.to(20);
  const expected = [
    ['gap', { reason: 'sequence' }],
    ['gap_end', { gap_since: 10, gap_prints: 1, gap_history: 'part' }],
  ];
  for (const order of [resting, armed]) {
    assert.deepEqual(told(scenario, order.id).slice(1), expected);
  }
});

test('size taken from a level before a gap is not offered again after it', () => {
  const scenario = new Scenario([still, gap, { ...still, time: 20 }]);
  scenario.place('buy', 100);
  assert.equal(scenario.to(20).ruleAgainst('buy', 51), 'insufficient-depth');
});

test('reopening in a gap gives the same state as continuing', () => {
  const script = [still, gap, print(20, 99, 120, 15), gapEnd(1, 'whole'), { ...still, time: 20 }, print(21, 99, 90)];
  const scenario = new Scenario(script);
  scenario.place('buy', 50, { limitPrice: 99 });
  scenario.place('buy', 7);
  scenario.to(15);
  scenario.place('buy', 9, { limitPrice: 98 });
  const again = new Exchange(scenario.source, scenario.exchange.openState(), scenario.rates);
  scenario.to(30);
  again.advance(30);
  assert.equal(again.stateHash(), scenario.exchange.stateHash());
});
