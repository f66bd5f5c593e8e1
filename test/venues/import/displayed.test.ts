import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binance, imported, snapshot } from './importing.ts';

/** A depth update of ids first..last that sets levels, at a time. */
function depth(first: number, last: number, previous: number, time: number, sides: { b?: string[][]; a?: string[][] }) {
  const { b = [], a = [] } = sides;
  return { e: 'depthUpdate', E: time, T: time, s: 'BTCUSDT', U: first, u: last, pu: previous, b, a };
}

function ticker(id: number, time: number, bid: [string, string], ask: [string, string]) {
  return { e: 'bookTicker', u: id, s: 'BTCUSDT', b: bid[0], B: bid[1], a: ask[0], A: ask[1], T: time, E: time };
}

function taken(id: number, time: number, price: string, size: string, buyerIsMaker: boolean) {
  return { e: 'trade', E: time, T: time, s: 'BTCUSDT', t: id, p: price, q: size, X: 'MARKET', m: buyerIsMaker };
}

const deep = {
  ...snapshot(10),
  bids: [
    ['1.0', '1'],
    ['0.9', '2'],
  ],
  asks: [
    ['1.2', '1'],
    ['1.3', '3'],
  ],
};

test('best prices between two depth updates change the book until the next update', async (t) => {
  const { lines } = await imported(
    t,
    binance([
      deep,
      ticker(11, 2, ['1.1', '4'], ['1.2', '0.5']),
      ticker(12, 3, ['1.1', '4'], ['1.3', '3']),
      depth(9, 13, 8, 4, { b: [['0.9', '7']] }),
    ]),
  );
  assert.deepEqual(
    lines.slice(2).map(({ time, bids, asks }) => ({ time, bids, asks })),
    [
      { time: 2, bids: [['1.1', '4']], asks: [['1.2', '0.5']] },
      { time: 3, bids: [], asks: [['1.2', '0']] },
      {
        time: 4,
        bids: [
          ['0.9', '7'],
          ['1.1', '0'],
        ],
        asks: [['1.2', '1']],
      },
    ],
  );
});

test('best prices older than the book are skipped; those newer than the next update stay', async (t) => {
  const { lines, report } = await imported(
    t,
    binance([
      deep,
      depth(9, 14, 8, 5, { b: [['0.8', '1']] }),
      ticker(13, 6, ['0.5', '1'], ['1.2', '1']),
      ticker(19, 7, ['1.0', '0.25'], ['1.2', '1']),
      depth(15, 18, 14, 8, { b: [['1.0', '5']] }),
    ]),
  );
  assert.equal(report.dropped['best prices that a depth update already contained'], 1);
  assert.deepEqual(lines.at(-3).bids, [['1.0', '0.25']]);
  assert.deepEqual(lines.at(-2).bids, [['1.0', '5']]);
  assert.deepEqual(lines.at(-1).bids, [['1.0', '0.25']], 'the ticker is ahead of the update');
});

test('a print is taken off the displayed book until the next update, and removes better levels', async (t) => {
  const { lines } = await imported(
    t,
    binance([
      deep,
      taken(1, 2, '1.2', '0.4', false),
      taken(2, 3, '1.3', '0.125', false),
      taken(3, 4, '0.9', '9', true),
      depth(9, 12, 8, 5, { a: [['1.4', '1']] }),
    ]),
  );
  const shown = lines.slice(2).map(({ trade, bids, asks }) => trade?.price ?? { bids, asks });
  assert.deepEqual(shown, [
    '1.2',
    { bids: [], asks: [['1.2', '0.6']] },
    '1.3',
    {
      bids: [],
      asks: [
        ['1.2', '0'],
        ['1.3', '2.875'],
      ],
    },
    '0.9',
    {
      bids: [
        ['1.0', '0'],
        ['0.9', '0'],
      ],
      asks: [],
    },
    {
      bids: [
        ['1.0', '1'],
        ['0.9', '2'],
      ],
      asks: [
        ['1.4', '1'],
        ['1.2', '1'],
        ['1.3', '3'],
      ],
    },
  ]);
});

test('an update of the same millisecond as a print may already include it', async (t) => {
  const { lines } = await imported(
    t,
    binance([deep, ticker(11, 5, ['1.0', '1'], ['1.2', '0.6']), taken(1, 5, '1.2', '0.4', false)]),
  );
  assert.equal(lines.length, 4);
  assert.deepEqual(lines[2].asks, [['1.2', '0.6']]);
});

test('after a gap in the depth, nothing changes the book until the next snapshot', async (t) => {
  const { lines } = await imported(
    t,
    binance([
      deep,
      depth(9, 11, 8, 2, { b: [['0.8', '1']] }),
      depth(15, 16, 14, 3, { b: [['0.8', '2']] }),
      ticker(20, 4, ['1.1', '4'], ['1.2', '0.5']),
      taken(1, 5, '1.2', '0.4', false),
      { ...deep, lastUpdateId: 30, T: 6 },
      taken(2, 7, '1.2', '0.4', false),
    ]),
  );
  assert.deepEqual(
    lines.slice(1).map(({ time, trade, delta }) => [time, trade ? 'print' : delta ? 'delta' : 'book']),
    [
      [1, 'book'],
      [2, 'delta'],
      [5, 'print'],
      [6, 'book'],
      [7, 'print'],
      [7, 'delta'],
    ],
  );
});
