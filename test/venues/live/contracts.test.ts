import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { product } from '../../../src/exchange/markets/recorded/decimal-text.ts';
import { LineProblem } from '../../../src/exchange/markets/recorded/recording-error.ts';
import { marketsOf } from '../../../src/venues/live/definitions.ts';
import { plainDecimal } from '../../../src/venues/live/protocols/frame.ts';
import type { VenueMarket, VenueMessage } from '../../../src/venues/live/protocols/venue.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';

/** The markets that a venue lists in this answer. */
const listed = (venue: VenueName, answer: unknown) =>
  venues[venue].rest.markets(async () => answer).then(({ markets }) => markets);

const okxRow = { instType: 'SWAP', ctType: 'linear', settleCcy: 'USDT', state: 'live', ctMult: '1', lever: '100' };
const okxList = {
  code: '0',
  data: [
    { ...okxRow, instId: 'BTC-USD-SWAP', ctType: 'inverse', ctVal: '100', ctValCcy: 'USD', settleCcy: 'BTC' },
    { ...okxRow, instId: 'ETH-USDT-SWAP', ctVal: '0.1', ctValCcy: 'ETH', lotSz: '0.01', minSz: '0.01', tickSz: '0.01' },
    { ...okxRow, instId: 'BTC-USDT-SWAP', ctVal: '0.01', ctValCcy: 'BTC', lotSz: '0.01', minSz: '0.01', tickSz: '0.1' },
  ],
};
const krakenRow = { type: 'flexible_futures', tradeable: true, contractSize: 1, quote: 'USD' };
const krakenList = {
  result: 'success',
  instruments: [
    { ...krakenRow, symbol: 'PI_XBTUSD', type: 'futures_inverse', tickSize: 0.5, contractValueTradePrecision: 0 },
    { ...krakenRow, symbol: 'PF_ETHUSD', base: 'ETH', tickSize: 0.1, contractValueTradePrecision: 3 },
    { ...krakenRow, symbol: 'PF_PEPEUSD', base: 'PEPE', tickSize: 1e-10, contractValueTradePrecision: -3 },
  ],
};

const summary = ({ definition, channel, contractSize }: VenueMarket) => {
  const { marketId, symbol, lotDecimals, sizeDecimals, priceDecimals, tick } = definition;
  assert.equal(sizeDecimals, lotDecimals! + 2, 'room for finer lots');
  return [marketId, symbol, channel, contractSize, lotDecimals, priceDecimals, tick];
};

test('OKX lists linear perpetuals in base units: the lot is a hundredth of a contract of 0.01 BTC', async () => {
  assert.deepEqual((await listed('okx', okxList)).map(summary), [
    ['okx|ETH-USDT-SWAP', 'ETH', 'ETH-USDT-SWAP', '0.1', 3, 4, 100],
    ['okx|BTC-USDT-SWAP', 'BTC', 'BTC-USDT-SWAP', '0.01', 4, 3, 100],
  ]);
});

test('Kraken lists linear perpetuals; lots of cheap coins are thousands of units, and ticks have many decimals', async () => {
  assert.deepEqual((await listed('kraken', krakenList)).map(summary), [
    ['kraken|PF_ETHUSD', 'ETH', 'PF_ETHUSD', '1', 3, 3, 100],
    ['kraken|PF_PEPEUSD', 'PEPE', 'PF_PEPEUSD', '1', 0, 12, 100],
  ]);
});

test('Bybit lists the leverage that a market allows; without one, the market has the usual one', async () => {
  const row = { contractType: 'LinearPerpetual', status: 'Trading', symbol: 'XUSDT', priceScale: '2' };
  const filters = { lotSizeFilter: { qtyStep: '0.1', minOrderQty: '0.1' }, priceFilter: { tickSize: '0.01' } };
  const list = [
    { ...row, ...filters, leverageFilter: { maxLeverage: '35.00' } },
    { ...row, ...filters, symbol: 'YUSDT' },
  ];
  const [own, usual] = await listed('bybit', { retCode: 0, result: { list } });
  assert.equal(own!.definition.maxLeverage, 35);
  assert.ok(usual!.definition.maxLeverage >= 1 && usual!.definition.maxLeverage < 35);
});

