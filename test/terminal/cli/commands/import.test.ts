import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, trial } from '../../../tiers.ts';
import { BuiltRun, bin, buildPerp } from '../built-perp.ts';
import { Desk } from '../practice.ts';

const venue = resolve(import.meta.dirname, '../../../fixtures/bybit-xrpusdt-ob500.jsonl');

/** The files beside a recording; unfinished ones are kept in the state folder. */
const filesOf = (desk: Desk) =>
  readdirSync(desk.folder)
    .filter((name) => name !== 'state')
    .sort();

test('a recording goes to stdout as text, and its report to stderr', async () => {
  using desk = new Desk();
  const file = join(desk.folder, 'tape.jsonl');
  const toFile = await desk.perp(['sim', 'import', venue, '-o', file]);
  assert.equal(toFile.exit, 0, toFile.err);
  const { exit, out, err } = await desk.perp(['sim', 'import', venue, '-o', '-']);
  assert.equal(exit, 0, err);
  assert.equal(out, readFileSync(file, 'utf8'));
  assert.match(err, /^- {2}bybit/i);
  assert.match(err, /events +\d+ book/);
  const quiet = await desk.perp(['sim', 'import', venue, '-o', '-', '--quiet']);
  assert.deepEqual([quiet.out, quiet.err], [out, '']);
  assert.deepEqual(filesOf(desk), ['tape.jsonl'], 'no file is named -');
});

test('an existing recording is replaced only with --force, atomically, even through a link', async () => {
  using desk = new Desk();
  const file = join(desk.folder, 'tape.jsonl');
  writeFileSync(file, 'mine');
  const link = join(desk.folder, 'link.jsonl');
  symlinkSync(file, link);
  for (const out of [file, link]) {
    const refused = await desk.perp(['sim', 'import', venue, '-o', out, '--json']);
    assert.deepEqual([refused.exit, refused.error.code], [2, 'recording']);
    assert.match(refused.error.message, /the file exists; add --force to replace it/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  }
  const dry = await desk.perp(['sim', 'import', venue, '-o', file, '--dry-run']);
  assert.equal(dry.exit, 2, 'a dry run says the same');
  const { exit, err } = await desk.perp(['sim', 'import', venue, '-o', link, '--force']);
  assert.equal(exit, 0, err);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.match(readFileSync(file, 'utf8'), /^\{"time"/);
  assert.deepEqual(filesOf(desk), ['link.jsonl', 'tape.jsonl'], 'no other file is left');
});

test('anything but a regular file is rejected, even with --force, and unchanged', async () => {
  using desk = new Desk();
  const fifo = join(desk.folder, 'fifo');
  assert.equal(spawnSync('mkfifo', [fifo]).status, 0);
  const link = join(desk.folder, 'link');
  symlinkSync('/dev/null', link);
  for (const out of [fifo, '/dev/null', link, desk.folder]) {
    for (const force of [[], ['--force']]) {
      const { exit, err } = await desk.perp(['sim', 'import', venue, '-o', out, ...force]);
      assert.equal(exit, 2, err);
      assert.match(err, /not a regular file; use -o - for standard output|it is a folder/);
    }
  }
  assert.ok(lstatSync(fifo).isFIFO() && lstatSync(link).isSymbolicLink());
});

test('recordings of one market at different times are merged, and the simulation plays the result', async () => {
  using desk = new Desk();
  const market = {
    symbol: 'BTC',
    coin: 'BTCUSDT',
    size_decimals: 3,
    tick: '0.1',
    max_leverage: 10,
    category: 'crypto',
  };
  const market_id = 'binance|BTCUSDT';
  const begin = Date.UTC(2026, 10, 20, 20);
  const files = [60_000, 61_000].map((price, at) => {
    const time = begin + at * 60_000;
    const lines = [
      { time, market: { market_id, ...market } },
      { time: time + 1, market_id, bids: [[`${price}`, '1']], asks: [[`${price + 1}`, '1']] },
    ];
    const file = join(desk.folder, `${at}.jsonl`);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  });
  const out = join(desk.folder, 'both.jsonl.gz');
  const report = await desk.json('sim', 'merge', ...files.toReversed(), '-o', out);
  assert.deepEqual([report.first_time, report.last_time], [begin, begin + 60_001]);
  const again = await desk.perp(['sim', 'merge', ...files, '-o', out, '--json']);
  assert.deepEqual([again.exit, again.error.code], [2, 'recording']);
  await desk.json('markets', '--books', out, '--clock', 'manual', '--state', 'default');
  const bids = [];
  for (const time of ['1s', '60s']) {
    await desk.json('sim', 'advance', time);
    bids.push((await desk.json('quote', 'BTC')).bid);
  }
  assert.deepEqual(bids, [60_000, 61_000]);
});

trial('a reader that stops early ends an import to stdout quietly', async () => {
  buildPerp();
  using desk = new Desk();
  const whole = await new BuiltRun(['sim', 'import', venue, '-o', '-'], { ...process.env, ...desk.variables }).ended;
  assert.equal(whole.exit, 0, whole.err);
  assert.match(whole.out, /^\{"time".*\n\{/);
  const run = spawn('sh', ['-c', `"${process.execPath}" "${bin}" sim import "${venue}" -o - | head -1`], {
    env: { ...process.env, ...desk.variables },
  });
  let out = '';
  run.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await once(run, 'close');
  assert.match(out, /^\{"time".*\}\n$/);
});

trial('an import that is killed leaves nothing beside its result, and the next one removes what it left', async () => {
  using desk = new Desk();
  buildPerp();
  const pipe = join(desk.folder, 'venue.jsonl');
  const folder = join(desk.folder, 'out');
  mkdirSync(folder);
  const lines = readFileSync(venue, 'utf8').trimEnd().split('\n');
  // Long enough to be killed in the middle.
  const many = Array.from({ length: 200 }, () => lines[0]).join('\n');
  writeFileSync(pipe, `${many}\n`.repeat(60));
  const importing = spawn(process.execPath, [bin, 'sim', 'import', pipe, '-o', join(folder, 'tape.jsonl')], {
    env: { ...process.env, ...desk.variables },
    stdio: 'ignore',
  });
  const drafts = join(desk.variables.PERP_STATE_DIR!, 'unfinished');
  while (!existsSync(drafts) || readdirSync(drafts).length === 0) {
    if (importing.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  importing.kill('SIGKILL');
  if (importing.exitCode === null) await once(importing, 'exit');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== 'tape.jsonl'),
    [],
  );
  const { exit, err } = await desk.perp(['sim', 'import', venue, '-o', join(folder, 'other.jsonl')]);
  assert.equal(exit, 0, err);
  assert.deepEqual(readdirSync(drafts), []);
});
