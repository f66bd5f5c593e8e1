import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openRecording, RecordingError } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { formats } from '../../../src/venues/import/formats.ts';
import { type ImportOptions, importFile } from '../../../src/venues/import/import-file.ts';
import { Tidy } from '../../../src/venues/import/tidy.ts';
import { Tally } from '../../../src/venues/tape/venue-events.ts';
import { temporaryFile, temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { archives } from './archives.ts';
import { binance, errorOf, fixtures, imported, snapshot, trade, update } from './importing.ts';

test('options supply what the file lacks', async (t) => {
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
  [{ marketId: 'mtgox|BTC' }, /not one of binance, bybit/],
  [{ tick: '-1' }, /market.tick is not a plain decimal/],
  [{ tick: '0' }, /market.tick must be above 0/],
  [{ maxLeverage: 0 }, /max_leverage must be/],
  [{ category: '\u001b[31m' }, /category is not a valid name/],
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
  assert.deepEqual(report.dropped, {});
  assert.deepEqual(report.noted, { 'events received out of time order, sorted': 2 });
  assert.deepEqual(report.moved, { events: 1, mostMs: 29_500 });
});

test('a book that crosses for a moment is held back and combined with the update that uncrosses it', async (t) => {
  const far = { ...update(9, 10, 8), b: [['0.1', '5']], a: [] };
  const cross = { ...update(11, 11, 10), b: [['1.5', '1']], a: [['1.2', '3']] };
  const uncross = {
    ...update(12, 13, 11),
    b: [
      ['1.5', '0'],
      ['0.9', '2'],
    ],
    a: [],
  };
  const { lines, report } = await imported(t, binance([snapshot(10), far, cross, uncross]));
  assert.deepEqual(lines[3], {
    time: 1,
    market_id: 'binance|BTCUSDT',
    delta: true,
    bids: [
      ['1.5', '0'],
      ['0.9', '2'],
    ],
    asks: [['1.2', '3']],
  });
  assert.equal(lines.length, 4);
  assert.deepEqual(report.noted, { 'messages that left the book crossed, combined with the next': 1 });
  assert.deepEqual(report.dropped, {});
});

test('a full book that arrives crossed is complete once it uncrosses, down to its own last level', async (t) => {
  const crossed = {
    ...snapshot(10),
    bids: [
      ['1.0', '1'],
      ['1.5', '2'],
      ['0.8', '4'],
    ],
  };
  const uncross = {
    ...update(9, 11, 8),
    b: [
      ['1.5', '0'],
      ['0.9', '3'],
      ['0.1', '5'],
    ],
    a: [],
  };
  const { lines } = await imported(t, binance([crossed, uncross]));
  assert.deepEqual(lines[1].bids, [
    ['1.0', '1'],
    ['0.9', '3'],
    ['0.8', '4'],
  ]);
  assert.equal(lines[1].delta, undefined);
});

test('for levels that occur twice in one message, the last one counts', async (t) => {
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
  assert.deepEqual(report.dropped, { 'levels that occur twice in one message': 1 });
});

test('an output whose name ends in .gz is gzip; it appears complete, and no other file does', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['out.jsonl', 'out.jsonl.gz']) {
    await importFile(temporaryFile(t, fixtures.bybit), join(folder, name));
  }
  assert.deepEqual(readdirSync(folder).sort(), ['out.jsonl', 'out.jsonl.gz']);
  const plain = readFileSync(join(folder, 'out.jsonl'));
  assert.deepEqual(gunzipSync(readFileSync(join(folder, 'out.jsonl.gz'))), plain);
});

