import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../../cli/practice.ts';

/** What something sets, without the addresses of venues that every test has. */
async function listed(desk: Desk) {
  const rows: { key: string; value: unknown; source: string }[] = await desk.json('config');
  return rows.filter(({ key }) => !key.startsWith('venues.')).map(({ key, value, source }) => [key, value, source]);
}

test('set, get, list and unset', async () => {
  using desk = new Desk();
  assert.equal((await desk.perp(['config', 'get', 'env'])).exit, 3);
  assert.equal((await desk.perp(['config', 'set', 'trade.leverage', '3'])).exit, 0);
  assert.equal(await desk.json('config', 'get', 'trade.leverage'), 3);
  assert.deepEqual(await listed(desk), [['trade.leverage', 3, 'config file']]);
  const { out } = await desk.perp(['config']);
  assert.match(out, /trade\.leverage +3 +config file +leverage of new positions/);
  assert.match(out, /trade\.margin +- +default +margin mode/);
  assert.equal((await desk.perp(['config', 'rm', 'trade.leverage'])).exit, 0);
  assert.deepEqual(await listed(desk), []);
});

test('unknown keys and invalid values are rejected with a suggestion, and nothing is written', async () => {
  using desk = new Desk();
  const table: [string[], RegExp][] = [
    [['trade.levrage', '3'], /Unknown config key "trade.levrage".\nDid you mean trade.leverage\?/],
    [['trade.leverage', '0'], /not a positive whole number/],
    [['env', 'prod'], /allowed: live, sandbox, sim/],
    [['live.base_url', 'http://api.example.com'], /not an https address/],
    [['trade.leverage'], /VALUE is missing/],
    [
      ['watch.keys', 'N=positions'],
      /"N=positions", but N is a key of perp practice[\s\S]*can't be changed: q t [\s\S]* N M R/,
    ],
    [['watch.keys', 'nn=positions'], /which is not a key and its command/],
    [['__proto__', '3'], /Unknown config key/],
  ];
  for (const [args, says] of table) {
    const run = await desk.perp(['config', 'set', ...args]);
    assert.equal(run.exit, 2);
    assert.match(run.err, says);
  }
  assert.deepEqual(await listed(desk), []);
});

test('the file is readable only by its owner, replaced atomically, and leaves no other files', async () => {
  using desk = new Desk();
  await desk.perp(['config', 'set', 'env', 'sim']);
  const folder = join(desk.folder, 'config');
  assert.deepEqual(readdirSync(folder), ['config.json', 'config.json.lock']);
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'config.json')).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')), { env: 'sim' });
});

