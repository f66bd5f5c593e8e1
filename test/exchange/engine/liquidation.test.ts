import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClosePosition, ExitOperation, PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import type { Policy } from '../../../src/exchange/engine/model.ts';
import { Scenario, usd } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

const flat = (time: number, mid: number, depth = 1e6, market = 'binance|TEST') => ({
  time,
  market,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});
const ratio = (bps: number, feeBps = 0) => ({
  policy: (policy: Policy) => {
    policy.limits.maintenanceMarginRatioBps = bps;
    policy.limits.liquidationFeeBps = feeBps;
    policy.limits.maxPositionValueUsd = 1e9;
  },
});
const isolated: Partial<PlaceOrder> = { marginMode: 'isolated', leverage: 10 };
const closeAt = (positionId: string, limitPrice: number): ClosePosition => ({
  kind: 'close_position',
  positionId,
  clientOrderId: null,
  type: 'limit',
  size: null,
  expectedPrice: null,
  slippageToleranceBps: null,
  limitPrice,
  triggerPrice: null,
  triggerMarketId: null,
  triggerDirection: null,
  marketableLimitAcknowledged: false,
});
const place = (group: 'tp' | 'sl', price: number): ExitOperation => ({
  kind: 'place',
  group,
  executionType: 'market',
  price,
  size: 7,
  ocoPairWithOperationIndex: null,
});

test('extra margin can be reduced until the liquidation price is one percent of the mark away', () => {
  const scenario = new Scenario([flat(0, 1_000)], ratio(500));
  scenario.to(0).place('buy', 10, { marginMode: 'isolated', leverage: 18 });
  const { id } = scenario.position()!;
  const set = (extraMargin: number) => ({ kind: 'set_isolated_margin', positionId: id, extraMargin }) as const;
  const distance = () => 1_000 - scenario.exchange.liquidationPrice(id)!;
  scenario.done(set(200));
  assert.ok(distance() > 10);
  for (let extra = 199; ; extra -= 1) {
    const outcome = scenario.execute(set(extra));
    if (!outcome.ok) {
      assert.equal(outcome.ruleId, 'unsafe-margin');
      assert.ok(extra > 40 && extra < 60 && distance() > 10 && distance() < 10.2, `${extra} ${distance()}`);
      break;
    }
  }
});

test('an isolated position is liquidated at the first mark at its liquidation price, not half a price unit before', () => {
  // Long 10 at 1001, margin 1001: p = 1000 - (991 - 500) / 10 / 0.95 = 948.3.
  const scenario = new Scenario(
    [flat(0, 1_000), flat(1_000, 949), { time: 1_001, bids: [[948, 1e6]], asks: [[949, 1e6]] }, flat(2_000, 948)],
    ratio(500),
  );
  scenario.to(0).place('buy', 10, isolated);
  const price = scenario.exchange.liquidationPrice(scenario.position()!.id)!;
  assert.ok(Math.abs(price - (1_000 - 49.1 / 0.95)) < 1e-9);
  scenario.to(1_001);
  assert.equal(scenario.position()!.size, 10);
  scenario.to(2_000);
  assert.equal(scenario.position(), undefined);
  const last = scenario.fills().at(-1)!;
  assert.deepEqual([last.type, last.size, last.notional], ['liquidation', 10, usd(9_470)]);
  assert.equal(scenario.account().balance, usd(100_000 - 540));
  const why = scenario.explanations.find(({ orderId, kind }) => orderId === last.id && kind === 'forced')!;
  assert.deepEqual(why.detail, {
    mark_half_price: 1_896,
    margin_mode: 'isolated',
    equity: 1_001 - 530,
    maintenance: 474,
    maintenance_ratio_bps: 500,
  });
});

test('liquidating cancels the working orders of its pool and charges its fee on what it fills', () => {
  const two = [definition(), definition({ marketId: 'binance|OTHER' })];
  const script = [flat(0, 1_000), flat(0, 1_000, 1e6, 'binance|OTHER'), flat(1_000, 940)];
  const scenario = new Scenario(new ScriptedSource(script, two), ratio(500, 50));
  scenario.to(0).place('buy', 10, isolated);
  const same = scenario.place('sell', 10, { ...isolated, limitPrice: 1_100, reduceOnly: true });
  const other = scenario.place('buy', 10, { marketId: 'binance|OTHER', limitPrice: 900 });
  scenario.to(1_000);
  assert.equal(scenario.record(same).status, 'canceled');
  assert.equal(scenario.record(other).status, 'resting');
  const fee = scenario.ledger.find(({ kind }) => kind === 'liquidation_fee')!;
  assert.equal(fee.amount, -usd(9_390 * 0.005));
});

