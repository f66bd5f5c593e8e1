import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { CuttingProxy } from '../../wire/client/streams/cutting-proxy.ts';
import { Desk } from '../cli/practice.ts';
import { Emulator } from './emulator.ts';

/** A live screen whose connection to the host can be cut, with an order's question on it. */
async function asked(t: { after(fn: () => void | Promise<void>): void }, desk: Desk) {
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const proxy = await CuttingProxy.open(t, service.baseUrl);
  const origin = `127.0.0.1:${proxy.port}`;
  const variables = {
    LANG: 'C.UTF-8',
    PERP_ENV: 'live',
    PERP_BASE_URL: `http://${origin}`,
    PERP_API_KEY: service.key,
    PERP_MARKET_STREAM_URL: `ws://${origin}`,
    PERP_ACCOUNT_STREAM_URL: `ws://${origin}`,
  };
  const screen = new Emulator(100, 34);
  // The waits between attempts give the host time to come back.
  const run = desk.perp(['watch', 'BTC'], { terminal: true, screen, variables, inRealTime: true });
  await screen.shows(/connected$[\s\S]*\[BTC \d/m);
  screen.press('t', 'b', ...'0.05', 'return');
  await screen.shows(/\(y\/N\)/);
  const json = async (...argv: string[]) => (await desk.perp([...argv, '--json'], { variables })).json;
  return { screen, run, proxy, json };
}

test('an order whose host fails after the answer is sent again under its key, and fills once', async (t) => {
  using desk = new Desk();
  const { screen, run, proxy, json } = await asked(t, desk);
  proxy.isCut = true;
  proxy.cut();
  screen.press('y');
  await screen.shows(/stream lost/);
  // More key presses send nothing twice.
  screen.press('y', 'return', 'q');
  proxy.isCut = false;
  await screen.shows(/Filled +buy 0\.05 BTC[\s\S]*Any key goes back/, 40_000);
  screen.press('return', 'q');
  assert.equal((await run).exit, 0);
  assert.equal((await json('fills')).length, 1);
  assert.deepEqual(await json('pending'), []);
});

test('Ctrl-C during a write leaves the screen and reports the outcome', async (t) => {
  using desk = new Desk();
  const { screen, run, proxy, json } = await asked(t, desk);
  proxy.isCut = true;
  proxy.cut();
  screen.press('y');
  await screen.shows(/stream lost/);
  screen.key({ name: 'c', text: '', ctrl: true });
  const { exit, err } = await run;
  assert.ok(await screen.isRestored());
  assert.ok(exit === 8 || exit === 130, `${exit}: ${err}`);
  assert.match(err, /Place market buy 0\.05 BTC.*yes/);
  proxy.isCut = false;
  if (exit === 8) await desk.perp(['pending', 'resume', '--yes']);
  assert.ok((await json('fills')).length <= 1);
});
