import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { BookEvent } from '../../../src/exchange/engine/source.ts';
import { openRecording, type Recording } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { test, trial } from '../../tiers.ts';
import { Chance } from '../engine/chance.ts';
import { drain, pairs, play } from './playing.ts';
import { bookLine, deltaLine, marketLine, printLine, temporaryFile, temporaryFolder, xrp } from './recording-file.ts';

const small = [
  marketLine(1000),
  bookLine(
    1000,
    [
      ['1.9531', '6203'],
      ['1.9530', '2409.5'],
    ],
    [['1.9533', '812']],
  ),
  deltaLine(
    1001,
    [
      ['1.9531', '0'],
      ['1.9529', '7'],
    ],
    [],
  ),
  printLine(1001, '1.9533', '40', 'buy'),
  deltaLine(1001, [], [['1.9533', '772']]),
  bookLine(1005, [['1.9000', '1']], [['2.0000', '2']]),
];

test('a recording reports its markets, its first and last time and its fingerprint', async (t) => {
  const file = temporaryFile(t, `${small.join('\n')}\n`);
  const recording = await opened(t, file);
  assert.deepEqual(recording.definitions, [
    {
      marketId: xrp,
      provider: 'bybit',
      symbol: 'XRP',
      coin: 'XRPUSDT',
      category: 'crypto',
      sizeDecimals: 1,
      priceDecimals: 4,
      tick: 1,
      maxLeverage: 8,
    },
  ]);
  assert.equal(recording.source.name, 'recorded');
  assert.deepEqual([recording.firstTime, recording.lastTime], [1000, 1005]);
  assert.equal(recording.fingerprint, createHash('sha256').update(readFileSync(file)).digest('hex'));
});

test('the book at any time includes every event at or before it; there is none before the first', async (t) => {
  const { source } = await opened(t, temporaryFile(t, small.join('\n')));
  const expected: [time: number, sequence: number | null, bids: number[], asks: number[]][] = [
    [999, null, [], []],
    [1000, 2, [19531, 62030, 19530, 24095], [19533, 8120]],
    [1001, 5, [19530, 24095, 19529, 70], [19533, 7720]],
    [1004, 5, [19530, 24095, 19529, 70], [19533, 7720]],
    [1005, 6, [19000, 10], [20000, 20]],
    [9999, 6, [19000, 10], [20000, 20]],
  ];
  for (const order of [expected, [...expected].reverse()]) {
    for (const [time, sequence, bids, asks] of order) {
      const book = source.book(xrp, time);
      if (sequence === null) assert.equal(book, null);
      else {
        const bookTime = time === 1004 ? 1001 : Math.min(time, 1005);
        assert.deepEqual([book!.time, book!.sequence, book!.bids, book!.asks], [bookTime, sequence, bids, asks]);
      }
    }
  }
});

test('a book is known down to the last level of its last full book, and as far as the other side has come', async (t) => {
  const lines = [
    ...small.slice(0, 2),
    deltaLine(1001, [['1.2000', '5']], [['3.0000', '5']]),
    deltaLine(
      1002,
      [
        ['1.9531', '0'],
        ['1.9530', '0'],
        ['1.9000', '7'],
      ],
      [['1.9100', '3']],
    ),
    deltaLine(
      1003,
      [],
      [
        ['1.9100', '0'],
        ['1.98765', '1'],
      ],
    ),
  ];
  const { source } = await opened(t, temporaryFile(t, lines.join('\n')));
  const known = [1000, 1001, 1002, 1003].map((time) => {
    const { bidsKnownTo, asksKnownTo } = source.book(xrp, time)!;
    return [bidsKnownTo, asksKnownTo];
  });
  const kept = [191_000, 195_330];
  assert.deepEqual(known, [[195_300, 195_330], [195_300, 195_330], kept, kept], 'in the finest price unit');
});

