import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TrialsFile } from '../../../src/programs/lab/trials-file.ts';
import { cannotFail, FaultyDisk } from '../../faulty-disk/faulty-disk.ts';
import { seed } from '../../seed.ts';
import { BuiltRun, bin, buildPerp, machine } from '../../terminal/cli/built-perp.ts';

const isLong = process.env.PERP_LONG === '1';
const kills = isLong ? 50 : 5;
const tape = resolve(import.meta.dirname, '../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

const crossing = `
import { defineStrategy } from 'perp/strategy';
export default defineStrategy({
  markets: ['BTC'],
  parameters: { fast: 5, slow: 20 },
  start(bot) {
    const prices: number[] = [];
    const mean = (count: number) => prices.slice(-count).reduce((sum, one) => sum + one, 0) / count;
    const look = () => {
      const { mid } = bot.quote('BTC');
      if (mid !== null) prices.push(mid);
      bot.after('1s', look);
      if (prices.length < bot.parameters.slow) return;
      const isUp = mean(bot.parameters.fast) > mean(bot.parameters.slow);
      const { size } = bot.position('BTC');
      if (isUp && size === 0) bot.place({ market: 'BTC', side: 'buy', size: 0.01 + 0.001 * Math.floor(bot.random() * 3) });
      if (!isUp && size > 0) bot.close('BTC');
    };
    look();
  },
});`;

const misbehaving = `
export default { markets: ['BTC'], parameters: { does: 'nothing' }, start(bot) {
  const { does } = bot.parameters;
  const all = [];
  if (does === 'loop') for (;;) {}
  if (does === 'heap') for (;;) all.push(new Array(1000).fill(1));
  if (does === 'buffers') for (;;) all.push(new Uint8Array(10_000_000).fill(1));
  if (does === 'throw') throw new Error('on purpose');
  if (does === 'flood') for (;;) bot.place({ market: 'BTC', side: 'buy', size: 0.001 });
  if (does === 'print') console.log('{"not": "the result"}');
} };`;

const { folder, variables, remove } = machine();
before(buildPerp);
after(remove);
const at = (name: string) => join(folder, name);
let files = 0;
const fresh = () => at(`${++files}.sqlite`);

async function perp(argv: readonly string[], more: Record<string, string> = {}) {
  const run = new BuiltRun([...argv, '--json'], { ...variables, ...more });
  const { exit, out, err } = await run.ended;
  return { exit, err, record: out === '' ? null : JSON.parse(out) };
}

function sweepInto(out: string, ...more: string[]): string[] {
  const strategy = at('cross.ts');
  writeFileSync(strategy, crossing);
  const values = ['--set', 'fast=2..7:1', '--set', 'slow=15,30'];
  return ['lab', 'run', strategy, ...values, '--books', tape, '--for', '40s', '--out', out, ...more];
}

let hash: string;

describe('a sweep', () => {
  before(async () => {
    hash = (await perp(sweepInto(fresh(), '-j', '2'))).record.hash;
  });

  it('has the same result with any number of workers, in any division', async () => {
    const results = [];
    for (const jobs of ['1', '8']) results.push((await perp(sweepInto(fresh(), '-j', jobs))).record.hash);
    const parts = [1, 2, 3].map((number) => [fresh(), `${number}/3`] as const);
    for (const [out, shard] of parts) await perp(sweepInto(out, '--shard', shard));
    const names = parts.map(([out]) => out);
    const merged = await perp(['lab', 'merge', ...names.reverse(), '-o', fresh()]);
    assert.deepEqual([...results, merged.record.hash, merged.exit], [hash, hash, hash, 0]);
  });

  it(`has the same result after ${kills} kills (PERP_TEST_SEED=${seed})`, async () => {
    const out = fresh();
    let [killed, restarts] = [0, 0];
    while (killed < kills) {
      // Each begins anew once the file is complete, and is killed when it has some trials more than at its start.
      const target = 1 + ((seed + killed * 7) % 3);
      const file = killed % 4 === 3 ? fresh() : out;
      restarts += 1;
      const run = new BuiltRun(sweepInto(file, '-j', '2'), variables);
      const had = countIn(file);
      while (run.process.exitCode === null && countIn(file) < had + target) await new Promise(setImmediate);
      run.process.kill('SIGKILL');
      await run.ended;
      killed += 1;
    }
    const { record } = await perp(sweepInto(out));
    assert.deepEqual([record.hash, record.whole, record.known + record.ran], [hash, true, 12], `${restarts} runs`);
  });

  it('stopped by Ctrl-C keeps what it has, says so, and goes on when it is run again', async () => {
    const out = fresh();
    const run = new BuiltRun(sweepInto(out, '-j', '1'), variables);
    while (countIn(out) === 0) await new Promise(setImmediate);
    run.process.kill('SIGINT');
    const { exit } = await run.ended;
    const again = await perp(sweepInto(out));
    assert.ok(exit === 130 || again.record.known === 12, `exit ${exit}`);
    assert.deepEqual([again.record.hash, again.record.known > 0], [hash, true]);
  });

  it('loses nothing on a full disk, and goes on when there is room', { skip: cannotFail }, async () => {
    const disk = new FaultyDisk();
    const own = at('disk');
    spawnSync('mkdir', [own]);
    const [counted, out] = [join(own, 'counted.sqlite'), join(own, 'trials.sqlite')];
    disk.arm();
    await perp(sweepInto(counted), disk.variables(own));
    disk.arm({ at: Math.floor(disk.calls * 0.7), isPersistent: true, error: 'ENOSPC' });
    const full = await perp(sweepInto(out), disk.variables(own));
    assert.equal(full.exit, 7, full.err);
    assert.match(full.err, /trials\.sqlite/);
    const again = await perp(sweepInto(out));
    assert.deepEqual([again.exit, again.record.hash, again.record.whole], [0, hash, true]);
  });

  it('runs under GNU parallel, one shard a job', { skip: missing('parallel') }, async () => {
    const argv = sweepInto('{}', '--shard', '{#}/3').map((word) => (word === '{}' ? at('parallel-{#}.sqlite') : word));
    const command = ['--jobs', '2', process.execPath, bin, ...argv, '-q', ':::', '1', '2', '3'];
    const run = spawnSync('parallel', command, { encoding: 'utf8', env: variables });
    assert.equal(run.status, 0, run.stderr);
    const parts = [1, 2, 3].map((number) => at(`parallel-${number}.sqlite`));
    assert.equal((await perp(['lab', 'merge', ...parts, '-o', fresh()])).record.hash, hash);
  });
});

describe('a strategy that misbehaves', () => {
  it('fails its own trials, each with a reason; the others go on', async () => {
    const strategy = at('bad.ts');
    writeFileSync(strategy, misbehaving);
    const out = fresh();
    const values = 'does=nothing,loop,heap,buffers,throw,flood,print';
    const limits = ['--timeout', '5', '--memory', '64', '-j', '2'];
    const { exit, record } = await perp([
      'lab',
      'run',
      strategy,
      '--set',
      values,
      '--books',
      tape,
      '--for',
      '2s',
      '--out',
      out,
      ...limits,
    ]);
    assert.deepEqual([exit, record.trials, record.failed], [0, 7, 5]);
    const file = TrialsFile.open(out);
    const ends = Object.fromEntries(
      [...file.trials()].map(({ spec, result }) => [
        spec.parameters.does,
        [result.problem?.kind, result.problem?.message, result.log],
      ]),
    );
    file.close();
    assert.deepEqual(ends.nothing, [undefined, undefined, []]);
    assert.deepEqual(ends.print, [undefined, undefined, ['{"not": "the result"}']]);
    assert.deepEqual(ends.loop!.slice(0, 2), ['timeout', 'it took longer than 5s']);
    for (const does of ['heap', 'buffers'])
      assert.deepEqual(ends[does]!.slice(0, 2), ['memory', 'it used more than 64 MB of memory']);
    assert.match(String(ends.throw![1]), /^start: on purpose \(bad\.ts:\d+:\d+\)/);
    assert.match(String(ends.flood![1]), /made more than 1000 requests/);
  });
});

/** How many trials are in a file that somebody may be writing; 0 if it can't be read now. */
function countIn(name: string): number {
  try {
    const file = TrialsFile.open(name, { readOnly: true });
    try {
      return file.count;
    } finally {
      file.close();
    }
  } catch {
    return 0;
  }
}

function missing(program: string): string | false {
  return spawnSync(program, ['--version']).error === undefined ? false : `there is no ${program}`;
}
