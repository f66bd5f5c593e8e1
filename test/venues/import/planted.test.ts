import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ImportOptions, ImportReport } from '../../../src/venues/import/import-file.ts';
import { temporaryFile, temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { zipped } from './archives.ts';
import { errorOf, imported } from './importing.ts';

const start = Date.UTC(2025, 0, 1);
const times = (count: number, stepMs: number, wrong: Record<number, number> = {}) =>
  Array.from({ length: count }, (_, at) => start + stepMs * at + (wrong[at] ?? 0));
const repeated = (lines: readonly string[], at: number) => lines.toSpliced(at, 0, lines[at]!);

/** Lines of files, one event each. */
const aggTrade = (time: number, at: number, price = '93000.1') => `${at},${price},0.5,10,10,${time},true`;
const okxTrade = (coin: string) => (time: number, at: number) => `${coin},${at},buy,61838.9,5,${time}`;
const bybitTrade = (time: number, at: number) =>
  `${(time / 1000).toFixed(3)},BTCUSDT,Buy,0.003,93530.00,PlusTick,t${at},1,0.003,1,false`;
const bybitBook = (topic: string, best: string) => (ts: number, at: number) => {
  const data = { s: 'XRPUSDT', b: [[best, `${at + 1}`]], a: [['2.1', '1']], u: at + 1, seq: at };
  return JSON.stringify({ topic, type: at === 0 ? 'snapshot' : 'delta', ts, data });
};
const ofBybit = bybitBook('orderbook.500.XRPUSDT', '2.05');
const tardisLevel = (row: string) => (time: number, at: number) =>
  `${row.replace('TIME', `${time}000,${time + 2}000`)},${at + 1}`;
const snapshotOf = (lastUpdateId: number, price: number, T = start) =>
  JSON.stringify({ lastUpdateId, E: T, T, bids: [[`${price}`, '1']], asks: [[`${price + 1}`, '1']] });
const depth = (T: number, at: number, s = 'BTCUSDT') =>
  JSON.stringify({ e: 'depthUpdate', E: T, T, s, U: at, u: at + 1, pu: at, b: [['60000', `${at + 1}`]], a: [] });

const aggName = 'BTCUSDT-aggTrades-2025-01-01.csv';
const aggHeader = 'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker';
const okxHeader = 'instrument_name,trade_id,side,price,size,created_time';
const bybitHeader =
  'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional,RPI';
const levelHeader = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
const tardisHeader = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
const tardisTrade = (row: string) => (time: number, at: number) =>
  `${row.replace('TIME', `${time}000,${time}000,${at}`)}`;

type Said = Partial<Record<'dropped' | 'noted', Record<string, number>>> & { moved?: [events: number, mostMs: number] };

/**
 * Files with one fault that are read without it: how many events, at which best bids if any, and what the report says.
 */
const mended: readonly [
  what: string,
  lines: readonly string[],
  events: number,
  said: Said,
  best?: readonly string[],
][] = [
  ['a Bybit message twice', repeated(times(9, 20).map(ofBybit), 4), 9, { dropped: { 'messages received twice': 1 } }],
  [
    'two depths of one market in a Bybit capture',
    [...times(3, 20).map(ofBybit), ...times(3, 20).map(bybitBook('orderbook.50.XRPUSDT', '2.01'))],
    3,
    { dropped: { 'messages of other topics': 3 } },
    ['2.05'],
  ],
  [
    'a Bybit capture that begins with an answer',
    ['{"success":true,"op":"subscribe"}', ...times(3, 20).map(ofBybit)],
    3,
    { dropped: { 'messages of other topics': 1 } },
  ],
  ['a book 9 s ahead', times(200, 100, { 50: 9_000 }).map(ofBybit), 200, { moved: [1, 9_100] }],
  ['a book 3 s behind', times(200, 100, { 50: -3_000 }).map(ofBybit), 200, { moved: [1, 2_900] }],
  [
    'a Binance update twice',
    [
      snapshotOf(0, 60000),
      ...repeated(
        times(6, 100).map((time, at) => depth(time, at)),
        3,
      ),
    ],
    7,
    { dropped: { 'depth updates received twice': 1 } },
  ],
  [
    'snapshots of two Binance markets before their streams',
    [snapshotOf(0, 60000), snapshotOf(700, 2500), ...times(6, 100).map((time, at) => depth(time, at))],
    7,
    { dropped: { 'snapshots that no depth update joins': 1 } },
    ['60000'],
  ],
  [
    'a snapshot of another Binance market after a gap',
    [
      snapshotOf(0, 60000),
      depth(start, 0),
      depth(start + 50, 699, 'ETHUSDT'),
      depth(start + 100, 5),
      snapshotOf(700, 2500, start + 150),
      depth(start + 200, 6),
    ],
    2,
    {
      noted: { 'gaps in the depth stream': 1 },
      dropped: {
        'messages of other markets': 1,
        'depth updates older than the snapshot': 2,
        'snapshots that no depth update joins': 1,
      },
    },
    ['60000'],
  ],
  [
    'one symbol of two exchanges in a Tardis file',
    [
      levelHeader,
      ...times(2, 100).map(tardisLevel('bybit,XRPUSDT,TIME,true,bid,2.05')),
      ...times(2, 100).map(tardisLevel('binance-futures,XRPUSDT,TIME,true,bid,1.95')),
    ],
    2,
    { dropped: { 'rows of other markets': 2 } },
    ['2.05'],
  ],
  [
    'a Tardis file that writes True',
    [levelHeader, ...times(3, 100).map(tardisLevel('bybit,XRPUSDT,TIME,True,bid,2.05'))],
    3,
    {},
    ['2.05'],
  ],
  [
    'a Bybit trade two minutes ahead',
    [bybitHeader, ...times(300, 1_000, { 100: 120_000 }).map(bybitTrade)],
    300,
    { moved: [1, 121_000] },
  ],
  [
    'the same in a file that runs backwards',
    [bybitHeader, ...times(300, 1_000, { 100: 120_000 }).map(bybitTrade).toReversed()],
    300,
    { moved: [1, 121_000] },
  ],
  [
    'a last trade two minutes ahead',
    times(100, 100, { 99: 120_000 }).map((time, at) => aggTrade(time, at)),
    100,
    { moved: [1, 120_100] },
  ],
  [
    'a Binance trade twice',
    repeated(
      times(9, 5).map((time, at) => aggTrade(time, at)),
      4,
    ),
    9,
    { dropped: { 'trades received twice': 1 } },
  ],
  [
    'an OKX trade twice',
    [okxHeader, ...repeated(times(9, 5).map(okxTrade('BTC-USDT-SWAP')), 4)],
    9,
    { dropped: { 'trades received twice': 1 } },
  ],
  [
    'a Bybit trade twice',
    [bybitHeader, ...repeated(times(9, 5).map(bybitTrade), 4)],
    9,
    { dropped: { 'trades received twice': 1 } },
  ],
  [
    'a header that is repeated, a byte order mark, CRLF and an empty line',
    [`\ufeff${aggHeader}\r`, `${aggTrade(start, 1)}\r`, '\r', `${aggHeader}\r`, `${aggTrade(start + 1, 2)}\r`],
    2,
    {},
  ],
];

for (const [what, lines, events, said, best] of mended) {
  test(`one fault in a file is mended or left out, and the report says so: ${what}`, async (t) => {
    const got = await imported(t, lines.join('\n'), {}, aggName);
    const { books, deltas, prints, dropped, noted, moved }: ImportReport = got.report;
    assert.equal(books + deltas + prints, events);
    const { dropped: left = {}, noted: notes = {}, moved: [count, mostMs] = [0, 0] } = said;
    assert.deepEqual({ dropped, noted, moved }, { dropped: left, noted: notes, moved: { events: count, mostMs } });
    const bids = got.lines.flatMap(({ bids = [] }) => bids.map(([price]: string[]) => price));
    if (best !== undefined) assert.deepEqual([...new Set(bids)], best);
  });
}

const many = times(500, 5)
  .map((time, at) => aggTrade(time, at))
  .join('\n');
const okx = [okxHeader, ...times(3, 5).map(okxTrade('BTC-USDT-SWAP'))].join('\n');
const inverse = (row: string) => [tardisHeader, ...times(3, 5).map(tardisTrade(row))].join('\n');
const isInverse = /is an inverse contract, with sizes in USD/;
const oneUnit = { marketId: 'binance|BTCUSDT', contractSize: '1' };

/** Files that are refused by their first cause, with its line. */
const refused: readonly [
  what: string,
  content: string | Buffer,
  problem: RegExp,
  line?: number | null,
  options?: ImportOptions,
][] = [
  [
    'a contract size against the venue’s table',
    okx,
    /--contract-size 1 is not the venue's 0.01 \(its table, November 2026\)/,
    null,
    { contractSize: '1' },
  ],
  ['OKX spot', okx.replaceAll('-SWAP', ''), /"BTC-USDT" is not a perpetual swap/],
  ['inverse contracts of Gate', inverse('gate-io-futures,BTC_USD,TIME,buy,60000,10'), isInverse, null, oneUnit],
  ['inverse contracts of Phemex', inverse('phemex,BTCUSD,TIME,buy,60000,10'), isInverse, null, oneUnit],
  ['inverse futures of OKX', inverse('okex-futures,BTC-USD-250328,TIME,buy,60000,10'), isInverse, null, oneUnit],
  [
    'a bad size in a file that is sorted',
    [bybitHeader, ...times(9, 5).map(bybitTrade)].join('\n').replace('0.003,', 'x,'),
    /the size of a trade is not a plain decimal: "x"/,
    2,
  ],
  [
    'a header without a column that is needed',
    `${levelHeader.replace('local_timestamp,', '')}\n`,
    /it looks like Tardis incremental_book_L2 CSV, but there is no column local_timestamp/,
  ],
  [
    'only crossed books',
    ofBybit(start, 0).replace('2.05', '2.15'),
    /no book and no print in the file; left out: 1 messages that left the book crossed/,
  ],
  [
    'another format in the middle',
    [aggTrade(start, 1), '7,42000.1,0.5,1,1735689600000,True'].join('\n'),
    /has 6 columns, not 7/,
    2,
  ],
  ['a page of an error', '<!DOCTYPE html><html></html>', /unknown file format: "<!DOCTYPE html><html><\/html>"/],
  ['gzip that was cut off', gzipSync(many).subarray(0, 900), /broken or truncated gzip/],
  [
    'gzip inside of a ZIP archive',
    zipped({ 'x.csv.gz': gzipSync(many) }),
    /its contents are packed with gzip: unpack it/,
  ],
  ['a ZIP archive that was cut off', zipped({ [aggName]: many }).subarray(0, 900), /broken ZIP archive/],
  ['zstd', Buffer.from('28b52ffd04', 'hex'), /its contents are packed with zstd: unpack it/],
  ['a Parquet file', Buffer.from('PAR1\xff', 'latin1'), /its contents are a Parquet file/],
  ['UTF-16', Buffer.from(`\ufeff${many}`, 'utf16le'), /its contents are UTF-16 text/],
];

for (const [what, content, problem, line, options] of refused) {
  test(`one fault in a file is refused by its first cause, and nothing is written: ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, content, aggName), join(folder, 'out'), options);
    assert.match(error.message, problem);
    if (line !== undefined) assert.equal(error.line, line);
    assert.deepEqual(readdirSync(folder), []);
  });
}
