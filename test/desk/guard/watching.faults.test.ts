import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, freshWorld, machine } from '../../terminal/cli/built-perp.ts';

const here = machine();
const rules = join(here.folder, 'rules.toml');
const buy = ['order', 'place', 'BTC', 'buy', '0.1', '--leverage', '1', '--margin', 'cross', '--json'];
let port = '0';
let serving: BuiltRun;

async function serve(): Promise<void> {
  const words = ['sim', 'serve', '--port', port, '--sandbox-port', '0', '--rate-limit', 'off', '--json'];
  serving = new BuiltRun(words, here.variables);
  await serving.printed(/\}/);
  port = new URL(JSON.parse(serving.out).base_url).port;
}

const perp = async (...words: string[]) => {
  const { exit, out, err } = await new BuiltRun(words, here.variables).ended;
  return { exit, out, err };
};

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  await serve();
});
after(async () => {
  serving.process.kill('SIGKILL');
  await serving.ended;
  here.remove();
});

/** Waits until a guard has written a firing to its state: it acts and tells first. */
async function onDisk(key: string): Promise<void> {
  const isWritten = (file: string) => readFileSync(file, 'utf8').includes(`"${key}"`);
  while (!globSync(join(here.variables.PERP_STATE_DIR!, 'guard/*/*.state')).some(isWritten)) await delay(10);
}

test('only one guard is in charge; it survives a host that fails, and misses no fill', async () => {
  writeFileSync(rules, '[fills]\n[price]\nmarket = "BTC"\nabove = 1\n');
  const words = ['guard', '--rules', rules, '-o', 'ndjson'];
  const guard = new BuiltRun(words, here.variables);
  await guard.printed(/"rule":"price"/);
  const other = await perp(...words, '--once');
  assert.equal(other.exit, 6);
  assert.match(other.err, new RegExp(`process id ${guard.process.pid} has been in charge`));
  assert.match((await perp('guard', 'status')).out, new RegExp(`process ${guard.process.pid}, since`));
  assert.equal((await perp(...buy)).exit, 0);
  await guard.printed(/"says":"Filled: buy 0.1 BTC/);
  // The host is killed, and its streams end.
  serving.process.kill('SIGKILL');
  await serving.ended;
  await guard.printed(/"event":"blind"/);
  await serve();
  assert.equal((await perp('order', 'place', 'ETH', 'buy', '2', '--leverage', '1', '--margin', 'cross')).exit, 0);
  await guard.printed(/"event":"sees"/);
  await guard.printed(/"says":"Filled: buy 2 ETH/);
  const fills = guard.out.match(/(?<="key":")fill@[^"]+/g)!;
  assert.equal(fills.length, 2);
  await onDisk(fills[1]!);
  guard.process.kill('SIGKILL');
  await guard.ended;
  // The killed guard's lock ended with it; the next guard reports what happened in the meantime.
  assert.match((await perp('guard', 'status')).out, /none is running/);
  assert.equal((await perp('positions', 'close', 'ETH', '--json')).exit, 0);
  const next = await perp(...words, '--once');
  assert.equal(next.exit, 0, next.err);
  assert.equal(next.out.trimEnd().split('\n').length, 1, next.out);
  assert.match(next.out, /Filled: sell 2 ETH/);
});

test('a guard that is stopped exits with 130', async () => {
  assert.equal((await perp(...buy)).exit, 0);
  for (const [signal, distance] of [
    ['SIGTERM', '50%'],
    ['SIGINT', '40%'],
  ] as const) {
    const guard = new BuiltRun(['guard', '--trail', distance, '-o', 'ndjson'], here.variables);
    await guard.printed(/"event":"stop_moved"/);
    guard.process.kill(signal);
    assert.equal((await guard.ended).exit, 130);
  }
});
