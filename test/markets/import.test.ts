import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type ImportOptions, importFile } from '../../src/markets/import/import-file.ts';
import { openRecording, RecordingError } from '../../src/markets/recorded.ts';
import { play } from './playing.ts';
import { temporaryFile, temporaryFolder } from './recording-file.ts';

/** Extracts of real files: first messages, levels near the touch. */
const fixtures = {
  binance: fixture('binance-usdm-btcusdt.txt'),
  bybit: fixture('bybit-xrpusdt-ob500.jsonl'),
  tardis: fixture('tardis-btcusdt-book-snapshot-5.csv'),
  hyperliquid: fixture('hyperliquid-btc-l2book.json'),
};

test('Binance streams: stale updates dropped, the snapshot joined, prints from trades, tickers left out', async (t) => {
  const { report, lines } = await imported(t, fixtures.binance);
  assert.equal(report.format, 'Binance USD-M streams');
  assert.deepEqual([report.books, report.deltas, report.prints], [1, 16, 36]);
  assert.deepEqual(report.dropped, {
    'bookTicker messages': 4,
    'depth updates older than the snapshot': 4,
    'trades before the first book': 4,
  });
  assert.deepEqual(lines[0], {
    time: 1723161256493,
    market: {
      market_id: 'binance|BTCUSDT',
      symbol: 'BTC',
      coin: 'BTCUSDT',
      size_decimals: 3,
      tick: '0.1',
      max_leverage: 10,
      category: 'crypto',
    },
  });
  assert.deepEqual(lines[2], {
    time: 1723161256505,
    market_id: 'binance|BTCUSDT',
    delta: true,
    bids: [['61800.20', '2.909']],
    asks: [['61800.30', '1.072']],
  });
  assert.equal(lines.length, 1 + 1 + 16 + 36);
});

test('Binance: m means that the buyer was the maker, so the aggressor sold', async (t) => {
  const { lines } = await imported(t, binance([snapshot(10), update(9, 11, 8), trade(1, true), trade(2, false)]));
  assert.deepEqual(
    lines.filter(({ trade }) => trade).map(({ trade }) => trade.side),
    ['sell', 'buy'],
  );
});

const joins: [what: string, messages: unknown[], deltas: number, dropped: Record<string, number>][] = [
  [
    'an update that ends before the snapshot is stale',
    [snapshot(10), update(8, 9, 7), update(10, 12, 9)],
    1,
    { 'depth updates older than the snapshot': 1 },
  ],
  ['the first applied spans the snapshot', [snapshot(10), update(5, 10, 4), update(11, 12, 10)], 2, {}],
  [
    'updates received before the snapshot are joined after it',
    [update(8, 9, 7), update(10, 12, 9), snapshot(11), update(13, 14, 12)],
    2,
    { 'depth updates older than the snapshot': 1 },
  ],
  [
    'a first update after the snapshot is a gap',
    [snapshot(10), update(12, 13, 11)],
    0,
    { 'gaps in the depth stream': 1, 'depth updates after a gap, with no snapshot to go on from': 1 },
  ],
  [
    'a missing update is a gap; the next snapshot heals it',
    [snapshot(10), update(9, 12, 8), update(14, 15, 13), snapshot(15), update(16, 17, 15)],
    3,
    { 'gaps in the depth stream': 1 },
  ],
  [
    'a snapshot in a complete stream changes nothing',
    [snapshot(10), update(9, 12, 8), snapshot(11), update(13, 14, 12)],
    2,
    { 'snapshots while the stream was complete': 1 },
  ],
];

for (const [what, messages, deltas, dropped] of joins) {
  test(`Binance: ${what}`, async (t) => {
    const { report } = await imported(t, binance(messages));
    assert.equal(report.deltas, deltas);
    assert.deepEqual(report.dropped, dropped);
    assert.equal(report.notes.length, dropped['gaps in the depth stream'] ?? 0);
  });
}

test('Binance: a trade received twice counts once; aggregated trades beside the trades do not count at all', async (t) => {
  const messages = [
    snapshot(10),
    trade(1, true),
    trade(1, true),
    { e: 'aggTrade', s: 'BTCUSDT', T: 5, a: 1, p: '1', q: '1', m: true },
    trade(2, false),
    { ...trade(3, false), X: 'ADL' },
  ];
  const { report } = await imported(t, binance(messages));
  assert.equal(report.prints, 2);
  assert.deepEqual(report.dropped, {
    'trades received twice': 1,
    'aggTrade messages beside the trade stream': 1,
    'trades outside the book': 1,
  });
});

