import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openRecording, RecordingError } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { test, trial } from '../../tiers.ts';
import { bookLine, deltaLine, marketLine, printLine, temporaryFile, temporaryFolder, xrp } from './recording-file.ts';

const market = marketLine(1000);
const book = bookLine(1000, [['1.9531', '6203']], [['1.9533', '812']]);

const marksLine = (mark: string, index: string | null = null) =>
  JSON.stringify({ time: 1001, market_id: xrp, marks: { mark, index } });

const badLines: [what: string, line: string, problem: RegExp][] = [
  ['broken JSON', '{"time":1001,', /is not JSON/],
  ['a JSON list', '[1]', /must be a JSON object/],
  ['null', 'null', /must be a JSON object/],
  ['no time', `{"market_id":"${xrp}","bids":[],"asks":[]}`, /time must be whole Unix milliseconds/],
  ['a fractional time', bookLine(1001.5, [], []), /time must be/],
  ['a time as text', book.replace('1000', '"1000"'), /time must be/],
  ['a negative time', bookLine(-1, [], []), /time must be/],
  ['a time beyond dates', bookLine(1e17, [], []), /time must be/],
  ['time going backwards', bookLine(999, [], []), /time goes backwards: 999 after 1000/],
  ['an unknown field', book.replace('{', '{"x":1,'), /unknown field "x"/],
  ['an unknown kind', '{"time":1001,"funding":{}}', /unknown field "funding"/],
  [
    'a print with an extra field',
    printLine(1001, '1', '1', 'buy').replace('"side"', '"fee":1,"side"'),
    /unknown field "fee"/,
  ],
  ['a delta that is not true', book.replace('{', '{"delta":false,'), /delta can only be true/],
  ['no bids', `{"time":1001,"market_id":"${xrp}","asks":[]}`, /bids must be a list/],
  ['a level of three values', book.replace('"6203"', '"6203","1"'), /bids\[0\] must be \[price, size\]/],
  ['a price as a number', book.replace('"1.9531"', '1.9531'), /bids\[0\] price must be a decimal in a string/],
  ...['1e999', '-1', 'NaN', 'Infinity', '', '.5', '5.', '1.2.3', '+1', ' 1', '0x10', '١', '1\u00002'].map(
    (text): [string, string, RegExp] => [
      `the size ${JSON.stringify(text)}`,
      bookLine(1001, [['1', text]], []),
      /bids\[0\] size is/,
    ],
  ),
  ['a huge size', bookLine(1001, [['1', '9'.repeat(400)]], []), /too many digits to be exact/],
  ['a size that is too fine', bookLine(1001, [['1', '1.23']], []), /bids\[0\] size has more than 1 decimals/],
  ['a price with too many digits', bookLine(1001, [['1.00000000000000001', '1']], []), /too many digits/],
  ['a huge price', bookLine(1001, [['999999999999999', '1']], []), /too large/],
  ['a price of 0', bookLine(1001, [['0.0', '1']], []), /bids\[0\] price must be above 0/],
  ['a size of 0 in a full book', bookLine(1001, [['1', '0']], []), /size 0 in a full book/],
  [
    'a price twice in a book',
    bookLine(
      1001,
      [
        ['1.0', '1'],
        ['1.00', '2'],
      ],
      [],
    ),
    /bids\[1\] repeats a price/,
  ],
  [
    'a price twice in a delta',
    deltaLine(
      1001,
      [],
      [
        ['2', '1'],
        ['3', '1'],
        ['2.0', '0'],
      ],
    ),
    /asks repeat a price/,
  ],
  [
    'bids with the worst first',
    bookLine(
      1001,
      [
        ['1.0', '1'],
        ['1.1', '2'],
      ],
      [],
    ),
    /the best level must come first/,
  ],
  ['a crossed book', bookLine(1001, [['2', '1']], [['1.5', '1']]), /crossed: best bid 2, best ask 1.5/],
  ['a locked book', bookLine(1001, [['2', '1']], [['2', '1']]), /crossed/],
  ['a delta that crosses', deltaLine(1001, [['1.9533', '1']], []), /crossed/],
  ['a print with size 0', printLine(1001, '1', '0', 'buy'), /trade.size must be above 0/],
  ['a print at price 0', printLine(1001, '0', '1', 'buy'), /trade.price must be above 0/],
  ['a mark of 0', marksLine('0'), /marks.mark must be above 0/],
  ['a mark that is nearest to 0', marksLine('0.00001'), /marks.mark must be above 0/],
  ['an index of 0', marksLine('1', '0'), /marks.index must be above 0/],
  ['a print without a side', printLine(1001, '1', '1', 'long'), /trade.side must be buy or sell/],
  ['a trade that is null', `{"time":1001,"market_id":"${xrp}","trade":null}`, /trade must be a JSON object/],
  ['an unknown market', bookLine(1001, [], [], 'binance|BTCUSDT'), /no market line for "binance\|BTCUSDT"/],
  ['a second market line', marketLine(1001), /a second market line/],
  ['an inherited property as market', bookLine(1001, [], [], '__proto__'), /no market line/],
];

