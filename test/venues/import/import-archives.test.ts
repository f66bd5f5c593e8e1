import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importFile } from '../../../src/venues/import/import-file.ts';
import { lz4Frames } from '../../../src/venues/import/lz4-frames.ts';
import { temporaryFile, temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { test, trial } from '../../tiers.ts';
import { archives, zipped } from './archives.ts';
import { errorOf, fixtures, imported } from './importing.ts';

const extractOf = (format: string) => archives.find((archive) => archive.format === format)!;
const prints = (lines: { trade?: { price: string; size: string; side: string }; time: number }[]) =>
  lines.filter(({ trade }) => trade).map(({ time, trade }) => [time, trade!.price, trade!.size, trade!.side]);

test('Binance aggTrades: the market is in the name, and a maker that bought means that the taker sold', async (t) => {
  const { name, extract } = extractOf('Binance aggTrades');
  const { report, lines } = await imported(t, extract, {}, name);
  assert.equal(report.market.market_id, 'binance|BTCUSDT');
  assert.deepEqual(prints(lines), [
    [1717200000123, '42000.1', '0.5', 'sell'],
    [1717200000456, '42000.2', '1.25', 'buy'],
  ]);
  assert.match(
    report.notes.join(),
    /no books in the file: it serves charts, candles and bars, and nothing fills on it/,
  );
});

test('a file that names its market neither inside nor outside needs --market-id', async (t) => {
  const { extract } = extractOf('Binance aggTrades');
  const error = await errorOf(temporaryFile(t, extract, 'file.csv'), join(temporaryFolder(t), 'out'));
  assert.match(error.message, /neither the file nor its name says the market. Name it with --market-id/);
  const { report } = await imported(t, extract, { marketId: 'binance|ETHUSDT' }, 'file.csv');
  assert.equal(report.market.market_id, 'binance|ETHUSDT');
});

test('Binance bookTicker: rows of interleaved parts are read in the order of their update ids', async (t) => {
  const { name, extract } = extractOf('Binance bookTicker');
  const { report, lines } = await imported(t, extract, {}, name);
  assert.deepEqual(
    lines.slice(1).map(({ time, bids, asks }) => [time, bids[0][0], asks[0][0]]),
    [
      [1707955200024, '50000', '50001'],
      [1707955200026, '50002', '50003'],
      [1708017636626, '50100', '50101'],
    ],
  );
  assert.deepEqual([report.books, report.moved.events, report.dropped], [3, 0, {}]);
});

test('Bybit trades: seconds with a fraction; an older file that runs backwards is turned around', async (t) => {
  const { extract } = extractOf('Bybit trades');
  const { lines } = await imported(t, extract);
  assert.deepEqual(prints(lines), [
    [1735689600097, '93530.00', '0.003', 'sell'],
    [1735689600144, '93531.00', '0.002', 'buy'],
  ]);
  const [header, ...rows] = String(extract).split('\n');
  const older = ['1735689600,BTCUSDT,Buy,1,93000,PlusTick,a0,1,1,1,false', ...rows].toReversed();
  const turned = await imported(t, [header, ...older].join('\n'));
  assert.deepEqual(prints(turned.lines).slice(1), prints(lines));
  assert.equal(turned.report.moved.events, 0);
});

test('OKX trades: sizes in contracts become base units, and the report says by which table', async (t) => {
  const { report, lines } = await imported(t, extractOf('OKX trades').extract);
  assert.deepEqual(prints(lines), [
    [1704326400100, '61838.9', '0.38', 'buy'],
    [1704326400400, '61838.8', '0.02', 'sell'],
  ]);
  assert.equal(report.unit, "contracts of 0.01 BTC (the venue's table, November 2026)");
});

test('OKX trades: bilingual headers of older files are read', async (t) => {
  const [, ...rows] = String(extractOf('OKX trades').extract).split('\n');
  const header = 'instrument_name/a,trade_id/b,side/c,price/d,size/e,created_time/f,source/g';
  const { report } = await imported(t, [header, ...rows].join('\n'));
  assert.equal(report.prints, 2);
});

test('a contract size that perp does not know is asked for, never guessed', async (t) => {
  const text = String(extractOf('OKX trades').extract).replaceAll('BTC-USDT-SWAP', 'PEPE-USDT-SWAP');
  const error = await errorOf(temporaryFile(t, text), join(temporaryFolder(t), 'out'));
  assert.match(error.message, /in contracts of a size that perp does not know: add --contract-size/);
  const { report, lines } = await imported(t, text, { contractSize: '10000000' });
  assert.equal(prints(lines)[0]![2], '380000000');
  assert.equal(report.unit, 'contracts of 10000000 PEPE (--contract-size)');
});

const tardis = (exchange: string, symbol: string) =>
  String(extractOf('Tardis trades CSV').extract).replaceAll('bybit,XRPUSDT', `${exchange},${symbol}`);
const coinMargined = { e: 'aggTrade', s: 'BTCUSD_PERP', T: 1717200000123, a: 1, p: '60000', q: '50', m: true };
const inverse: [what: string, text: string, name: string][] = [
  ['a Binance COIN-M stream', JSON.stringify(coinMargined), 'input'],
  [
    'a Binance COIN-M archive, by its name',
    String(extractOf('Binance aggTrades').extract),
    'BTCUSD_PERP-aggTrades-2024-06-01.csv',
  ],
  [
    'a Binance COIN-M archive, by its columns',
    'id,price,qty,base_qty,time,is_buyer_maker\n1,60000,50,0.08,1717200000123,true',
    'x.csv',
  ],
  ['Bybit order books', fixtures.bybit.toString().replaceAll('XRPUSDT', 'BTCUSD'), 'input'],
  ['Bybit dated contracts', fixtures.bybit.toString().replaceAll('XRPUSDT', 'BTCUSDZ24'), 'input'],
  ['Bybit trades', String(extractOf('Bybit trades').extract).replaceAll('BTCUSDT', 'BTCUSD'), 'input'],
  ['OKX trades', String(extractOf('OKX trades').extract).replaceAll('-USDT-', '-USD-'), 'input'],
  ['Tardis bybit', tardis('bybit', 'BTCUSD'), 'input'],
  ['Tardis binance-delivery', tardis('binance-delivery', 'BTCUSD_PERP'), 'input'],
  ['Tardis okex-swap', tardis('okex-swap', 'BTC-USD-SWAP'), 'input'],
  ['Tardis deribit', tardis('deribit', 'BTC-PERPETUAL'), 'input'],
  ['Tardis bitmex', tardis('bitmex', 'XBTUSD'), 'input'],
  ['Tardis kraken', tardis('cryptofacilities', 'PI_XBTUSD'), 'input'],
];

for (const [what, text, name] of inverse) {
  test(`inverse contracts are refused, whatever options say: ${what}`, async (t) => {
    for (const options of [{}, { marketId: 'binance|BTCUSDT', contractSize: '1', anyScale: true }]) {
      const folder = temporaryFolder(t);
      const error = await errorOf(temporaryFile(t, text, name), join(folder, 'out'), options);
      if (!('marketId' in options) || !what.includes('by its name'))
        assert.match(error.message, /is an inverse contract, with sizes in USD: perp trades only linear perpetuals/);
      assert.deepEqual(readdirSync(folder), []);
    }
  });
}

test('sizes of an exchange that perp does not know are not taken for coins', async (t) => {
  const text = tardis('phemex', 'BTCUSDT');
  const named = { marketId: 'binance|BTCUSDT' };
  const error = await errorOf(temporaryFile(t, text), join(temporaryFolder(t), 'out'), named);
  assert.match(error.message, /in the exchange's own unit, that perp does not know: add --contract-size/);
  assert.equal((await imported(t, text, { ...named, contractSize: '1' })).report.unit, 'BTC');
});

test('Tardis incremental books: consecutive snapshots are as many books, not one', async (t) => {
  const row = (ms: number, side: string, price: number) =>
    `hyperliquid,BTC,${ms}000,${ms + 2}000,true,${side},${price},1`;
  const start = 1735689600000;
  const rows = Array.from({ length: 20 }, (_, at) => [
    row(start + 500 * at, 'bid', 93000 + 10 * at),
    row(start + 500 * at, 'ask', 93001 + 10 * at),
  ]).flat();
  const header = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount';
  const { report, lines } = await imported(t, [header, ...rows].join('\n'));
  assert.deepEqual([report.books, report.deltas], [20, 0]);
  assert.deepEqual(lines.at(-1).asks, [['93191', '1']]);
});

test('Tardis quotes and derivative_ticker: one level a side, empty cells, the venue’s own prices as they change', async (t) => {
  const quotes = await imported(t, extractOf('Tardis quotes CSV').extract);
  assert.deepEqual(
    quotes.lines.slice(1).map(({ bids, asks }) => [bids, asks]),
    [
      [[['2.05', '900']], [['2.0501', '800']]],
      [[['2.05', '700']], []],
    ],
  );
  const ticker = await imported(t, extractOf('Tardis derivative_ticker CSV').extract);
  assert.deepEqual(
    ticker.lines.slice(1).map(({ time, marks }) => [time, marks]),
    [
      [1735689600001, { mark: '2.0499', index: '2.0497', next_funding_at: 1735718400000 }],
      [1735689601001, { mark: '2.0502', next_funding_at: 1735718400000 }],
    ],
  );
  assert.deepEqual(ticker.report.dropped, { 'funding rates without their interval': 2 });
});

test('Hyperliquid captures: topics mixed, times of the recorder before the line, trades once', async (t) => {
  const book = {
    coin: 'BTC',
    time: 1735689600000,
    levels: [[{ px: '93000', sz: '1', n: 1 }], [{ px: '93001', sz: '2', n: 1 }]],
  };
  const trade = { coin: 'BTC', side: 'A', px: '93000', sz: '0.1', time: 1735689600100, hash: '0x', tid: 5, users: [] };
  const messages = [
    { channel: 'subscriptionResponse', data: { method: 'subscribe' } },
    { channel: 'l2Book', data: book },
    { channel: 'l2Book', data: { ...book, coin: 'ETH' } },
    { channel: 'bbo', data: { coin: 'BTC' } },
    { channel: 'trades', data: [trade, { ...trade, side: 'B', tid: 6 }] },
    { channel: 'trades', data: [trade] },
    { channel: 'pong' },
  ];
  for (const prefix of ['', '1735689600123456789 ']) {
    const text = messages.map((message) => prefix + JSON.stringify(message)).join('\n');
    const { report, lines } = await imported(t, text);
    assert.deepEqual(prints(lines), [
      [1735689600100, '93000', '0.1', 'sell'],
      [1735689600100, '93000', '0.1', 'buy'],
    ]);
    assert.deepEqual(report.dropped, {
      'messages of other topics': 3,
      'books of other markets': 1,
      'trades received twice': 1,
    });
  }
  const raw = { time: '2025-01-01T00:00:00.123456789', ver_num: 1, raw: { channel: 'l2Book', data: book } };
  assert.equal((await imported(t, JSON.stringify(raw))).report.books, 1);
});

test('a bad line of a capture is named itself, not the last one', async (t) => {
  const book = JSON.stringify({ channel: 'l2Book', data: JSON.parse(fixtures.hyperliquid.toString()) });
  const bad: [line: string, problem: RegExp][] = [
    ['{"channel":"l2Book","data', /is not JSON/],
    [
      '{"channel":"trades","data":[{"coin":"BTC","side":"C","px":"1","sz":"1","time":1,"tid":1}]}',
      /side must be A or B/,
    ],
    [
      '{"channel":"trades","data":[{"coin":"BTC","side":"A","px":"1","sz":"1","time":1}]}',
      /tid must be a whole number/,
    ],
  ];
  for (const [line, problem] of bad) {
    const error = await errorOf(temporaryFile(t, [book, line, book, book].join('\n')), join(temporaryFolder(t), 'out'));
    assert.match(error.message, problem);
    assert.equal(error.line, 2);
  }
});

test('columns that a publisher adds are counted, and one that is missing is named', async (t) => {
  const [header, ...rows] = String(extractOf('Bybit trades').extract).split('\n');
  const more = await imported(t, [`${header},novelty`, ...rows.map((row) => `${row},x`)].join('\n'));
  assert.deepEqual(more.report.dropped, { 'unknown columns': 1 });
  const name = 'BTCUSDT-aggTrades-2024-06-01.csv';
  const less = 'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time\n1,2,3,4,5,1717200000123';
  const error = await errorOf(temporaryFile(t, less, name), join(temporaryFolder(t), 'out'));
  assert.match(error.message, /unknown file format|no column is_buyer_maker/);
});

const refused: [what: RegExp, first: string][] = [
  [/Binance spot archive/, '1,42000.1,0.5,10,10,1717200000123456,true,true'],
  [/Binance spot archive/, '1,42000.1,0.5,21000.05,1717200000123,true,true'],
  [/Binance klines archive/, '1717200000000,1,2,3,4,5,1717200059999,6,7,8,9,0'],
  [/Binance klines archive/, 'open_time,open,high,low,close,volume,close_time'],
  [/Binance bookDepth archive/, 'timestamp,percentage,depth,notional'],
  [/OKX order book archive/, '{"instId":"BTC-USDT-SWAP","action":"snapshot","ts":"1","asks":[],"bids":[]}'],
  [/raw tardis-machine/, '2019-07-01T00:00:00.000Z {"table":"trade"}'],
  [/normalized tardis-machine/, '{"type":"book_change","symbol":"X","exchange":"y","localTimestamp":"2019"}'],
  [/Kraken archive of trades/, '1548111600,3000.5,0.1'],
];

for (const [what, first] of refused) {
  test(`what perp does not import is refused by its name: ${first.slice(0, 40)}`, async (t) => {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, `${first}\n${first}\n`, 'input'), join(folder, 'out'));
    assert.match(error.message, what);
    assert.deepEqual(readdirSync(folder), []);
  });
}

