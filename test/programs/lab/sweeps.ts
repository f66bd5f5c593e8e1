import { fraction, keyOf, nextHash } from '../../../src/base/terms/hash.ts';
import { normalQuantile } from '../../../src/desk/statistics/sharpe.ts';
import type { Trial, TrialResult, TrialSpec } from '../../../src/programs/lab/trial.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1);

/** A trial with this equity at the end of each day. */
export function trialOf(
  equity: readonly number[],
  spec: Partial<TrialSpec> = {},
  result: Partial<TrialResult> = {},
): Trial {
  const whole: TrialSpec = {
    strategy: 'swept.ts',
    strategyHash: 'a'.repeat(64),
    parameters: {},
    source: { kind: 'synthetic', seed: 1 },
    from: start,
    to: start + Math.max(1, equity.length - 1) * dayMs,
    plan: 'select',
    balance: 100_000,
    seed: 1,
    think: 0,
    sampleMs: dayMs,
    fold: null,
    versions: { rules: 1, catalog: 1, prices: 1 },
    ...spec,
  };
  return {
    id: JSON.stringify([whole.parameters, whole.source, whole.from, whole.seed]),
    spec: whole,
    result: {
      status: 'done',
      problem: null,
      decisionHash: '0'.repeat(64),
      equity,
      lowest: Math.min(...equity),
      highest: Math.max(...equity),
      drawdown: 0,
      trips: [],
      fees: 0,
      carry: 0,
      realized: 0,
      volume: 0,
      balance: equity.at(-1) ?? 0,
      account: { status: 'active', rule: null, endedAt: null },
      counts: { decisions: 0, requests: 0, refusals: 0, fills: 0 },
      log: [],
      logLines: 0,
      thinks: null,
      ...result,
    },
    hash: '0'.repeat(64),
    cpuMs: 0,
  };
}

/** Standard normal draws. */
function normals(seed: number, purpose: string): () => number {
  let hash = keyOf(seed, 'sweep', purpose);
  return () => {
    hash = nextHash(hash);
    return normalQuantile(fraction(hash) + 2 ** -33);
  };
}

/** What a sweep is made of: how many variants over how many days, and what they share. */
export interface Sweep {
  readonly variants: number;
  readonly days: number;
  /** Correlation of any two variants. */
  readonly shared: number;
  /** The share of days on which a variant trades. */
  readonly active: number;
  /** The Sharpe ratio a year of the first `edged` variants; the others have none. */
  readonly sharpe: number;
  readonly edged: number;
  /** A year of costs, as a Sharpe ratio, that grows from none for the first variant to this for the last. */
  readonly costs: number;
}

/** The trials of a sweep whose returns are drawn. */
export function sweptTrials(seed: number, sweep: Sweep): Trial[] {
  const draw = normals(seed, JSON.stringify(sweep));
  const { days, variants, shared, active } = sweep;
  const market = Float64Array.from({ length: days }, draw);
  return Array.from({ length: variants }, (_, at) => {
    const edge = (at < sweep.edged ? sweep.sharpe : 0) - (sweep.costs * at) / variants;
    const equity = [100_000];
    for (let day = 0; day < days; day += 1) {
      const trades = active === 1 || fraction(nextHash(keyOf(seed, `${at}`, `${day}`))) < active;
      const noise = Math.sqrt(shared) * market[day]! + Math.sqrt(1 - shared) * draw();
      const gained = trades ? noise + edge / Math.sqrt(365 * active) : 0;
      equity.push(equity[day]! * (1 + 0.01 * gained));
    }
    return trialOf(equity, { parameters: { at } });
  });
}
