import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Book } from '../../../src/exchange/engine/book/book.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { Order, Side } from '../../../src/exchange/engine/model.ts';
import { Scenario } from './scenario.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

const ladder = (best: number, step: number): Level[] =>
  Array.from({ length: 5 }, (_, at) => [best + step * at, 100] as Level);
const first: ScriptedEvent = { time: 0, bids: ladder(100, -1), asks: ladder(102, 1) };
const delta = (time: number, bids: Level[], asks: Level[] = []): ScriptedEvent => ({ time, delta: true, bids, asks });
const print = (time: number, price: number, size: number, aggressor: Side = 'sell'): ScriptedEvent => ({
  time,
  print: [price, size],
  aggressor,
});

function resting(
  script: ScriptedEvent[],
  at: number,
  side: Side,
  limitPrice: number,
): { scenario: Scenario; order: Order } {
  const scenario = new Scenario([first, ...script]).to(at);
  return { scenario, order: scenario.place(side, 20, { limitPrice }) };
}

test('a far level implies nothing about prices between it and the last level of the book', () => {
  for (const [side, far, price] of [
    ['buy', delta(1, [[50, 7]]), 70],
    ['sell', delta(1, [], [[150, 7]]), 130],
  ] as const) {
    const { scenario, order } = resting([far, print(2, price, 500, side === 'buy' ? 'sell' : 'buy')], 1, side, price);
    assert.equal(order.queueAhead, null);
    assert.deepEqual(scenario.to(2).fillsOf(order), [], 'the size ahead is unknown');
  }
});

test('a print through an order with an unknown queue fills it', () => {
  const { scenario, order } = resting([delta(1, [[50, 7]]), print(2, 69, 5)], 1, 'buy', 70);
  assert.deepEqual(scenario.to(2).fillsOf(order), [5]);
});

test('a far level is itself known', () => {
  const { scenario, order } = resting([delta(1, [[50, 7]]), print(2, 50, 10)], 1, 'buy', 50);
  assert.equal(order.queueAhead, 7);
  assert.deepEqual(scenario.to(2).fillsOf(order), [3]);
  const told = resting([delta(2, [[50, 7]]), delta(3, [[50, 0]]), delta(4, [[50, 5]])], 1, 'buy', 50);
  const queues = [1, 2, 3, 4].map((time) => told.scenario.to(time).record(told.order).queueAhead);
  assert.deepEqual(queues, [null, 7, 7, 5], 'out of sight, it keeps its queue');
});

test('the range of the last full book stays known when its levels are removed', () => {
  const gone = delta(1, [
    [96, 0],
    [97, 0],
    [98, 0],
  ]);
  const { scenario, order } = resting([gone, print(2, 97, 5)], 1, 'buy', 97);
  assert.equal(order.queueAhead, 0);
  assert.deepEqual(scenario.to(2).fillsOf(order), [5]);
});

test('a new full book resets the range', () => {
  const shorter = { time: 2, bids: ladder(101, -1).slice(0, 2), asks: ladder(102, 1) };
  const longer = { time: 4, bids: [...ladder(101, -1).slice(0, 2), [95, 5] as Level], asks: ladder(102, 1) };
  const script = [delta(1, [[95, 7]]), shorter, delta(3, [[96, 30]]), longer];
  const { scenario, order } = resting(script, 1, 'buy', 97);
  assert.equal(order.queueAhead, 100);
  assert.equal(scenario.to(2).record(order).queueAhead, 100);
  assert.equal(scenario.place('buy', 20, { limitPrice: 98 }).queueAhead, null);
  assert.equal(scenario.place('buy', 20, { limitPrice: 95 }).queueAhead, null);
  scenario.to(3);
  assert.equal(scenario.place('buy', 20, { limitPrice: 96 }).queueAhead, 30);
  assert.equal(scenario.record(order).queueAhead, 100, 'a far level says nothing about its level');
  assert.equal(scenario.to(4).record(order).queueAhead, 0, 'its level is known again, and nothing is there');
});

test('prices that the other side has reached are known', () => {
  // The market falls below the range of its first book.
  const fallen = delta(
    1,
    [...ladder(100, -1).map(([price]) => [price, 0] as Level), [89, 40], [80, 10]],
    [
      [91, 10],
      [92, 10],
    ],
  );
  const risen = delta(
    2,
    [[93, 10]],
    [
      [91, 0],
      [92, 0],
      [95, 10],
    ],
  );
  const { scenario, order: touch } = resting([fallen, risen], 1, 'buy', 89);
  assert.equal(touch.queueAhead, 40);
  assert.equal(scenario.place('buy', 20, { limitPrice: 90 }).queueAhead, null, 'no book has shown 90 yet');
  assert.equal(scenario.place('buy', 20, { limitPrice: 85 }).queueAhead, null);
  assert.equal(scenario.place('sell', 20, { limitPrice: 93 }).queueAhead, 0, 'asks are known from the first book');
  scenario.to(2);
  assert.equal(scenario.place('buy', 20, { limitPrice: 92 }).queueAhead, 0, 'an ask was at 91: no bid was above it');
});

test('the range survives reopening, and random access to the source gives the same range', () => {
  const script = [
    first,
    delta(1, [
      [50, 7],
      [96, 0],
    ]),
    delta(2, [[97, 0]]),
  ];
  const scenario = new Scenario(script).to(2);
  scenario.exchange = new Exchange(scenario.source, scenario.exchange.openState(), scenario.rates);
  const queues = [96, 95, 60, 50].map((limitPrice) => scenario.place('buy', 5, { limitPrice }).queueAhead);
  assert.deepEqual(queues, [0, null, null, 7]);
  const snapshot = scenario.source.book('binance|TEST', 2)!;
  const loaded = new Book();
  loaded.load(snapshot);
  assert.deepEqual([loaded.bids.knownTo, loaded.asks.knownTo], [96, 106]);
});
