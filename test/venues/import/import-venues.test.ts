import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { binance, fixtures, imported, snapshot, trade, update } from './importing.ts';

test('Binance streams: stale updates are dropped, the snapshot is joined, prints come from trades and are taken off the book', async (t) => {
  const { report, lines } = await imported(t, fixtures.binance);
  assert.equal(report.format, 'Binance USD-M streams');
  assert.deepEqual([report.books, report.deltas, report.prints], [1, 52, 36]);
  assert.deepEqual(report.dropped, {
    'best prices without a book': 4,
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
  assert.equal(lines.length, 1 + 1 + 52 + 36);
});

test('Binance: m means that the buyer was the maker, so the taker sold', async (t) => {
  const { lines } = await imported(t, binance([snapshot(10), update(9, 11, 8), trade(1, true), trade(2, false)]));
  assert.deepEqual(
    lines.filter(({ trade }) => trade).map(({ trade }) => trade.side),
    ['sell', 'buy'],
  );
});

const joins: [what: string, messages: unknown[], deltas: number, dropped: Record<string, number>, gaps?: number][] = [
  [
    'an update that ends before the snapshot is stale',
    [snapshot(10), update(8, 9, 7), update(10, 12, 9)],
    1,
    { 'depth updates older than the snapshot': 1 },
  ],
  ['the first applied update spans the snapshot', [snapshot(10), update(5, 10, 4), update(11, 12, 10)], 2, {}],
  [
    'updates received before the snapshot are joined after it',
    [update(8, 9, 7), update(10, 12, 9), snapshot(11), update(13, 14, 12)],
    2,
    { 'depth updates older than the snapshot': 1 },
  ],
  [
    'a first update after the snapshot is a gap',
    [snapshot(10), trade(1, true), update(12, 13, 11)],
    0,
    { 'depth updates after a gap, without a new snapshot': 1 },
    1,
  ],
  [
    'a missing update is a gap; the next snapshot ends it',
    [snapshot(10), update(9, 12, 8), update(14, 15, 13), snapshot(15), update(16, 17, 15)],
    3,
    {},
    1,
  ],
  [
    'a snapshot in a complete stream changes nothing',
    [snapshot(10), update(9, 12, 8), snapshot(11), update(13, 14, 12)],
    2,
    { 'snapshots while the stream was complete': 1 },
  ],
];

for (const [what, messages, deltas, dropped, gaps = 0] of joins) {
  test(`Binance: ${what}`, async (t) => {
    const { report } = await imported(t, binance(messages));
    assert.equal(report.deltas, deltas);
    assert.deepEqual(report.dropped, dropped);
    assert.equal(report.noted['gaps in the depth stream'] ?? 0, gaps);
    assert.equal(report.notes.length, gaps);
  });
}

test('Binance: a trade received twice counts once; aggregated trades in addition to trades do not count', async (t) => {
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
    'aggTrade messages in addition to the trade stream': 1,
    'trades outside the book': 1,
  });
});

test('Binance: messages with and without their envelope, with and without local time, gzip or plain', async (t) => {
  const messages = [snapshot(10), update(9, 11, 8), trade(1, true)];
  const plain = messages.map((message) => JSON.stringify(message)).join('\n');
  for (const content of [plain, binance(messages), gzipSync(plain)]) {
    assert.equal((await imported(t, content)).lines.length, 5);
  }
});

test('Bybit archive: a snapshot and deltas, with the times that the venue published', async (t) => {
  const { report, lines } = await imported(t, fixtures.bybit);
  assert.deepEqual([report.format, report.books, report.deltas], ['Bybit order book archive', 1, 7]);
  assert.deepEqual([report.firstTime, report.lastTime], [1733011200691, 1733011201290]);
  assert.equal(lines[0].market.market_id, 'bybit|XRPUSDT');
  assert.deepEqual([lines[0].market.tick, lines[0].market.size_decimals], ['0.0001', 1]);
  assert.deepEqual(report.dropped, {});
});

