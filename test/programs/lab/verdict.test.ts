import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../../../src/programs/lab/proof/study.ts';
import { overfittingSentence, type Verdict, verdictOf, verdictSentence } from '../../../src/programs/lab/verdict.ts';
import { sweptTrials, trialOf } from './sweeps.ts';

const sweep = { variants: 10, days: 120, shared: 0, active: 1, sharpe: 0, edged: 0, costs: 0 };

/** Nothing that is printed is NaN, Infinity or undefined. */
function said(verdict: Verdict): string {
  const text = `${verdictSentence(verdict)} ${overfittingSentence(verdict) ?? ''}`;
  assert.doesNotMatch(text, /NaN|Infinity|undefined|null/);
  for (const value of [verdict.luck, verdict.needed, verdict.deflated, verdict.expected, verdict.best?.sharpe ?? null])
    assert.ok(value === null || Number.isFinite(value), JSON.stringify(verdict.best?.sharpe));
  return text;
}

describe('the verdict', () => {
  it('calls noise luck, and says how much would be needed', () => {
    const verdict = verdictOf(sweptTrials(1, sweep));
    assert.match(
      said(verdict),
      /^Not distinguishable from luck: the best of 10 variants has a Sharpe ratio of \d\.\d\d a year, and luck alone gives the best of them as much in \d+% of sweeps\. 2% or less is needed, which takes a Sharpe ratio of \d\.\d\d here\./,
    );
    assert.ok(verdict.luck! > 0.02 && verdict.overfitting!.parts === 16 && verdict.overfitting!.variants === 10);
  });

  it('says how many periods are in none of the parts of the time', () => {
    const { periods, overfitting } = verdictOf(sweptTrials(1, sweep));
    assert.deepEqual([overfitting!.unused, periods % 16], [8, 8]);
    assert.match(
      overfittingSentence(verdictOf(sweptTrials(1, sweep)))!,
      /\(16 equal parts; the first 8 periods are left out\)/,
    );
  });

  it('finds an edge', () => {
    const verdict = verdictOf(sweptTrials(1, { ...sweep, days: 365, sharpe: 8, edged: 1 }));
    assert.match(
      said(verdict),
      /^Distinguishable from luck: the best of 10 variants has .* less than 0\.1% of sweeps\./,
    );
    assert.deepEqual(verdict.best!.variant.parameters, { at: 0 });
    assert.ok(verdict.deflated! > 0.95 && verdict.overfitting!.probability < 0.1);
    assert.match(said(verdict), /Choosing by these results holds up/);
  });

  it('counts all that was tried: variants that failed, and those of earlier runs of the file', () => {
    const one = sweptTrials(3, { ...sweep, variants: 1, days: 200, sharpe: 4, edged: 1 });
    const alone = verdictOf(one);
    const failed = Array.from({ length: 60 }, (_, at) =>
      trialOf([100_000], { parameters: { at: 100 + at } }, { status: 'failed' }),
    );
    const among = verdictOf([...failed, ...one]);
    assert.ok(alone.isFound && alone.luck! < 0.02);
    assert.deepEqual([among.trials, among.failed, among.variants], [61, 60, 61]);
    assert.ok(!among.isFound && among.luck! > alone.luck!, `${alone.luck} ${among.luck}`);
    const edited = one.map((trial) => ({ ...trial, spec: { ...trial.spec, strategyHash: 'b'.repeat(64) } }));
    assert.equal(verdictOf([...one, ...edited]).variants, 2, 'another text of the strategy is another variant');
  });

  it('counts variants that did the same as one', () => {
    const [one] = sweptTrials(2, { ...sweep, variants: 1 });
    const copies = Array.from({ length: 30 }, (_, at) => ({ ...one!, spec: { ...one!.spec, parameters: { at } } }));
    const verdict = verdictOf(copies);
    assert.equal(verdict.variants, 30);
    assert.ok(verdict.independent! < 1.2, `${verdict.independent}`);
    assert.equal(verdict.luck, verdictOf([one!]).luck);
  });

  it('puts trials of a variant on several markets one beside the other, and takes the mean of several seeds', () => {
    const [one] = sweptTrials(2, { ...sweep, variants: 1 });
    const elsewhere = { ...one!, spec: { ...one!.spec, source: { kind: 'synthetic', seed: 2 } as const } };
    assert.equal(verdictOf([one!, elsewhere]).periods, 240);
    const again = { ...one!, spec: { ...one!.spec, seed: 2 } };
    const both = verdictOf([one!, again]);
    assert.equal(both.periods, 120);
    assert.ok(Math.abs(both.best!.sharpe! - verdictOf([one!]).best!.sharpe!) < 1e-9);
  });

  it('judges what a walk-forward sweep chose, where it was not chosen', () => {
    const trials = sweptTrials(4, { ...sweep, variants: 6 }).map((trial, at) => ({
      ...trial,
      spec: { ...trial.spec, fold: { number: at >> 1, sample: at % 2 === 0 ? ('in' as const) : ('out' as const) } },
    }));
    const verdict = verdictOf(trials);
    assert.deepEqual([verdict.trials, verdict.variants], [6, 1]);
  });

  it('takes walk-forward sweeps that choose otherwise as different things tried', () => {
    const chosen = (by: string, at: number) => {
      const [trial] = sweptTrials(at, { ...sweep, variants: 1 });
      return { ...trial!, spec: { ...trial!.spec, fold: { number: 1, sample: 'out' as const, chosen: by } } };
    };
    const both = [chosen('return 1', 4), chosen('sharpe 1', 5), chosen('return 2', 6)];
    assert.deepEqual(
      resultsOf(both).results.map((one) => one.chosen),
      ['return 1', 'sharpe 1', 'return 2'],
    );
    assert.equal(new Set(resultsOf(both).results.map(({ id }) => id)).size, 3);
    assert.equal(verdictOf(both).variants, 3);
  });

  for (const [what, trials, words] of [
    ['no trials', [], /there are no trials\.$/],
    ['only failed ones', [trialOf([1e5], {}, { status: 'failed' })], /every trial failed\.$/],
    ['no trades', [trialOf(new Array(50).fill(1e5))], /no variant traded\.$/],
    [
      'one that did not trade and one that lost',
      [
        trialOf(new Array(50).fill(1e5)),
        trialOf(
          Array.from({ length: 50 }, (_, at) => 1e5 - 100 * at - (at % 3)),
          { parameters: { at: 2 } },
        ),
      ],
      /no variant that traded made a gain\.$/,
    ],
    ['constant returns', [trialOf(Array.from({ length: 50 }, (_, at) => 1e5 * 1.25 ** at))], /are all the same/],
    ['few changes', [trialOf([1e5, 1e5, 1.01e5, 1e5, 1.02e5])], /equity changed in only 3 periods; 20 are needed/],
    ['one sample', [trialOf([1e5])], /no variant has a measured result/],
    ['negative equity', [trialOf([1e5, 5e4, -10, 20])], /equity fell to zero or below/],
    ['NaN in a file', [trialOf([1e5, Number.NaN, 1e5])], /no variant has a measured result/],
  ] as const)
    it(`says so with ${what}`, () => {
      const verdict = verdictOf(trials);
      assert.equal(verdict.isFound, false);
      assert.match(said(verdict).trim(), /^Not distinguishable from luck: /);
      assert.match(said(verdict).trim(), words);
    });
});