test('Binance: messages with and without their envelope, with and without local time, gzip or not', async (t) => {
  const messages = [snapshot(10), update(9, 11, 8), trade(1, true)];
  const plain = messages.map((message) => JSON.stringify(message)).join('\n');
  for (const content of [plain, binance(messages), gzipSync(plain)]) {
    assert.equal((await imported(t, content)).lines.length, 4);
  }
});

test('Bybit archive: snapshot and deltas, times as the venue published them', async (t) => {
  const { report, lines } = await imported(t, fixtures.bybit);
  assert.deepEqual([report.format, report.books, report.deltas], ['Bybit order book archive', 1, 7]);
  assert.deepEqual([report.firstTime, report.lastTime], [1733011200691, 1733011201290]);
  assert.equal(lines[0].market.market_id, 'bybit|XRPUSDT');
  assert.deepEqual([lines[0].market.tick, lines[0].market.size_decimals], ['0.0001', 1]);
  assert.deepEqual(report.dropped, {});
});

test('Bybit: after a gap in the update ids, deltas are left out until the next snapshot', async (t) => {
  const [first, ...deltas] = fixtures.bybit.toString().trim().split('\n');
  const again = JSON.parse(first!);
  again.ts += 2000;
  again.data.u = 1;
  const next = { ...JSON.parse(deltas[0]!), ts: again.ts + 1 };
  next.data.u = 2;
  const text = [deltas[0], first, deltas[0], deltas[2], deltas[3], JSON.stringify(again), JSON.stringify(next)].join(
    '\n',
  );
  const { report } = await imported(t, text);
  assert.deepEqual([report.books, report.deltas], [2, 2]);
  assert.deepEqual(report.dropped, {
    'deltas before the first snapshot': 1,
    'gaps in the update ids': 1,
    'deltas after a gap': 2,
  });
});

test('Tardis CSV: every row a full book, microseconds cut to milliseconds, the tick as fine as the prices', async (t) => {
  const { report, lines } = await imported(t, fixtures.tardis);
  assert.deepEqual([report.format, report.books], ['Tardis book_snapshot CSV', 3]);
  assert.deepEqual([report.firstTime, report.lastTime], [1598918403696, 1598918403888]);
  assert.deepEqual([lines[0].market.market_id, lines[0].market.tick], ['binance|BTCUSDT', '0.01']);
  assert.deepEqual(lines[1].bids.slice(0, 2), [
    ['11657.07', '10.896'],
    ['11656.97', '0.2'],
  ]);
});

test('Hyperliquid answer: bids first; a market the catalog lacks gets defaults, and the report says so', async (t) => {
  const { report, lines } = await imported(t, fixtures.hyperliquid);
  assert.deepEqual(lines[0].market, {
    market_id: 'hyperliquid|BTC',
    symbol: 'BTC',
    coin: 'BTC',
    size_decimals: 5,
    max_leverage: 10,
    category: 'crypto',
  });
  assert.deepEqual(
    [lines[1].bids[0], lines[1].asks[0]],
    [
      ['110427.0', '4.11882'],
      ['110428.0', '3.72573'],
    ],
  );
  assert.match(report.notes[0]!, /not in the default catalog: maximum leverage 10/);
});

test('Hyperliquid answers, one a line, also in the envelope of the stream', async (t) => {
  const answer = JSON.parse(fixtures.hyperliquid.toString());
  const lines = [answer, { channel: 'l2Book', data: { ...answer, time: answer.time + 1 } }];
  const { report } = await imported(t, lines.map((line) => JSON.stringify(line)).join('\n'));
  assert.equal(report.books, 2);
});

test('options say what the file does not', async (t) => {
  const options = { marketId: 'lighter|BTC', sizeDecimals: 6, tick: '0.5', maxLeverage: 40, category: 'fx' };
  const { lines } = await imported(t, fixtures.hyperliquid, options);
  assert.deepEqual(lines[0].market, {
    market_id: 'lighter|BTC',
    symbol: 'BTC',
    coin: 'BTC',
    size_decimals: 6,
    tick: '0.5',
    max_leverage: 40,
    category: 'fx',
  });
});

