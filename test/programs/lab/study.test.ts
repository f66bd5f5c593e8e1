import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  parseCriteria,
  type SealedIn,
  sealCriteria,
  sealedCriteria,
  sealRemark,
} from '../../../src/programs/lab/criteria.ts';
import type { Proof } from '../../../src/programs/lab/proof/proof.ts';
import { namedVariant, proofSentence, readStudy, type StudySource } from '../../../src/programs/lab/proof/study.ts';
import type { Trial } from '../../../src/programs/lab/trial.ts';
import { compareVariants } from '../../../src/programs/lab/verdict.ts';
import { it, trial } from '../../tiers.ts';
import { sweptTrials, trialOf } from './sweeps.ts';

/** A trials file in memory. */
class Kept implements SealedIn, StudySource {
  readonly kept: Trial[];
  readonly #facts = new Map<string, Map<string, unknown>>();

  constructor(trials: readonly Trial[] = []) {
    this.kept = [...trials];
  }

  get count(): number {
    return this.kept.length;
  }

  trials(): Trial[] {
    return this.kept;
  }

  facts(kind: string): Map<string, unknown> {
    return this.#facts.get(kind) ?? new Map();
  }

  setFact(kind: string, name: string, value: unknown): void {
    this.#facts.set(kind, new Map([...this.facts(kind), [name, value]]));
  }
}

const sweep = { variants: 6, days: 120, shared: 0, active: 1, sharpe: 8, edged: 1, costs: 0 };
const hopeful = parseCriteria('sharpe >= 1\nluck <= 2%\nfailed <= 0');

describe('criteria of a trials file', () => {
  it('are sealed once: the same ones again change nothing, others are refused', () => {
    const file = new Kept();
    const first = sealCriteria(file, hopeful, 1);
    assert.deepEqual([first.afterTrials, first.sealedAt], [0, 1]);
    file.kept.push(...sweptTrials(1, sweep));
    assert.deepEqual(sealCriteria(file, hopeful, 2), first);
    assert.throws(() => sealCriteria(file, parseCriteria('sharpe >= 0.5'), 3), {
      message:
        'Other criteria are sealed in this file: sharpe >= 1, luck <= 2%, failed <= 0. Changed ones need a new trials file.',
    });
    assert.equal(sealRemark(sealedCriteria(file)), undefined);
  });

  it('that came after trials, or from another file, are shown as such', () => {
    const late = new Kept(sweptTrials(1, sweep));
    sealCriteria(late, hopeful, 1);
    assert.match(sealRemark(sealedCriteria(late))!, /^Criteria sealed after 6 trials, when results were already known/);
    const other = new Kept();
    sealCriteria(other, parseCriteria('sharpe >= 3'), 2);
    for (const [hash, value] of other.facts('criteria')) late.setFact('criteria', hash, value);
    const both = sealedCriteria(late);
    assert.equal(both[0]!.criteria.text, 'sharpe >= 3', 'those sealed before any trial count');
    assert.match(sealRemark(both)!, /^Criteria changed after 6 trials: files with different ones were merged/);
  });

  it('that somebody changed in the file are no seal', () => {
    const file = new Kept();
    sealCriteria(file, hopeful, 1);
    file.setFact('criteria', hopeful.hash, { text: 'sharpe >= 0', afterTrials: 0, sealedAt: 1 });
    assert.deepEqual(sealedCriteria(file), []);
    file.setFact('criteria', hopeful.hash, { text: 'changed', afterTrials: 0, sealedAt: 1 });
    assert.deepEqual(sealedCriteria(file), []);
  });

  it('are met by the best variant alone where they are about the whole file', () => {
    const file = new Kept();
    sealCriteria(file, hopeful, 1);
    file.kept.push(...sweptTrials(1, sweep));
    const { judged, results } = readStudy(file);
    for (const { id } of results.results) {
      const [, luck] = judged.get(id)!;
      assert.equal(luck!.isMet, id === results.best!.id);
      assert.equal(luck!.value === null, id !== results.best!.id);
    }
    assert.ok(judged.get(results.best!.id)!.every(({ isMet }) => isMet));
  });
});