test('a file that can’t be written is an error, and an existing file is unchanged', async (t) => {
  const file = temporaryFile(t, fixtures.bybit);
  const error = await errorOf(file, join(dirname(file), 'no', 'such', 'folder'));
  assert.match(error.message, /can't be written/);
});

const strangers: [what: string, content: string | Buffer, problem: RegExp][] = [
  ['an empty file', '', /the file is empty/],
  ['only line ends', '\n\n', /the file is empty/],
  [
    'prose',
    'hello\nworld\n',
    /unknown file format: "hello.*"; tried: Binance USD-M streams, .*Bybit order book archive, .*Tardis/,
  ],
  ['binary garbage', Buffer.from([0, 255, 254, 1, 10]), /is not UTF-8/],
  ['a ZIP archive', 'PK\u0003\u0004rest', /broken ZIP archive/],
  ['a recording', '{"time":1,"market_id":"bybit|XRPUSDT","bids":[],"asks":[]}', /is already a recording/],
  ['another CSV', 'exchange,symbol,price\nbinance,BTCUSDT,1', /unknown file format/],
  ['JSON of something else', '{"lastPrice":"1"}', /unknown file format/],
  ['truncated gzip', gzipSync(fixtures.binance).subarray(0, 2000), /broken or truncated gzip/],
  [
    'Tardis data of an exchange without a provider',
    fixtures.tardis.toString().replaceAll('binance-futures', 'deribit'),
    /unknown venue\. Name the market with --market-id/i,
  ],
  ['only a Tardis header', fixtures.tardis.toString().split('\n')[0]!, /only a header in the file/],
  ['Binance streams without a snapshot', binance([update(1, 2, 0), trade(1, true)]), /no depth snapshot/],
];

test('every format has an extract, and the help and the docs name its venue', async (t) => {
  const { message } = await errorOf(temporaryFile(t, 'hello', 'input'), join(temporaryFolder(t), 'out.jsonl'));
  const venues = message
    .split('tried: ')[1]!
    .split(', ')
    .map((name) => name.split(' ')[0]!);
  assert.ok(venues.length >= 13, message);
  assert.deepEqual(archives.map(({ format }) => format).toSorted(), formats.map(({ name }) => name).toSorted());
  const root = join(import.meta.dirname, '../../..');
  const pages = ['docs/simulation.md', 'src/terminal/cli/commands/sim/recordings.ts'];
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const about = text.split('\n').filter((line) => /sim import|Binance|Bybit/.test(line));
    for (const venue of venues)
      assert.ok(
        about.some((line) => line.includes(venue)),
        `${page} does not name ${venue}`,
      );
  }
});

for (const { format, name, extract } of archives) {
  test(`the extract of ${format} is imported by its own format, and holds events`, async (t) => {
    const { report } = await imported(t, extract, {}, name);
    assert.equal(report.format, format);
    assert.ok(report.books + report.prints + report.marks > 0);
    const page = readFileSync(join(import.meta.dirname, '../../../docs/tapes.md'), 'utf8');
    assert.ok(page.includes(`\n| ${format} |`), `${format} has no row in docs/tapes.md`);
  });
}

test('test/fixtures/README.md describes every file of its folder, and no other', () => {
  const folder = join(import.meta.dirname, '../../fixtures');
  const described = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, name]) => name,
  );
  const files = readdirSync(folder).filter((name) => name !== 'README.md');
  assert.deepEqual(described.sort(), files.sort());
});

for (const [what, content, problem] of strangers) {
  test(`${what}: a clear error, and nothing is written`, async (t) => {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, content, 'input'), join(folder, 'out.jsonl'));
    assert.match(error.message, problem);
    assert.deepEqual(readdirSync(folder), []);
  });
}

test('an event at no time is refused, whatever a format makes of a line', () => {
  for (const time of [Number.NaN, 1.5, -1, 1e15]) {
    const tidy = new Tidy(new Tally(), true);
    assert.throws(
      () => tidy.take({ kind: 'print', time, price: '1', size: '1', side: 'buy', id: '' }),
      /whole Unix milliseconds/,
    );
  }
});

test('an error about a bad line gives its number in the venue’s file', async (t) => {
  const bad: [line: string, problem: RegExp][] = [
    ['{"broken', /is not JSON/],
    [JSON.stringify({ ...update(13, 14, 12), b: [['1e5', '1']] }), /a price is not a plain decimal: "1e5"/],
    [
      JSON.stringify({ ...trade(7, true), T: 1_753_362_000 }),
      /its time, 1970-01-21T07:02:42.000Z, is before any venue: the unit is wrong/,
    ],
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

test('times of Tardis, which are in microseconds, are refused in seconds and in milliseconds', async (t) => {
  const header = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
  for (const [time, read] of [
    ['1753362000', '1970-01-01T00:29:13.362Z'],
    ['1753362000000', '1970-01-21T07:02:42.000Z'],
  ] as const) {
    const file = temporaryFile(t, `${header}\nbybit,XRPUSDT,${time},${time},a,buy,1.5,10`);
    const error = await errorOf(file, join(temporaryFolder(t), 'out'));
    assert.equal(error.problem, `its time, ${read}, is before any venue: the unit is wrong`);
  }
});

test('whatever bytes a venue file contains, the result is a valid recording or a RecordingError', async (t) => {
  const folder = temporaryFolder(t);
  const [file, out] = [join(folder, 'input'), join(folder, 'out.jsonl')];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...archives.map(({ extract }) => Buffer.from(extract))),
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
    { numRuns: process.env.PERP_LONG ? 2_000 : 60 },
  );
});

test('a recording never replaces the file that it is made from, under its own name or through a link', async (t) => {
  const file = temporaryFile(t, fixtures.hyperliquid);
  const original = readFileSync(file);
  const link = join(temporaryFolder(t), 'link.jsonl');
  symlinkSync(file, link);
  for (const out of [file, link]) {
    const error = await errorOf(file, out);
    assert.match(error.message, /is one of the files to read; choose another name for the recording/);
    assert.deepEqual(readFileSync(file), original);
  }
});
