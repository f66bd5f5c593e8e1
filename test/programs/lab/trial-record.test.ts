import assert from 'node:assert/strict';
import { it } from 'node:test';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import type { TrialSpec } from '../../../src/programs/lab/trial.ts';
import { TrialRecord } from '../../../src/programs/lab/trial-record.ts';
import type { Bot } from '../../../src/programs/sdk/strategy/define-strategy.ts';
import { EngineRun } from '../../../src/programs/sdk/strategy/engine-run.ts';

const from = Date.UTC(2026, 5, 10, 14);
const spec: TrialSpec = {
  strategy: 's.ts',
  strategyHash: 'a'.repeat(64),
  parameters: {},
  source: { kind: 'synthetic', seed: 1 },
  from,
  to: from + 2_000,
  plan: 'select',
  balance: 100_000,
  seed: 1,
  think: 0,
  sampleMs: 1_000,
  fold: null,
  versions: { rules: 1, catalog: 1, prices: 1 },
};

it('equity begins with the balance, so that what a strategy pays in its start counts', () => {
  const source = syntheticSource({ seed: 1 });
  const record = new TrialRecord(source, { spec });
  const entering = {
    markets: ['BTC'],
    start: (bot: Bot) => void bot.place({ market: 'BTC', side: 'buy', size: 0.1 }),
  };
  const run = new EngineRun(entering, { source, start: from, startingBalance: 100_000, ...record.listeners() });
  record.begin(run);
  run.advance(spec.to);
  run.finish();
  const { equity, fees, drawdown } = record.end(spec.to, null, null);
  assert.ok(fees > 0);
  assert.equal(equity[0], spec.balance);
  assert.ok(drawdown >= fees / spec.balance, `a drawdown of ${drawdown} after fees of ${fees}`);
});
