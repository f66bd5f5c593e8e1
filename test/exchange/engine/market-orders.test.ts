import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRates } from '../../../src/exchange/engine/defaults.ts';
import type { Policy } from '../../../src/exchange/engine/model.ts';
import { Scenario, usd } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

/** Asks of 200, 400 and 600 lots around a mid of 1,000. */
const deep = {
  time: 0,
  bids: [
    [999, 200],
    [998, 400],
  ] as Level[],
  asks: [
    [1001, 200],
    [1002, 400],
    [1003, 600],
  ] as Level[],
};

/** Allows any slippage. */
function wide(policy: Policy): void {
  policy.slippageMaxBps = 1000;
  policy.marketOrderMaximumBpsByProvider.binance = 1000;
  policy.limits.maxPositionValueUsd = 10_000_000;
}

test('a market order takes levels best first, and settles as one execution at their average price', () => {
  const scenario = new Scenario([deep], { startingBalance: 10_000_000, policy: wide });
  const order = scenario.place('buy', 700);
  assert.equal(order.status, 'filled');
  assert.equal(order.notional, usd(200 * 1001 + 400 * 1002 + 100 * 1003));
  assert.equal(order.liquidityRole, 'taker');
  assert.deepEqual(scenario.fillsOf(order), [700]);
  assert.equal(scenario.position()!.cost, order.notional);
});

test('a size beyond the visible depth is refused, with the available size', () => {
  const scenario = new Scenario([deep], { startingBalance: 10_000_000 });
  const refused = scenario.refused(scenario.order('buy', 1201));
  assert.equal(refused.ruleId, 'insufficient-depth');
  assert.equal(refused.details!.available_size, 1200);
  assert.equal(refused.order!.status, 'rejected');
  assert.equal(refused.order!.rejectRuleId, 'insufficient-depth');
  assert.equal(scenario.position(), undefined);
});

test('the worst level must be within the tolerance, compared exactly', () => {
  const table: [bps: number | null, size: number, rule: string | null][] = [
    [10, 200, null],
    [9.999999, 200, 'slippage-tolerance'],
    [10, 201, 'slippage-tolerance'],
    [20, 201, null],
    [400, 201, null],
    [0.5, 1, 'slippage-tolerance-min'],
    [null, 201, null],
  ];
  for (const [bps, size, rule] of table) {
    const scenario = new Scenario([deep], { startingBalance: 1_000_000 });
    const outcome = scenario.execute(scenario.order('buy', size, { slippageToleranceBps: bps }));
    assert.equal(outcome.ok ? null : outcome.ruleId, rule, `${size} within ${bps} bps`);
  }
});

test("a request's tolerance never exceeds the account's ceiling or the provider's", () => {
  const ceiling = new Scenario([deep], {
    startingBalance: 1e6,
    policy: (policy) => {
      policy.slippageMaxBps = 10;
    },
  });
  assert.equal(ceiling.ruleAgainst('buy', 201, { slippageToleranceBps: 100 }), 'slippage-tolerance');
  const provider = new Scenario([deep], {
    startingBalance: 1e6,
    policy: (policy) => {
      policy.marketOrderMaximumBpsByProvider.binance = 10;
    },
  });
  assert.equal(provider.ruleAgainst('buy', 201), 'slippage-tolerance');
});

test('unchanged levels are not offered twice', () => {
  const book = {
    bids: [[99, 1]] as Level[],
    asks: [
      [101, 200],
      [102, 812],
      [103, 1012],
    ] as Level[],
  };
  const scenario = new Scenario(
    [
      { time: 0, ...book },
      { time: 1000, ...book },
    ],
    {
      startingBalance: 1_000_000,
      policy: wide,
    },
  );
  scenario.place('buy', 2024);
  scenario.to(1000);
  const next = scenario.refused(scenario.order('buy', 1));
  assert.equal(next.ruleId, 'insufficient-depth');
  assert.equal(next.details!.available_size, 0);
});

test('a level that grows offers the displayed size beyond what was taken', () => {
  const at = (time: number, size: number) => ({ time, bids: [[99, 500]] as Level[], asks: [[101, size]] as Level[] });
  const scenario = new Scenario([at(0, 100), at(1, 50), at(2, 120), at(3, 10), at(4, 100)]);
  const available = () => scenario.refused(scenario.order('buy', 900)).details!.available_size;
  scenario.place('buy', 30);
  assert.equal(available(), 70);
  scenario.place('buy', 50);
  assert.equal(available(), 20);
  scenario.to(1);
  assert.equal(available(), 0, 'shrunk to 50, of which all is consumed');
  scenario.to(2);
  assert.equal(available(), 70, 'grown by 70');
  scenario.to(4);
  assert.equal(available(), 90, 'consumed fell to 10 with the level');
});

test('taken 30 and 50 of 100, then grown to 120: 40 are offered', () => {
  const at = (time: number, size: number) => ({ time, bids: [[99, 500]] as Level[], asks: [[101, size]] as Level[] });
  const scenario = new Scenario([at(0, 100), at(1, 120)]);
  scenario.place('buy', 30);
  scenario.place('buy', 50);
  scenario.to(1);
  assert.equal(scenario.refused(scenario.order('buy', 900)).details!.available_size, 40);
});