test('a book with a row that is none is refused', async () => {
  const market = { channel: 'PF_XBTUSD', contractSize: '1' } as VenueMarket;
  const orderBook = { bids: [[100, 1], null], asks: [[101, 1]] };
  const answer = { result: 'success', serverTime: '2026-01-01T00:00:00Z', orderBook };
  const asked = venues.kraken.rest.book!(async () => answer, market, 'full');
  await assert.rejects(asked, { name: 'LineProblem', message: /bids must be a list of \[price, size\]/ });
});

test('a book that is requested for its best levels has five on each side', async () => {
  const levels = Array.from({ length: 9 }, (_, at) => [100 + at, 1]);
  const market = { channel: 'PF_XBTUSD', contractSize: '1' } as VenueMarket;
  const answer = { result: 'success', serverTime: '2026-01-01T00:00:00Z', orderBook: { bids: levels, asks: levels } };
  const asked = async (depth: 'top' | 'full') => {
    const { bids, asks } = await venues.kraken.rest.book!(async () => answer, market, depth);
    return [bids, asks].map((side) => JSON.parse(side).length);
  };
  assert.deepEqual(
    [await asked('top'), await asked('full')],
    [
      [5, 5],
      [9, 9],
    ],
  );
});

test('the prints that OKX has are asked for until the last one received, at most twenty pages back, or until there are none', async () => {
  const market = { channel: 'BTC-USDT-SWAP', contractSize: '0.01' } as VenueMarket;
  const trade = (id: number) => ({ tradeId: String(id), px: '1', sz: '1', side: 'buy', ts: String(1_000_000 + id) });
  const historyTo = async (after: number, oldest: number) => {
    let asked = 0;
    let next = 5_000;
    const ask = async ({ path }: { path: string }) => {
      asked += 1;
      next = Number(/&after=(\d+)/.exec(path)?.[1] ?? next + 1) - 1;
      const data = Array.from({ length: Math.max(0, Math.min(100, next - oldest)) }, () => trade(next--));
      return { code: '0', data };
    };
    const trades = await venues.okx.rest.history!(ask, market, { from: 1_000_000 + after, after, known: new Set() });
    return [asked, Number(trades.at(-1)?.id)];
  };
  assert.deepEqual(await historyTo(4_750, 0), [3, 4_701]);
  assert.deepEqual(await historyTo(1, 0), [21, 2_901]);
  assert.deepEqual(await historyTo(1, 4_850), [3, 4_851]);
  assert.deepEqual(await historyTo(1, 5_000), [1, Number.NaN]);
});

test('the size of a contract comes from the cached list, too', async (t) => {
  const cache = { folder: temporaryFolder(t), maxAgeMs: 60_000 };
  const answers = [okxList, null];
  for (const answer of answers) {
    const { markets } = await marketsOf(venues.okx, 'https://venue', async () => answer, 1_000, cache);
    assert.deepEqual(
      markets.map(({ contractSize }) => contractSize),
      ['0.1', '0.01'],
    );
  }
});

/** The messages of a frame about a market with contracts of this size. */
function decoded(venue: VenueName, frame: object, channel: string, contractSize: string): VenueMessage[] {
  const messages: VenueMessage[] = [];
  const market = { channel, contractSize } as VenueMarket;
  const known = (name: string) => (name === channel ? market : undefined);
  venues[venue].decode(JSON.stringify(frame), 'public', (message) => messages.push(message), known);
  return messages;
}

const okxBook = { channel: 'books', instId: 'BTC-USDT-SWAP' };
const okxLevels = {
  asks: [['8476.98', '415', '0', '13']],
  bids: [
    ['8476.97', '256', '0', '12'],
    ['8475.55', '0', '0', '0'],
  ],
};