for (const [what, line, problem] of badLines) {
  test(`${what} is an error that names the file and line`, async (t) => {
    const file = temporaryFile(t, [market, book, line, book].join('\n'));
    const error = await errorOf(file);
    assert.match(error.message, problem);
    assert.deepEqual([error.file, error.line], [file, 3]);
    assert.ok(error.message.startsWith(`${file}:3: `));
  });
}

const badMarkets: [what: string, overrides: Record<string, unknown>, problem: RegExp][] = [
  ['no provider', { market_id: 'XRPUSDT' }, /provider\|SYMBOL/],
  ['an unknown provider', { market_id: 'mtgox|XRPUSDT' }, /not one of binance/],
  ['another coin', { coin: 'BTCUSDT' }, /does not match/],
  ['a symbol with terminal control characters', { symbol: '\u001b[2J' }, /symbol is not a valid name: "\\u001b\[2J"/],
  ['a category that is too long', { category: 'x'.repeat(65) }, /category is not a valid name/],
  ['size decimals of -1', { size_decimals: -1 }, /size_decimals must be/],
  ['a leverage of 0', { max_leverage: 0 }, /max_leverage must be/],
  ['a tick of 0', { tick: '0.0' }, /market.tick must be above 0/],
  ['a tick that is not a number', { tick: 'coarse' }, /market.tick is not a plain decimal/],
  ['no tick', { tick: undefined }, /market.tick is missing/],
  ['an unknown field', { funding: 1 }, /unknown field "funding"/],
];

for (const [what, overrides, problem] of badMarkets) {
  test(`a market line with ${what} is an error`, async (t) => {
    const error = await errorOf(temporaryFile(t, [marketLine(1, overrides), book].join('\n')));
    assert.match(error.problem, problem);
    assert.equal(error.line, 1);
  });
}

test('a book before its market line, and a delta before any full book, are errors', async (t) => {
  assert.match((await errorOf(temporaryFile(t, [book, market].join('\n')))).problem, /no market line/);
  const early = [market, deltaLine(1001, [['1', '1']], [])].join('\n');
  assert.match((await errorOf(temporaryFile(t, early))).problem, /a delta for .* before any full book/);
});