for (const { format, name, extract } of archives) {
  test(`a ZIP archive of one file is read as that file, under its name: ${format}`, async (t) => {
    const { report } = await imported(t, zipped({ [name]: extract }), {}, 'archive.zip');
    assert.equal(report.format, format);
  });
}

test('other ZIP archives, and damaged ones, are refused and leave nothing', async (t) => {
  const { name, extract } = extractOf('Binance trades');
  const whole = zipped({ [name]: extract });
  const flipped = Buffer.from(whole);
  flipped[name.length + 40]! ^= 0xff;
  const wrongSum = Buffer.from(whole);
  const central = wrongSum.indexOf('PK\u0001\u0002');
  wrongSum[central + 16]! ^= 1;
  const cases: [content: Buffer, problem: RegExp][] = [
    [zipped({ a: 'x', b: 'y' }), /holds 2 files \("a", "b"\); unpack it/],
    [zipped({}), /broken ZIP archive|is empty/],
    [zipped({ 'data.npy': 'x' }), /hftbacktest arrays \(npz\) are not supported/],
    [whole.subarray(0, whole.length - 30), /broken ZIP archive/],
    [flipped, /broken ZIP archive/],
    [wrongSum, /broken ZIP archive: its checksum does not match/],
  ];
  for (const [content, problem] of cases) {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, content, 'input.zip'), join(folder, 'out'), { anyScale: true });
    assert.match(error.message, problem);
    assert.deepEqual(readdirSync(folder), []);
  }
});

