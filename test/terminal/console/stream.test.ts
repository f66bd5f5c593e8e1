import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { Desk } from '../cli/practice.ts';

const lines = (text: string) => text.trimEnd().split('\n');

test('every channel is printed as JSON lines, in process and without a server', async () => {
  using desk = new Desk();
  const types = { ticks: 'tick', books: 'book', trades: 'trade', candles: 'candle', stats: 'marketStats' };
  for (const [channel, type] of Object.entries(types)) {
    const interval = channel === 'candles' ? ['--interval', '1s'] : [];
    const argv = ['stream', channel, 'BTC', ...interval, '--max-events', '2', '--for', '5m', '-o', 'ndjson'];
    const { exit, out, err } = await desk.perp(argv);
    assert.deepEqual([exit, err], [0, 'SIM default, synthetic\n'], channel);
    const events = lines(out).map((text) => JSON.parse(text));
    assert.deepEqual(
      events.map((event) => [event.type, event.symbol]),
      Array(2).fill([type, 'BTCUSDT']),
    );
  }
});

test('a terminal gets a line per event, a program JSON lines, unless it requests a table or CSV', async () => {
  using desk = new Desk();
  const json = await desk.perp(['stream', 'ticks', 'BTC', '--max-events', '2']);
  assert.deepEqual(
    lines(json.out).map((text) => JSON.parse(text).type),
    ['tick', 'tick'],
  );
  const seen = await desk.perp(['stream', 'ticks', 'BTC', '--max-events', '2'], { terminal: true });
  assert.match(seen.out, /BTC {2}/);
  const plain = await desk.perp(['stream', 'ticks', 'BTC', 'ETH', '--max-events', '6', '-o', 'table']);
  assert.equal(lines(plain.out).length, 6);
  assert.match(plain.out, /^\d\d:\d\d:\d\d\.\d{3}Z {2}BTC {2}last {2}\d+\.\d$/m);
  const csv = await desk.perp(['stream', 'ticks', 'xyz:GOLD', '--max-events', '2', '-o', 'csv']);
  assert.equal(lines(csv.out)[0], 'provider,symbol,kind,price,time');
  assert.match(lines(csv.out)[1]!, /^hyperliquid,xyz:GOLD,last,[\d.]+,\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('--for ends with exit 0; --idle-timeout ends with exit 7 and says what to do', async () => {
  using desk = new Desk();
  const { exit } = await desk.perp(['stream', 'books', 'BTC', '--for', '300ms', '-o', 'ndjson']);
  assert.equal(exit, 0);
  const manual = ['--state', 'still', '--clock', 'manual'];
  const idle = await desk.perp(['stream', 'account', '--idle-timeout', '3s', '--json', ...manual]);
  assert.deepEqual([idle.exit, idle.error.code], [7, 'idle_timeout']);
  assert.equal(JSON.parse(lines(idle.out)[0]!).type, 'snapshot');
});

test('invalid options are rejected before a stream is opened', async () => {
  using desk = new Desk();
  const cases: [argv: string[], exit: number, message: RegExp][] = [
    [['stream', 'ticks'], 2, /MARKET/i],
    [['stream', 'ticks', 'NOSUCH'], 3, /There is no market "NOSUCH"/],
    [['stream', 'candles', 'BTC', '--interval', '6h'], 2, /--interval/],
    [['stream', 'ticks', 'BTC', '--max-events', '0'], 2, /--max-events/],
    [['stream', 'ticks', 'BTC', '--dry-run'], 2, /--dry-run/],
    [['stream', 'ticks', 'BTC', '--env', 'live'], 2, /address/],
    [['candles', 'BTC', '--from', '1h', '--to', '2h'], 2, /--from is after --to/],
  ];
  for (const [argv, exit, message] of cases) {
    const run = await desk.perp(argv);
    assert.deepEqual([run.exit, run.out], [exit, ''], `${argv.join(' ')}: ${run.err}`);
    assert.match(run.err, message);
  }
});

test('stream addresses are settings without a path', async () => {
  using desk = new Desk();
  const live = { PERP_ENV: 'live', PERP_BASE_URL: 'http://127.0.0.1:9', PERP_API_KEY: 'k_live_0123456789abcdef' };
  const unset = await desk.perp(['stream', 'account'], { variables: live });
  assert.equal(unset.exit, 2);
  assert.match(
    unset.err,
    /address of the account stream is not set.*PERP_ACCOUNT_STREAM_URL.*live\.account_stream_url/s,
  );
  for (const [name, address] of [
    ['PERP_ACCOUNT_STREAM_URL', 'https://stream.example.com'],
    ['PERP_ACCOUNT_STREAM_URL', 'wss://stream.example.com/v1/stream'],
    ['PERP_MARKET_STREAM_URL', 'ws://stream.example.com'],
  ] as const) {
    const run = await desk.perp(['stream', 'account'], { variables: { ...live, [name]: address } });
    assert.deepEqual([run.exit, run.err.includes(name)], [2, true], run.err);
  }
  assert.equal((await desk.perp(['config', 'set', 'live.market_stream_url', 'wss://stream.example.com/x'])).exit, 2);
  assert.equal((await desk.perp(['config', 'set', 'live.market_stream_url', 'wss://stream.example.com'])).exit, 0);
  assert.equal((await desk.perp(['config', 'get', 'live.market_stream_url'])).out.trim(), 'wss://stream.example.com');
});

test('candles of the simulation are listed oldest first, as a table or JSON', async () => {
  using desk = new Desk();
  const candles = await desk.json('candles', 'BTC', '--interval', '5m', '--limit', '4');
  assert.equal(candles.length, 4);
  const openTimes = candles.map(({ openTime }: { openTime: number }) => openTime);
  assert.deepEqual(
    openTimes,
    openTimes.map((_: number, index: number) => openTimes[0] + 300_000 * index),
  );
  assert.equal(candles.at(-1).isFinal, false);
  const month = await desk.json('candles', 'BTC', '--interval', '1M', '--limit', '1');
  assert.equal(month[0].interval, '1M', 'a month is not a minute');
  const ago = await desk.json('candles', 'BTC', '--interval', '1m', '--from', '30m', '--to', '10m');
  assert.ok(ago.length === 20 || ago.length === 21, `${ago.length}`);
  const long = await desk.json('candles', 'BTC', '--interval', '1s', '--limit', '2000');
  assert.equal(long.length, 2000, 'more than one page');
  assert.match(
    (await desk.perp(['candles', 'BTC', '--limit', '2'])).out,
    /^OPENED +OPEN +HIGH +LOW +CLOSE +VOLUME +TRADES/,
  );
  const csv = await desk.perp(['candles', 'BTC', '--limit', '1', '-o', 'csv']);
  assert.match(csv.out, /^provider,symbol,interval,openTime,.*\nbinance,BTCUSDT,1m,\d{4}-\d\d-\d\dT[\d:.]+Z,/);
});

test('a served simulation is found automatically, and its account stream reports what another command did', async (t) => {
  using desk = new Desk();
  const serving = await serve({
    stateDir: desk.variables.PERP_STATE_DIR!,
    beginning,
    port: 0,
    sandboxPort: 0,
    drainMs: 50,
  });
  t.after(() => serving.stop());
  const following = desk.perp(['stream', 'account', '--max-events', '5', '--for', '5m', '-o', 'ndjson']);
  const waiting = desk.perp([
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--limit-price',
    '30000',
    '--yes',
    '--wait',
    '--timeout',
    '60',
    '--json',
  ]);
  let working: { id: string }[] = [];
  while (working.length === 0) working = await desk.json('order', 'list', '--ended');
  const canceledAt = performance.now();
  await desk.perp(['order', 'cancel', working[0]!.id, '--yes']);
  const waited = await waiting;
  assert.deepEqual([waited.exit, waited.json.status], [0, 'canceled']);
  assert.ok(performance.now() - canceledAt < 12_000, 'the stream wakes the waiting command');
  const { exit, out } = await following;
  const told = lines(out).map((text) => JSON.parse(text));
  assert.deepEqual(
    [exit, told.map(({ type, event }) => event ?? type)],
    [0, ['snapshot', 'placed', 'updated', 'canceled', 'updated']],
  );
});

test('stream account as CSV has a row for each record of a snapshot, its fields as columns', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000');
  const { out } = await desk.perp(['stream', 'account', '--max-events', '1', '-o', 'csv']);
  const [header, ...rows] = lines(out).map((row) => row.split(','));
  const at = (name: string) => rows.map((row) => row[header!.indexOf(name)]);
  assert.deepEqual(at('type'), ['snapshot', 'snapshot', 'snapshot']);
  assert.deepEqual(at('account.status'), ['active', '', '']);
  assert.deepEqual(at('position.size'), ['', '0.05', '']);
  assert.deepEqual(at('order.limit_price'), ['', '', '20000']);
  assert.doesNotMatch(out, /\{/);
});
