import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rates } from '../../../src/exchange/engine/defaults.ts';
import { Scenario, usd } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

const onePercentOfOnePercent: Rates = { feeBps: { crypto: 1 }, carryBpsPerDay: { crypto: 0 } };

test('fees of 0.01%: average entry price, and realized profit minus fees as on other venues', () => {
  const source = new ScriptedSource([
    {
      time: 0,
      bids: [[98, 100]],
      asks: [
        [99, 17],
        [100, 12],
      ],
    },
    { time: 1, bids: [[101, 100]], asks: [[102, 100]] },
  ]);
  const scenario = new Scenario(source, { rates: onePercentOfOnePercent });
  scenario.place('buy', 29);
  const bought = scenario.position()!;
  assert.equal(Number(bought.cost) / bought.size / 1e8, 99.41379310344827);
  assert.equal(bought.realizedPnl - bought.fees, usd(-0.2883));
  scenario.to(1).place('sell', 9);
  const sold = scenario.position()!;
  assert.equal(sold.realizedPnl - sold.fees, usd(13.89666207));
  assert.equal(sold.size, 20);
  assert.equal(scenario.balance(), usd(100_013.89666207));
});

test('a flip closes at the fill price and opens the rest there', () => {
  const source = new ScriptedSource(
    [
      { time: 0, bids: [[49_999, 100]], asks: [[50_000, 100]] },
      { time: 1, bids: [[50_075, 100]], asks: [[50_076, 100]] },
    ],
    [definition({ sizeDecimals: 3 })],
  );
  const scenario = new Scenario(source);
  scenario.place('buy', 0.001);
  const flip = scenario.to(1).place('sell', 0.002);
  assert.equal(flip.realizedPnl, usd(0.075));
  assert.deepEqual(scenario.fillsOf(flip), [2]);
  const [long, short] = [...scenario.positions.values()];
  assert.deepEqual(
    { status: long!.status, size: long!.size, realized: long!.realizedPnl, exit: long!.closedNotional },
    { status: 'closed', size: 0, realized: usd(0.075), exit: usd(50.075) },
  );
  assert.deepEqual(
    { direction: short!.direction, size: short!.size, cost: short!.cost },
    { direction: 'short', size: 1, cost: usd(50.075) },
  );
});

test('the realized margin basis is the initial margin of what was closed, and survives the close', () => {
  const flat = (time: number, price: number) => ({
    time,
    bids: [[price, 100]] as Level[],
    asks: [[price + 1, 100]] as Level[],
  });
  const scenario = new Scenario([flat(0, 99), flat(1, 120), flat(2, 80)]);
  scenario.place('buy', 10, { leverage: 3 });
  scenario.to(1).place('sell', 4, { leverage: 3 });
  assert.equal(scenario.position()!.realizedMarginBasis, usd(400) / 3n, 'of the entry price, not of the exit price');
  scenario.to(2).place('sell', 6, { leverage: 3 });
  const [closed] = [...scenario.positions.values()];
  assert.deepEqual([closed!.status, closed!.realizedMarginBasis], ['closed', usd(400) / 3n + usd(200)]);
});

test('reducing keeps the entry price, and the last close takes the rest of the cost', () => {
  const source = new ScriptedSource(
    [
      {
        time: 0,
        bids: [[9, 100]],
        asks: [
          [10, 1],
          [11, 2],
        ],
      },
      { time: 1, bids: [[12, 100]], asks: [[13, 100]] },
    ],
    [definition({ priceDecimals: 8 })],
  );
  const scenario = new Scenario(source, {
    policy: (policy) => {
      policy.limits.minOrderNotionalUsd = 0;
      policy.slippageMaxBps = 9000;
      policy.marketOrderMaximumBpsByProvider.binance = 9000;
    },
  });
  scenario.place('buy', 3);
  assert.equal(scenario.position()!.cost, 32n);
  scenario.to(1);
  const realized = [1, 1, 1].map(() => scenario.place('sell', 1, { reduceOnly: true }).realizedPnl);
  assert.deepEqual(realized, [12n - 11n, 12n - 11n, 12n - 10n]);
  const closed = [...scenario.positions.values()][0]!;
  assert.equal(closed.status, 'closed');
  assert.equal(closed.closedCost, 32n);
  assert.equal(closed.realizedPnl, 36n - 32n);
});

test('a short gains when the market falls', () => {
  const scenario = new Scenario([
    { time: 0, bids: [[100, 50]], asks: [[101, 50]] },
    { time: 1, bids: [[89, 50]], asks: [[90, 50]] },
  ]);
  scenario.place('sell', 10, { leverage: 5 });
  const cover = scenario.to(1).place('buy', 10, { leverage: 5 });
  assert.equal(cover.realizedPnl, usd(100));
  assert.equal(scenario.position(), undefined);
  assert.equal(scenario.balance(), usd(100_100));
});

test('margin used is entry notional over leverage, and unrealized profit is not available', () => {
  const scenario = new Scenario([
    { time: 0, bids: [[99, 50]], asks: [[100, 50]] },
    { time: 1, bids: [[198, 50]], asks: [[200, 50]] },
  ]);
  scenario.place('buy', 40, { leverage: 4 });
  scenario.to(1);
  const risk = scenario.exchange.risk(scenario.accountId);
  assert.equal(risk.marginUsed, usd(1000));
  assert.equal(risk.availableBalance, usd(99_000));
  assert.equal(risk.unrealizedPnl, usd(40 * 99));
  assert.equal(risk.equity, usd(100_000 + 40 * 99));
  assert.equal(risk.grossExposure, usd(40 * 199));
  assert.equal(risk.marksComplete, true);
  scenario.to(20_000);
  const stale = scenario.exchange.risk(scenario.accountId);
  assert.deepEqual([stale.marksComplete, stale.missingMarkets, stale.equity], [false, ['binance|TEST'], null]);
  assert.equal(stale.marginUsed, usd(1000));
});

test('closing a position is a reduce-only order on its opposite side', () => {
  const scenario = new Scenario([{ time: 0, bids: [[100, 50]] as Level[], asks: [[101, 50]] as Level[] }]);
  scenario.place('buy', 30, { leverage: 7, marginMode: 'isolated' });
  const close = (size: number | null) =>
    scenario.done({
      kind: 'close_position',
      positionId: scenario.position()!.id,
      clientOrderId: null,
      type: 'market',
      size,
      expectedPrice: null,
      slippageToleranceBps: null,
      limitPrice: null,
      triggerPrice: null,
      triggerMarketId: null,
      triggerDirection: null,
      marketableLimitAcknowledged: false,
    }).order!;
  const part = close(10);
  assert.deepEqual(
    [part.side, part.reduceOnly, part.leverage, part.marginMode, part.status, part.size],
    ['sell', true, 7, 'isolated', 'filled', 10],
  );
  assert.equal(close(null).size, 20);
  assert.equal(scenario.position(), undefined);
});

test('a day on which only a resting order fills is a trading day, once, also if nothing is paid', () => {
  const print = (time: number) => ({ time, print: [98, 3] as Level, aggressor: 'sell' as const });
  const scenario = new Scenario([{ time: 0, bids: [[99, 100]], asks: [[101, 100]] }, print(1), print(2)]);
  scenario.place('buy', 5, { limitPrice: 99 });
  const days = () => scenario.account().tradingDays;
  const found = [days()];
  for (const time of [1, 2]) {
    scenario.to(time);
    found.push(days());
  }
  assert.deepEqual(found, [0, 1, 1]);
});
