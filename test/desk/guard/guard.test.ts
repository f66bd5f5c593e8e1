import assert from 'node:assert/strict';
import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

const buy = ['order', 'place', 'BTC', 'buy', '0.5', '--leverage', '2', '--margin', 'cross'];

/** A simulation whose time stands still, with one long position, and a guard's rules. */
async function guarded(t: TestContext, rules: string): Promise<Desk> {
  const desk = new Desk();
  t.after(() => desk[Symbol.dispose]());
  await desk.json('sim', 'reset', '--plan', 'none', '--yes', '--clock', 'manual');
  await desk.json(...buy);
  await desk.perp(['guard', 'add']);
  writeFileSync(join(desk.folder, 'config', 'guard.toml'), rules);
  return desk;
}

const once = async (desk: Desk, ...more: string[]) => {
  const { exit, out, err } = await desk.perp(['guard', '--once', '-o', 'ndjson', ...more]);
  const lines = out
    .trim()
    .split('\n')
    .filter((text) => text !== '');
  return { exit, err, events: lines.map((text) => JSON.parse(text)) };
};

trial('flattening closes every position and cancels every order, once', async (t) => {
  const desk = await guarded(t, '[max-trades]\ntrades = 1\ndo = ["lock", "flatten"]\n');
  const { bid } = await desk.json('quote', 'BTC');
  await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--limit-price', String(Math.round(bid * 0.9)));
  await desk.json('twap', 'place', 'ETH', 'buy', '1', '--duration', '10m', '--leverage', '1', '--margin', 'cross');
  // The stop of a position that was closed is not moved.
  const first = await once(desk, '--trail', '1%');
  assert.equal(first.exit, 0, first.err);
  assert.deepEqual(
    first.events.map(({ event, steps }) => [event, ...(steps ?? [])]),
    [
      ['fired', 'lock', 'flatten'],
      ['did', 'flatten'],
      ['did', 'lock'],
    ],
  );
  assert.deepEqual(await desk.json('positions'), []);
  assert.deepEqual(await desk.json('order', 'list', '--status', 'working'), []);
  assert.deepEqual(await desk.json('twap', 'list'), []);
  await desk.perp(['guard', 'unlock', '--yes']);
  await desk.json(...buy);
  assert.deepEqual((await once(desk)).events, []);
  assert.equal((await desk.json('positions')).length, 1);
});

test('a dry run only reports what would be done', async (t) => {
  const desk = await guarded(t, '[max-trades]\ntrades = 1\ndo = ["lock", "flatten"]\n');
  for (const _ of [1, 2])
    assert.deepEqual(
      (await once(desk, '--dry-run')).events.map(({ event }) => event),
      ['fired'],
    );
  assert.equal((await desk.json('positions')).length, 1);
  assert.equal((await desk.json('guard', 'status')).lock, null);
});

trial('a trailing stop is placed, follows the price and never moves away', async (t) => {
  const desk = await guarded(t, '[fills]\n');
  const stops: number[] = [];
  const said: string[] = [];
  for (let step = 0; step < 12; step++) {
    const { exit, events, err } = await once(desk, '--trail', '1%');
    assert.equal(exit, 0, err);
    for (const { event, says } of events) if (event === 'stop_moved') said.push(says.split(' long BTC ')[0]);
    const exits = await desk.perp(['positions', 'exits', 'BTC', '--json']);
    // The market reached the stop, or the guard closed the position beyond it.
    if (exits.exit === 3) break;
    stops.push(exits.json[0].trigger_price);
    await desk.json('sim', 'advance', '20m');
  }
  assert.ok(stops.length > 0);
  assert.deepEqual(
    stops,
    [...stops].sort((one, other) => one - other),
  );
  assert.deepEqual(said, ['Placed a stop for', ...Array(new Set(stops).size - 1).fill('Moved the stop of')]);
});

