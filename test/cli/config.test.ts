import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Desk } from './practice.ts';

test('set, get, list and unset', async () => {
  using desk = new Desk();
  assert.equal((await desk.perp(['config', 'get', 'env'])).exit, 3);
  assert.equal((await desk.perp(['config', 'set', 'trade.leverage', '3'])).exit, 0);
  assert.equal(await desk.json('config', 'get', 'trade.leverage'), 3);
  assert.deepEqual(await desk.json('config'), { 'trade.leverage': 3 });
  assert.match((await desk.perp(['config'])).out, /trade\.leverage +3 +leverage of new positions/);
  assert.equal((await desk.perp(['config', 'set', 'trade.leverage', '--unset'])).exit, 0);
  assert.deepEqual(await desk.json('config', 'list'), {});
});

test('unknown keys and bad values are refused with a suggestion, and nothing is written', async () => {
  using desk = new Desk();
  const table: [string[], RegExp][] = [
    [['trade.levrage', '3'], /Unknown config key "trade.levrage".\nDid you mean trade.leverage\?/],
    [['trade.leverage', '0'], /not a whole number of one or more/],
    [['env', 'prod'], /it can be live, sandbox, sim/],
    [['live.base_url', 'http://api.example.com'], /not an https address/],
    [['trade.leverage'], /VALUE is missing/],
    [['__proto__', '3'], /Unknown config key/],
  ];
  for (const [args, says] of table) {
    const run = await desk.perp(['config', 'set', ...args]);
    assert.equal(run.exit, 2);
    assert.match(run.err, says);
  }
  assert.deepEqual(await desk.json('config'), {});
});

test('the file is readable by its owner only, replaced whole, and leaves no debris', async () => {
  using desk = new Desk();
  await desk.perp(['config', 'set', 'env', 'sim']);
  const folder = join(desk.folder, 'config');
  assert.deepEqual(readdirSync(folder), ['config.json']);
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'config.json')).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')), { env: 'sim' });
});

test('a broken or foreign file is named, not repaired', async () => {
  using desk = new Desk();
  const file = join(desk.folder, 'config', 'config.json');
  mkdirSync(join(desk.folder, 'config'));
  const table: [string, RegExp][] = [
    ['{', /is not JSON/],
    ['[]', /is not a JSON object/],
    ['{"colour":"red"}', /Unknown config key "colour"/],
    ['{"env":"prod"}', /env is "prod"/],
    ['{"trade.leverage":{}}', /trade\.leverage/],
  ];
  for (const [text, says] of table) {
    writeFileSync(file, text);
    const run = await desk.perp(['markets']);
    assert.equal(run.exit, 2, text);
    assert.match(run.err, says);
    assert.ok(run.err.includes(file));
    assert.equal(readFileSync(file, 'utf8'), text);
  }
});

test('a folder that cannot be written is an error with the way out', async () => {
  using desk = new Desk();
  writeFileSync(join(desk.folder, 'config'), 'a file where the folder should be');
  const run = await desk.perp(['config', 'set', 'env', 'sim']);
  assert.equal(run.exit, 2);
  assert.match(run.err, /Cannot write the config file.*\n.*PERP_CONFIG_DIR/);
});

test('an unknown key in the file is answered with the way out: every command reads the file, config list too', async () => {
  using desk = new Desk();
  mkdirSync(join(desk.folder, 'config'));
  writeFileSync(join(desk.folder, 'config', 'config.json'), '{"colour":"red"}');
  const run = await desk.perp(['config', 'list']);
  assert.equal(run.exit, 2);
  assert.match(run.err, /Correct or remove it in the file; its keys are env, output,/);
  assert.doesNotMatch(run.err, /perp config list/);
});

test('--dry-run checks and says what would be set, and leaves the file as it is', async () => {
  using desk = new Desk();
  const account = ((await desk.json('accounts')) as { id: string }[])[0]!.id;
  const table: [string[], RegExp][] = [
    [['config', 'set', 'trade.leverage', '3'], /^Dry run: trade\.leverage would be 3 /],
    [['config', 'set', 'env', '--unset'], /^Dry run: env would no longer be set /],
    [['accounts', 'use', account], /^Dry run: acc_\w+ \(.*\) would be used on sim\.\n$/],
  ];
  for (const [args, says] of table) {
    const run = await desk.perp([...args, '--dry-run']);
    assert.equal(run.exit, 0, run.err);
    assert.match(run.out, says);
  }
  assert.equal((await desk.perp(['config', 'set', 'trade.leverage', '0', '--dry-run'])).exit, 2);
  assert.deepEqual(await desk.json('config'), {});
});
