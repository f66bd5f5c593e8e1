import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openRecording, RecordingError } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { mergeRecordings } from '../../../src/venues/import/merge.ts';
import {
  bookLine,
  deltaLine,
  marketLine,
  printLine,
  temporaryFile,
  temporaryFolder,
  xrp,
} from '../../exchange/markets/recording-file.ts';

const ada = 'bybit|ADAUSDT';
const adaLine = (time: number) => marketLine(time, { market_id: ada, symbol: 'ADA', coin: 'ADAUSDT' });
const book = (time: number, size: string, id = xrp) => bookLine(time, [['1.9', size]], [['2.0', size]], id);

async function merged(t: TestContext, files: string[][]) {
  const paths = files.map((lines, i) => temporaryFile(t, `${lines.join('\n')}\n`, `${i}.jsonl`));
  const out = join(temporaryFolder(t), 'out.jsonl');
  const report = await mergeRecordings(paths, out);
  const recording = await openRecording(out);
  t.after(() => recording.close());
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { report, lines, recording };
}

const refused = (t: TestContext, files: string[][], message: RegExp) =>
  assert.rejects(merged(t, files), (error) => {
    assert.ok(error instanceof RecordingError);
    assert.match(error.message, message);
    return true;
  });

test('two markets: lines sorted by time, those of the same millisecond in the order of the files', async (t) => {
  const { lines, report } = await merged(t, [
    [marketLine(5), book(5, '1'), printLine(9, '2.0', '1', 'buy')],
    [adaLine(5), book(5, '2', ada), printLine(7, '2.0', '3', 'buy', ada)],
  ]);
  assert.deepEqual(
    lines.map(({ time, market, market_id, trade }) => [time, market?.market_id ?? market_id, trade?.size]),
    [
      [5, xrp, undefined],
      [5, ada, undefined],
      [5, xrp, undefined],
      [5, ada, undefined],
      [7, ada, '3'],
      [9, xrp, '1'],
    ],
  );
  assert.deepEqual(
    report.markets.map(({ market, books, prints }) => [market.symbol, books, prints]),
    [
      ['XRP', 1, 1],
      ['ADA', 1, 1],
    ],
  );
});

test('one day after the other: one market line, with the finest sizes and tick of both', async (t) => {
  const { lines, recording } = await merged(t, [
    [marketLine(5, { tick: '0.01' }), book(5, '1'), deltaLine(6, [['1.9', '0']], [])],
    [marketLine(90_000, { size_decimals: 3 }), book(90_000, '0.125')],
  ]);
  assert.equal(lines.filter(({ market }) => market).length, 1);
  const [definition] = recording.definitions;
  assert.deepEqual([definition!.sizeDecimals, definition!.tick, definition!.priceDecimals], [3, 1, 4]);
  assert.deepEqual(recording.source.book(xrp, 100_000)!.bids, [19_000, 125]);
});

test('a book and its prints from two files: prints are taken off the displayed book until its next update', async (t) => {
  const { lines, report } = await merged(t, [
    [marketLine(5), book(5, '9'), deltaLine(8, [['1.8', '1']], [])],
    [marketLine(6), printLine(6, '2.0', '2.5', 'buy')],
  ]);
  assert.deepEqual(
    lines.slice(1).map(({ time, trade, asks }) => [time, trade?.price ?? asks]),
    [
      [5, [['2.0', '9']]],
      [6, '2.0'],
      [6, [['2.0', '6.5']]],
      [8, [['2.0', '9']]],
    ],
  );
  assert.deepEqual([report.markets[0]!.deltas, report.markets[0]!.prints], [2, 1]);
});

test('lines of one millisecond come as they were received, whatever the order of the files; else books before prints', async (t) => {
  const received = (line: string, us: number) => JSON.stringify({ ...JSON.parse(line), received_us: us });
  const books = (us: (line: string, at: number) => string) => [
    marketLine(5),
    us(book(5, '9'), 5000),
    us(deltaLine(6, [['1.8', '1']], []), 6300),
  ];
  const prints = (us: (line: string, at: number) => string) => [
    marketLine(5),
    us(printLine(6, '2.0', '2.5', 'buy'), 6100),
    us(printLine(6, '2.0', '1', 'buy'), 6500),
  ];
  const firstOf = async (files: string[][]) =>
    (await merged(t, files)).lines.find(({ time }) => time === 6)!.trade === undefined ? 'book' : 'print';
  const plain = (line: string) => line;
  for (const order of [0, 1]) {
    const files = (us: (line: string, at: number) => string) =>
      order === 0 ? [books(us), prints(us)] : [prints(us), books(us)];
    assert.equal(await firstOf(files(received)), 'print');
    assert.equal(await firstOf(files(plain)), 'book');
  }
});

test('files that contradict each other are refused, with file and line', async (t) => {
  await refused(
    t,
    [
      [marketLine(5), book(5, '1'), book(9, '1')],
      [marketLine(7), book(7, '1')],
    ],
    /only one of them/,
  );
  await refused(
    t,
    [
      [marketLine(5), book(5, '1')],
      [marketLine(9, { symbol: 'X' }), book(9, '1')],
    ],
    /says symbol X/,
  );
  await refused(
    t,
    [
      [marketLine(5), book(5, '1')],
      [marketLine(9), deltaLine(9, [], [['2', '1']])],
    ],
    /before any full/,
  );
  await refused(t, [[marketLine(5), book(5, '1'), book(4, '1')]], /0\.jsonl:3: time goes backwards/);
  await refused(t, [['{"time":1}']], /bids must be/);
});

test('a merge never overwrites one of its input files, and overwrites other files only with `replaces`', async (t) => {
  const file = temporaryFile(t, [marketLine(5), book(5, '1')].join('\n'));
  const other = temporaryFile(t, 'mine');
  await assert.rejects(mergeRecordings([file], file, { replaces: true }), /is one of the files to read/);
  await assert.rejects(mergeRecordings([file], other), /exists; add --force/);
  assert.equal(readFileSync(other, 'utf8'), 'mine');
  await mergeRecordings([file], other, { replaces: true });
  assert.match(readFileSync(other, 'utf8'), /"market"/);
});