const badOptions: [options: ImportOptions, problem: RegExp][] = [
  [{ sizeDecimals: 2 }, /sizes in the file have 5 decimals, more than 2/],
  [{ sizeDecimals: 5.5 }, /size_decimals must be a whole number/],
  [{ marketId: 'BTC' }, /must have the form provider\|SYMBOL/],
  [{ marketId: 'mtgox|BTC' }, /none of binance, bybit/],
  [{ tick: '-1' }, /market.tick is not a plain decimal/],
  [{ tick: '0' }, /market.tick must be above 0/],
  [{ maxLeverage: 0 }, /max_leverage must be/],
  [{ category: '\u001b[31m' }, /category is not a name/],
];

for (const [options, problem] of badOptions) {
  test(`options ${JSON.stringify(options)} are refused and nothing is written`, async (t) => {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, fixtures.hyperliquid), join(folder, 'out.jsonl'), options);
    assert.match(error.message, problem);
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('events out of time order are sorted by exchange time, stably; very late ones are moved forward', async (t) => {
  const at = (time: number, id: number) => ({ ...trade(id, true), T: time });
  const late = [...Array.from({ length: 30 }, (_, i) => at(1000 * (i + 2), 10 + i)), at(1500, 99)];
  const { lines, report } = await imported(t, binance([snapshot(10), at(30, 1), at(20, 2), at(20, 3), ...late]));
  const times = lines.filter(({ trade }) => trade).map(({ time }) => time);
  assert.deepEqual(times.slice(0, 3), [20, 20, 30]);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  assert.deepEqual(report.dropped, {
    'events received out of time order, sorted': 3,
    'events more than ten seconds late, moved forward': 1,
  });
});

test('a book that crosses for a moment is held back and comes whole once it no longer does', async (t) => {
  const cross = { ...update(9, 11, 8), b: [['1.5', '1']], a: [] };
  const uncross = {
    ...update(12, 13, 11),
    b: [
      ['1.5', '0'],
      ['0.9', '2'],
    ],
    a: [],
  };
  const { lines, report } = await imported(t, binance([snapshot(10), cross, uncross]));
  assert.deepEqual(lines[2], {
    time: 1,
    market_id: 'binance|BTCUSDT',
    bids: [
      ['1.0', '1'],
      ['0.9', '2'],
    ],
    asks: [['1.2', '1']],
  });
  assert.deepEqual(report.dropped, { 'messages that left the book crossed, joined to the next': 1 });
});

test('levels named twice in one message count once, the last one', async (t) => {
  const twice = {
    ...update(9, 11, 8),
    b: [
      ['0.9', '1'],
      ['0.90', '2'],
    ],
    a: [],
  };
  const { lines, report } = await imported(t, binance([snapshot(10), twice]));
  assert.deepEqual(lines[2].bids, [['0.90', '2']]);
  assert.deepEqual(report.dropped, { 'levels named twice in one message': 1 });
});

test('an output whose name ends in .gz is gzip; it appears whole, with nothing beside it', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['out.jsonl', 'out.jsonl.gz']) {
    await importFile(temporaryFile(t, fixtures.bybit), join(folder, name));
  }
  assert.deepEqual(readdirSync(folder).sort(), ['out.jsonl', 'out.jsonl.gz']);
  const plain = readFileSync(join(folder, 'out.jsonl'));
  assert.deepEqual(gunzipSync(readFileSync(join(folder, 'out.jsonl.gz'))), plain);
});

test('a file that cannot be written is an error, and leaves what was there', async (t) => {
  const file = temporaryFile(t, fixtures.bybit);
  const error = await errorOf(file, join(dirname(file), 'no', 'such', 'folder'));
  assert.match(error.message, /cannot be written/);
});

const strangers: [what: string, content: string | Buffer, problem: RegExp][] = [
  ['an empty file', '', /the file is empty/],
  ['only line ends', '\n\n', /the file is empty/],
  [
    'prose',
    'hello\nworld\n',
    /format of the file is not known; tried: Binance USD-M streams, Bybit order book archive, Tardis/,
  ],
  ['binary garbage', Buffer.from([0, 255, 254, 1, 10]), /is not UTF-8/],
  ['a ZIP archive', 'PK\u0003\u0004rest', /ZIP archive: unpack it first/],
  ['a recording', '{"time":1,"market_id":"bybit|XRPUSDT","bids":[],"asks":[]}', /is a recording already/],
  ['another CSV', 'exchange,symbol,price\nbinance,BTCUSDT,1', /not known/],
  ['JSON of something else', '{"lastPrice":"1"}', /not known/],
  ['truncated gzip', gzipSync(fixtures.binance).subarray(0, 2000), /broken or truncated gzip/],
  [
    'Tardis of an exchange without provider',
    fixtures.tardis.toString().replaceAll('binance-futures', 'deribit'),
    /give a market id/,
  ],
  ['a Tardis header alone', fixtures.tardis.toString().split('\n')[0]!, /no book in the file/],
  ['Binance streams without a snapshot', binance([update(1, 2, 0), trade(1, true)]), /no depth snapshot/],
];