test('events come in file order, also within the same millisecond; sequence numbers are line numbers', async (t) => {
  const { source } = await opened(t, temporaryFile(t, small.join('\n')));
  const told = play(source, [xrp], 0, 2000).map((event) =>
    event.kind === 'print'
      ? [event.time, 'print', event.price, event.size, event.side]
      : [event.time, event.kind, event.sequence, Array.from(event.bids), Array.from(event.asks)],
  );
  assert.deepEqual(told, [
    [1000, 'book', 2, [19531, 62030, 19530, 24095], [19533, 8120]],
    [1001, 'delta', 3, [19531, 0, 19529, 70], []],
    [1001, 'print', 19533, 400, 'buy'],
    [1001, 'delta', 5, [], [19533, 7720]],
    [1005, 'book', 6, [19000, 10], [20000, 20]],
  ]);
  assert.deepEqual(
    play(source, [xrp], 1000, 1001).map(({ time }) => time),
    [1001, 1001, 1001],
  );
});

test('a finer price than the tick makes the price unit finer, for the whole recording', async (t) => {
  const lines = [
    marketLine(1, { tick: '0.01' }),
    bookLine(1, [['1.95', '1']], [['1.97', '2']]),
    printLine(2, '1.97', '1', 'buy'),
    deltaLine(3, [['1.951', '1']], []),
    printLine(4, '1.95125', '1', 'sell'),
    deltaLine(5, [], [['1.9600', '3']]),
  ];
  const { source, definitions } = await opened(t, temporaryFile(t, lines.join('\n')));
  assert.equal(definitions[0]!.priceDecimals, 5);
  assert.equal(definitions[0]!.tick, 1000);
  const prices = play(source, [xrp], 0, 9).map((event) => (event.kind === 'print' ? event.price : event.bids[0]));
  assert.deepEqual(prices, [195_000, 197_000, 195_100, 195_125, undefined]);
  assert.deepEqual(source.book(xrp, 1)!.bids, [195_000, 10]);
  assert.deepEqual(source.book(xrp, 9)!.bids, [195_100, 10, 195_000, 10]);
  assert.deepEqual(source.book(xrp, 9)!.asks, [196_000, 30, 197_000, 20]);
});

test('provider hyperliquid has no tick and leaves room for every price that its rule allows', async (t) => {
  const id = { market_id: 'hyperliquid|BTC', coin: 'BTC', symbol: 'BTC', size_decimals: 5 };
  const lines = [marketLine(1, { ...id, tick: undefined }), bookLine(1, [['110427', '1']], [], 'hyperliquid|BTC')];
  for (const tick of [undefined, '0.5']) {
    lines[0] = marketLine(1, { ...id, tick });
    const { definitions } = await opened(t, temporaryFile(t, lines.join('\n')));
    assert.deepEqual(
      [definitions[0]!.tick, definitions[0]!.priceDecimals],
      [null, 1],
      'its rule applies instead of a tick',
    );
  }
});

test('gzip is detected by its first bytes, also with several members', async (t) => {
  const bytes = Buffer.concat([gzipSync(`${small.slice(0, 3).join('\n')}\n`), gzipSync(small.slice(3).join('\n'))]);
  const { source } = await opened(t, temporaryFile(t, bytes, 'books.jsonl'));
  assert.equal(play(source, [xrp], 0, 2000).length, 5);
});

test('a byte order mark, CRLF, empty lines at the end and spaces are accepted', async (t) => {
  for (const text of [
    `\ufeff${small.join('\r\n')}\r\n`,
    `${small.join('\n')}\n\n\r\n`,
    `${small.map((line) => ` ${line.replaceAll(',', ' , ')}\t`).join('\n')}`,
  ]) {
    const { source } = await opened(t, temporaryFile(t, text));
    assert.equal(play(source, [xrp], 0, 2000).length, 5);
  }
});

