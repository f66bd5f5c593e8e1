import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { LineProblem } from '../../../src/exchange/markets/recorded/recording-error.ts';
import type { VenueMessage } from '../../../src/venues/live/protocols/venue.ts';
import { venues } from '../../../src/venues/live/venues.ts';

function decoded(
  venue: VenueName,
  message: unknown,
  connection = Object.keys(venues[venue].paths)[0]!,
): VenueMessage[] {
  const messages: VenueMessage[] = [];
  const frame = typeof message === 'string' ? message : JSON.stringify(message);
  venues[venue].decode(
    frame,
    connection,
    (one) => messages.push(one),
    () => undefined,
  );
  return messages;
}

const level = [['27450.50', '1.500']];
const print = { price: '27450.50', size: '0.005', isOffBook: false };

const frames: [what: string, venue: VenueName, frame: unknown, messages: unknown[], connection?: string][] = [
  [
    'a depth update',
    'binance',
    { e: 'depthUpdate', E: 5, T: 4, s: 'BTCUSDT', U: 157, u: 160, pu: 149, b: level, a: [], st: 1 },
    [
      {
        kind: 'book',
        topic: 'btcusdt@depth@100ms',
        isFull: false,
        ids: { first: 157, last: 160, previous: 149 },
        time: 4,
        bids: '[["27450.50","1.500"]]',
        asks: '[]',
      },
    ],
  ],
  [
    'a depth update in the envelope of a combined stream, with spaces',
    'binance',
    '{"stream": "btcusdt@depth", "data": {"e": "depthUpdate", "T": 4, "s": "BTCUSDT", "U": 1, "u": 2, "pu": 0, "b": [["1.0", "2"]], "a": []}}',
    [
      {
        kind: 'book',
        topic: 'btcusdt@depth@100ms',
        isFull: false,
        ids: { first: 1, last: 2, previous: 0 },
        time: 4,
        bids: '[["1.0","2"]]',
        asks: '[]',
      },
    ],
  ],
  [
    'a trade whose buyer was the maker: the taker sold',
    'binance',
    { e: 'trade', E: 5, T: 4, s: 'BTCUSDT', t: 99, p: '27450.50', q: '0.005', X: 'MARKET', m: true },
    [{ kind: 'trades', topic: 'btcusdt@trade', trades: [{ ...print, id: '99', number: 99, time: 4, side: 'sell' }] }],
  ],
  [
    'a trade that did not execute on the book',
    'binance',
    { e: 'trade', T: 4, s: 'BTCUSDT', t: 99, p: '27450.50', q: '0.005', X: 'INSURANCE_FUND', m: false },
    [
      {
        kind: 'trades',
        topic: 'btcusdt@trade',
        trades: [{ ...print, id: '99', number: 99, time: 4, side: 'buy', isOffBook: true }],
      },
    ],
  ],
  ['the answer to a subscription', 'binance', { result: null, id: 3 }, [{ kind: 'confirmed', id: 3, topics: [] }]],
  ['the venue’s list of subscriptions', 'binance', { result: ['a@b'], id: 3 }, [{ kind: 'listed', topics: ['a@b'] }]],
  [
    'an error',
    'binance',
    { error: { code: 2, msg: 'Invalid request' }, id: 3 },
    [{ kind: 'refused', id: 3, topics: [], reason: 'Invalid request' }],
  ],
  ['an unknown message', 'binance', { e: 'kline', s: 'BTCUSDT' }, [{ kind: 'ignored' }]],
  [
    'a snapshot',
    'bybit',
    {
      topic: 'orderbook.200.BTCUSDT',
      type: 'snapshot',
      ts: 9,
      data: { s: 'BTCUSDT', b: level, a: [], u: 7, seq: 1 },
      cts: 8,
    },
    [
      {
        kind: 'book',
        topic: 'orderbook.200.BTCUSDT',
        isFull: true,
        ids: { first: 7, last: 7, previous: 6 },
        time: 8,
        bids: '[["27450.50","1.500"]]',
        asks: '[]',
      },
    ],
  ],
  [
    'a delta numbered 1 after a restart of the venue replaces everything',
    'bybit',
    { topic: 'orderbook.200.BTCUSDT', type: 'delta', ts: 9, data: { s: 'BTCUSDT', b: [], a: level, u: 1, seq: 1 } },
    [
      {
        kind: 'book',
        topic: 'orderbook.200.BTCUSDT',
        isFull: true,
        ids: { first: 1, last: 1, previous: 0 },
        time: 9,
        bids: '[]',
        asks: '[["27450.50","1.500"]]',
      },
    ],
  ],
  [
    'trades, one of them a block trade',
    'bybit',
    {
      topic: 'publicTrade.BTCUSDT',
      type: 'snapshot',
      ts: 9,
      data: [
        { T: 8, s: 'BTCUSDT', S: 'Buy', v: '0.005', p: '27450.50', i: 'x-1', BT: false },
        { T: 8, s: 'BTCUSDT', S: 'Sell', v: '0.005', p: '27450.50', i: 'x-2', BT: true },
      ],
    },
    [
      {
        kind: 'trades',
        topic: 'publicTrade.BTCUSDT',
        trades: [
          { ...print, id: 'x-1', number: null, time: 8, side: 'buy' },
          { ...print, id: 'x-2', number: null, time: 8, side: 'sell', isOffBook: true },
        ],
      },
    ],
  ],
  [
    'an acknowledgment',
    'bybit',
    { success: true, ret_msg: '', conn_id: 'c', req_id: '4', op: 'subscribe' },
    [{ kind: 'confirmed', id: 4, topics: [] }],
  ],
  [
    'a refusal that names its topic',
    'bybit',
    { success: false, ret_msg: 'Invalid topic: orderbook.200.NOPE', conn_id: 'c', op: 'subscribe' },
    [{ kind: 'refused', id: null, topics: ['orderbook.200.NOPE'], reason: 'Invalid topic: orderbook.200.NOPE' }],
  ],
  ['a pong', 'bybit', { success: true, ret_msg: 'pong', op: 'ping' }, [{ kind: 'alive', time: null }]],
  [
    'a deep book',
    'hyperliquid',
    { channel: 'l2Book', data: { coin: 'xyz:GOLD', time: 5, levels: [[{ px: '1.5', sz: '2', n: 3 }], []] } },
    [{ kind: 'book', topic: 'l2Book:xyz:GOLD', isFull: true, ids: null, time: 5, bids: '[["1.5","2"]]', asks: '[]' }],
    'deep',
  ],
  [
    'a fast book, which only its connection distinguishes from a deep one',
    'hyperliquid',
    { channel: 'l2Book', data: { coin: 'BTC', time: 5, levels: [[], [{ px: '1.5', sz: '2', n: 3 }]] } },
    [{ kind: 'book', topic: 'fast:BTC', isFull: true, ids: null, time: 5, bids: '[]', asks: '[["1.5","2"]]' }],
    'fast',
  ],
  [
    'trades: B bought, A sold',
    'hyperliquid',
    {
      channel: 'trades',
      data: [
        { coin: 'BTC', side: 'B', px: '27450.50', sz: '0.005', time: 5, hash: '0x', tid: 11 },
        { coin: 'BTC', side: 'A', px: '27450.50', sz: '0.005', time: 5, hash: '0x', tid: 12 },
      ],
    },
    [
      {
        kind: 'trades',
        topic: 'trades:BTC',
        trades: [
          { ...print, id: '11', number: null, time: 5, side: 'buy' },
          { ...print, id: '12', number: null, time: 5, side: 'sell' },
        ],
      },
    ],
  ],
  [
    'the echo of a subscription',
    'hyperliquid',
    { channel: 'subscriptionResponse', data: { method: 'subscribe', subscription: { type: 'l2Book', coin: 'BTC' } } },
    [{ kind: 'confirmed', id: null, topics: ['fast:BTC'] }],
    'fast',
  ],
  [
    'an error that quotes the request',
    'hyperliquid',
    { channel: 'error', data: 'Invalid subscription {"type":"trades","coin":"NOPE"}' },
    [
      {
        kind: 'refused',
        id: null,
        topics: ['trades:NOPE'],
        reason: 'Invalid subscription {"type":"trades","coin":"NOPE"}',
      },
    ],
  ],
  [
    'a subscription that already exists',
    'hyperliquid',
    { channel: 'error', data: 'Already subscribed: {"type":"l2Book","coin":"BTC"}' },
    [{ kind: 'confirmed', id: null, topics: ['l2Book:BTC'] }],
    'deep',
  ],
  [
    'a snapshot upon subscription, in microseconds and milliseconds',
    'lighter',
    {
      channel: 'order_book:0',
      order_book: { code: 0, asks: [{ price: '2', size: '1' }], bids: [], offset: 4, nonce: 904845, begin_nonce: 0 },
      last_updated_at: 1778138389655150,
      timestamp: 1778138582602,
      type: 'subscribed/order_book',
    },
    [
      { kind: 'confirmed', id: null, topics: ['order_book:0'] },
      {
        kind: 'book',
        topic: 'order_book:0',
        isFull: true,
        ids: { first: 904845, last: 904845, previous: 0 },
        time: 1778138582602,
        bids: '[]',
        asks: '[["2","1"]]',
      },
    ],
  ],
  [
    'trades with times in seconds, among them a liquidation and a deleveraging',
    'lighter',
    {
      channel: 'trade:0',
      type: 'update/trade',
      trades: [
        {
          trade_id: 2,
          trade_id_str: '2',
          type: 'trade',
          price: '27450.50',
          size: '0.005',
          is_maker_ask: false,
          timestamp: 1773854156,
        },
        {
          trade_id: 3,
          trade_id_str: '3',
          type: 'deleverage',
          price: '27450.50',
          size: '0.005',
          is_maker_ask: true,
          timestamp: 1773854157,
        },
      ],
      liquidation_trades: [
        {
          trade_id: 1,
          trade_id_str: '1',
          type: 'liquidation',
          price: '27450.50',
          size: '0.005',
          is_maker_ask: true,
          timestamp: 1773854155000,
        },
      ],
    },
    [
      {
        kind: 'trades',
        topic: 'trade:0',
        trades: [
          { ...print, id: '1', number: null, time: 1773854155000, side: 'buy' },
          { ...print, id: '2', number: null, time: 1773854156000, side: 'sell' },
          { ...print, id: '3', number: null, time: 1773854157000, side: 'buy', isOffBook: true },
        ],
      },
    ],
  ],
  ['a ping, which requires a pong', 'lighter', { type: 'ping' }, [{ kind: 'asked', frame: '{"type":"pong"}' }]],
  [
    'an error about a channel',
    'lighter',
    { error: { code: 30005, message: 'Invalid Channel: (order_book/999)' } },
    [
      {
        kind: 'refused',
        id: null,
        topics: ['order_book:999'],
        reason: '{"code":30005,"message":"Invalid Channel: (order_book/999)"}',
      },
    ],
  ],
  [
    'events in a batch, with levels in any of their three forms',
    'service',
    {
      op: 'events',
      sub: 's-1',
      events: [
        {
          type: 'book',
          provider: 'binance',
          symbol: 'BTCUSDT',
          bids: [{ px: '3', sz: '1' }, { price: '2', size: '1' }, ['1', '1']],
          asks: [],
          time: 5,
        },
        {
          type: 'trade',
          provider: 'binance',
          symbol: 'BTCUSDT',
          tradeId: '7',
          side: 'sell',
          price: '27450.50',
          size: '0.005',
          time: 4,
        },
        { type: 'tick', provider: 'binance', symbol: 'BTCUSDT', kind: 'mark', price: '1', time: 5 },
      ],
    },
    [
      {
        kind: 'book',
        topic: 'books:binance|BTCUSDT',
        isFull: true,
        ids: null,
        time: 5,
        bids: '[["3","1"],["2","1"],["1","1"]]',
        asks: '[]',
      },
      {
        kind: 'trades',
        topic: 'trades:binance|BTCUSDT',
        trades: [{ ...print, id: '7', number: null, time: 4, side: 'sell' }],
      },
      { kind: 'marks', topic: 'ticks:binance|BTCUSDT', time: 5, mark: '1' },
    ],
  ],
  [
    'a confirmed subscription',
    'service',
    { op: 'sub_ok', id: 3, sub: 's', snapshotBoundary: false },
    [{ kind: 'confirmed', id: 3, topics: [] }],
  ],
  [
    'a refused subscription',
    'service',
    { op: 'sub_err', id: 9, error: { message: 'unknown market' } },
    [{ kind: 'refused', id: 9, topics: [], reason: 'unknown market' }],
  ],
  ['a subscription that the server ends', 'service', { op: 'end', id: 3 }, [{ kind: 'ended', id: 3, topics: [] }]],
  ['a connection that the server is about to close', 'service', { op: 'draining' }, [{ kind: 'draining' }]],
  [
    'the answer to a ping: the time',
    'service',
    { op: 'res', id: 6, result: 1790000061033 },
    [{ kind: 'alive', time: 1790000061033 }],
  ],
];

