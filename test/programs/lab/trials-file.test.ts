import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { mergeTrials } from '../../../src/programs/lab/merge.ts';
import {
  isOfMachine,
  packed,
  resultText,
  sweepHash,
  type TrialProblem,
  type TrialSpec,
  trialHash,
  trialId,
} from '../../../src/programs/lab/trial.ts';
import { resultWithout } from '../../../src/programs/lab/trial-record.ts';
import { type NewTrial, TrialsFile } from '../../../src/programs/lab/trials-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'perp-trials-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const fresh = () => join(folder, `${++files}.sqlite`);

const spec: TrialSpec = {
  ...{ strategy: 'cross.ts', strategyHash: 'a'.repeat(64), parameters: {}, source: { kind: 'synthetic', seed: 1 } },
  ...{ from: 0, to: 1000, plan: 'select', balance: 100_000, seed: 1, think: 0, sampleMs: 1000, fold: null },
  versions: { rules: 1, catalog: 1, prices: 1 },
};

/** A trial by its seed; with another message, another result. */
function trialOf(seed: number, message = 'no', kind: TrialProblem = 'threw'): NewTrial {
  const own = { ...spec, seed };
  const id = trialId(own);
  const text = resultText(resultWithout({ spec: own }, kind, message));
  return { id, spec: own, packed: packed(text), hash: trialHash(id, text), cpuMs: isOfMachine({ kind }) ? 0 : 1 };
}

/** A file with these trials, as a part of a sweep. */
function fileWith(seeds: readonly number[], [shard, of]: [number, number] = [1, 1], isDone = true): string {
  const name = fresh();
  const file = TrialsFile.open(name, { create: true });
  file.addPart({ sweep: 's', shard, of, settings: {}, isDone });
  file.add(seeds.map((seed) => trialOf(seed)));
  file.close();
  return name;
}

/**
 * A file whose writer was killed in the middle of a write: parts of it are in the file, and what takes them back beside
 * it.
 */
function killedFile(): string {
  const [name, killed] = [fileWith([1]), fresh()];
  const database = new DatabaseSync(name);
  database.exec('PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE trials SET hash = 1, result = randomblob(200000)');
  for (const end of ['', '-journal']) copyFileSync(`${name}${end}`, `${killed}${end}`);
  database.exec('ROLLBACK');
  database.close();
  return killed;
}

describe('a trials file', () => {
  it('gives back what was written', () => {
    using closing = new DisposableStack();
    const name = fileWith([2, 1]);
    const file = closing.adopt(TrialsFile.open(name), (one) => one.close());
    file.addStrategy('a', [{ name: 'a.ts', kind: 'script', text: 'x', links: {} }]);
    file.setFact('proof', 'p', { a: 1 });
    assert.deepEqual([...file.trials()].map((trial) => trial.spec.seed).sort(), [1, 2]);
    assert.equal(file.trial(trialOf(1).id)!.result.problem!.message, 'no');
    assert.equal(file.strategy('a')![0]!.text, 'x');
    assert.deepEqual(file.facts('proof'), new Map([['p', { a: 1 }]]));
    assert.deepEqual(file.known([trialOf(1).id, 'other']), new Set([trialOf(1).id]));
  });

  it('takes the same trial twice, and refuses it with another result, together with all that came with it', () => {
    using closing = new DisposableStack();
    const file = closing.adopt(TrialsFile.open(fileWith([1])), (one) => one.close());
    file.add([trialOf(1)]);
    assert.throws(() => file.add([trialOf(2), trialOf(1, 'other')]), {
      message: /is already in .*, with another result/,
    });
    assert.equal(file.count, 1);
  });

  it('runs a trial again that this machine gave no result for, and keeps the result', () => {
    using closing = new DisposableStack();
    const file = closing.adopt(TrialsFile.open(fileWith([])), (one) => one.close());
    for (const [at, kind] of (['timeout', 'memory', 'crashed'] as const).entries())
      file.add([trialOf(at, 'late', kind)]);
    file.add([trialOf(4)]);
    const ids = [0, 1, 2, 4].map((seed) => trialOf(seed).id);
    assert.deepEqual(file.known(ids), new Set([trialOf(4).id]));
    file.add([trialOf(0, 'late again', 'timeout'), trialOf(1)]);
    file.add([trialOf(1, 'late', 'timeout')]);
    assert.deepEqual(
      ids.map((id) => file.trial(id)!.result.problem!.message),
      ['late again', 'no', 'late', 'no'],
    );
    assert.equal(file.hash(), sweepHash(file.trials()));
  });

  it('has the same hash in whatever order its trials were added', () => {
    using closing = new DisposableStack();
    const [one, other] = [
      [1, 2, 3, 4],
      [4, 2, 1, 3],
    ].map((seeds) => {
      const file = closing.adopt(TrialsFile.open(fileWith([])), (each) => each.close());
      for (const seed of seeds) file.add([trialOf(seed)]);
      return file.hash();
    });
    assert.equal(one, other);
  });

  it('of another version, of another program, or missing is refused in one line', () => {
    const newer = fileWith([1]);
    const database = new DatabaseSync(newer);
    database.exec('PRAGMA user_version = 9');
    database.close();
    const text = fresh();
    writeFileSync(text, 'not a database, but some text that is long enough to be read as one. '.repeat(20));
    const other = fresh();
    const foreign = new DatabaseSync(other);
    foreign.exec('CREATE TABLE a (b)');
    foreign.close();
    for (const [file, message] of [
      [newer, `${newer} has trials format 9, but this perp reads 1: use a newer perp.`],
      [text, `${text} is not a trials file.`],
      [other, `${other} is not a trials file.`],
      [fresh(), /There is no trials file/],
      [dirname(other), `${dirname(other)} is a folder.`],
      ['/dev/null', '/dev/null is not a regular file.'],
    ] as const)
      assert.throws(() => TrialsFile.open(file), { name: 'TrialsFileError', message });
    const empty = fresh();
    writeFileSync(empty, '');
    assert.throws(() => TrialsFile.open(empty, { readOnly: true }), { message: `${empty} has no trials.` });
  });

  it('whose writer was killed is read as it was before', () => {
    const file = TrialsFile.open(killedFile(), { readOnly: true });
    assert.equal(file.trial(trialOf(1).id)!.result.problem!.message, 'no');
    file.close();
  });
});