test('an order placed in a pool in liquidation is canceled at once', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1_000, 940, 3)], ratio(500));
  scenario.to(0).place('buy', 10, isolated);
  scenario.to(1_000);
  assert.equal(scenario.position()!.size, 7);
  const { id } = scenario.position()!;
  const placed = [
    scenario.place('sell', 2, { ...isolated, limitPrice: 1_100, reduceOnly: true }),
    scenario.place('sell', 2, { ...isolated, mode: 'stop_market', triggerPrice: 900, reduceOnly: true }),
    scenario.place('sell', 2, { ...isolated, mode: 'take_profit', triggerPrice: 990 }),
    scenario.place('buy', 2, { ...isolated, limitPrice: 900 }),
    scenario.done(closeAt(id, 1_050)).order!,
  ];
  for (const order of placed) {
    const { status, rejectReason } = scenario.record(order);
    assert.deepEqual([status, rejectReason], ['canceled', 'its margin is being liquidated']);
  }
  scenario.done({
    kind: 'replace_exits',
    positionId: id,
    expectedPositionSize: 7,
    expectedOrders: [],
    operations: [place('tp', 1_050), place('sl', 900)],
  });
  assert.deepEqual(
    scenario.exchange.openState().orders.map(({ type }) => type),
    ['liquidation'],
  );
});

test('liquidation takes what the books offer, over several books, and stops once equity is above maintenance', () => {
  const scenario = new Scenario(
    [
      flat(0, 1_000),
      flat(1_000, 940, 3),
      flat(1_500, 940, 3),
      flat(2_000, 941, 2),
      flat(3_000, 990, 2),
      flat(4_000, 990, 50),
    ],
    ratio(500),
  );
  scenario.to(0).place('buy', 10, isolated);
  scenario.to(1_500);
  assert.equal(scenario.position()!.size, 7);
  scenario.to(2_000);
  assert.equal(scenario.position()!.size, 5);
  scenario.to(4_000);
  assert.equal(scenario.position()!.size, 5);
  const liquidation = [...scenario.orders.values()].find(
    (order) => order.type === 'liquidation' && order.partialOfOrderId === null,
  )!;
  assert.equal(liquidation.status, 'canceled');
  assert.deepEqual(scenario.fillsOf(liquidation), [3, 2]);
  assert.equal(scenario.account().status, 'active');
});

test('a gap beyond the margin of an isolated position costs only that margin', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1_000, 500)], ratio(500, 50));
  scenario.to(0).place('buy', 10, isolated);
  const { id } = scenario.position()!;
  scenario.done({ kind: 'set_isolated_margin', positionId: id, extraMargin: 200 });
  scenario.to(1_000);
  // Margin 1001 and extra 200 are lost, and nothing more.
  assert.equal(scenario.account().balance, usd(100_000 - 1_201));
  const shortfall = scenario.ledger.find(({ kind }) => kind === 'bankruptcy')!;
  assert.equal(shortfall.amount, usd(5_020 + 24.95 - 1_201));
});

test('a stop that fills after a gap costs an isolated position no more than its margin', () => {
  const closings = {
    stop: { mode: 'stop_market', triggerPrice: 950, reduceOnly: true },
    flip: { mode: 'stop_market', triggerPrice: 950, leverage: 10, marginMode: 'isolated' },
  } as const;
  for (const [name, closing] of Object.entries(closings)) {
    const scenario = new Scenario([flat(0, 1_000), flat(1_000, 500)], ratio(500, 50));
    scenario.to(0).place('buy', 10, isolated);
    scenario.place('sell', name === 'flip' ? 15 : 10, closing);
    scenario.to(1_000);
    assert.equal(scenario.position()?.size ?? 0, name === 'flip' ? 5 : 0);
    // Margin 1001 is lost, and nothing more.
    assert.equal(scenario.account().balance, usd(100_000 - 1_001), name);
    assert.equal(scenario.ledger.find(({ kind }) => kind === 'bankruptcy')!.amount, usd(5_020 - 1_001), name);
  }
});

