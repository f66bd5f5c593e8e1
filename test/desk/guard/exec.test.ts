import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runExec } from '../../../src/desk/guard/alerts.ts';
import { type Heartbeat, Heartbeats } from '../../../src/desk/guard/guard-state.ts';

const sh = (script: string) => ['/bin/sh', '-c', script];
const variables = { PATH: process.env.PATH, PERP_API_KEY: 'perp_live_secret' };
const limits = { timeMs: 300, bytes: 4_096 };

test('a program that succeeds reports nothing, one that fails reports its last line', async () => {
  assert.equal(await runExec(sh('cat > /dev/null'), 'x', variables), undefined);
  assert.equal(await runExec(sh('exit 0'), 'x'.repeat(1 << 20), variables), undefined);
  assert.equal(await runExec(sh('echo one; echo two >&2; exit 3'), '', variables), 'it exited with 3: two');
  assert.match((await runExec(['/nowhere/program'], '', variables))!, /ENOENT/);
});

test('a program that hangs is ended, with its child processes', async () => {
  const hung = await runExec(sh('sleep 60 & wait'), '', variables, limits);
  assert.equal(hung, 'it was still running after 0.3s');
  assert.match((await runExec(sh("trap '' TERM; while :; do :; done"), '', variables, limits))!, /still running/);
});

test('a program that prints too much is ended', async () => {
  assert.equal(await runExec(sh('yes'), '', variables, { ...limits, timeMs: 250_000 }), 'it printed more than 4 KiB');
});

test('a program that leaves a process behind does not delay the guard', async () => {
  assert.equal(await runExec(sh('sleep 5 & exit 0'), '', variables, { ...limits, timeMs: 250_000 }), undefined);
});

test('control characters of a program do not reach the terminal', async () => {
  const trouble = await runExec(sh("printf 'a\\033[2Jb'; exit 1"), '', variables);
  assert.equal(trouble, 'it exited with 1: a\\u001b[2Jb');
});

test('a heartbeat is measured on the monotonic clock, whatever the file’s time', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-heartbeat-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'alive');
  let now = 1_000;
  const clocks = { monotonic: () => now, uptime: () => now + 50_000 };
  const beats = new Heartbeats([file], {}, clocks);
  const silence = () => beats.silences().get(file);
  assert.equal(silence(), 0);
  now += 5_000;
  assert.equal(silence(), 5_000);
  writeFileSync(file, '');
  assert.equal(silence(), 0);
  now += 2_000;
  // The machine's clock is set back by a year: touching the file still counts.
  utimesSync(file, 1_000, 1_000);
  assert.equal(silence(), 0);
  rmSync(file);
  now += 3_000;
  assert.equal(silence(), 3_000);
});

test('the next guard counts the silence of a file on, over a restart of the machine, too', () => {
  const file = '/nowhere/alive';
  const silenceAfter = (known: Record<string, Heartbeat>, uptime: number) =>
    new Heartbeats([file], known, { monotonic: () => 7, uptime: () => uptime }).silences().get(file);
  const first = new Heartbeats([file], {}, { monotonic: () => 0, uptime: () => 100_000 });
  assert.equal(first.silences().get(file), 0);
  assert.equal(silenceAfter(first.kept, 160_000), 60_000);
  assert.equal(silenceAfter({ [file]: { touched: null, silentMs: 30_000, at: 100_000 } }, 20_000), 50_000);
  assert.equal(silenceAfter({ [file]: { touched: 1, silentMs: 30_000, at: 100_000 } }, 100_000), 30_000);
});
