import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scenario, usd } from './scenario.ts';
import type { Level } from './scripted-source.ts';

const day = Date.parse('2024-01-15T05:00:00Z');
const flat = (time: number, mid: number, depth = 1_000) => ({
  time,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});

test('touching the daily floor fails the account, cancels everything and closes everything by close_out', () => {
  const scenario = new Scenario([flat(day, 1_000), flat(day + 1_000, 971), flat(day + 2_000, 970)], {
    plan: 'prime',
    at: day,
  });
  scenario.to(day + 10);
  // 100 bought at 1001: 3,000 lost once the mark is 971.
  scenario.place('buy', 100, { leverage: 10 });
  const resting = scenario.place('buy', 1, { limitPrice: 900, leverage: 10 });
  scenario.to(day + 999);
  assert.equal(scenario.account().status, 'active');
  scenario.to(day + 1_000);
  assert.equal(scenario.account().status, 'failed');
  assert.equal(scenario.account().breachRuleId, 'daily-loss');
  const { endedAt, endedEquity, endedBound } = scenario.account();
  assert.deepEqual([endedAt, endedEquity, endedBound], [day + 1_000, usd(97_000), usd(97_000)]);
  assert.equal(scenario.record(resting).status, 'canceled');
  const closing = scenario.fills().at(-1)!;
  assert.deepEqual([closing.type, closing.mode, closing.side, closing.size], ['close_out', 'close_out', 'sell', 100]);
  assert.equal(closing.notional, usd(970 * 100));
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.account().balance, usd(100_000 - 31 * 100));
  assert.equal(scenario.ruleAgainst('buy', 1), 'account-not-active');
});

test('a breach cancels a liquidation under way; its close-out is one order that goes on with later books', () => {
  const thin = (time: number, mid: number) => flat(day + time, mid, 20);
  const script = [flat(day, 1_000), thin(1_000, 985), thin(2_000, 960), thin(3_000, 962), thin(4_000, 1_400)];
  const scenario = new Scenario(script, {
    plan: 'prime',
    at: day,
    policy: ({ limits }) => void Object.assign(limits, { maintenanceMarginRatioBps: 900, liquidationFeeBps: 0 }),
  });
  scenario.to(day).place('buy', 100, { leverage: 10, marginMode: 'isolated' });
  const forced = () =>
    [...scenario.orders.values()].filter(({ type }) => type === 'liquidation' || type === 'close_out');
  const told = () =>
    forced()
      .filter(({ partialOfOrderId }) => partialOfOrderId === null)
      .map(({ type, status }) => `${type} ${status}`);
  scenario.to(day + 1_000);
  assert.deepEqual([scenario.account().status, told()], ['active', ['liquidation pending']]);
  scenario.to(day + 2_000);
  assert.deepEqual([scenario.account().status, told()], ['failed', ['liquidation canceled', 'close_out pending']]);
  // Even where the position would be safe again, it is closed.
  scenario.to(day + 4_000);
  assert.deepEqual(told(), ['liquidation canceled', 'close_out pending']);
});

test('a close-out that its book can’t fill stays, although the margin is far from liquidation', () => {
  const scenario = new Scenario([flat(day, 1_000), flat(day + 1_000, 960, 20), flat(day + 2_000, 960, 30)], {
    plan: 'prime',
    at: day,
  });
  scenario.to(day).place('buy', 100, { leverage: 10 });
  for (const [time, left] of [
    [1_000, 80],
    [2_000, 70],
  ] as const) {
    scenario.to(day + time);
    const closing = [...scenario.orders.values()].filter(
      ({ type, status }) => type === 'close_out' && status !== 'filled',
    );
    assert.deepEqual(
      closing.map(({ status, size }) => [status, size]),
      [['pending', left]],
    );
  }
});

test('half a price unit above the floor, nothing happens', () => {
  const at = (time: number, bid: number, ask: number) => ({
    time,
    bids: [[bid, 1_000]] as Level[],
    asks: [[ask, 1_000]] as Level[],
  });
  const scenario = new Scenario([flat(day, 1_000), at(day + 1, 970, 973), at(day + 2, 970, 972)], {
    plan: 'prime',
    at: day,
  });
  scenario.to(day).place('buy', 100, { leverage: 10 });
  scenario.to(day + 1);
  assert.equal(scenario.account().status, 'active');
  scenario.to(day + 2);
  assert.equal(scenario.account().status, 'failed');
});

