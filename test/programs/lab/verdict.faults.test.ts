import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verdictOf } from '../../../src/programs/lab/verdict.ts';
import { type Sweep, sweptTrials } from './sweeps.ts';

const isLong = process.env.PERP_LONG !== undefined;
const seeds = isLong ? 100 : 3;

/** Two years of a sweep of 20 variants. */
const sweep: Sweep = { variants: 20, days: 730, shared: 0, active: 1, sharpe: 0, edged: 0, costs: 0 };

const noises: Record<string, Partial<Sweep>> = {
  'variants that have nothing in common': {},
  'variants that do much the same': { shared: 0.9 },
  'variants that trade on one day of thirty': { active: 1 / 30 },
  'a single variant': { variants: 1 },
  'variants that pay ever more costs': { costs: 10 },
};

const edges: Record<string, Partial<Sweep>> = {
  'of all variants, which do much the same': { edged: 20, shared: 0.9 },
  'of all variants, in one year': { edged: 20, days: 365 },
  'of five variants of 50': { variants: 50, edged: 5 },
  'of one variant of 50, in three years': { variants: 50, edged: 1, days: 1095 },
  'of five variants, while the others pay costs': { edged: 5, costs: 10 },
};

const foundIn = (changes: Partial<Sweep>): number =>
  Array.from({ length: seeds }, (_, at) => verdictOf(sweptTrials(at + 1, { ...sweep, ...changes }))).filter(
    ({ isFound }) => isFound,
  ).length;

describe('of 100 sweeps over pure noise, at least 95 are not distinguishable from luck', () => {
  for (const [name, changes] of Object.entries(noises))
    it(name, (test) => {
      const found = foundIn(changes);
      test.diagnostic(`${seeds - found} of ${seeds} called luck`);
      assert.ok(found <= (isLong ? 5 : 1), `${found} of ${seeds} were found`);
    });
});

describe('of 100 planted edges of Sharpe 3, at least 90 are found', () => {
  for (const [name, changes] of Object.entries(edges))
    it(name, (test) => {
      const found = foundIn({ ...changes, sharpe: 3 });
      test.diagnostic(`${found} of ${seeds} found`);
      assert.ok(found >= 0.9 * seeds, `${found} of ${seeds} were found`);
    });
});

describe('of 100 edges whose expected t at their length is 5, at least 90 are found', () => {
  const lengths: Record<string, Partial<Sweep>> = {
    'a single variant over one year': { variants: 1, days: 365 },
    'one variant of 20 over one year': { days: 365 },
    'one variant of 20 over two years': {},
    'one variant of 50 over three years': { variants: 50, days: 1095 },
  };
  for (const [name, changes] of isLong ? Object.entries(lengths) : Object.entries(lengths).slice(0, 2))
    it(name, (test) => {
      const { days = sweep.days } = changes;
      const found = foundIn({ ...changes, edged: 1, sharpe: 5 / Math.sqrt(days / 365) });
      test.diagnostic(`${found} of ${seeds} found`);
      assert.ok(found >= 0.9 * seeds, `${found} of ${seeds} were found`);
    });
});
