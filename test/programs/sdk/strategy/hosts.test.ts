import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Simulation } from '../../../../src/programs/sdk/sim.ts';
import {
  type Bot,
  backtest,
  type Candle,
  type Funding,
  type Strategy,
  trade,
} from '../../../../src/programs/sdk/strategy.ts';
import { beginning } from '../../../seed.ts';
import { test, trial } from '../../../tiers.ts';
import { servedSimulation } from '../served.ts';
import { type DrawnPlan, drawnPlan } from './drawn-strategy.ts';
import { assertSameOnEveryHost } from './same-on-every-host.ts';

/** It does something of every kind, and much of it fills. */
const busy: DrawnPlan = {
  pace: '250ms',
  readsBooks: true,
  afterFills: [{ kind: 'limit', market: 'BTC', side: 'sell', lots: 20, away: 1, exits: false }],
  deeds: [
    { kind: 'market', market: 'BTC', side: 'buy', lots: 50, away: 0, exits: true },
    { kind: 'limit', market: 'ETH', side: 'buy', lots: 900, away: -3, exits: false },
    { kind: 'limit', market: 'BTC', side: 'sell', lots: 70, away: 0, exits: false },
    { kind: 'amend', which: 0, away: 2 },
    { kind: 'stop_market', market: 'ETH', side: 'sell', lots: 300, away: -15, exits: false },
    { kind: 'later', ms: 700 },
    { kind: 'market', market: 'ETH', side: 'sell', lots: 9_000_000, away: 0, exits: false },
    { kind: 'cancel', which: 0, away: 0 },
    { kind: 'close', market: 'BTC' },
    { kind: 'cancelAll', market: 'ETH' },
  ],
};

trial('a strategy does the same, to the byte, on the engine, in a simulation and over HTTP', async () => {
  const { orders, fills } = await assertSameOnEveryHost(busy, 3_000, ['process', 'http']);
  assert.ok(orders > 4 && fills > 1, `${orders} orders, ${fills} fills`);
});

trial('any strategy does the same on the engine and in a simulation', async () => {
  const same = async (plan: DrawnPlan) => void (await assertSameOnEveryHost(plan, 3_000, ['process']));
  await fc.assert(fc.asyncProperty(drawnPlan, same), { numRuns: 3 });
});

/** It looks at all that a market has told, over a full hour, with a position that pays carry then. */
const past = (seen: unknown[]): Strategy => ({
  markets: ['BTC', 'ETH'],
  pace: '500ms',
  history: { candles: '1m', length: 120 },
  start(bot) {
    seen.push(bot.candles('BTC'), bot.candles('ETH').length, bot.marks('ETH'));
    bot.place({ market: 'BTC', side: 'buy', size: 0.5 });
  },
  onTrade: (bot, trade) => void seen.push(bot.now, trade),
  onFunding: (bot, funding) => void seen.push(funding, bot.position('BTC').funding, bot.marks('BTC')),
  every: { '1m': (bot) => void seen.push(bot.candles('BTC').at(-1), bot.candles('ETH').slice(-2)) },
});

trial('candles, trades, marks and funding are the same on the engine, in a simulation and over HTTP', async () => {
  const { seed } = beginning;
  const start = Date.UTC(2026, 0, 5, 13, 59, 58, 300);
  const straight: unknown[] = [];
  await backtest(past(straight), { seed, from: start, to: start + 3_000 });
  const [candles, count] = straight as [Candle[], number];
  assert.deepEqual([candles.length, count, candles.at(-1)!.time], [120, 120, Date.UTC(2026, 0, 5, 13, 58)]);
  const funding = straight.find((one) => typeof one === 'object' && one !== null && 'amount' in one) as Funding;
  assert.ok(funding.amount > 0 && funding.time === Date.UTC(2026, 0, 5, 14), JSON.stringify(funding));
  await using simulation = await Simulation.open({ seed, start });
  const inProcess: unknown[] = [];
  await trade(past(inProcess), { simulation, seed, for: 3_000 });
  await using service = await servedSimulation({ startTime: start });
  await using served = await Simulation.connect({ baseUrl: service.baseUrl, key: service.key });
  const overHttp: unknown[] = [];
  await trade(past(overHttp), { simulation: served, seed, for: 3_000 });
  for (const seen of [inProcess, overHttp]) {
    for (const [at, one] of straight.entries()) assert.deepEqual(seen[at], one, `what it saw at ${at}`);
    assert.equal(seen.length, straight.length);
  }
});

