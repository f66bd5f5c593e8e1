import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '../../../src/exchange/engine/defaults.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import { slippageCapBps } from '../../../src/exchange/engine/fills/priced-walk.ts';
import { nothingObserved, type ObservedBehavior } from '../../../src/exchange/engine/observed.ts';
import { Scenario, type ScenarioOptions, usd } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

/** Mid 100, with the touch a hundred basis points away on both sides. */
const book = { time: 0, bids: [[99, 5000]] as Level[], asks: [[101, 5000]] as Level[] };
const market = 'binance|TEST';
const fxSource = () => new ScriptedSource([book], [definition({ category: 'fx', symbol: 'EUR' })]);

function observing(changes: Partial<ObservedBehavior>): ScenarioOptions {
  return { policy: (policy) => void Object.assign(policy, { observed: { ...nothingObserved, ...changes } }) };
}

test('the default policy has no observed behavior', () => {
  assert.equal(defaultPolicy().observed, undefined);
  assert.equal(new Scenario([book]).place('buy', 10).notional, usd(1010));
  assert.equal(new Scenario([book], observing({})).place('buy', 10).notional, usd(1010));
});

test('caps on slippage by class, value and open interest', () => {
  const crypto = definition();
  const classes: [what: string, found: (worth: number) => number, bps: number[]][] = [
    ['fx', (worth) => slippageCapBps(definition({ category: 'fx' }), usd(worth), 0), [0.05, 0.08, 0.12, 0.15]],
    ['gold', (worth) => slippageCapBps(definition({ symbol: 'GOLD' }), usd(worth), 0), [0.25, 0.5, 0.75, 1]],
  ];
  for (const [what, found, bps] of classes) {
    assert.deepEqual([100_000, 200_000, 1_000_000, 1_000_001].map(found), bps, what);
    assert.equal(found(100_000.01), bps[1], what);
  }
  const others: [openInterest: number | undefined, bps: number[]][] = [
    [500_000_001, [0.8, 1.2, 2]],
    [500_000_000, [1.2, 1.8, 3]],
    [100_000_000, [1.2, 1.8, 3]],
    [99_999_999, [2, 3, 5]],
    [25_000_000, [2, 3, 5]],
    [24_999_999, [3.5, 6, 9]],
    [10_000_000, [3.5, 6, 9]],
    [9_999_999, [6, 10, 16]],
    [undefined, [6, 10, 16]],
  ];
  for (const [openInterest, bps] of others) {
    const found = [100_000, 500_000, 500_001].map((worth) => slippageCapBps(crypto, usd(worth), openInterest));
    assert.deepEqual(found, bps, String(openInterest));
  }
});

test('a taker pays no more than the cap, and the book’s price where that is better', () => {
  const unknown = new Scenario([book], observing({ slippageCaps: true }));
  assert.equal(unknown.place('buy', 10).notional, usd(1000.6));
  assert.equal(unknown.place('sell', 10, { reduceOnly: true }).notional, usd(999.4));
  const known = new Scenario([book], observing({ slippageCaps: true, openInterestUsd: { [market]: 6e8 } }));
  assert.equal(known.place('buy', 10).notional, usd(1000.08));
  const near = { time: 0, bids: [[99_999, 5000]] as Level[], asks: [[100_001, 5000]] as Level[] };
  const tight = new Scenario([near], { ...observing({ slippageCaps: true }), startingBalance: 1e7 });
  assert.equal(tight.place('buy', 1).notional, usd(100_001), '0.1 bps from the mid, below the cap of 6');
});

test('depth still comes from the book, and the tolerance is compared with the price paid', () => {
  const scenario = new Scenario([book], observing({ slippageCaps: true }));
  assert.equal(scenario.ruleAgainst('buy', 5001), 'insufficient-depth');
  assert.equal(scenario.ruleAgainst('buy', 10, { slippageToleranceBps: 5 }), 'slippage-tolerance');
  assert.equal(scenario.place('buy', 10, { slippageToleranceBps: 6 }).status, 'filled');
});

