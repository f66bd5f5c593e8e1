import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chooseMarkets, type RecordProgress, recordMarkets } from '../../../src/venues/live/record.ts';
import { listTapes, tapeFile } from '../../../src/venues/live/tapes.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { openTape } from '../../../src/venues/tape/tape-source.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { test, trial } from '../../tiers.ts';
import { startMs, venueServer } from './live-scene.ts';
import type { VenueServer } from './servers/server.ts';
import { VirtualWorld } from './virtual-world.ts';

const choice = { venue: venues.binance, address: { wsUrl: 'wss://venue', restUrl: 'https://venue' } };

/** A Binance server in its own world; its markets move every 100 ms for the given time. */
function movingVenue(ms: number): { world: VirtualWorld; server: VenueServer } {
  const server: VenueServer = venueServer('binance', () => world.now());
  const world = new VirtualWorld(server, startMs);
  for (let at = 0; at < ms; at += 50) world.after(at, () => server.step(server.markets[(at / 50) % 2]!));
  return { world, server };
}

trial('markets are recorded for the given time, with progress every second, and the tape is complete', async (t) => {
  const { world } = movingVenue(70_000);
  const tape = join(temporaryFolder(t), 'day.jsonl.gz');
  const told: RecordProgress[] = [];
  const recording = recordMarkets({
    tape,
    venues: [choice],
    network: world,
    cache: null,
    markets: ['BTC', 'binance|ETHUSDT'],
    forMs: 60_000,
    onProgress: (progress) => told.push(progress),
  });
  for (let passed = 0; passed < 62; passed += 1) await world.pass(1_000);
  const end = await recording;
  assert.ok(end.elapsedMs >= 60_000 && end.elapsedMs <= 61_000, `${end.elapsedMs} ms`);
  assert.deepEqual([end.live, end.wanted], [2, 2]);
  assert.ok(told.length >= 58, `${told.length} reports`);
  assert.ok(end.tape.lines > 1_000);
  const [info] = listTapes(dirname(tape));
  assert.equal(info!.tape, tape);
  assert.deepEqual(
    info!.markets.map(({ marketId, gaps }) => [marketId, gaps.length]),
    [
      ['binance|BTCUSDT', 0],
      ['binance|ETHUSDT', 0],
    ],
  );
  assert.equal(info!.isRecording, false);
  assert.ok(info!.to - info!.from >= 58_000);
  assert.ok(info!.markets.every(({ deltas, prints }) => deltas > 500 && prints > 100));
  const opened = openTape(tape);
  assert.equal(opened.source.book('binance|BTCUSDT', opened.lastTime)?.gap, undefined);
  opened.close();
});

test('a signal ends a recording just as its time would; another call continues the same tape', async (t) => {
  const { world } = movingVenue(60_000);
  const tape = join(temporaryFolder(t), 'day.jsonl');
  for (const run of [1, 2]) {
    const stop = new AbortController();
    const recording = recordMarkets({
      tape,
      venues: [choice],
      network: world,
      cache: null,
      markets: ['BTC'],
      forMs: null,
      signal: stop.signal,
    });
    await world.pass(10_000);
    stop.abort();
    await world.pass(100);
    await recording;
    const lines = readFileSync(tape, 'utf8').trimEnd().split('\n');
    assert.equal(lines.filter((line) => line.includes('"gap":{"reason"')).length, run - 1);
  }
  const [info] = listTapes(dirname(tape));
  const [gap] = info!.markets[0]!.gaps;
  assert.equal(gap!.reason, 'restart');
  assert.equal(gap!.history, 'whole');
  assert.equal(info!.markets[0]!.gapMs, gap!.to! - gap!.from);
});

test('a recording that ends at once knows nothing of any market', async (t) => {
  const { world } = movingVenue(1_000);
  const recording = recordMarkets({
    tape: join(temporaryFolder(t), 'day.jsonl'),
    venues: [choice],
    network: world,
    cache: null,
    markets: ['BTC'],
    forMs: null,
    signal: AbortSignal.abort(),
  });
  await world.pass(1_000);
  assert.deepEqual(
    (await recording).recorded.map(({ known }) => known),
    [0],
  );
});