describe("OKX's documented frames", () => {
  const btc = (frame: object) => decoded('okx', frame, 'BTC-USDT-SWAP', '0.01');

  for (const [action, prevSeqId] of [
    ['snapshot', -1],
    ['update', 123_456],
  ] as const) {
    test(`a book's ${action}: sizes become base units`, () => {
      const data = [{ ...okxLevels, ts: '1597026383085', checksum: -855_196_043, seqId: 123_457, prevSeqId }];
      assert.deepEqual(btc({ arg: okxBook, action, data }), [
        {
          kind: 'book',
          topic: 'books:BTC-USDT-SWAP',
          isFull: action === 'snapshot',
          ids: { first: 123_457, last: 123_457, previous: prevSeqId },
          time: 1_597_026_383_085,
          bids: '[["8476.97","2.56"],["8475.55","0"]]',
          asks: '[["8476.98","4.15"]]',
        },
      ]);
    });
  }

  test('a message that stands for three trades has the numbers of all', () => {
    const data = [
      {
        instId: 'BTC-USDT-SWAP',
        tradeId: '130639474',
        px: '42219.9',
        sz: '12',
        side: 'buy',
        ts: '1630048897897',
        count: '3',
      },
    ];
    const arg = { channel: 'trades', instId: 'BTC-USDT-SWAP' };
    const trade = { id: '130639474', number: 130_639_474, firstNumber: 130_639_472, time: 1_630_048_897_897 };
    assert.deepEqual(btc({ arg, data }), [
      {
        kind: 'trades',
        topic: 'trades:BTC-USDT-SWAP',
        trades: [{ ...trade, price: '42219.9', size: '0.12', side: 'buy', isOffBook: false }],
      },
    ]);
  });

  test('answers: confirmed, refused by name, and an announced end of the connection', () => {
    assert.deepEqual(btc({ id: '7', event: 'subscribe', arg: okxBook, connId: 'a4d3ae55' }), [
      { kind: 'confirmed', id: 7, topics: ['books:BTC-USDT-SWAP'] },
    ]);
    const msg =
      "Wrong URL or channel:books,instId:NOPE doesn't exist. Please use the correct URL, channel and parameters.";
    assert.deepEqual(btc({ id: '7', event: 'error', code: '60018', msg, connId: 'a4d3ae55' }), [
      { kind: 'refused', id: 7, topics: ['books:NOPE'], reason: msg },
    ]);
    assert.deepEqual(btc({ event: 'notice', code: '64008', msg: 'The connection will soon be closed.' }), [
      { kind: 'draining' },
    ]);
  });

  test('what is about a market that is not subscribed is ignored', () => {
    assert.deepEqual(btc({ arg: { channel: 'books', instId: 'ETH-USDT-SWAP' }, action: 'update', data: [] }), [
      { kind: 'ignored' },
    ]);
  });
});