test('closing part of a solvent isolated position at a loss is paid from the margin of the whole position', () => {
  const thin = {
    time: 1_000,
    bids: [
      [999, 1],
      [970, 100],
    ] as Level[],
    asks: [[1_001, 100]] as Level[],
  };
  const scenario = new Scenario([flat(0, 1_000), thin, flat(2_000, 1_000), flat(3_000, 1_000)], {
    policy: (policy) => {
      ratio(100).policy(policy);
      policy.slippageMaxBps = 500;
      policy.marketOrderMaximumBpsByProvider = {};
    },
  });
  const marginUsed = () => scenario.exchange.risk(scenario.accountId).marginUsed;
  scenario.to(0).place('buy', 10, { marginMode: 'isolated', leverage: 50 });
  assert.equal(marginUsed(), usd(200.2));
  scenario.to(1_000).place('sell', 5, { reduceOnly: true });
  // The first half released 100.10 and lost 5005 - 4879 = 126; the other half pays the remaining 25.90 from its margin.
  assert.deepEqual(
    scenario.ledger.filter(({ kind }) => kind === 'bankruptcy'),
    [],
  );
  assert.equal(scenario.account().balance, usd(100_000 - 126));
  assert.equal(scenario.position()!.isolatedMarginExtra, usd(-25.9));
  assert.equal(marginUsed(), usd(200.2 - 126));
  // What the next part releases covers it first: 60.06 released, 6 lost, 40.04 of margin for the rest.
  scenario.to(2_000).place('sell', 3, { reduceOnly: true });
  assert.equal(scenario.position()!.isolatedMarginExtra, 0n);
  assert.equal(marginUsed(), usd(40.04));
  scenario.to(3_000).place('sell', 2, { reduceOnly: true });
  assert.equal(marginUsed(), 0n);
  assert.equal(scenario.account().balance, usd(100_000 - 126 - 6 - 4));
});

test('an isolated position closed in parts never loses more than its margin and extra margin', () => {
  const thin = (time: number, bid: number) => ({ time, bids: [[bid, 3]] as Level[], asks: [[bid + 2, 9]] as Level[] });
  const scenario = new Scenario(
    [flat(0, 1_000), thin(1_000, 900), thin(2_000, 800), thin(3_000, 700), thin(4_000, 600)],
    ratio(500),
  );
  scenario.to(0).place('buy', 10, isolated);
  scenario.done({ kind: 'set_isolated_margin', positionId: scenario.position()!.id, extraMargin: 100 });
  scenario.to(4_000);
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.account().balance, usd(100_000 - 1_101));
});

test('cross positions are liquidated together, the largest loss first, and never below zero', () => {
  const two = [definition(), definition({ marketId: 'binance|OTHER' })];
  const other = 'binance|OTHER';
  const script = [flat(0, 1_000), flat(0, 1_000, 1e6, other), flat(1_000, 900), flat(2_000, 100)];
  const scenario = new Scenario(new ScriptedSource(script, two), { ...ratio(500), startingBalance: 10_000 });
  scenario.to(0).place('buy', 60, { leverage: 10 });
  scenario.place('sell', 20, { leverage: 10, marketId: other });
  scenario.to(1_000);
  assert.equal(scenario.fills().length, 2);
  scenario.to(2_000);
  const forced = scenario.fills().slice(2);
  assert.deepEqual(
    forced.map(({ marketId, size }) => [marketId, size]),
    [
      ['binance|TEST', 60],
      [other, 20],
    ],
  );
  assert.equal(scenario.account().balance, 0n);
  assert.equal(scenario.balance(), 0n);
});

test('an isolated gap after cross losses that used isolated margin leaves no negative balance', () => {
  const other = 'binance|OTHER';
  const script = [
    flat(0, 1_000),
    flat(0, 1_000, 1e6, other),
    // The cross position is closed in parts, with money that backs the isolated one.
    flat(1_000, 700, 20, other),
    flat(2_000, 600, 10, other),
    flat(3_000, 500),
  ];
  const two = [definition(), definition({ marketId: other })];
  const scenario = new Scenario(new ScriptedSource(script, two), { ...ratio(500), startingBalance: 10_200 });
  scenario.to(0).place('buy', 50, isolated);
  scenario.place('buy', 40, { leverage: 10, marketId: other });
  scenario.to(2_000);
  assert.ok(scenario.account().balance < usd(5_000));
  assert.equal(scenario.position(other)!.size, 10);
  scenario.to(3_000);
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.account().balance, 0n);
});

test('a refused reduction names the price of the liquidation that it would leave, if there is one', () => {
  // Bought at 1,001: with a tenth of that as margin, a maintenance of 5 % is reached where 0.95 p = 0.9 x 1,001.
  for (const [leverage, expected] of [
    [1, null],
    [10, (0.9 * 1_001) / 0.95],
  ] as const) {
    const scenario = new Scenario([flat(0, 1_000), flat(1_000, 980)], ratio(500));
    scenario.to(0).place('buy', 10, { marginMode: 'isolated', leverage });
    const { id } = scenario.position()!;
    scenario.done({ kind: 'set_isolated_margin', positionId: id, extraMargin: 1_000 });
    scenario.to(1_000);
    const { ruleId, details } = scenario.refused({ kind: 'set_isolated_margin', positionId: id, extraMargin: 0 });
    const { liquidation_price: price } = details as { liquidation_price: number | null };
    assert.equal(ruleId, 'unsafe-margin');
    if (expected === null) assert.equal(price, null);
    else assert.ok(Math.abs(price! - expected) < 1e-9, `${price}`);
  }
});