test('consumption is per account and per side', () => {
  const scenario = new Scenario([deep], { startingBalance: 1_000_000 });
  const other = scenario.openAccount({ startingBalance: 1_000_000 });
  scenario.place('buy', 200, { slippageToleranceBps: 10 });
  assert.equal(scenario.ruleAgainst('buy', 1, { slippageToleranceBps: 10 }), 'slippage-tolerance');
  assert.equal(scenario.place('buy', 200, { accountId: other, slippageToleranceBps: 10 }).status, 'filled');
  assert.equal(scenario.place('sell', 200, { slippageToleranceBps: 10 }).status, 'filled');
});

test('a quote is a promise: the order sent next gets its notional and fee', () => {
  const scenario = new Scenario([deep], {
    startingBalance: 1_000_000,
    rates: defaultRates,
    policy: wide,
  });
  for (const size of [1, 200, 733]) {
    const fresh = scenario.openAccount({
      startingBalance: 1_000_000,
      policy: wide,
    });
    const quote = scenario.exchange.quote('binance|TEST', { side: 'buy', size });
    assert.ok(quote.ok && quote.estimate?.fillable);
    const order = scenario.place('buy', size, { accountId: fresh });
    assert.equal(order.notional, quote.estimate.notional);
    assert.equal(order.fee, quote.estimate.fee);
  }
});

test("a quote for an account excludes what it has taken; another account's does not", () => {
  const scenario = new Scenario([deep], { startingBalance: 1_000_000 });
  scenario.place('buy', 150);
  const worst = (accountId: string | null) => {
    const quote = scenario.exchange.quote('binance|TEST', { side: 'buy', size: 100, accountId });
    return quote.ok ? quote.estimate!.worstPrice : null;
  };
  assert.equal(worst(null), 1001);
  assert.equal(worst(scenario.accountId), 1002);
});

test('with an empty side there is no mid: the quote and the order both say so', () => {
  const sides: [Partial<Record<'bids' | 'asks', []>>, RegExp][] = [
    [{ asks: [] }, /has no asks/],
    [{ bids: [] }, /has no bids/],
    [{ bids: [], asks: [] }, /has no bids/],
  ];
  for (const [empty, message] of sides) {
    const scenario = new Scenario([{ ...deep, ...empty }]);
    for (const side of ['buy', 'sell'] as const) {
      const quote = scenario.exchange.quote('binance|TEST', { side, size: 20, accountId: null });
      assert.ok(quote.ok);
      assert.equal(quote.estimate?.unfillableReason, 'empty_book');
      const refused = scenario.refused(scenario.order(side, 20));
      assert.equal(refused.ruleId, 'insufficient-depth');
      assert.match(refused.message, message);
    }
  }
});

test('a reduction has the leverage and margin mode of its position, whatever it requests', () => {
  const scenario = new Scenario([deep], { startingBalance: 1_000_000 });
  scenario.place('buy', 20, { leverage: 5 });
  const asked = { leverage: 99, marginMode: 'isolated' } as const;
  const orders = [
    scenario.place('sell', 5, asked),
    scenario.place('sell', 5, { ...asked, reduceOnly: true }),
    scenario.place('sell', 5, { ...asked, limitPrice: 1_100 }),
  ];
  for (const { leverage, marginMode } of orders) assert.deepEqual([leverage, marginMode], [5, 'cross']);
  assert.equal(
    scenario.ruleAgainst('sell', 50, asked),
    'max-leverage',
    'an order that flips the position is not a reduction',
  );
});

test('a quote says why a size can’t be filled, and that a book is too old', () => {
  const source = new ScriptedSource([deep], [definition({ sizeDecimals: 1 })]);
  const scenario = new Scenario(source);
  const reason = (size: number) => {
    const quote = scenario.exchange.quote('binance|TEST', { side: 'buy', size });
    return quote.ok ? quote.estimate!.unfillableReason : quote.code;
  };
  assert.equal(reason(120.1), 'insufficient_depth');
  assert.equal(reason(0.25), 'size_precision_mismatch');
  assert.equal(reason(1e13), 'insufficient_depth');
  assert.equal(reason(1e300), 'insufficient_depth');
  assert.equal(reason(120), null);
  scenario.to(10_000);
  assert.equal(reason(1), null);
  scenario.to(10_001);
  assert.equal(reason(1), 'unavailable');
  assert.equal(scenario.ruleAgainst('buy', 20), 'stale-book');
});

test('a market without a book yet says so, not that its book is too old', () => {
  const scenario = new Scenario(new ScriptedSource([{ ...deep, time: 500 }]));
  const message = 'binance|TEST has no book yet.';
  for (const attempt of [
    scenario.order('buy', 20),
    scenario.order('buy', 20, { limitPrice: 90, timeInForce: 'ioc' }),
    scenario.order('buy', 20, { mode: 'chase' }),
  ]) {
    const refused = scenario.refused(attempt);
    assert.deepEqual([refused.ruleId, refused.message, refused.details], ['stale-book', message, { book_time: null }]);
  }
  const quote = scenario.exchange.quote('binance|TEST', { side: 'buy', size: 20 });
  assert.deepEqual(quote, { ok: false, code: 'unavailable', message });
  scenario.to(20_000);
  assert.equal(scenario.refused(scenario.order('buy', 20)).message, 'The book of binance|TEST is too old to trade on.');
});