test('a broken file, or one of another program, is reported, not repaired', async () => {
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

test('a read-only folder is an error that suggests a fix', async () => {
  using desk = new Desk();
  writeFileSync(join(desk.folder, 'config'), 'a file where the folder should be');
  const run = await desk.perp(['config', 'set', 'env', 'sim']);
  assert.equal(run.exit, 2);
  assert.match(run.err, /Can't write the config file.*\n.*PERP_CONFIG_DIR/);
});

test('an unknown key in the file is an error that suggests a fix, for every command including config list', async () => {
  using desk = new Desk();
  mkdirSync(join(desk.folder, 'config'));
  writeFileSync(join(desk.folder, 'config', 'config.json'), '{"colour":"red"}');
  const run = await desk.perp(['config', 'list']);
  assert.equal(run.exit, 2);
  assert.match(run.err, /Fix or remove it in the file; valid keys: env, profile, output,/);
  assert.doesNotMatch(run.err, /perp config list/);
});

test('--dry-run checks the value and says what would be set, without changing the file', async () => {
  using desk = new Desk();
  const account = ((await desk.json('accounts')) as { id: string }[])[0]!.id;
  const table: [string[], RegExp][] = [
    [['config', 'set', 'trade.leverage', '3'], /^Dry run: trade\.leverage would be 3 /],
    [['config', 'rm', 'env'], /^Dry run: env would no longer be set /],
    [['accounts', 'use', account], /^Dry run: acc_\w+ \(.*\) would be used on SIM default, synthetic\.\n$/],
  ];
  for (const [args, says] of table) {
    const run = await desk.perp([...args, '--dry-run']);
    assert.equal(run.exit, 0, run.err);
    assert.match(run.out, says);
  }
  assert.equal((await desk.perp(['config', 'set', 'trade.leverage', '0', '--dry-run'])).exit, 2);
  assert.deepEqual(await listed(desk), []);
});

/** A machine with this text as its config file. */
function withConfig(text: string): { desk: Desk; file: string } & Disposable {
  const desk = new Desk();
  const file = join(desk.folder, 'config', 'config.json');
  mkdirSync(join(desk.folder, 'config'));
  writeFileSync(file, text, { mode: 0o600 });
  return { desk, file, [Symbol.dispose]: () => desk[Symbol.dispose]() };
}

test('any JSON value of a setting is either valid or a config error', async () => {
  const values = ['{"toString":1}', '{"valueOf":null}', '[]', '["live"]', 'null', 'true', '{}', '[[[]]]', '1e999'];
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const key of ['env', 'timeout', 'live.base_url', 'sim.state', 'trade.leverage']) {
    for (const value of [...values, deep]) {
      using scene = withConfig(`{${JSON.stringify(key)}:${value}}`);
      const { exit, err } = await scene.desk.perp(['markets']);
      assert.equal(exit, 2, `${key} ${value.slice(0, 20)}: ${err}`);
      assert.match(err, value === deep ? /nests deeper than 64 levels/ : new RegExp(`In the config file .*${key}`));
    }
  }
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']) {
    using scene = withConfig(`{${JSON.stringify(key)}:"sim"}`);
    const { exit, err } = await scene.desk.perp(['markets']);
    assert.equal(exit, 2);
    assert.match(err, /Unknown config key/);
  }
});

trial(
  'a pipe, device or endless file as the config is rejected without waiting',
  {
    timeout: 120_000,
  },
  async () => {
    for (const make of [
      (file: string) => spawnSync('mkfifo', [file]),
      (file: string) => symlinkSync('/dev/zero', file),
      (file: string) => symlinkSync('/dev/null', file),
      (file: string) => mkdirSync(file),
      (file: string) => writeFileSync(file, `"${'x'.repeat(2 << 20)}"`),
    ]) {
      using scene = withConfig('{}');
      rmSync(scene.file);
      make(scene.file);
      for (const command of [['markets'], ['config'], ['config', 'set', 'env', 'sim'], ['doctor'], ['login']]) {
        const { exit, out, err } = await scene.desk.perp(command);
        assert.ok(exit === 2 || command[0] === 'doctor', `${command}: ${exit} ${err}`);
        assert.match(out + err, /not a regular file|larger than|EISDIR/, command.join(' '));
      }
    }
  },
);

trial('addresses from a config that other users can write to, or own, are not used', async () => {
  const config = JSON.stringify({
    'live.base_url': 'https://evil.example.com',
    'live.login_url': 'https://evil.example.com/login',
    'sandbox.base_url': 'https://evil.example.com',
    'trade.leverage': 3,
  });
  const doubts: [(file: string) => void, says: RegExp][] = [
    [(file) => chmodSync(file, 0o606), /Other users can write to .*chmod 600/s],
    [(file) => chmodSync(file, 0o602), /Other users can write to .*chmod 600/s],
  ];
  // Only root can change a folder's owner.
  if (process.getuid?.() === 0)
    doubts.push([(file) => chownSync(file, 12_345, 12_345), /belongs to another user.*PERP_CONFIG_DIR/s]);
  for (const [spoil, says] of doubts) {
    using scene = withConfig(config);
    spoil(scene.file);
    const key = { PERP_API_KEY: 'x_0123456789' };
    for (const command of [
      ['accounts', '--env', 'live'],
      ['accounts', '--env', 'sandbox'],
      ['login'],
      ['logout'],
      ['config', 'set', 'trade.leverage', '4'],
    ]) {
      const { exit, err } = await scene.desk.perp(command, { variables: key });
      assert.deepEqual([exit, says.test(err)], [4, true], `${command}: ${err}`);
    }
    const page = await scene.desk.perp(['login'], { variables: { PERP_BASE_URL: 'https://evil.example.com' } });
    assert.deepEqual([page.exit, says.test(page.err)], [4, true], page.err);
    assert.equal(await scene.desk.json('config', 'get', 'trade.leverage'), 3, 'other settings apply');
    assert.equal((await scene.desk.perp(['markets'])).exit, 0, 'the simulation sends nothing');
    const doctor = await scene.desk.perp(['doctor']);
    assert.match(doctor.out, /(can write|belongs to another user)/);
    const named = { ...key, PERP_BASE_URL: 'http://127.0.0.1:1' };
    const own = await scene.desk.perp(['accounts', '--env', 'live', '--timeout', '0.1'], { variables: named });
    assert.equal(own.exit, 7, 'the user’s own address is used');
  }
  using scene = withConfig(config);
  chmodSync(scene.file, 0o602);
  const changed = await scene.desk.perp(['config', 'set', 'live.base_url', 'https://api.example.com']);
  assert.equal(changed.exit, 4, 'the other settings would be trusted from then on');
});