const listed = ['binance|BTCUSDT', 'bybit|BTCUSDT', 'binance|ETHUSDT'].map((marketId) => {
  const [provider, coin] = marketId.split('|') as [string, string];
  const symbol = coin.replace('USDT', '');
  const grid = { sizeDecimals: 3, priceDecimals: 1, tick: 1, maxLeverage: 10 };
  return { marketId, provider, coin, symbol, category: 'crypto' as const, ...grid };
});

for (const [names, chosen] of [
  [['ETH'], ['binance|ETHUSDT']],
  [['ethusdt', 'ETH'], ['binance|ETHUSDT']],
  [['BYBIT|btcusdt'], ['bybit|BTCUSDT']],
] as const) {
  test(`${names.join(' and ')} are ${chosen.join(' and ')}`, () => {
    assert.deepEqual(chooseMarkets('day.jsonl', listed, names), chosen);
  });
}

test('while the disk is full, no market is known', async (t) => {
  const { world } = movingVenue(30_000);
  const recording = recordMarkets({
    tape: join(temporaryFolder(t), 'day.jsonl'),
    venues: [choice],
    network: world,
    cache: null,
    markets: ['BTC', 'ETH'],
    forMs: 20_000,
    write(fd, bytes, offset) {
      if (world.now() >= startMs + 10_000) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return writeSync(fd, bytes, offset);
    },
  });
  for (let passed = 0; passed < 22; passed += 1) await world.pass(1_000);
  const { recorded, tape } = await recording;
  assert.equal(tape.problem, 'the disk is full');
  for (const { known, problem } of recorded) {
    assert.ok(known > 0.4 && known < 0.52, String(known));
    assert.equal(problem, 'the disk is full');
  }
});

test('a market that no venue lists, and a name that two venues list, are refused by name', () => {
  assert.throws(() => chooseMarkets('day.jsonl', listed, ['DOGE']), /there is no market "DOGE"/);
  assert.throws(() => chooseMarkets('day.jsonl', listed, ['BTC']), /matches binance\|BTCUSDT, bybit\|BTCUSDT/);
});

test('tapes of a folder: a damaged one is reported, other files are skipped', async (t) => {
  const { world } = movingVenue(20_000);
  const folder = temporaryFolder(t);
  for (const name of ['good.jsonl', 'bad.jsonl.gz']) {
    const [tape, options] = [join(folder, name), { venues: [choice], network: world, cache: null, markets: ['BTC'] }];
    const recording = recordMarkets({ tape, ...options, forMs: 5_000 });
    await world.pass(6_000);
    await recording;
  }
  writeFileSync(join(folder, 'bad.jsonl.gz'), 'not gzip');
  rmSync(join(folder, 'bad.summary.json'));
  writeFileSync(join(folder, 'other.jsonl'), '{}\n');
  const [bad, good, ...others] = listTapes(folder);
  assert.deepEqual(others, []);
  assert.match(bad!.problem!, /can't be read/);
  assert.equal(good!.problem, null);
});

test('a recording is named by its path, or by the name of a kept tape; a name that is neither says where it was looked for', (t) => {
  const kept = temporaryFolder(t);
  for (const name of ['mon.jsonl.gz', 'tue.part2.jsonl.gz', 'wed.jsonl']) writeFileSync(join(kept, name), '');
  const own = join(kept, 'wed.jsonl');
  for (const [name, file] of [
    ['mon', 'mon.jsonl.gz'],
    ['mon.jsonl.gz', 'mon.jsonl.gz'],
    ['tue', 'tue.jsonl.gz'],
    ['wed', 'wed.jsonl'],
  ] as const)
    assert.equal(tapeFile(name, kept), join(kept, file));
  assert.deepEqual([tapeFile(own, '/nowhere'), tapeFile('elsewhere/mon', kept)], [own, 'elsewhere/mon']);
  assert.throws(() => tapeFile('thu', kept), { message: `thu: is neither a file here nor a tape in ${kept}` });
});