const lz4 = spawnSync('lz4', ['--version']).status === 0;

async function unpacked(frame: Buffer, pieces = frame.length): Promise<Buffer> {
  const source = async function* () {
    for (let at = 0; at < frame.length; at += pieces) yield frame.subarray(at, at + pieces);
  };
  const parts: Buffer[] = [];
  for await (const part of lz4Frames(source())) parts.push(part);
  return Buffer.concat(parts);
}

trial(
  'LZ4 frames as the lz4 program writes them, with linked and independent blocks, checksums and sizes',
  {
    skip: lz4 ? false : 'there is no lz4 program',
  },
  async () => {
    const words = Array.from({ length: 40_000 }, (_, at) => `{"px":"${93_000 + (at % 97)}","n":${at % 7}}`).join('\n');
    const contents = [
      Buffer.from(''),
      Buffer.from('a'),
      Buffer.from(words),
      randomBytes(300_000),
      Buffer.alloc(500_000, 'ab'),
    ];
    for (const content of contents)
      for (const flags of [
        [],
        ['-BD', '-B4'],
        ['-BD', '-B5', '-9'],
        ['-BX', '-B4'],
        ['--content-size'],
        ['--no-frame-crc'],
      ]) {
        const { stdout } = spawnSync('lz4', ['-c', ...flags], { input: content, maxBuffer: 2 ** 24 });
        for (const pieces of [stdout.length || 1, 1013])
          assert.ok((await unpacked(stdout, pieces)).equals(content), `${content.length} bytes, ${flags.join(' ')}`);
        assert.ok((await unpacked(Buffer.concat([stdout, stdout]))).equals(Buffer.concat([content, content])));
      }
  },
);

