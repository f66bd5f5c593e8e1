import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before } from 'node:test';
import { trial } from '../../tiers.ts';
import { BuiltRun, beginWorld, bin, buildPerp, machine, servedWorld } from '../cli/built-perp.ts';

before(() => buildPerp());

trial('Ctrl-C ends a stream with 130 and no message', async (t) => {
  const here = machine();
  t.after(() => here.remove());
  await beginWorld(here.variables);
  const run = new BuiltRun(['stream', 'ticks', 'BTC', '-o', 'ndjson'], here.variables);
  await run.printed(/"type":"tick"/);
  run.process.kill('SIGINT');
  const { exit, err } = await run.ended;
  assert.deepEqual([exit, err], [130, 'SIM default, synthetic\n']);
});

trial('a reader that stops early ends a stream quietly', async (t) => {
  const here = machine();
  t.after(() => here.remove());
  await beginWorld(here.variables);
  const child = spawn(process.execPath, [bin, 'stream', 'ticks', 'BTC', '-o', 'ndjson'], { env: here.variables });
  let err = '';
  child.stderr.on('data', (text) => {
    err += text;
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [exit] = await ended;
  assert.deepEqual([exit, err], [0, 'SIM default, synthetic\n']);
});

trial('the bundle follows the streams of a served simulation', async (t) => {
  const here = machine();
  t.after(() => here.remove());
  await beginWorld(here.variables);
  const served = await servedWorld(here.variables);
  t.after(() => served.stop());
  const limits = ['--max-events', '1', '--for', '5m', '-o', 'ndjson'];
  for (const words of [['ticks', 'BTC'], ['account']]) {
    const { exit, out, err } = await new BuiltRun(['stream', ...words, ...limits], here.variables).ended;
    assert.deepEqual([exit, out.trim().split('\n').length], [0, 1], words[0]);
    assert.match(err, /^SIM default, synthetic(, account acc_\w+)?\n$/);
  }
});