test('the funding that a synthetic market tells is the carry that it charges', async () => {
  const start = Date.UTC(2026, 0, 5, 13, 30);
  const told: [rate: number, mark: number, paid: number][] = [];
  await backtest(
    {
      markets: ['BTC'],
      pace: '1h',
      start: (bot) => void bot.place({ market: 'BTC', side: 'sell', size: 0.5, leverage: 2 }),
      onFunding(bot, { amount }) {
        const { fundingRate, fundingHours, mark, nextFundingAt } = bot.marks('BTC');
        assert.deepEqual([fundingHours, nextFundingAt], [1, bot.now + 3_600_000]);
        told.push([fundingRate!, mark!, amount]);
      },
    },
    { seed: 7, from: start, to: start + 3_600_000 },
  );
  const [[rate, mark, paid] = [0, 0, 0]] = told;
  assert.ok(paid > 0 && Math.abs(paid - 0.5 * mark * rate) < 1e-6, JSON.stringify(told));
});

test('a strategy without history has no candles, and one with a wrong history does not start', async () => {
  const start = Date.UTC(2026, 0, 5, 13, 30);
  const run = (strategy: object) =>
    backtest({ markets: ['BTC'], ...strategy }, { seed: 7, from: start, to: start + 10 });
  await assert.rejects(run({ start: (bot: Bot) => void bot.candles('BTC') }), { code: 'request', field: 'history' });
  const wrong: [history: unknown, field: string][] = [
    [{ candles: '7m', length: 10 }, 'history.candles'],
    [{ candles: '1m', length: 5_000 }, 'history.length'],
    [{ candles: '1m', length: 10, of: 'ETH' }, 'history.of'],
    ['1m', 'history.candles'],
  ];
  for (const [history, field] of wrong) await assert.rejects(run({ history }), { code: 'definition', field });
  await assert.rejects(run({ pace: '2h', onTrade() {} }), { code: 'definition', field: 'pace' });
});

test('what a strategy does to a snapshot changes no later one, on any host', async () => {
  const start = Date.UTC(2026, 5, 10, 14);
  const seen = (): { strategy: Strategy; lines: string[] } => {
    const lines: string[] = [];
    const strategy: Strategy = {
      markets: ['BTC'],
      onBook(bot, shown) {
        for (const read of [() => bot.quote('BTC'), () => bot.account(), () => bot.book('BTC'), () => shown]) {
          const first = JSON.stringify(read());
          ruin(read());
          lines.push(read() === shown ? 'the argument' : String(JSON.stringify(read()) === first));
        }
      },
    };
    return { strategy, lines };
  };
  const inProcess = seen();
  await backtest(inProcess.strategy, { seed: 7, from: start, to: start + 300 });
  await using simulation = await Simulation.open({ seed: 7, start });
  const served = seen();
  await trade(served.strategy, { simulation, seed: 7, for: '300ms' });
  assert.deepEqual(new Set(inProcess.lines), new Set(['true', 'the argument']));
  assert.deepEqual(served.lines, inProcess.lines);
});

/** Writes nonsense into everything of a value that can be written. */
function ruin(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  for (const name of Object.keys(value)) {
    ruin((value as Record<string, unknown>)[name]);
    (value as Record<string, unknown>)[name] = -1;
  }
}