test('a floor that is touched first closes the account before any liquidation', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1_000, 500)], { ...ratio(500), plan: 'prime' });
  scenario.to(0).place('buy', 100, { leverage: 2 });
  scenario.to(1_000);
  assert.equal(scenario.account().status, 'failed');
  assert.deepEqual(
    scenario.fills().map(({ type }) => type),
    ['market', 'close_out'],
  );
});

test('extra isolated margin is a total: raised from the available balance, reduced only while safe', () => {
  const scenario = new Scenario([flat(0, 1_000), flat(1_000, 960), flat(20_000, 960)], ratio(500));
  scenario.to(0).place('buy', 100, isolated);
  const { id } = scenario.position()!;
  const set = (extraMargin: number) => ({ kind: 'set_isolated_margin', positionId: id, extraMargin }) as const;
  const before = scenario.exchange.liquidationPrice(id)!;
  scenario.done(set(2_000));
  scenario.done(set(2_000));
  assert.equal(scenario.position()!.isolatedMarginExtra, usd(2_000));
  assert.ok(Math.abs(before - scenario.exchange.liquidationPrice(id)! - 20 / 0.95) < 1e-9);
  assert.equal(scenario.refused(set(1e6)).ruleId, 'insufficient-margin');
  scenario.done(set(200));
  scenario.done(set(6_000));
  scenario.to(1_000);
  // 4,100 are lost: reducing to 4,000 would leave less than the initial margin.
  assert.equal(scenario.refused(set(4_000)).ruleId, 'unsafe-margin');
  scenario.done(set(4_200));
  scenario.to(15_000);
  assert.equal(scenario.refused(set(4_150)).code, 'unavailable');
  scenario.done(set(4_200));
  scenario.done(set(4_300));
  scenario.place('buy', 1, { reduceOnly: false, ...isolated, limitPrice: 500 });
});

test('a cross position does not have its own margin', () => {
  const scenario = new Scenario([flat(0, 1_000)]);
  scenario.to(0).place('buy', 10);
  const command = { kind: 'set_isolated_margin', positionId: scenario.position()!.id, extraMargin: 5 } as const;
  assert.equal(scenario.refused(command).ruleId, 'margin-mode');
});

test('over random portfolios, liquidation happens at the first mark at the stated price', () => {
  const leg = fc.record({
    size: fc.integer({ min: 1, max: 60 }),
    side: fc.constantFrom('buy' as const, 'sell' as const),
  });
  const mode = fc.constantFrom('cross' as const, 'isolated' as const);
  fc.assert(
    fc.property(
      leg,
      leg,
      mode,
      fc.integer({ min: 5, max: 20 }),
      fc.integer({ min: 1, max: 300 }),
      (a, b, marginMode, leverage, bps) => {
        const other = 'binance|OTHER';
        const two = [definition(), definition({ marketId: other })];
        const direction = a.side === 'buy' ? -1 : 1;
        const steps = Array.from({ length: 120 }, (_, at) => flat(1_000 * (at + 1), 1_000 + direction * 3 * (at + 1)));
        const script = [flat(0, 1_000), flat(0, 1_000, 1e6, other), ...steps];
        const scenario = new Scenario(new ScriptedSource(script, two), {
          startingBalance: 20_000,
          policy: (policy) => {
            ratio(bps).policy(policy);
            policy.limits.maxBookStalenessMs = 1e9;
          },
        });
        scenario.to(0);
        if (!scenario.execute(scenario.order(a.side, a.size, { leverage, marginMode })).ok) return;
        scenario.execute(scenario.order(b.side, b.size, { leverage, marketId: other }));
        const { id } = scenario.position()!;
        const price = scenario.exchange.liquidationPrice(id);
        for (const step of steps) {
          scenario.to(step.time);
          const mark = (step.bids[0]![0] + step.asks[0]![0]) / 2;
          const isBeyond = price !== null && (direction < 0 ? mark <= price : mark >= price);
          const isLiquidated = scenario.fills().some(({ type }) => type === 'liquidation');
          assert.equal(isLiquidated, isBeyond, `mark ${mark}, liquidation price ${price}`);
          if (isLiquidated) return;
        }
      },
    ),
    { numRuns: process.env.PERP_LONG ? 1_000 : 20, endOnFailure: true },
  );
});
