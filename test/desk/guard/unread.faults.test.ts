import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, constants, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, bin, buildPerp, freshWorld, machine } from '../../terminal/cli/built-perp.ts';

const here = machine();
before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
});
after(() => here.remove());

/** A pipe that nobody reads, and that is full. */
function fullPipe(): number {
  const path = join(here.folder, 'pipe');
  execFileSync('mkfifo', [path]);
  openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const filling = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    while (true) writeSync(filling, Buffer.alloc(4_096));
  } catch {
    closeSync(filling);
  }
  return openSync(path, constants.O_WRONLY);
}

for (const where of ['a full pipe that nobody reads', '/dev/full'])
  test(`a guard whose output goes to ${where} closes, tells and ends all the same`, async () => {
    const buy = ['order', 'place', 'BTC', 'buy', '0.1', '--leverage', '1', '--margin', 'cross', '--json'];
    assert.equal((await new BuiltRun(buy, here.variables).ended).exit, 0);
    const heard = join(here.folder, `heard-${where.length}`);
    const program = join(here.folder, 'alert.sh');
    writeFileSync(program, `#!/bin/sh\ncat >> ${heard}\n`);
    chmodSync(program, 0o755);
    const rules = join(here.folder, 'rules.toml');
    writeFileSync(rules, `[price]\nmarket = "BTC"\nabove = ${where.length}\ndo = ["flatten"]\n`);
    const stdout = where === '/dev/full' ? openSync(where, 'w') : fullPipe();
    const argv = [bin, 'guard', '--rules', rules, '--exec', program, '-o', 'ndjson'];
    const guard = spawn(process.execPath, argv, { env: here.variables, stdio: ['ignore', stdout, 'pipe'] });
    const told = () => (existsSync(heard) ? readFileSync(heard, 'utf8') : '');
    while (!told().includes('"rule":"price"')) await delay(50);
    guard.kill('SIGTERM');
    const [exit] = await once(guard, 'close');
    assert.equal(exit, 130);
    assert.match(told(), /"key":"end@/);
    assert.deepEqual(JSON.parse((await new BuiltRun(['positions', '--json'], here.variables).ended).out), []);
  });
