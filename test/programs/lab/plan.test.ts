import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type SweepPlan,
  shardOf,
  sizeOf,
  sweepId,
  trialsIn,
  type Unit,
  unitsOf,
} from '../../../src/programs/lab/plan.ts';
import { trialId } from '../../../src/programs/lab/trial.ts';

const dayMs = 86_400_000;
const plan: SweepPlan = {
  strategy: 'cross.ts',
  strategyHash: 'a'.repeat(64),
  defaults: { fast: 5, slow: 20 },
  points: [{ fast: 5 }, { fast: 10 }, { fast: 15 }],
  stretches: [1, 2].map((seed) => ({ source: { kind: 'synthetic', seed }, from: 0, to: 10 * dayMs, seed })),
  plans: ['select', 'prime'],
  balance: 100_000,
  think: 0,
  sampleMs: null,
  walk: null,
  objective: '',
};
const walking: SweepPlan = { ...plan, walk: { inMs: 5 * dayMs, outMs: dayMs }, objective: 'return' };

const idsOf = (units: readonly Unit[]) => units.flatMap(({ trials }) => trials.map(trialId)).sort();

describe('the trials of a sweep', () => {
  it('are every point on every market under every plan, with the defaults of other parameters', () => {
    const units = [...unitsOf(plan)];
    assert.equal(trialsIn(units), 12);
    assert.equal(sizeOf(plan), 12);
    assert.equal(new Set(idsOf(units)).size, 12);
    assert.deepEqual(units[1]!.trials[0]!.parameters, { fast: 10, slow: 20 });
  });

  it('walk forward: what is chosen tells by what and from what', () => {
    const chosen = (changes: Partial<SweepPlan> = {}) => {
      const [{ trials, next }] = [...unitsOf({ ...walking, ...changes })] as [Unit];
      return next!(trials[0]!).fold!.chosen!;
    };
    const fewer = { points: walking.points.slice(1) };
    const choices = [chosen(), chosen({ objective: 'sharpe' }), chosen(fewer), chosen({ seed: 2 } as never)];
    assert.deepEqual([new Set(choices).size, choices[0] === choices[3]], [3, true]);
    assert.match(choices[0]!, /^return [0-9a-f]{8}$/);
  });

  it('walk forward: each window is tried with the best of the one before, and no time is tried twice', () => {
    const [first, second] = unitsOf(walking);
    assert.equal([...unitsOf(walking)].length, 2 * 2 * 5);
    assert.equal(sizeOf(walking), trialsIn(unitsOf(walking)));
    assert.equal(sizeOf({ ...walking, walk: { inMs: 10 * dayMs, outMs: dayMs } }), 0);
    const tried = first!.next!(first!.trials[2]!);
    assert.deepEqual(
      [tried.from, tried.to, tried.parameters, tried.fold?.number, tried.fold?.sample],
      [5 * dayMs, 6 * dayMs, { fast: 15, slow: 20 }, 1, 'out'],
    );
    assert.deepEqual(
      second!.trials.map(({ from, to }) => [from, to]),
      Array(3).fill([dayMs, 6 * dayMs]),
    );
  });

  it('are divided among shards without a rest, and folds are not divided', () => {
    for (const whole of [plan, walking]) {
      const units = [...unitsOf(whole)];
      for (const count of [1, 2, 3, 7, 50]) {
        const shards = Array.from({ length: count }, (_, at) => [...shardOf(units, { number: at + 1, of: count })]);
        assert.deepEqual(idsOf(shards.flat()), idsOf(units));
      }
    }
  });

  it('sample equity at most 1,500 times, at round times', () => {
    const [first] = unitsOf(plan);
    assert.equal(first!.trials[0]!.sampleMs, 900_000);
  });
});

describe('the identity of a sweep', () => {
  it('is that of what it tries, wherever the files are', () => {
    assert.equal(sweepId({ ...plan, strategy: 'other.ts' }), sweepId(plan));
    for (const change of [
      { think: 50 },
      { points: [{ fast: 5 }] },
      { plans: ['none'] },
      { strategyHash: 'b' },
    ] as const)
      assert.notEqual(sweepId({ ...plan, ...change }), sweepId(plan));
  });
});
