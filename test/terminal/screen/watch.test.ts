import assert from 'node:assert/strict';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { test, trial } from '../../tiers.ts';
import { CuttingProxy } from '../../wire/client/streams/cutting-proxy.ts';
import { Desk } from '../cli/practice.ts';
import { Emulator } from './emulator.ts';

const utf8 = { LANG: 'C.UTF-8' };

/** A running `perp watch` and the terminal that shows it; ends with the test. */
function watching(
  desk: Desk,
  argv: readonly string[] = [],
  [columns, rows]: readonly [number, number] = [80, 24],
  variables: Record<string, string> = {},
) {
  const screen = new Emulator(columns, rows);
  const run = desk.perp(['watch', ...argv], { terminal: true, screen, variables: { ...utf8, ...variables } });
  const quit = () => screen.press('escape', 'q');
  return { screen, run, quit, [Symbol.dispose]: quit };
}

trial('one screen shows the account, its floors, positions, orders, the market and fills', async () => {
  using desk = new Desk();
  const { mid } = await desk.json('quote', 'BTC');
  const exits = ['--stop-loss', String(Math.round(mid * 0.9)), '--take-profit', String(Math.round(mid * 1.1))];
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--yes', ...exits);
  await desk.json('order', 'place', 'ETH', 'buy', '0.1', '--limit-price', '1000', '--yes');
  for (const size of [
    [80, 24],
    [120, 40],
    [200, 60],
  ] as const) {
    using watch = watching(desk, [], size);
    const { screen, run } = watch;
    const isWide = size[0] === 200;
    // A wide screen has a second chart, volume, the tape of prints, and the carry to come.
    const all = isWide ? /BTC 1m {2}\d[\s\S]*PRINTS[\s\S]*volume \d[\s\S]*BTC 15m {2}\d[\s\S]*volume \d/ : /[┃╽╿]/;
    const shown = await screen.shows(new RegExp(`${all.source}[\\s\\S]*FILLED`));
    assert.equal(/carry \d/.test(shown), size[0] > 80);
    for (const expected of [
      /^SIM default, synthetic .*connected$/m,
      /equity 9\d,\d{3}\.\d\d/,
      /daily loss {2}[█░]{8,} {4}\d% used {2}[\d,.]+ left( {2}\d+\.\dR)? {2}floor 97,000\.00\ndrawdown {4}[█░]{8,} .* left/,
      /^day \S+ {2}1 fill {2}day ends in .*, at \d\d:\d\d here( {2}target 9,\d{3}\.\d\d to go)?( {2}carry \d\.\d\d until the day ends)?$/m,
      /› +BTC +long +0\.05/,
      / RISK /,
      /ETH +buy +0\.1 .*limit +1000/,
      /\[BTC \d+/,
      /[┃╽╿│].*\d/,
      /spread \d/,
      /FILLED .*\n.*BTC +buy +0\.05/,
    ])
      assert.match(shown, expected);
    assert.match(shown, new RegExp(`STOP +TARGET.*\\n.*${Math.round(mid * 0.9)} +${Math.round(mid * 1.1)}`));
    screen.press('q');
    assert.deepEqual([(await run).exit, (await run).err], [0, '']);
    assert.ok(await screen.isRestored());
    assert.ok(!screen.isListened);
  }
});

trial('keys select market, interval, row and account, and ? explains them', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--accounts', '2', '--yes');
  const [, second] = await desk.json('accounts');
  await desk.json('order', 'place', 'SOL', 'buy', '1', '--limit-price', '50', '--yes', '--account', second.id);
  using watch = watching(desk, ['BTC', 'ETH']);
  const { screen, run } = watch;
  await screen.shows(/\[BTC \d[\s\S]*BTC 1m {2}\d/);
  screen.press('right');
  await screen.shows(/\[ETH \d[\s\S]*ETH 1m {2}\d/);
  screen.press(']', ']');
  await screen.shows(/ETH 5m {2}\d/);
  screen.press('[');
  await screen.shows(/ETH 3m {2}\d/);
  screen.press('1');
  await screen.shows(/\[BTC \d/);
  screen.press('a');
  await screen.shows(/› +SOL +buy +1/);
  screen.press('return');
  await screen.shows(/\[SOL \d/);
  screen.press('?');
  await screen.shows(/previous and next market/);
  screen.press('x');
  await screen.shows(/\[SOL \d/);
  screen.press('q');
  assert.equal((await run).exit, 0);
});

test('a fill by another command appears without a key press', async () => {
  using desk = new Desk();
  using watch = watching(desk);
  const { screen, run } = watch;
  await screen.shows(/No open positions/);
  await desk.json('order', 'place', 'ETH', 'sell', '0.5', '--yes');
  await screen.shows(/ETH +short +0\.5[\s\S]*FILLED .*\n.*ETH +sell/);
  screen.press('q');
  await run;
});

test('on 10 columns and 3 rows it shows the most important figures, and grows with the terminal', async () => {
  using desk = new Desk();
  using watch = watching(desk, ['BTC'], [10, 3]);
  const { screen, run } = watch;
  await screen.shows(/^SIM defau…\neq 100,000\nroom 3,000/);
  // What could not be read does not open, and is not open later.
  screen.resize(40, 10);
  for (const key of ['?', ':', '/', 't']) {
    screen.press(key);
    await screen.shows(/need 50\s+columns and 14 rows/);
    screen.press('k');
    await screen.shows(/^(?![\s\S]*need 50)[\s\S]*eq 100,000/);
  }
  for (let at = 0; at < 50; at++) screen.resize(5 + ((at * 37) % 140), 1 + ((at * 13) % 50));
  screen.resize(80, 24);
  await screen.shows(/No open positions[\s\S]*\? help {2}q quit.*$/);
  screen.press('q');
  assert.equal((await run).exit, 0);
});

test('Ctrl-Z restores the terminal, and the screen is drawn again afterward', async () => {
  using desk = new Desk();
  using watch = watching(desk, ['BTC']);
  const { screen, run } = watch;
  await screen.shows(/\[BTC \d/);
  screen.key({ name: 'z', text: '', ctrl: true });
  assert.equal(screen.suspensions, 1);
  assert.ok(await screen.isRestored());
  screen.resume();
  await screen.shows(/\[BTC \d/);
  screen.press('q');
  await run;
});

trial('an unreachable host is reported on the screen, prices stay, and both streams reconnect', async (t) => {
  using desk = new Desk();
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const proxy = await CuttingProxy.open(t, service.baseUrl);
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: service.baseUrl,
    PERP_API_KEY: service.key,
    PERP_MARKET_STREAM_URL: proxy.url,
    PERP_ACCOUNT_STREAM_URL: proxy.url,
  };
  using watch = watching(desk, ['BTC'], [100, 24], variables);
  const { screen, run } = watch;
  await screen.shows(/connected$[\s\S]*\[BTC \d/m);
  proxy.isCut = true;
  proxy.cut();
  await screen.shows(/^\*\*\* LIVE .*market stream lost.*account stream lost[\s\S]*equity 100,000[\s\S]*\[BTC \d/);
  proxy.isCut = false;
  await screen.shows(/connected$/m);
  screen.press('q');
  assert.equal((await run).exit, 0);
});

trial('without a credential it ends, instead of waiting for one', async (t) => {
  using desk = new Desk();
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const stream = service.baseUrl.replace('http', 'ws');
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: service.baseUrl,
    PERP_MARKET_STREAM_URL: stream,
    PERP_ACCOUNT_STREAM_URL: stream,
    PERP_API_KEY: '',
  };
  using watch = watching(desk, ['BTC'], [100, 24], variables);
  const { exit, err } = await watch.run;
  assert.equal(exit, 4);
  assert.match(err, /No API key/);
});

test('without an account stream, accounts are polled', async (t) => {
  using desk = new Desk();
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: service.baseUrl,
    PERP_API_KEY: service.key,
    PERP_MARKET_STREAM_URL: service.baseUrl.replace('http', 'ws'),
  };
  using watch = watching(desk, ['BTC'], [100, 24], variables);
  await watch.screen.shows(/account stream not set, reading every 5s[\s\S]*equity 100,000/);
  watch.quit();
  assert.equal((await watch.run).exit, 0);
});

trial('without a terminal, it prints lines, and JSON for programs', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--yes');
  const lines = ['watch', '--for', '4s'];
  const [plain, ndjson] = await Promise.all([desk.perp(lines), desk.perp([...lines, '-o', 'ndjson'])]);
  assert.equal(plain.exit, 0);
  assert.match(plain.out, /^\S+Z {2}equity [\d,.]+ {2}pnl \S+ {2}day room [\d,.]+ .*long 0\.05 BTC mark /);
  assert.equal(stripVTControlCharacters(plain.out), plain.out);
  const [record] = ndjson.out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  assert.equal(record.positions[0].size, 0.05);
  assert.ok(Math.abs(record.equity - record.balance - record.unrealized_pnl) < 1e-6);
  assert.ok(record.daily_loss_room > 0);
});

test('invalid input is rejected before the screen opens', async () => {
  using desk = new Desk();
  const screen = new Emulator(80, 24);
  for (const [argv, exit] of [
    [['NOSUCH'], 3],
    [['--interval', '6h'], 2],
    [['--dry-run'], 2],
    [['--account', 'acc_nosuch'], 3],
  ] as const) {
    const run = await desk.perp(['watch', ...argv], { terminal: true, screen });
    assert.equal(run.exit, exit, run.err);
  }
  assert.deepEqual(screen.written, []);
});