/** As the venues document them. */
const ownPrices: [what: string, venue: VenueName, frame: unknown, marks: Record<string, unknown> | null][] = [
  [
    'mark and index, with the funding that is due next',
    'binance',
    {
      ...{ e: 'markPriceUpdate', E: 1562305380000, s: 'BTCUSDT', p: '11794.15000000', i: '11784.62659091' },
      ...{ P: '11784.25641265', r: '0.00038167', T: 1562306400000, st: 1 },
    },
    {
      ...{ topic: 'btcusdt@markPrice@1s', time: 1562305380000, mark: '11794.15000000', index: '11784.62659091' },
      ...{ fundingRate: '0.00038167', nextFundingAt: 1562306400000 },
    },
  ],
  [
    'a contract without funding',
    'binance',
    { e: 'markPriceUpdate', E: 5, s: 'BTCUSDT_250926', p: '1', i: '2', P: '1', r: '', T: 0 },
    {
      ...{ topic: 'btcusdt_250926@markPrice@1s', time: 5, mark: '1', index: '2' },
      ...{ fundingRate: null, nextFundingAt: null },
    },
  ],
  [
    'a ticker',
    'bybit',
    {
      ...{ topic: 'tickers.BTCUSDT', type: 'snapshot', cs: 24987956059, ts: 1673272861686 },
      data: {
        ...{ symbol: 'BTCUSDT', lastPrice: '17216.00', markPrice: '17217.33', indexPrice: '17227.36' },
        ...{ nextFundingTime: '1673280000000', fundingRate: '-0.000212', fundingIntervalHour: '8' },
      },
    },
    {
      ...{ topic: 'tickers.BTCUSDT', time: 1673272861686, mark: '17217.33', index: '17227.36' },
      ...{ fundingRate: '-0.000212', fundingHours: 8, nextFundingAt: 1673280000000 },
    },
  ],
  [
    'what changed in a ticker',
    'bybit',
    { topic: 'tickers.BTCUSDT', type: 'delta', ts: 6, data: { symbol: 'BTCUSDT', bid1Price: '1', fundingRate: '' } },
    { topic: 'tickers.BTCUSDT', time: 6 },
  ],
  [
    'the mark',
    'okx',
    {
      arg: { channel: 'mark-price', instId: 'BTC-USDT-SWAP' },
      data: [{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', markPx: '42310.6', ts: '1630049139746' }],
    },
    { topic: 'mark-price:BTC-USDT-SWAP', time: 1630049139746, mark: '42310.6' },
  ],
  [
    'the index of the pair',
    'okx',
    {
      arg: { channel: 'index-tickers', instId: 'BTC-USDT' },
      data: [{ instId: 'BTC-USDT', idxPx: '0.1', high24h: '0.5', open24h: '0.1', ts: '1597026383085' }],
    },
    { topic: 'index-tickers:BTC-USDT', time: 1597026383085, index: '0.1' },
  ],
  [
    'the funding rate, charged every eight hours',
    'okx',
    {
      arg: { channel: 'funding-rate', instId: 'BTC-USDT-SWAP' },
      data: [
        {
          ...{ fundingRate: '0.0001875391284828', fundingTime: '1700726400000', nextFundingTime: '1700755200000' },
          ...{ instId: 'BTC-USDT-SWAP', nextFundingRate: '', ts: '1700724675402' },
        },
      ],
    },
    {
      ...{ topic: 'funding-rate:BTC-USDT-SWAP', time: 1700724675402, fundingRate: '0.0001875391284828' },
      ...{ fundingHours: 8, nextFundingAt: 1700726400000 },
    },
  ],
  [
    'mark, oracle and hourly funding',
    'hyperliquid',
    {
      channel: 'activeAssetCtx',
      data: { coin: 'BTC', ctx: { funding: '-0.0000125', markPx: '80868.5', oraclePx: '80870.0', openInterest: '1' } },
    },
    {
      ...{ topic: 'activeAssetCtx:BTC', time: 0, mark: '80868.5', index: '80870.0' },
      ...{ fundingRate: '-0.0000125', fundingHours: 1 },
    },
  ],
  [
    'statistics: rates are percent',
    'lighter',
    {
      ...{ channel: 'market_stats:1', timestamp: 1780546209291, type: 'update/market_stats' },
      market_stats: { current_funding_rate: '-0.0028', index_price: '64400.1', mark_price: '64356.3', market_id: 1 },
    },
    {
      ...{ topic: 'market_stats:1', time: 1780546209291, mark: '64356.3', index: '64400.1' },
      ...{ fundingRate: '-0.000028', fundingHours: 1 },
    },
  ],
  [
    'changed statistics',
    'service',
    {
      op: 'events',
      events: [{ type: 'marketStats', provider: 'binance', symbol: 'BTCUSDT', fundingRate: 1e-7, time: 7 }],
    },
    { topic: 'marketStats:binance|BTCUSDT', time: 7, fundingRate: '0.0000001' },
  ],
  [
    'statistics without funding',
    'service',
    { op: 'events', events: [{ type: 'marketStats', provider: 'binance', symbol: 'BTCUSDT', markPx: 1, time: 7 }] },
    null,
  ],
];

for (const [what, venue, frame, marks] of ownPrices) {
  test(`${venue}: ${what}`, () => {
    const expected = marks === null ? { kind: 'ignored' } : { kind: 'marks', ...marks };
    const found = decoded(venue, frame).filter(({ kind }) => kind !== 'confirmed');
    assert.deepEqual(found, [expected]);
  });
}

for (const [what, venue, frame, messages, connection] of frames) {
  test(`${venue}: ${what}`, () => {
    assert.deepEqual(decoded(venue, frame, connection), messages);
  });
}

const broken: [venue: VenueName, frame: string][] = [
  ['binance', '{"e":"depthUpdate","T":1,"s":"BTCUSDT","U":1,"u":2,"pu":0,"b":[["1","1"],"a":[]}'],
  ['binance', '{"e":"depthUpdate","T":1,"s":"BTCUSDT","U":"1","u":2,"pu":0,"b":[],"a":[]}'],
  ['binance', '{"e":"trade","T":1,"s":"BTCUSDT","t":1,"p":"1","q":"1"}'],
  ['bybit', '{"topic":"orderbook.200.BTCUSDT","type":"diff","ts":1,"data":{"b":[],"a":[],"u":2}}'],
  ['bybit', '{"topic":"publicTrade.BTCUSDT","data":{}}'],
  ['hyperliquid', '{"channel":"l2Book","data":{"coin":"BTC","time":1,"levels":[[]]}}'],
  ['lighter', '{"type":"update/order_book","channel":"order_book:0","timestamp":1,"order_book":{"nonce":1}}'],
  [
    'service',
    '{"op":"events","events":[{"type":"trade","provider":"binance","symbol":"X","tradeId":"1","side":"up"}]}',
  ],
  ['service', '[]'],
  ['service', 'nonsense'],
];

for (const [venue, frame] of broken) {
  test(`${venue}: ${frame.slice(0, 60)} is reported as unreadable`, () => {
    assert.throws(() => decoded(venue, frame), LineProblem);
  });
}

test('Hyperliquid: the best levels come from the fast book, those beyond from the deep one while it is not too old', () => {
  const assemble = venues.hyperliquid.assembler!();
  const book = (topic: string, time: number, bids: [string, string][]) =>
    assemble({
      kind: 'book',
      topic,
      isFull: true,
      ids: null,
      time,
      bids: JSON.stringify(bids),
      asks: '[]',
    });
  book('l2Book:BTC', 1_000, [
    ['10', '1'],
    ['9', '1'],
    ['8', '1'],
  ]);
  const top: [string, string][] = [
    ['9.5', '7'],
    ['9', '2'],
  ];
  assert.equal(book('fast:BTC', 1_500, top).bids, '[["9.5","7"],["9","2"],["8","1"]]');
  assert.equal(book('fast:BTC', 17_000, top).bids, JSON.stringify(top));
  assert.equal(book('l2Book:BTC', 17_500, [['9', '5']]).bids, '[["9","5"]]');
});