describe('merged trials files', () => {
  it('have one hash for every division', () => {
    const hashes = [
      [fileWith([1, 2, 3, 4])],
      [fileWith([1, 3], [1, 2]), fileWith([2, 4], [2, 2])],
      [fileWith([4, 1], [1, 3]), fileWith([2], [2, 3]), fileWith([3], [3, 3])],
      [fileWith([1, 2, 3], [1, 2]), fileWith([2, 3, 4], [2, 2])],
    ].map((parts) => mergeTrials(parts, fresh()).hash);
    assert.equal(new Set(hashes).size, 1);
  });

  it('name the shards that are missing or did not end', () => {
    const { sweeps } = mergeTrials([fileWith([1], [1, 4]), fileWith([2], [3, 4], false)], fresh());
    assert.deepEqual(sweeps, [{ sweep: 's', shards: 4, missing: ['2/4', '4/4'], unfinished: ['3/4'] }]);
  });

  it('name what is missing of the finest division, in whatever order its parts come', () => {
    const parts = [fileWith([1], [1, 4]), fileWith([2], [1, 2])];
    for (const all of [parts, parts.toReversed()]) {
      const [sweep] = mergeTrials(all, fresh()).sweeps;
      assert.deepEqual([sweep!.shards, sweep!.missing], [4, ['2/4', '3/4', '4/4']]);
    }
  });

  it('are not made of two results of one trial, or in place of a file that exists', () => {
    const [one, other] = [fileWith([1]), fresh()];
    const file = TrialsFile.open(other, { create: true });
    file.add([trialOf(1, 'other')]);
    file.close();
    const out = fresh();
    assert.throws(() => mergeTrials([one, other], out), {
      message: new RegExp(`${other} .*the same trial with another result`),
    });
    assert.throws(() => TrialsFile.open(out), /There is no trials file/);
    assert.throws(() => mergeTrials([one], other), /exists/);
  });

  it('have the worse of two proofs of a trial, and a proof before none', () => {
    const proofs = (statuses: Record<string, string>) => {
      const name = fileWith([1]);
      const file = TrialsFile.open(name);
      for (const [trial, status] of Object.entries(statuses)) file.setFact('proof', trial, { status });
      file.close();
      return name;
    };
    const parts = [
      proofs({ a: 'clean', b: 'looks ahead', c: 'failed' }),
      proofs({ a: 'looks ahead', b: 'clean', c: 'clean' }),
    ];
    for (const files of [parts, [...parts].reverse()]) {
      const out = fresh();
      mergeTrials(files, out);
      const file = TrialsFile.open(out);
      assert.deepEqual(
        [...file.facts('proof')].map(([trial, proof]) => [trial, (proof as { status: string }).status]),
        [
          ['a', 'looks ahead'],
          ['b', 'looks ahead'],
          ['c', 'clean'],
        ],
      );
      file.close();
    }
  });

  it('have the result of a trial that another machine gave none for', () => {
    const late = fresh();
    const file = TrialsFile.open(late, { create: true });
    file.add([trialOf(1, 'late', 'timeout')]);
    file.close();
    const whole = fileWith([1]);
    const hashes = [[late, whole], [whole, late], [whole]].map((files) => mergeTrials(files, fresh()).hash);
    assert.equal(new Set(hashes).size, 1);
  });

  it('name the file that is damaged', () => {
    const damaged = fileWith(Array.from({ length: 60 }, (_, seed) => seed));
    const bytes = readFileSync(damaged);
    bytes.fill(0xff, bytes.length / 2);
    writeFileSync(damaged, bytes);
    assert.throws(() => mergeTrials([fileWith([1]), damaged], fresh()), { message: new RegExp(`^${damaged} `) });
  });

  it('replace a file whose writer was killed as a whole', () => {
    const killed = killedFile();
    const { hash } = mergeTrials([fileWith([2, 3])], killed, { replaces: true });
    const file = TrialsFile.open(killed);
    assert.deepEqual([...file.trials()].map(({ spec: { seed } }) => seed).sort(), [2, 3]);
    assert.equal(file.hash(), hash);
    file.close();
  });
});
