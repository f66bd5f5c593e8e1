import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { digestOf, sweepHash, type TrialSpec, trialId } from '../../../src/programs/lab/trial.ts';

const spec: TrialSpec = {
  strategy: 'cross.ts',
  strategyHash: 'a'.repeat(64),
  parameters: { fast: 5, slow: 20 },
  source: { kind: 'tape', name: 'day.jsonl.gz', fingerprint: 'f'.repeat(64) },
  from: 0,
  to: 1000,
  plan: 'select',
  balance: 100_000,
  seed: 1,
  think: 0,
  sampleMs: 1000,
  fold: null,
  versions: { rules: 1, catalog: 1, prices: 1 },
};

describe('the identity of a trial', () => {
  it('depends on everything that decides its result', () => {
    const others: Partial<TrialSpec>[] = [
      { strategyHash: 'b'.repeat(64) },
      { parameters: { fast: 5, slow: 21 } },
      { source: { kind: 'synthetic', seed: 1 } },
      { from: 1 },
      { to: 999 },
      { plan: 'prime' },
      { balance: 1 },
      { seed: 2 },
      { think: 50 },
      { think: 'real' },
      { sampleMs: 500 },
      { fold: { number: 1, sample: 'in' } },
      { versions: { rules: 2, catalog: 1, prices: 1 } },
    ];
    const ids = [spec, ...others.map((other) => ({ ...spec, ...other }))].map(trialId);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('does not depend on where the tape and the strategy are, or on the order of parameters', () => {
    const source = { ...spec.source, name: '/other/day.jsonl.gz' } as TrialSpec['source'];
    const moved = { ...spec, strategy: 'renamed.ts', source, parameters: { slow: 20, fast: 5 } };
    assert.equal(trialId(moved), trialId(spec));
  });
});

describe('the hash of a sweep', () => {
  it('is the SHA-256 of a line for each trial', () => {
    const trials = ['a', 'b', 'c'].map((id) => ({ id, hash: id.repeat(64) }));
    const text = trials.map(({ id, hash }) => `${id} ${hash}`).join('\n');
    assert.equal(sweepHash(trials), createHash('sha256').update(text).digest('hex'));
    assert.notEqual(sweepHash(trials.slice(1)), sweepHash(trials));
  });
});

describe('a digest', () => {
  it('is the SHA-256 of the value as JSON, with the keys of every object sorted', () => {
    const value = {
      list: [1, null, undefined, -0, 'a"b', true, Number.NaN],
      plain: [
        { b: 1, 9: null, 10: 'x' },
        { b: undefined, 9: 2, 10: '' },
      ],
      other: [{ b: 1, a: 2 }, { a: 3, b: 4 }, { c: 5, a: 6 }, null],
      rows: [{ b: 1, a: [2] }, { a: 3, b: { d: 4, c: 5 } }, { b: undefined, c: 6 }, [7, { z: 8, y: 9 }]],
      10: 'ten',
      9: 'nine',
    };
    const text =
      '{"10":"ten","9":"nine","list":[1,null,null,0,"a\\"b",true,null],' +
      '"other":[{"a":2,"b":1},{"a":3,"b":4},{"a":6,"c":5},null],' +
      '"plain":[{"10":"x","9":null,"b":1},{"10":"","9":2}],' +
      '"rows":[{"a":[2],"b":1},{"a":3,"b":{"c":5,"d":4}},{"c":6},[7,{"y":9,"z":8}]]}';
    assert.equal(digestOf(value), createHash('sha256').update(text).digest('hex'));
  });
});