test('a quote for the account promises the capped price', () => {
  const scenario = new Scenario([book], observing({ slippageCaps: true }));
  const request = { side: 'buy', size: 10, accountId: scenario.accountId } as const;
  const quote = scenario.exchange.quote(market, request);
  assert.ok(quote.ok);
  assert.equal(quote.estimate!.notional, scenario.place('buy', 10).notional);
});

test('fx trades at its mark plus or minus the spread of its tier, regardless of the book; nothing is consumed', () => {
  const scenario = new Scenario(fxSource(), { ...observing({ fxAtMark: true }), startingBalance: 10_000_000 });
  const quote = scenario.exchange.quote(market, { side: 'buy', size: 10, accountId: scenario.accountId });
  assert.ok(quote.ok);
  assert.deepEqual([quote.bid, quote.ask, quote.mid, quote.isVenueMark], [null, null, 200, true]);
  assert.equal(quote.estimate!.notional, usd(1000.005));
  assert.equal(scenario.place('buy', 10).notional, usd(1000.005));
  assert.equal(scenario.place('sell', 10).notional, usd(999.995));
  assert.equal(scenario.place('buy', 6000).notional, usd(600_000 * (1 + 0.12e-4)));
  assert.deepEqual(scenario.exchange.openState().consumption, []);
});

test('without the field, and in other categories, fx at the mark changes nothing', () => {
  const plain = new Scenario(fxSource()).exchange.quote(market, { side: 'buy', size: 10 });
  assert.ok(plain.ok);
  assert.deepEqual([plain.bid, plain.ask, plain.isVenueMark, plain.estimate!.notional], [99, 101, false, usd(1010)]);
  const crypto = new Scenario([book], observing({ fxAtMark: true }));
  assert.equal(crypto.place('buy', 10).notional, usd(1010));
});

test('limit orders in fx trade against the book as always', () => {
  const scenario = new Scenario(fxSource(), observing({ fxAtMark: true }));
  const order = scenario.place('buy', 10, { limitPrice: 101, marketableLimitAcknowledged: true });
  assert.deepEqual([order.status, order.notional], ['filled', usd(1010)]);
});

test('a hidden cap on exposure counts all accounts of the owner, and reveals no figure', () => {
  const options = observing({ exposureCapUsd: 2_500 });
  const scenario = new Scenario([book], options);
  const other = scenario.openAccount(options);
  scenario.place('buy', 10);
  scenario.place('sell', 10, { accountId: other });
  const over = scenario.place('buy', 6);
  assert.deepEqual([over.status, over.rejectRuleId, over.filledSize], ['rejected', 'exposure-cap', 0]);
  assert.doesNotMatch(over.rejectReason!, /\d{3}/);
  assert.equal(scenario.place('buy', 4).status, 'filled', '10 + 10 at the mark and 4 at 101 are 2,404');
  assert.equal(scenario.place('sell', 14, { reduceOnly: true }).status, 'filled', 'a reduction adds nothing');
});

test('an exchange that continues from its open state behaves the same', () => {
  const scenario = new Scenario([book], observing({ slippageCaps: true, exposureCapUsd: 2_500 }));
  scenario.place('buy', 10);
  scenario.exchange = new Exchange(scenario.source, scenario.exchange.openState(), scenario.rates);
  assert.equal(scenario.place('buy', 10).notional, usd(1000.6));
  assert.equal(scenario.place('buy', 10).rejectRuleId, 'exposure-cap');
});

test('above the hidden cap, an order is accepted, and rejected when its delay is over', () => {
  const scenario = new Scenario([book, { ...book, time: 1_000 }], {
    policy: (policy) => {
      Object.assign(policy, { observed: { ...nothingObserved, exposureCapUsd: 2_500 } });
      Object.assign(policy.limits, { executionDelayMinMs: 300, executionDelayMaxMs: 300 });
    },
  });
  const order = scenario.place('buy', 30);
  assert.equal(order.status, 'pending');
  scenario.exchange.advance(scenario.exchange.time + 1_000);
  const { orders } = scenario.exchange.takeChanges();
  const ended = orders.get(order.id)!;
  assert.deepEqual([ended.status, ended.rejectRuleId, ended.filledSize], ['rejected', 'exposure-cap', 0]);
});