test('alerts go to a program as JSON, without the credential', async (t) => {
  const desk = await guarded(t, '');
  const program = join(desk.folder, 'alert.sh');
  const heard = join(desk.folder, 'heard');
  writeFileSync(program, `#!/bin/sh\ncat >> ${heard}\necho "key: $PERP_API_KEY" >> ${heard}\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(desk.folder, 'config', 'guard.toml'), `exec = "${program}"\n[price]\nmarket = "BTC"\nabove = 1\n`);
  const { exit, err } = await desk.perp(['guard', '--once'], { variables: { PERP_API_KEY: 'perp_live_secretsecret' } });
  assert.equal(exit, 0, err);
  const [alert, key] = readFileSync(heard, 'utf8').split('\n');
  const { event, rule, facts, repeated } = JSON.parse(alert!);
  assert.deepEqual([event, rule, facts.market_id, repeated], ['fired', 'price', 'binance|BTCUSDT', false]);
  assert.equal(key, 'key: ');
});

test('a program that fails is reported, and nothing else fails', async (t) => {
  const desk = await guarded(t, 'exec = "/nowhere/alert"\n[price]\nmarket = "BTC"\nabove = 1\n');
  const { exit, events } = await once(desk);
  assert.equal(exit, 0);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['fired', 'alert_failed'],
  );
});

test('a damaged state is moved aside and reported', async (t) => {
  const desk = await guarded(t, '[price]\nmarket = "BTC"\nabove = 1\n');
  assert.equal((await once(desk)).events.length, 1);
  const { state } = await desk.json('guard', 'status');
  assert.equal(state, 'sound');
  const file = stateFile(desk);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"format":1', '"format":2'));
  assert.equal((await desk.json('guard', 'status')).state, 'damaged');
  const { exit, events } = await once(desk);
  assert.deepEqual([exit, events.map(({ rule }) => rule)], [0, ['guard', 'price']]);
  assert.match(events[0].says, /The guard's state was damaged/);
  assert.ok(existsSync(`${file}.damaged`));
});

test('invalid rules and unknown markets are refused before anything is done', async (t) => {
  const desk = await guarded(t, '[max-trades]\ntrades = 1\n\n[price]\nmarket = "NOPE"\nabove = 1\n');
  assert.equal((await once(desk)).exit, 3);
  writeFileSync(join(desk.folder, 'config', 'guard.toml'), '[max-trades]\ntrades = 1\n[pricee]\n');
  const { exit, err } = await once(desk);
  assert.equal(exit, 2);
  assert.match(err, /guard\.toml, line 3: Unknown key/);
  writeFileSync(join(desk.folder, 'config', 'guard.toml'), 'account = "acc_9"\n[fills]\n');
  assert.match((await once(desk)).err, /is for account acc_9/);
  assert.equal((await once(desk, '--rules', '/nowhere.toml')).exit, 2);
  assert.equal((await once(desk, '--max-age', '3s')).exit, 2);
  assert.equal((await desk.json('guard', 'status')).lock, null);
});

test('init does not overwrite a file', async (t) => {
  const desk = await guarded(t, '[fills]\n');
  const { exit, error } = await desk.perp(['guard', 'add', '--json']);
  assert.deepEqual([exit, error.code], [6, 'exists']);
  assert.match(readFileSync(join(desk.folder, 'config', 'guard.toml'), 'utf8'), /fills/);
});

test('the rules are explained', async (t) => {
  const desk = await guarded(t, '[daily-stop]\nloss = "2%"\n[heartbeat]\nfile = "/x"\nmax-age = "60s"\n');
  const { exit, out } = await desk.perp(['guard', 'rules']);
  assert.equal(exit, 0);
  assert.match(out, /equity is 2% below its value at the start of the day/);
  assert.match(out, /\/x has not been touched for 60s/);
  const record = await desk.json('guard', 'rules');
  assert.deepEqual(
    record.rules.map(({ kind, line }: { kind: string; line: number }) => [kind, line]),
    [
      ['daily-stop', 1],
      ['heartbeat', 3],
    ],
  );
});

function stateFile(desk: Desk): string {
  const [file] = globSync('state/guard/*/*.state', { cwd: desk.folder });
  return join(desk.folder, file!);
}
