import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { Scenario, usd } from './scenario.ts';
import { definition, type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

const at = (time: number, bid: number, ask: number): ScriptedEvent => ({ time, bids: [[bid, 25]], asks: [[ask, 25]] });

/**
 * A market whose unit of sizes is a tenth: its lots are 1 before 100 and after 200, and 0.1 between; its tick is 1, and
 * 5 from 100 on.
 */
class RedefinedSource extends ScriptedSource {
  readonly #finer = definition({ sizeDecimals: 1, tick: 5 });
  readonly #coarser = definition({ sizeDecimals: 1, lotDecimals: 0, tick: 5 });

  definitionAt(_marketId: string, time: number): MarketDefinition {
    if (time < 100) return this.definitions[0]!;
    return time < 200 ? this.#finer : this.#coarser;
  }
}

const redefined = (...events: ScriptedEvent[]) =>
  new RedefinedSource(events, [definition({ sizeDecimals: 1, lotDecimals: 0 })]);

test('a chase follows the tick that the market has at the time of the book, however time is divided', () => {
  const prices = [[150], [60, 150], [60, 120, 150]].map((times) => {
    const scenario = new Scenario(redefined(at(0, 1_001, 1_012), at(50, 1_003, 1_012), at(150, 1_004, 1_012))).to(0);
    const order = scenario.place('buy', 2, { mode: 'chase' });
    for (const time of times) scenario.to(time);
    return [scenario.record(order).limitPrice, scenario.exchange.stateHash()];
  });
  assert.equal(prices[0]![0], 1_000);
  assert.deepEqual(prices[1], prices[0]);
  assert.deepEqual(prices[2], prices[0]);
});

test('orders have the lots of their time; a position stays as it is, and is closed as a whole with coarser lots', () => {
  const scenario = new Scenario(redefined(at(0, 1_000, 1_010), at(100, 1_000, 1_010), at(200, 1_000, 1_010))).to(0);
  assert.equal(scenario.ruleAgainst('buy', 1.5), 'size-precision');
  scenario.place('buy', 1);
  const before = scenario.exchange.risk(scenario.accountId);
  scenario.to(100);
  assert.deepEqual(scenario.exchange.risk(scenario.accountId), { ...before, observedAt: 100 });
  assert.equal(scenario.ruleAgainst('buy', 0.15), 'size-precision');
  scenario.place('buy', 0.5);
  scenario.to(200);
  assert.equal(scenario.ruleAgainst('buy', 0.5), 'size-precision');
  assert.equal(scenario.position()!.size, 15);
  scenario.place('sell', 1.5, { reduceOnly: true });
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.balance(), usd(100_000 - 15));
});