test('a watched market plays alone; one watched later starts at the tape’s position', async (t) => {
  const btc = 'binance|BTCUSDT';
  const lines = [
    marketLine(1),
    marketLine(1, { market_id: btc, symbol: 'BTC', coin: 'BTCUSDT', size_decimals: 3, tick: '0.1', max_leverage: 10 }),
    ...Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? bookLine(10 + i, [['1', '1']], [], xrp) : bookLine(10 + i, [['1', '1']], [], btc),
    ),
  ];
  const { source } = await opened(t, temporaryFile(t, lines.join('\n')));
  const tape = source.open(0);
  assert.equal(tape.peek(100), null);
  tape.watch(btc, true);
  assert.equal(tape.peek(10), null);
  assert.equal(tape.peek(100), 11);
  assert.equal(tape.next(20)!.time, 11);
  // Looking ahead for one market does not skip events of the other.
  assert.equal(tape.peek(100), 13);
  tape.watch(xrp, true);
  assert.deepEqual(
    drain(tape, 16).map(({ time }) => time),
    [12, 13, 14, 15, 16],
  );
  tape.watch(btc, false);
  assert.deepEqual(
    drain(tape, 20).map(({ time }) => time),
    [18, 20],
  );
  tape.watch(xrp, false);
  assert.equal(tape.next(30), null);
  tape.watch(xrp, true);
  assert.deepEqual(
    drain(tape, 99).map(({ time }) => time),
    [32, 34, 36, 38, 40, 42, 44, 46, 48],
  );
  assert.throws(() => tape.watch('binance|NOPE', true), RangeError);
  assert.throws(() => source.book('binance|NOPE', 1), RangeError);
});

trial('random access agrees with playing from the start, across checkpoints, in any order of requests', async (t) => {
  const lines = [marketLine(0)];
  let seed = 1;
  const draw = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const level = (price: number): [string, string] => [
    (price / 10_000).toFixed(4),
    String(draw(4) === 0 ? 0 : 1 + draw(500)),
  ];
  lines.push(bookLine(0, [['1.9600', '5']], [['2.0500', '5']]));
  for (let i = 1; i < 4000; i += 1) {
    const base = 12_000 + 8_000;
    const bids = distinct(Array.from({ length: 20 }, () => level(base - 1 - draw(900))));
    const asks = distinct(Array.from({ length: 20 }, () => level(base + 1 + draw(900))));
    lines.push(deltaLine(Math.floor(i / 3), bids, asks));
  }
  const { source, lastTime } = await opened(t, temporaryFile(t, lines.join('\n')));
  const truth = new Map<number, string>();
  const sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  const changes = play(source, [xrp], -1, lastTime).filter(({ kind }) => kind !== 'print') as BookEvent[];
  for (const [at, event] of changes.entries()) {
    for (const side of ['bids', 'asks'] as const) {
      for (const [price, size] of pairs(Array.from(event[side]))) {
        if (size > 0) sides[side].set(price, size);
        else sides[side].delete(price);
      }
    }
    if (changes[at + 1]?.time === event.time) continue;
    const bids = [...sides.bids].sort((a, b) => b[0] - a[0]).flat();
    const asks = [...sides.asks].sort((a, b) => a[0] - b[0]).flat();
    truth.set(event.time, JSON.stringify([event.sequence, bids, asks]));
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: lastTime }), (time) => {
      const { sequence, bids, asks, ...known } = source.book(xrp, time)!;
      assert.equal(JSON.stringify([sequence, bids, asks]), truth.get(time));
      assert.deepEqual(known, { time, bidsKnownTo: 19_600, asksKnownTo: 20_500 }, 'levels beyond do not stretch it');
      const from = source.open(time);
      from.watch(xrp, true);
      assert.equal(from.peek(lastTime + 1), time < lastTime ? time + 1 : null);
    }),
    { numRuns: process.env.PERP_LONG ? 3_000 : 30 },
  );
});

test('a compiled tape is kept in the cache folder and used while the file is unchanged', async (t) => {
  const file = temporaryFile(t, small.join('\n'));
  const cacheDir = join(temporaryFolder(t), 'deep', 'tapes');
  const open = async () => {
    const recording = await openRecording(file, { cacheDir });
    const { length } = play(recording.source, [xrp], 0, 2000);
    recording.close();
    return length;
  };
  assert.equal(await open(), 5);
  const [tape] = readdirSync(cacheDir);
  const compiled = statSync(join(cacheDir, tape!)).mtimeMs;
  assert.equal(await open(), 5);
  assert.equal(statSync(join(cacheDir, tape!)).mtimeMs, compiled);

  writeFileSync(file, small.slice(0, 4).join('\n'));
  assert.equal(await open(), 3);
  utimesSync(file, 1, 1);
  assert.equal(await open(), 3);

  const whole = readFileSync(join(cacheDir, tape!));
  const scratched = Buffer.from(whole.toString('latin1').replace('"stamp"', '"stomp"'), 'latin1');
  for (const damage of ['', 'garbage', whole.subarray(0, -9), scratched]) {
    writeFileSync(join(cacheDir, tape!), damage);
    assert.equal(await open(), 3);
  }
  assert.deepEqual(readdirSync(cacheDir), [tape]);
});

