import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../../../src/service/serve.ts';
import { usualWeather } from '../../../../src/service/weather/weather.ts';
import { Desk } from '../practice.ts';

const calm = Object.fromEntries(Object.keys(usualWeather).map((name) => [name, 0]));

test('a closed position that the list still shows is not left: flatten asks for the position itself', async () => {
  using desk = new Desk();
  const profile = join(desk.folder, 'lingers.json');
  writeFileSync(profile, JSON.stringify({ ...calm, seed: 7, linger_seconds: 60 }));
  await desk.json('sim', 'use', 'default', '--weather', profile);
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '5%');
  const run = await desk.perp(['flatten', '--yes', '--json']);
  assert.equal(run.exit, 0, run.err);
  assert.deepEqual(await desk.json('positions'), []);
  assert.deepEqual(await desk.json('order'), []);
});

test('the weather of a simulation that is being served stays as it is', async (t) => {
  using desk = new Desk();
  await desk.json('sim', 'status');
  const ports = { port: 0, sandboxPort: 0, drainMs: 0 } as const;
  const service = await serve({ stateDir: desk.variables.PERP_STATE_DIR!, state: 'default', ...ports });
  t.after(() => service.stop());
  const run = await desk.perp(['sim', 'use', 'default', '--weather', '7', '--json']);
  assert.equal(run.exit, 2);
  assert.match(run.error.message, /^The simulation default is being served, so its weather can't change/);
});

test('weather that is no seed and no profile is refused, and nothing changes', async () => {
  using desk = new Desk();
  for (const [given, says] of [
    ['nosuch.json', /can't be read/],
    ['-1', /^--weather -1: seed must be a whole number from 0 to 4294967295\.$/],
    ['99999999999', /^--weather 99999999999: seed must be a whole number from 0 to 4294967295\.$/],
    ['1.5', /^--weather 1\.5: seed must be a whole number/],
    ['', /^--weather is empty\.$/],
  ] as const) {
    const run = await desk.perp(['sim', 'use', 'default', '--weather', given, '--json']);
    assert.equal(run.exit, 2, given);
    assert.match(run.error.message, says);
  }
});