for (const [what, content, problem] of strangers) {
  test(`${what}: a clear error, and nothing is written`, async (t) => {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, content, 'input'), join(folder, 'out.jsonl'));
    assert.match(error.message, problem);
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('a bad line is named by its number in the venue’s file', async (t) => {
  const bad: [line: string, problem: RegExp][] = [
    ['{"broken', /is not JSON/],
    [JSON.stringify({ ...update(13, 14, 12), b: [['1e5', '1']] }), /a price is not a plain decimal: "1e5"/],
    [JSON.stringify({ ...update(13, 14, 12), T: 'now' }), /T must be a whole number/],
    [JSON.stringify({ ...trade(7, true), m: 'yes' }), /m must be true or false/],
    [JSON.stringify({ ...trade(7, true), q: 5 }), /q must be text/],
  ];
  for (const [line, problem] of bad) {
    const text = [snapshot(10), update(9, 12, 8)].map((message) => JSON.stringify(message)).join('\n');
    const rest = Array.from({ length: 20 }, (_, i) => JSON.stringify(trade(100 + i, true))).join('\n');
    const error = await errorOf(temporaryFile(t, `${text}\n${line}\n${rest}`), join(temporaryFolder(t), 'out'));
    assert.match(error.message, problem);
    assert.equal(error.line, 3);
  }
});

test('whatever bytes a venue file holds, the outcome is a good recording or a RecordingError', async (t) => {
  const folder = temporaryFolder(t);
  const [file, out] = [join(folder, 'input'), join(folder, 'out.jsonl')];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(fixtures)),
      fc.array(fc.record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 3 }), cut: fc.nat(5) }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (content, edits) => {
        let bytes = content;
        for (const { at, bytes: inserted, cut } of edits) {
          const place = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + cut)]);
        }
        writeFileSync(file, bytes);
        try {
          await importFile(file, out);
        } catch (error) {
          assert.ok(error instanceof RecordingError, String(error));
          return;
        }
        (await openRecording(out)).close();
      },
    ),
    { numRuns: 200 },
  );
});

/** Imports, and has the outcome opened and played: every import must be a good recording. */
async function imported(t: TestContext, content: string | Buffer, options: ImportOptions = {}) {
  const file = temporaryFile(t, content, 'input');
  const out = join(dirname(file), 'out.jsonl');
  const report = await importFile(file, out, options);
  const recording = await openRecording(out);
  t.after(() => recording.close());
  const events = play(recording.source, [report.market.market_id], 0, report.lastTime);
  assert.equal(events.length, report.books + report.deltas + report.prints);
  assert.deepEqual([recording.firstTime, recording.lastTime], [report.firstTime, report.lastTime]);
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { report, lines };
}

async function errorOf(file: string, out: string, options: ImportOptions = {}): Promise<RecordingError> {
  try {
    await importFile(file, out, options);
  } catch (error) {
    assert.ok(error instanceof RecordingError, String(error));
    return error;
  }
  throw new Error('the file was accepted');
}

function fixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}

/** Binance messages as received: local nanoseconds, and streams in their envelope. */
function binance(messages: readonly unknown[]): string {
  return messages
    .map((message) => {
      const isStream = typeof message === 'object' && message !== null && 'e' in message;
      return `1723161255030314667 ${JSON.stringify(isStream ? { stream: 'btcusdt', data: message } : message)}`;
    })
    .join('\n');
}

function snapshot(lastUpdateId: number) {
  return { lastUpdateId, E: 1, T: 1, bids: [['1.0', '1']], asks: [['1.2', '1']] };
}

function update(first: number, last: number, previous: number) {
  return { e: 'depthUpdate', E: 1, T: 1, s: 'BTCUSDT', U: first, u: last, pu: previous, b: [['0.9', '1']], a: [] };
}

function trade(id: number, buyerIsMaker: boolean) {
  return { e: 'trade', E: 5, T: 5, s: 'BTCUSDT', t: id, p: '1.0', q: '0.5', X: 'MARKET', m: buyerIsMaker };
}