test('a cache folder that can’t be created is an error about the recording', async (t) => {
  const file = temporaryFile(t, small.join('\n'));
  await assert.rejects(openRecording(file, { cacheDir: join(file, 'tapes') }), {
    name: 'RecordingError',
    message: /its compiled tape can.t be written/,
  });
});

test('several sources that open the same recording at the same time all succeed', async (t) => {
  const file = temporaryFile(t, small.join('\n'));
  const cacheDir = temporaryFolder(t);
  const recordings = await Promise.all(Array.from({ length: 8 }, () => openRecording(file, { cacheDir })));
  for (const recording of recordings) {
    assert.equal(recording.source.book(xrp, 1000)!.sequence, 2);
    recording.close();
  }
  assert.equal(readdirSync(cacheDir).length, 1);
});

test('volume follows what the recording has printed so far, by time of day; without prints it is flat', async (t) => {
  const midnight = Date.UTC(2024, 11, 1);
  const lines = [marketLine(midnight), bookLine(midnight, [['1', '1']], [])];
  for (let second = 0; second < 600; second += 10) {
    lines.push(printLine(midnight + second * 1000, '1', second >= 300 ? '90' : '10', 'buy'));
  }
  for (const second of [600, 86_400]) lines.push(bookLine(midnight + second * 1000, [], []));
  const { source } = await opened(t, temporaryFile(t, lines.join('\n')));
  const volume = (from: number, to: number, asOf = 600) =>
    source.volume(xrp, midnight + from * 1000, midnight + to * 1000, midnight + asOf * 1000);
  assert.ok(Math.abs(volume(300, 600) / volume(0, 300) - 86 / 14) < 0.01);
  assert.ok(Math.abs(volume(0, 100) + volume(100, 600) - volume(0, 600)) < 1e-6 * volume(0, 600));
  assert.ok(Math.abs(volume(86_400, 87_000) / volume(0, 600) - 1) < 1e-9);
  assert.equal(volume(5, 5), 0);
  assert.ok(Math.abs(volume(300, 600, 300) / volume(0, 300, 300) - 1) < 1e-9, 'what is printed later is not known yet');
  assert.ok(volume(86_700, 87_000, 86_400) > 8 * volume(86_400, 86_700, 86_400), 'the day before is its profile');

  const silent = await opened(t, temporaryFile(t, small.slice(0, 3).join('\n')));
  const flat = (from: number) => silent.source.volume(xrp, from, from + 60_000, 120_000);
  assert.ok(Math.abs(flat(0) / flat(60_000) - 1) < 1e-9);
});

test('no volume depends on later events, up to the last print', async (t) => {
  const chance = new Chance(7);
  const start = Date.UTC(2024, 11, 1, 23, 50);
  const lines = [marketLine(start), bookLine(start, [['1', '1']], [])];
  const times: number[] = [];
  for (let time = start; time < start + 1_200_000; time += chance.between(0, 4_000)) {
    times.push(time);
    lines.push(printLine(time, '1', String(chance.between(1, 500)), 'buy'));
  }
  const whole = await opened(t, temporaryFile(t, lines.join('\n')));
  for (const at of [1, 20, 150, times.length - 1]) {
    const cut = await opened(t, temporaryFile(t, lines.slice(0, 2 + at).join('\n')));
    for (const asOf of [times[at]!, times[at]! - 1]) {
      for (let from = asOf; from < asOf + 3_600_000; from += 30_000) {
        const expected = cut.source.volume(xrp, from, from + 30_000, asOf);
        assert.equal(whole.source.volume(xrp, from, from + 30_000, asOf), expected);
      }
    }
  }
});

async function opened(t: TestContext, file: string): Promise<Recording> {
  const recording = await openRecording(file);
  t.after(() => recording.close());
  return recording;
}

function distinct(levels: [string, string][]): [string, string][] {
  return [...new Map(levels).entries()];
}
