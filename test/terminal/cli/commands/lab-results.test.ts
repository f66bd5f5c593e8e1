import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe } from 'node:test';
import { parseCriteria, sealCriteria } from '../../../../src/programs/lab/criteria.ts';
import { packed, resultText, type Trial, trialHash, trialId } from '../../../../src/programs/lab/trial.ts';
import { TrialsFile } from '../../../../src/programs/lab/trials-file.ts';
import { sweptTrials, trialOf } from '../../../programs/lab/sweeps.ts';
import { it, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

const evil = '</svg><script>alert(1)</script>';
const trips = [
  {
    market: 'BTC',
    side: 'long',
    size: 0.01,
    entry: 6e4,
    exit: 6.1e4,
    openedAt: 0,
    closedAt: 6e4,
    realized: 10,
    fees: 1,
    carry: -0.5,
  },
] as const;
const sweep = { variants: 6, days: 120, shared: 0, active: 1, sharpe: 9, edged: 1, costs: 0 };
const swept = sweptTrials(1, sweep).map((trial, at) => ({
  ...trial,
  spec: {
    ...trial.spec,
    strategy: `${evil}.ts`,
    parameters: { fast: 1 + (at % 3), slow: at < 3 ? 10 : 20, [evil]: evil },
  },
  result: { ...trial.result, trips, volume: 100, fees: 1 },
}));

/** A trials file of the desk's. */
function fileOf(desk: Desk, trials: readonly Trial[], change: (file: TrialsFile) => void = () => {}): string {
  const path = join(desk.folder, 'trials.sqlite');
  const file = TrialsFile.open(path, { create: true });
  change(file);
  const added = trials.map(({ spec, result }) => {
    const id = trialId(spec);
    const text = resultText(result);
    return { id, spec, hash: trialHash(id, text), cpuMs: 1, packed: packed(text) };
  });
  file.add(added);
  file.close();
  return path;
}

describe('perp lab show', () => {
  it('has the variants, best first, the verdict, the proofs and the criteria', async () => {
    using desk = new Desk();
    const file = fileOf(desk, swept, (opened) => sealCriteria(opened, parseCriteria('sharpe >= 1\ntrips >= 50'), 1));
    const { json } = await desk.perp(['lab', 'show', file, '--json']);
    assert.equal(json.verdict.found, true);
    assert.equal(json.verdict.variants, 6);
    assert.deepEqual(json.variants[0].parameters, { fast: 1, slow: 10, [evil]: evil });
    assert.equal(json.variants[0].id, json.verdict.best);
    assert.deepEqual(
      json.criteria.list.map(({ criterion, met }: { criterion: string; met: boolean }) => [criterion, met]),
      [
        ['sharpe >= 1', true],
        ['trips >= 50', false],
      ],
    );
    assert.equal(json.criteria.met, false);
    const { out } = await desk.perp(['lab', 'show', file, '--limit', '2']);
    assert.match(out, /4 more; --limit 6 shows all\./);
    assert.match(out, /^Distinguishable from luck: the best of 6 variants/m);
    assert.match(out, /^No trial was tried/m);
    assert.match(
      out,
      /Does not meet the criteria\n {2}met {5}sharpe >= 1: .*\n {2}missed {2}trips >= 50: 1\n {2}sealed before the first trial/,
    );
    const { out: csv } = await desk.perp(['lab', 'show', file, '-o', 'csv']);
    assert.equal(csv.trim().split('\n').length, 7);
  });

  it('warns of a strategy that was found looking ahead', async () => {
    using desk = new Desk();
    const sentence = 'Looks ahead at noon: it asked to buy.';
    const file = fileOf(desk, swept, (opened) =>
      opened.setFact('proof', trialId(swept[0]!.spec), { status: 'looks ahead', sentence, at: 1, moments: 1 }),
    );
    const { out } = await desk.perp(['lab', 'show', file]);
    assert.match(out, /^Don't believe these results\. Looks ahead at noon/m);
    assert.ok(out.indexOf("Don't believe") < out.search(/distinguishable/i));
    const { json } = await desk.perp(['lab', 'show', file, '--json']);
    assert.deepEqual(json.variants[0].found, [{ status: 'looks ahead', sentence, at: 1 }]);
  });

  it('says what is missing: no trials, trials without trades, failed ones, negative equity', async () => {
    for (const [trials, words] of [
      [[], /Not distinguishable from luck: there are no trials\./],
      [[trialOf(new Array(30).fill(1e5))], /Not distinguishable from luck: no variant traded\./],
      [[trialOf([1e5], {}, { status: 'failed' })], /Not distinguishable from luck: every trial failed\./],
      [[trialOf([1e5, -5, 1e5])], /equity fell to zero or below\./],
    ] as const) {
      using desk = new Desk();
      const file = fileOf(desk, trials);
      const { exit, out } = await desk.perp(['lab', 'show', file]);
      assert.equal(exit, 0);
      assert.match(out, words);
      assert.doesNotMatch(out, /NaN|undefined|Infinity/);
      const { exit: page } = await desk.perp(['lab', 'report', file, '-o', join(desk.folder, 'page.html')]);
      assert.equal(page, 0);
    }
  });

  it('refuses a file of another kind or version, in a line', async () => {
    using desk = new Desk();
    const path = fileOf(desk, []);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    assert.match(
      (await desk.perp(['lab', 'show', path])).err,
      /has trials format 99, but this perp reads 1: use a newer perp/,
    );
    const text = join(desk.folder, 'text');
    writeFileSync(text, 'no database, but long enough to be read as the header of one');
    for (const name of [text, join(desk.folder, 'none')]) {
      const { exit, err } = await desk.perp(['lab', 'show', name]);
      assert.equal(exit, 2);
      assert.match(err, /(is not a|There is no) trials file/);
    }
  });

  it('says that a damaged file can’t be used', async () => {
    using desk = new Desk();
    const file = fileOf(desk, swept);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length >> 1));
    const { exit, err } = await desk.perp(['lab', 'show', file]);
    assert.equal(exit, 2, err);
    assert.match(err, /trials\.sqlite can't be used: /);
  });
});

describe('perp lab compare', () => {
  it('names the better variant, or says which text names none or several', async () => {
    using desk = new Desk();
    const file = fileOf(desk, swept);
    const { json } = await desk.perp(['lab', 'compare', file, 'fast=1,slow=10', 'fast=2,slow=20', '--json']);
    assert.equal(json.better, json.variants[0].id);
    assert.match(json.sentence, /^fast=1,slow=10 is better than fast=2,slow=20: its Sharpe ratio a year is/);
    const both = await desk.perp(['lab', 'compare', file, 'fast=1', 'fast=2,slow=20']);
    assert.match(both.err, /"fast=1" names 2 variants/);
    const none = await desk.perp(['lab', 'compare', file, 'fast=9', 'fast=2,slow=20']);
    assert.deepEqual([none.exit, /No variant is named "fast=9"/.test(none.err)], [3, true]);
  });
});

it('a column that does not exist is answered with the names of those that do', async () => {
  using desk = new Desk();
  const { exit, err } = await desk.perp(['lab', 'trials', fileOf(desk, [trialOf([1e5, 1e5])]), '--columns', 'nope']);
  assert.equal(exit, 2);
  assert.match(err, /There is no column "nope"\.\nColumns: trial, /);
  assert.doesNotMatch(err, /, ,/);
});

describe('perp lab report', () => {
  trial('writes one page without scripts, in which names are only text', async () => {
    using desk = new Desk();
    const file = fileOf(desk, swept);
    const page = join(desk.folder, 'page.html');
    const run = await desk.perp(['lab', 'report', file, '-o', page, '--json']);
    assert.equal(run.exit, 0);
    const html = readFileSync(page, 'utf8');
    assert.equal(run.json.bytes, Buffer.byteLength(html));
    assert.doesNotMatch(html, /<script|<\/svg><s|href=|src=/);
    assert.match(html, /default-src &#39;none&#39;/);
    assert.match(html, /&lt;\/svg&gt;&lt;script&gt;alert\(1\)/);
    for (const part of [
      'Sharpe ratio by parameters',
      'Equity',
      'Drawdown of the best variant',
      'Costs',
      'Trades of the best',
    ])
      assert.ok(html.includes(`<h2>${part}`), part);
    assert.equal(html.match(/<svg/g)!.length, html.match(/<\/svg>/g)!.length);
    assert.doesNotMatch(html, /NaN|undefined|Infinity/);
    const again = await desk.perp(['lab', 'report', file, '-o', page]);
    assert.match(again.err, /already exists/);
  });

  it('puts many values of a parameter together in the heatmap', async () => {
    using desk = new Desk();
    const many = Array.from({ length: 60 }, (_, at) => {
      const parameters = { whole: at + 1, broken: at / 100, few: at % 2 };
      return trialOf([1e5, 1e5 + 100, 1e5 + at * 10], { parameters });
    });
    const page = join(desk.folder, 'page.html');
    await desk.perp(['lab', 'report', fileOf(desk, many), '-o', page]);
    const html = readFileSync(page, 'utf8');
    const heatmap = html.slice(html.indexOf('Sharpe ratio by parameters'), html.indexOf('<h2>Equity'));
    const labels = [...heatmap.matchAll(/<th>([^<]*)<\/th>/g)].map(([, label]) => label!);
    for (const label of ['0..4', '55..59', '60', '0..0.05', '0.55..0.59']) assert.ok(labels.includes(label), label);
    assert.match(heatmap, /title="whole 5\.\.9, broken 0\.05\.\.0\.1: Sharpe [-\d.]+, 4 variants"/);
    assert.match(heatmap, /Means over few\./);
  });

  it('says what a file with one trial, without trades or with failed ones has', async () => {
    for (const [trial, words] of [
      [trialOf(new Array(30).fill(1e5)), /The line is the only variant\..*The best variant did not trade\./s],
      [trialOf([1e5], {}, { status: 'failed' }), /trials\.sqlite: 1 trial between/],
    ] as const) {
      using desk = new Desk();
      const page = join(desk.folder, 'page.html');
      await desk.perp(['lab', 'report', fileOf(desk, [trial]), '-o', page]);
      assert.match(readFileSync(page, 'utf8'), words);
    }
  });

  it('shows the trades of several markets one after the other, the latest first', async () => {
    using desk = new Desk();
    const on = (seed: number, ...openings: number[]) =>
      trialOf(
        [1e5, 1.1e5, 1.2e5],
        { source: { kind: 'synthetic', seed } },
        { trips: openings.map((openedAt) => ({ ...trips[0], openedAt, closedAt: openedAt + 6e4 })) },
      );
    const page = join(desk.folder, 'page.html');
    await desk.perp(['lab', 'report', fileOf(desk, [on(1, 0, 36e5), on(2, 72e5)]), '-o', page]);
    const trades = readFileSync(page, 'utf8').split('Trades of the best variant')[1]!;
    const rows = [...trades.matchAll(/(synthetic \d).*?1970-01-01 (\d\d)/g)].map(
      ([, name, hour]) => `${name} ${hour}h`,
    );
    assert.deepEqual(rows, ['synthetic 1 01h', 'synthetic 1 00h', 'synthetic 2 02h']);
  });
});