describe('a study', () => {
  it('says what was tried, and warns before anything else of what was found', () => {
    const file = new Kept(sweptTrials(1, sweep));
    assert.match(proofSentence(readStudy(file)), /^No trial was tried/);
    file.setFact('proof', file.kept[1]!.id, {
      status: 'failed',
      sentence: 'Could not be proven.',
      at: null,
      moments: 0,
    });
    assert.match(proofSentence(readStudy(file)), /^No trial was tried/, 'what could not be proven is not proven');
    const proof: Proof = { status: 'clean', sentence: 'Run again, it decides the same.', at: null, moments: 8 };
    file.setFact('proof', file.kept[0]!.id, proof);
    assert.equal(
      proofSentence(readStudy(file)),
      '1 of 6 trials was tried, 1 of the best variant, and nothing was found, which is no proof that there is nothing.',
    );
    file.setFact('proof', file.kept[2]!.id, {
      ...proof,
      status: 'too few positions',
      sentence: 'Too few positions to judge.',
    });
    assert.match(
      proofSentence(readStudy(file)),
      /^1 of 6 trials was tried, 1 of the best variant, and nothing was found, .*\. 1 trial has too few positions to judge/,
    );
    file.setFact('proof', file.kept[5]!.id, { ...proof, status: 'depends on times', sentence: 'Depends on times.' });
    assert.match(proofSentence(readStudy(file)), /^Be careful\. Depends on times\. Either it trades at set hours, or/);
    file.setFact('proof', file.kept[3]!.id, { ...proof, status: 'looks ahead', sentence: 'Looks ahead at noon.' });
    const study = readStudy(file);
    assert.equal(proofSentence(study), "Don't believe these results. Looks ahead at noon.");
    assert.deepEqual(
      [...study.found.values()].map((found) => found.length),
      [0, 0, 0, 1, 0, 1],
    );
  });

  it('names variants by their id, the start of it, or parameters', () => {
    const study = readStudy(new Kept(sweptTrials(1, sweep)));
    const { id } = study.results.results[2]!;
    const named = (text: string) => namedVariant(study, text).map(({ result }) => result.id);
    assert.deepEqual([named(id), named(id.slice(0, 7)), named('at=2')], [[id], [id], [id]]);
    assert.deepEqual([named('at=99'), named('other=2'), named('zzzz')], [[], [], []]);
  });
});

describe('comparing two variants', () => {
  const of = (trials: readonly Trial[]) => readStudy(new Kept(trials)).results.variants;
  const [edge, noise] = of(sweptTrials(1, { ...sweep, days: 365 }));

  trial('finds the better one, whichever is named first', () => {
    const one = compareVariants(edge!, noise!, ['A', 'B']);
    const other = compareVariants(noise!, edge!, ['B', 'A']);
    assert.ok(typeof one === 'object' && typeof other === 'object');
    assert.deepEqual([one.better, other.better], ['first', 'second']);
    const words =
      /^A is better than B: its Sharpe ratio a year is \d\.\d\d higher, with a 95% interval from \d\.\d\d higher to/;
    assert.match(one.sentence, words);
    assert.match(other.sentence, words);
  });

  it('says that it can not tell, or why it can not compare', () => {
    const [first, second] = of(sweptTrials(3, { ...sweep, edged: 0 }));
    const unknown = compareVariants(first!, second!, ['A', 'B']);
    assert.ok(typeof unknown === 'object');
    assert.match(unknown.sentence, /^It is unclear whether A or B is better: the Sharpe ratio a year of A is/);
    const turned = compareVariants(second!, first!, ['B', 'A']);
    assert.ok(typeof turned === 'object');
    const signs = [unknown, turned].map(({ sentence }) => sentence.match(/is [\d.]+ (lower|higher), with/)?.[1]);
    assert.deepEqual(signs.sort(), ['higher', 'lower']);
    assert.match(turned.sentence, /interval from [\d.]+ lower to [\d.]+ higher\.$/);
    assert.equal(compareVariants(first!, first!, ['A', 'A']), 'Both did exactly the same.');
    const few = of([trialOf([1, 2, 3], { parameters: { a: 1 } }), trialOf([1, 3, 2], { parameters: { a: 2 } })]);
    assert.match(compareVariants(few[0]!, few[1]!, ['A', 'B']) as string, /^They ran together in only 2 periods/);
    const [failed] = of([trialOf([1e5], { parameters: { a: 1 } }, { status: 'failed' })]);
    assert.match(compareVariants(failed!, first!, ['A', 'B']) as string, /^A has no measured result/);
    assert.match(compareVariants(first!, failed!, ['A', 'B']) as string, /^B has no measured result/);
  });

  it('of which one never changed compares their means, without NaN', () => {
    const flat = of([trialOf(new Array(366).fill(1e5), { parameters: { a: 1 } })])[0]!;
    const compared = compareVariants(edge!, flat, ['A', 'B']);
    assert.ok(typeof compared === 'object' && compared.sharpe === null);
    assert.doesNotMatch(compared.sentence, /NaN/);
    assert.equal(compared.better, 'first');
  });
});