describe("Kraken's documented frames", () => {
  const xbt = (frame: object, contractSize = '1') => decoded('kraken', frame, 'PF_XBTUSD', contractSize);

  test('a ticker: mark, index and the rate of an hour', () => {
    const facts = { funding_rate: -0.42, relative_funding_rate: -1.25e-7, next_funding_rate_time: 1612267200000 };
    const prices = { bid: 34832.5, ask: 34847.5, index: 34803.45, markPrice: 34844.25, last: 34852 };
    const frame = { feed: 'ticker', product_id: 'PF_XBTUSD', time: 1612270825253, ...facts, ...prices };
    const marks = { topic: 'ticker:PF_XBTUSD', time: 1612270825253, mark: '34844.25', index: '34803.45' };
    const funding = { fundingRate: '-0.000000125', fundingHours: 1, nextFundingAt: 1612267200000 };
    assert.deepEqual(xbt(frame), [{ kind: 'marks', ...marks, ...funding }]);
  });

  test('a snapshot, without levels of size 0', () => {
    const frame = {
      feed: 'book_snapshot',
      product_id: 'PF_XBTUSD',
      timestamp: 1_612_269_825_817,
      seq: 326_072_249,
      tickSize: null,
      bids: [
        { price: 34_892.5, qty: 6_385 },
        { price: 34_892, qty: 0 },
      ],
      asks: [{ price: 34_911.5, qty: 20_598 }],
    };
    assert.deepEqual(xbt(frame, '0.5'), [
      {
        kind: 'book',
        topic: 'book:PF_XBTUSD',
        isFull: true,
        ids: { first: 326_072_249, last: 326_072_249, previous: 326_072_248 },
        time: 1_612_269_825_817,
        bids: '[["34892.5","3192.5"]]',
        asks: '[["34911.5","10299"]]',
      },
    ]);
  });

  test('a change of one level', () => {
    const facts = { product_id: 'PF_XBTUSD', side: 'sell', seq: 326_094_134, timestamp: 1_612_269_953_629 };
    assert.deepEqual(xbt({ feed: 'book', ...facts, price: 34_981, qty: 0 }), [
      {
        kind: 'book',
        topic: 'book:PF_XBTUSD',
        isFull: false,
        ids: { first: 326_094_134, last: 326_094_134, previous: 326_094_133 },
        time: 1_612_269_953_629,
        bids: '[]',
        asks: '[["34981","0"]]',
      },
    ]);
  });

  test('the last trades, oldest first, among them one that was not made on the book', () => {
    const trade = { feed: 'trade', product_id: 'PF_XBTUSD', side: 'sell', qty: 440, price: 34_893 };
    const trades = [
      { ...trade, uid: 'caa9c653', type: 'fill', seq: 655_508, time: 1_612_269_657_781 },
      { ...trade, uid: '45ee9737', type: 'block', seq: 655_507, time: 1_612_269_656_839 },
    ];
    const facts = { number: null, price: '34893', size: '440', side: 'sell' };
    assert.deepEqual(xbt({ feed: 'trade_snapshot', product_id: 'PF_XBTUSD', trades }), [
      {
        kind: 'trades',
        topic: 'trade:PF_XBTUSD',
        trades: [
          { id: '45ee9737', time: 1_612_269_656_839, ...facts, isOffBook: true },
          { id: 'caa9c653', time: 1_612_269_657_781, ...facts, isOffBook: false },
        ],
      },
    ]);
  });

  test('answers: greeting, confirmed, refused, and the heartbeat', () => {
    assert.deepEqual(xbt({ event: 'info', version: 1 }), [{ kind: 'ignored' }]);
    assert.deepEqual(xbt({ event: 'subscribed', feed: 'book', product_ids: ['PF_XBTUSD'] }), [
      { kind: 'confirmed', id: null, topics: ['book:PF_XBTUSD'] },
    ]);
    assert.deepEqual(xbt({ event: 'error', message: 'Invalid product id' }), [
      { kind: 'refused', id: null, topics: [], reason: 'Invalid product id' },
    ]);
    assert.deepEqual(xbt({ feed: 'heartbeat', time: 1_534_262_350_627 }), [{ kind: 'alive', time: null }]);
  });
});

test('sizes are exact: contracts times the size of one, and numbers without exponents', () => {
  assert.deepEqual(
    [product('256', '0.01'), product('0.3', '0.1'), product('7', '1'), product('0', '0.01'), product('1.50', '100')],
    ['2.56', '0.03', '7', '0', '150'],
  );
  assert.equal(product('123456789012345678', '0.000000001'), '123456789.012345678');
  assert.deepEqual([1e-10, 5.1e-7, 0.00001, 34_892.5, 1e21, 0].map(plainDecimal), [
    '0.0000000001',
    '0.00000051',
    '0.00001',
    '34892.5',
    '1000000000000000000000',
    '0',
  ]);
  for (const value of ['1', Number.NaN, -1, null]) assert.throws(() => plainDecimal(value), LineProblem);
  for (const value of ['', '-1', '1e5', '.5']) assert.throws(() => product(value, '1'), LineProblem);
});
