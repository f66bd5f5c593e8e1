import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../../../src/service/serve.ts';
import { Desk } from '../practice.ts';

test('the clock advances while clients are at their limit; fills that can’t be read then are not shown', async (t) => {
  const desk = new Desk();
  const stateDir = join(desk.folder, 'state');
  const serving = await serve({ stateDir, port: 0, sandboxPort: 0, rateLimit: 1, seed: 7, clock: 'manual' });
  t.after(async () => {
    await serving.stop();
    desk[Symbol.dispose]();
  });
  const { time: before } = await desk.json('sim', 'status');
  const run = await desk.perp(['sim', 'advance', '1h', '--output', 'table']);
  assert.equal(run.exit, 0, run.err);
  assert.match(run.out, /\(1h\)/);
  assert.match(run.err, /Some fills can't be shown: Too many requests/);
  assert.equal((await fetch(`${serving.baseUrl}/v1/accounts`)).status, 429);
  await desk.json('sim', 'advance', '1h');
  assert.equal((await desk.json('sim', 'status')).time, before + 2 * 3_600_000);
});