test('Bybit: after a gap in the update ids, deltas are skipped until the next snapshot', async (t) => {
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
    'deltas after a gap': 2,
  });
  assert.deepEqual(report.noted, { 'gaps in the update ids': 1 });
});

test('Tardis CSV: every row is a full book, microseconds are truncated to milliseconds, the tick is as fine as the prices', async (t) => {
  const { report, lines } = await imported(t, fixtures.tardis);
  assert.deepEqual([report.format, report.books], ['Tardis book_snapshot CSV', 3]);
  assert.deepEqual([report.firstTime, report.lastTime], [1598918403696, 1598918403888]);
  assert.deepEqual([lines[0].market.market_id, lines[0].market.tick], ['binance|BTCUSDT', '0.01']);
  assert.deepEqual(lines[1].bids.slice(0, 2), [
    ['11657.07', '10.896'],
    ['11656.97', '0.2'],
  ]);
});

test('Hyperliquid answer: bids come first; a market missing from the catalog gets defaults, and the report says so', async (t) => {
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

test('Hyperliquid answers, one per line, also in the envelope of the stream', async (t) => {
  const answer = JSON.parse(fixtures.hyperliquid.toString());
  const lines = [answer, { channel: 'l2Book', data: { ...answer, time: answer.time + 1 } }];
  const { report } = await imported(t, lines.map((line) => JSON.stringify(line)).join('\n'));
  assert.equal(report.books, 2);
});

const tardisColumns = 'exchange,symbol,timestamp,local_timestamp';

test('Tardis incremental books: snapshots replace the book, rows received at the same time are one update', async (t) => {
  const row = (at: number, isSnapshot: boolean, side: string, price: string, amount: string) =>
    `bybit,XRPUSDT,${at}000,${at}500,${isSnapshot},${side},${price},${amount}`;
  const { lines, report } = await imported(
    t,
    [
      `${tardisColumns},is_snapshot,side,price,amount`,
      row(1000, false, 'bid', '1.5', '1'),
      row(1001, true, 'ask', '2.1', '4'),
      row(1001, true, 'ask', '2.0', '3'),
      row(1001, true, 'bid', '1.9', '2'),
      row(1002, false, 'bid', '1.9', '0'),
      row(1002, false, 'bid', '1.8', '5'),
      row(1003, false, 'ask', '2.0', '1'),
      row(1004, true, 'bid', '1.7', '1'),
      row(1004, true, 'ask', '1.8', '1'),
    ].join('\n'),
  );
  assert.equal(report.dropped['updates before the first snapshot'], 1);
  assert.deepEqual(
    lines.slice(1).map(({ time, delta, bids, asks }) => [time, delta, bids, asks]),
    [
      [
        1001,
        undefined,
        [['1.9', '2']],
        [
          ['2.0', '3'],
          ['2.1', '4'],
        ],
      ],
      [
        1002,
        true,
        [
          ['1.9', '0'],
          ['1.8', '5'],
        ],
        [],
      ],
      [1003, true, [], [['2.0', '1']]],
      [1004, undefined, [['1.7', '1']], [['1.8', '1']]],
    ],
  );
});

test('Tardis trades give a recording with prints only', async (t) => {
  const { lines, report } = await imported(
    t,
    [
      `${tardisColumns},id,side,price,amount`,
      'bybit,XRPUSDT,1000000,1000500,a,buy,1.5,10',
      'bybit,XRPUSDT,1001000,1001500,b,unknown,1.5,10',
      'bybit,OTHER,1001000,1001500,c,sell,1.5,10',
      'bybit,XRPUSDT,1002999,1003500,d,sell,1.4,0.5',
    ].join('\n'),
  );
  assert.equal(report.format, 'Tardis trades CSV');
  assert.deepEqual(report.dropped, { 'trades without a side': 1, 'rows of other markets': 1 });
  assert.deepEqual(
    lines.slice(1).map(({ time, trade }) => [time, trade.price, trade.size, trade.side]),
    [
      [1000, '1.5', '10', 'buy'],
      [1002, '1.4', '0.5', 'sell'],
    ],
  );
});
