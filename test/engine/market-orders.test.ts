import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scenario, usd } from './scenario.ts';

const book = {
  time: 0,
  bids: [[99, 10]] as [number, number][],
  asks: [
    [101, 10],
    [102, 30],
  ] as [number, number][],
};

test('a market buy takes the best asks first and makes a position at their average', () => {
  const scenario = new Scenario([book]);
  const order = scenario.place('buy', 12);
  assert.equal(order.status, 'filled');
  assert.equal(order.notional, usd(10 * 101 + 2 * 102));
  assert.equal(scenario.position()!.cost, usd(1214));
  assert.equal(scenario.position()!.direction, 'long');
});