test('a loss realized by the owner’s close fails an account that has no positions left', () => {
  const scenario = new Scenario([flat(day, 1_000), { time: day + 1, bids: [[961, 1_000]], asks: [[1_000, 1_000]] }], {
    plan: 'select',
    at: day,
  });
  scenario.to(day).place('buy', 100, { leverage: 10 });
  scenario.to(day + 1);
  assert.equal(scenario.account().status, 'active');
  scenario.place('sell', 100, { reduceOnly: true });
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.account().status, 'failed');
});

test('a close-out takes what the book offers and continues with later books', () => {
  const scenario = new Scenario(
    [
      flat(day, 1_000),
      flat(day + 1_000, 960, 30),
      flat(day + 2_000, 950, 40),
      flat(day + 3_000, 950, 40),
      flat(day + 4_000, 990, 500),
    ],
    { plan: 'select', at: day },
  );
  scenario.to(day).place('buy', 100, { leverage: 10 });
  scenario.to(day + 4_000);
  const fills = scenario.fills().slice(1);
  assert.deepEqual(
    fills.map(({ size, notional, settledAt }) => [size, notional, settledAt]),
    [
      [30, usd(30 * 959), day + 1_000],
      [40, usd(40 * 949), day + 2_000],
      [30, usd(30 * 989), day + 4_000],
    ],
  );
  assert.equal(scenario.position(), undefined);
});

test('the daily floor moves with the equity at midnight in New York, the drawdown floor never moves', () => {
  const midnight = Date.parse('2024-01-16T05:00:00Z');
  const scenario = new Scenario(
    [flat(day, 1_000), flat(day + 1_000, 1_021), flat(midnight + 1_000, 990), flat(midnight + 2_000, 985)],
    {
      plan: 'prime',
      at: day,
    },
  );
  scenario.to(day).place('buy', 100, { leverage: 10 });
  scenario.to(midnight - 1);
  assert.equal(scenario.account().dayStartEquity, usd(100_000));
  scenario.to(midnight);
  assert.equal(scenario.account().dayStartedAt, midnight);
  assert.equal(scenario.account().dayStartEquity, usd(102_000));
  const risk = scenario.exchange.risk(scenario.accountId);
  assert.equal(risk.dailyLossFloor, usd(99_000));
  assert.equal(risk.maxDrawdownFloor, usd(95_000));
  scenario.to(midnight + 1_000);
  assert.equal(scenario.account().status, 'failed');
  assert.equal(scenario.account().breachRuleId, 'daily-loss');
});

test('the target on realized balance with nothing open passes the account, and it can be funded once', () => {
  const scenario = new Scenario([flat(day, 1_000), flat(day + 1_000, 1_110)], {
    plan: 'select',
    at: day,
    startingBalance: 10_000,
  });
  scenario.to(day).place('buy', 9, { leverage: 10 });
  const resting = scenario.place('buy', 1, { limitPrice: 900, leverage: 10 });
  scenario.to(day + 1_000);
  assert.equal(scenario.account().status, 'active');
  scenario.place('sell', 5, { reduceOnly: true });
  assert.equal(scenario.account().status, 'active');
  scenario.place('sell', 4, { reduceOnly: true });
  const { status, endedAt, endedEquity, endedBound, balance } = scenario.account();
  assert.deepEqual([status, endedAt, endedEquity, endedBound], ['passed', day + 1_000, balance, usd(10_900)]);
  assert.equal(scenario.record(resting).status, 'canceled');
  assert.equal(scenario.ruleAgainst('buy', 1), 'account-not-active');
  const { account } = scenario.done({ kind: 'fund_account', accountId: scenario.accountId });
  assert.deepEqual([account!.stage, account!.balance, account!.plan.profitTargetPct], ['funded', usd(10_000), null]);
  assert.equal(scenario.refused({ kind: 'fund_account', accountId: scenario.accountId }).code, 'conflict');
});

test('minimum trading days delay a pass until the last of these days', () => {
  const next = Date.parse('2024-01-16T05:00:00Z');
  const scenario = new Scenario([flat(day, 1_000), flat(day + 1_000, 1_110), flat(next + 1_000, 1_100)], {
    plan: 'select',
    at: day,
    startingBalance: 10_000,
    minimumTradingDays: 2,
  });
  scenario.to(day).place('buy', 9);
  scenario.to(day + 1_000).place('sell', 9);
  assert.equal(scenario.account().status, 'active');
  scenario.to(next + 1_000).place('buy', 1);
  scenario.place('sell', 1);
  assert.equal(scenario.account().status, 'passed');
});
