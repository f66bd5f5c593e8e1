import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Simulation } from '../../../../src/programs/sdk/sim.ts';
import { backtest, type Strategy, trade } from '../../../../src/programs/sdk/strategy.ts';
import { test, trial } from '../../../tiers.ts';
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