test('LZ4: a recording in a frame is read, and a cut or damaged one is refused', {
  skip: lz4 ? false : 'there is no lz4 program',
}, async (t) => {
  const { stdout } = spawnSync('lz4', ['-c', '-BD'], { input: fixtures.bybit });
  const { report } = await imported(t, stdout, {}, 'BTC.lz4');
  assert.equal(report.format, 'Bybit order book archive');
  for (const [content, problem] of [
    [stdout.subarray(0, stdout.length - 40), /broken LZ4: the file is cut off/],
    [Buffer.concat([stdout, Buffer.from('rest')]), /broken LZ4: the data after a frame is not a frame/],
  ] as const) {
    const error = await errorOf(temporaryFile(t, content, 'x.lz4'), join(temporaryFolder(t), 'out'));
    assert.match(error.message, problem);
  }
});

test('LZ4: whatever bytes of the blocks are changed, the checksum does not match, or a block is damaged', {
  skip: lz4 ? false : 'there is no lz4 program',
}, async () => {
  for (const flags of [['-BD'], ['-BX', '--no-frame-crc']]) {
    const { stdout } = spawnSync('lz4', ['-c', '-B4', ...flags], { input: fixtures.bybit });
    for (let at = 7; at < stdout.length; at += 7) {
      const damaged = Buffer.from(stdout);
      damaged[at]! ^= 1 << (at % 8);
      await assert.rejects(unpacked(damaged), { name: 'LineProblem' }, `byte ${at}`);
    }
  }
});