test('files that are not recordings are reported as such', async (t) => {
  assert.match((await errorOf(join(temporaryFolder(t), 'nowhere'))).message, /can't be read: .*ENOENT/);
  assert.match((await errorOf(temporaryFolder(t))).message, /it is not a file/);
  assert.match((await errorOf(temporaryFile(t, ''))).message, /the recording is empty/);
  assert.match((await errorOf(temporaryFile(t, '\n\n'))).message, /the recording is empty/);
  assert.match((await errorOf(temporaryFile(t, Buffer.from([0x80, 0xff, 0x00, 0x0a])))).message, /:1: is not UTF-8/);
  assert.match((await errorOf(temporaryFile(t, Buffer.alloc(4096)))).message, /:1: is not JSON: "\\u0000/);
});

test('truncated or broken gzip is an error at the line reached', async (t) => {
  const lines = [
    market,
    ...Array.from({ length: 5000 }, (_, i) => bookLine(1000 + i, [['1.9531', String(i + 1)]], [])),
  ];
  const bytes = gzipSync(lines.join('\n'));
  const truncated = await errorOf(temporaryFile(t, bytes.subarray(0, bytes.length - 4000)));
  assert.match(truncated.problem, /broken or truncated gzip/);
  assert.ok(truncated.line! > 1);
  const broken = Buffer.from(bytes);
  broken.fill(0xff, 2000, 2100);
  assert.match((await errorOf(temporaryFile(t, broken))).problem, /gzip|not JSON/);
});

trial('a line without an end is refused before it fills the memory', async (t) => {
  const endless = gzipSync(Buffer.alloc(80 * 2 ** 20, 'x'));
  assert.match((await errorOf(temporaryFile(t, endless))).problem, /the line is longer than/);
});

trial('empty lines without end, and lines that nest without end, are refused', async (t) => {
  const cases: [text: string, problem: RegExp][] = [
    [`${market}\n${'\n'.repeat(200_000)}`, /more than 100000 empty lines in a row/],
    [`${market}\n${'['.repeat(5_000_000)}\n`, /is not JSON/],
  ];
  for (const [text, problem] of cases)
    for (const bytes of [Buffer.from(text), gzipSync(text)])
      await assert.rejects(openRecording(temporaryFile(t, bytes)), (error) => {
        assert.ok(error instanceof RecordingError);
        assert.match(error.message, problem);
        return true;
      });
});

trial('a book with a hundred thousand levels per side is read', async (t) => {
  const side = (first: number, step: number): [string, string][] =>
    Array.from({ length: 100_000 }, (_, i) => [String(first + i * step), '1']);
  const file = temporaryFile(t, [market, bookLine(1000, side(200_000, -1), side(200_001, 1))].join('\n'));
  const recording = await openRecording(file);
  t.after(() => recording.close());
  const { bids, asks } = recording.source.book(xrp, 1000)!;
  assert.deepEqual([bids.length, asks.length, bids[0], asks.at(-2)], [200_000, 200_000, 2_000_000_000, 3_000_000_000]);
});

test('a bad recording leaves no files behind', async (t) => {
  const cacheDir = temporaryFolder(t);
  const file = temporaryFile(t, [market, book, '{'].join('\n'));
  await assert.rejects(openRecording(file, { cacheDir }), RecordingError);
  assert.deepEqual(readdirSync(cacheDir), []);
});

test('control characters in untrusted text never reach a message', async (t) => {
  const hostile = '\u001b]0;title\u0007\u009b31m\u202e';
  for (const line of [
    `{"time":1,"${hostile}":1}`,
    hostile,
    bookLine(1001, [[hostile, '1']], []),
    marketLine(1001, { market_id: hostile }),
  ]) {
    const { message } = await errorOf(temporaryFile(t, [market, book, line].join('\n')));
    assert.doesNotMatch(message, /[\p{Cc}\p{Cf}]/u);
  }
});

test('whatever bytes a file contains, it is a recording or a RecordingError, never a crash', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-markets-'));
  const good = [market, book, deltaLine(1001, [['1.9530', '1']], []), printLine(1002, '1.9533', '1', 'buy')].join('\n');
  const { writeFileSync } = await import('node:fs');
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(good.length), bytes: fc.uint8Array({ maxLength: 4 }), cut: fc.nat(6) }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.boolean(),
        async (edits, zip) => {
          let bytes = zip ? gzipSync(good) : Buffer.from(good);
          for (const { at, bytes: inserted, cut } of edits) {
            const place = at % bytes.length;
            bytes = Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + cut)]);
          }
          const file = join(folder, 'books');
          writeFileSync(file, bytes);
          try {
            (await openRecording(file)).close();
          } catch (error) {
            assert.ok(error instanceof RecordingError, String(error));
          }
        },
      ),
      { numRuns: process.env.PERP_LONG ? 3_000 : 30 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function errorOf(file: string): Promise<RecordingError> {
  try {
    (await openRecording(file)).close();
  } catch (error) {
    assert.ok(error instanceof RecordingError, String(error));
    return error;
  }
  throw new Error('the recording was accepted');
}
