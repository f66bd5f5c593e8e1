import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { nextTradingDayStart } from '../../../src/base/terms/day.ts';
import { stretch } from '../../../src/base/text/format.ts';
import { serve } from '../../../src/service/serve.ts';
import { Desk } from '../cli/practice.ts';
import { Emulator } from './emulator.ts';

const size = [100, 24] as const;

function watching(desk: Desk, argv: readonly string[] = []) {
  const screen = new Emulator(...size);
  const run = desk.perp(['watch', 'BTC', ...argv], { terminal: true, screen, variables: { LANG: 'C.UTF-8' } });
  const quit = () => screen.press('escape', 'escape', 'q');
  return { screen, run, quit, [Symbol.dispose]: quit };
}

test('a simulation that is reset while it is watched is shown as it is now, and can be traded', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--yes');
  using watch = watching(desk);
  const { screen, run } = watch;
  await screen.shows(/BTC +long +0\.05[\s\S]*\[BTC \d/);
  await desk.json('sim', 'reset', '--yes');
  await screen.shows(/equity 100,000\.00[\s\S]*No open positions/);
  screen.press('t', 'b', ...'0.1', 'return');
  await screen.shows(/\(y\/N\)/);
  screen.press('y');
  await screen.shows(/Filled +buy 0\.1 BTC/);
  screen.press('escape', 'q');
  assert.equal((await run).exit, 0);
  assert.equal((await desk.json('positions'))[0].size, 0.1);
});

test('a served simulation that stops, and is served again elsewhere under another key, is found automatically', async (t) => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--yes');
  const options = { stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 };
  const first = await serve(options);
  t.after(() => first.stop());
  using watch = watching(desk);
  const { screen, run } = watch;
  await screen.shows(/connected\n[\s\S]*BTC +long +0\.05[\s\S]*\[BTC \d/);
  await first.stop();
  const second = await serve(options);
  t.after(() => second.stop());
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--yes');
  await screen.shows(/connected\n[\s\S]*BTC +long +0\.1[\s\S]*\[BTC \d/);
  screen.press('q');
  assert.deepEqual([(await run).exit, (await run).err], [0, '']);
  await second.stop();
});

test('a simulation that is watched because it was served in use stays the one that is watched', async (t) => {
  using desk = new Desk();
  await desk.json('accounts');
  await desk.json('order', 'place', 'ETH', 'buy', '2', '--yes', '--state', 'friday');
  const options = { stateDir: join(desk.folder, 'state'), state: 'friday', port: 0, sandboxPort: 0, drainMs: 50 };
  const served = await serve(options);
  t.after(() => served.stop());
  served.putInUse();
  using watch = watching(desk);
  const { screen, run } = watch;
  await screen.shows(/connected\n[\s\S]*ETH +long +2/);
  await served.stop();
  await desk.json('order', 'place', 'ETH', 'buy', '1', '--yes', '--state', 'friday');
  await screen.shows(/connected\n[\s\S]*ETH +long +3/);
  screen.press('q');
  assert.equal((await run).exit, 0);
});

test('a clock that jumps ahead, and one that is set back, move the time and the countdown to the end of the day', async () => {
  using desk = new Desk();
  // Late in a second, so that the last prices, from which the screen takes the time, are of the same second.
  const reset = async () => {
    await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
    await desk.json('sim', 'advance', '950ms');
  };
  await reset();
  using watch = watching(desk);
  const { screen, run } = watch;
  const shown = async () => {
    const { time } = await desk.json('sim', 'status');
    const left = stretch(nextTradingDayStart(time) - time);
    return new RegExp(`${new Date(time).toISOString().slice(11, 19)}Z[\\s\\S]*day \\w+ in ${left}, at`);
  };
  await screen.shows(await shown());
  await desk.json('sim', 'advance', '30h');
  await screen.shows(await shown());
  await reset();
  await screen.shows(await shown());
  screen.press('q');
  assert.equal((await run).exit, 0);
});