test('the sheet says what the market looks like in its own terms', async (t) => {
  const { report } = await imported(t, fixtures.binance, { anyScale: false });
  const { sheet, unit } = report;
  assert.equal(unit, 'BTC');
  assert.ok(sheet.lot_usd! > 61 && sheet.lot_usd! < 63, `${sheet.lot_usd}`);
  assert.ok(sheet.top_usd! > 10_000 && sheet.depth_usd! > sheet.top_usd!);
  assert.ok(sheet.spread_bps! < 0.1 && sheet.low! < sheet.high!);
  assert.equal(sheet.prints_outside, 0);
});

test('lots or best levels far from the catalog’s are refused, unless a person says that they are right', async (t) => {
  const thousands = fixtures.bybit.toString().replaceAll(/"(\d)\.(\d+)"/g, '"$1$2.0"');
  for (const content of [thousands]) {
    const folder = temporaryFolder(t);
    const error = await errorOf(temporaryFile(t, content, 'input'), join(folder, 'out'));
    assert.match(
      error.message,
      /is worth .* USD, and .* USD in the catalog's bybit\|XRPUSDT: check the unit .* add --any-scale/,
    );
    assert.deepEqual(readdirSync(folder), []);
    assert.equal((await imported(t, content)).report.books, 1);
  }
});

test('a check writes nothing, and its sheet is that of the import', async (t) => {
  const file = temporaryFile(t, fixtures.binance, 'input');
  const checked = await importFile(file, null);
  assert.deepEqual(readdirSync(dirname(file)), ['input']);
  const out = join(temporaryFolder(t), 'out');
  assert.deepEqual(checked, await importFile(file, out));
  assert.ok(readFileSync(out).length > 0);
});

test('gzip inside of a name without .gz is still gzip', async (t) => {
  const { name, extract } = extractOf('Bybit trades');
  assert.equal((await imported(t, gzipSync(extract), {}, name)).report.prints, 2);
});
