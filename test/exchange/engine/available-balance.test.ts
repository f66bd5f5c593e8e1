import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import { Scenario, type ScenarioOptions, usd } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

const other = 'binance|OTHER';
const flat = (time: number, mid: number, market = 'binance|TEST') => ({
  time,
  market,
  bids: [[mid - 1, 5_000]] as Level[],
  asks: [[mid + 1, 5_000]] as Level[],
});
const wide: ScenarioOptions = {
  policy: (policy) => {
    Object.assign(policy.limits, { maxPositionValueUsd: 1e9 });
    Object.assign(policy, { slippageMaxBps: 5_000, marketOrderMaximumBpsByProvider: {} });
  },
};
const available = (scenario: Scenario) => scenario.exchange.risk(scenario.accountId).availableBalance;
/** The largest market buy that the account has margin for, found by trying. */
function largestBuy(scenario: Scenario, changes: Partial<PlaceOrder>): number {
  let fits = 0;
  for (let step = 4_096; step >= 1; step /= 2) {
    const trial = new Scenario(scenario.source, wide);
    trial.exchange = new Exchange(scenario.source, scenario.exchange.openState(), scenario.rates);
    if (trial.execute(trial.order('buy', fits + step, changes)).ok) fits += step;
  }
  return fits;
}

test('an unrealized loss reduces the available balance, and an unrealized profit does not add to it', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 900), flat(2, 1_200)], wide);
  scenario.to(0).place('buy', 500, { leverage: 10 });
  const marginUsed = 50_050;
  // Half the spread is a loss at once.
  assert.equal(available(scenario), usd(100_000 - 500 - marginUsed));
  assert.equal(available(scenario.to(1)), 0n, 'equity of 49,500 is below the margin of the position');
  assert.equal(available(scenario.to(2)), usd(100_000 - marginUsed));
});

test('new exposure may use exactly the available balance minus what working entries reserve', () => {
  const two = [definition(), definition({ marketId: other })];
  const script = [flat(0, 1_000), flat(0, 101, other), flat(1, 940), flat(1, 101, other)];
  const scenario = new Scenario(new ScriptedSource(script, two), wide);
  scenario.to(0).place('buy', 500, { leverage: 10 });
  scenario.to(1);
  // Equity 100,000 - 30,500 - margin 50,050.
  assert.equal(available(scenario), usd(19_450));
  assert.equal(largestBuy(scenario, { marketId: other, leverage: 10 }), 1_906);
  scenario.place('buy', 100, { marketId: other, limitPrice: 90, leverage: 10 });
  assert.equal(available(scenario), usd(19_450), 'working entries are not counted');
  assert.equal(largestBuy(scenario, { marketId: other, leverage: 10 }), 1_818);
});

test('an account whose equity is below its margin opens nothing, but may flip to a smaller position', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 900)], wide);
  scenario.to(0).place('buy', 900, { leverage: 10 });
  scenario.to(1);
  const refused = scenario.refused(scenario.order('buy', 1, { leverage: 10 }));
  assert.equal(refused.ruleId, 'insufficient-margin');
  assert.equal(refused.details!.available_balance, 0);
  // Closing 900 at 899 leaves a balance of 8,200: margin for 91 short at 899 and 10x.
  assert.equal(scenario.ruleAgainst('sell', 900 + 92, { leverage: 10 }), 'insufficient-margin');
  scenario.place('sell', 900 + 91, { leverage: 10 });
  assert.equal(scenario.position()!.size, 91);
});

test('a position whose market has no mark counts at its entry price', () => {
  const scenario = new Scenario([flat(0, 1_000), { ...flat(1, 940), bids: [] as Level[] }], wide);
  scenario.to(0).place('buy', 100, { leverage: 10 });
  assert.equal(available(scenario), usd(100_000 - 100 - 10_010));
  scenario.to(1);
  assert.equal(available(scenario), usd(100_000 - 10_010));
});

test('an old mark still counts', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1, 940)], wide);
  scenario.to(0).place('buy', 500, { leverage: 10 });
  scenario.to(60_000);
  assert.equal(scenario.exchange.risk(scenario.accountId).equity, null);
  assert.equal(available(scenario), usd(100_000 - 30_500 - 50_050));
});

test('an unrealized loss takes no margin from orders accepted before it', () => {
  const print = { time: 2, print: [850, 50] as Level, aggressor: 'sell' as const };
  const scenario = new Scenario([flat(0, 1_000), flat(1, 900), print], wide);
  scenario.to(0).place('buy', 900, { leverage: 10 });
  const rung = scenario.place('buy', 50, { limitPrice: 860, leverage: 10 });
  scenario.to(2);
  assert.equal(available(scenario), 0n);
  assert.equal(scenario.record(rung).status, 'filled');
});

test('extra margin is paid from the available balance', () => {
  const two = [definition(), definition({ marketId: other })];
  const script = [flat(0, 1_000), flat(0, 101, other), flat(1, 960), flat(1, 101, other)];
  const scenario = new Scenario(new ScriptedSource(script, two), wide);
  scenario.to(0).place('buy', 500, { leverage: 10 });
  scenario.place('buy', 100, { leverage: 10, marginMode: 'isolated', marketId: other });
  scenario.to(1);
  const { id } = scenario.position(other)!;
  const set = (extraMargin: number) => ({ kind: 'set_isolated_margin', positionId: id, extraMargin }) as const;
  // Equity 100,000 - 20,500 - 100, margin 50,050 + 1,020.
  assert.equal(available(scenario), usd(28_330));
  assert.equal(scenario.refused(set(28_330.01)).ruleId, 'insufficient-margin');
  scenario.done(set(28_330));
  assert.equal(available(scenario), 0n);
});
