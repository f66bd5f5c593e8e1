import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, machine } from '../../cli/built-perp.ts';

const here = machine();
const loops = ['markets', '--jq', 'def f: f; f'];

before(() => buildPerp());
after(() => here.remove());

test('a jq expression that never ends is ended with a line', { timeout: 60_000 }, async () => {
  const run = new BuiltRun(loops, here.variables);
  const { exit } = await run.ended;
  assert.deepEqual([exit, run.out], [2, '']);
  assert.match(run.err, /--jq failed: the expression was not done after 10s/);
});

test('a jq expression that needs more memory than there is ends with a line, and jq itself prints nothing', async () => {
  const { exit, err } = await new BuiltRun(['markets', '--jq', 'def f: 1 + f; f'], here.variables).ended;
  assert.equal(exit, 2);
  assert.match(err, /--jq failed: the expression needs more memory than there is, or recurses too deeply\./);
  assert.equal(err.includes('Abort'), false, err);
});

test('SIGTERM ends a command whose jq expression never ends', { timeout: 60_000 }, async () => {
  const run = new BuiltRun(loops, here.variables);
  const begun = performance.now();
  const isOver = run.ended.then(() => performance.now());
  await delay(3_000);
  run.process.kill('SIGTERM');
  // By itself it would end after ten seconds.
  assert.ok((await isOver) - begun < 10_000);
});
