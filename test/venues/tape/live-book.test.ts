import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { LineProblem } from '../../../src/exchange/markets/recorded/recording-error.ts';
import { LiveBook } from '../../../src/venues/tape/live-book.ts';
import { PartTape } from '../../../src/venues/tape/part-tape.ts';
import { TapeLines } from '../../../src/venues/tape/tape-lines.ts';

const definition: MarketDefinition = {
  marketId: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  category: 'crypto',
  sizeDecimals: 1,
  priceDecimals: 1,
  tick: 1,
  maxLeverage: 10,
};
const list = (...levels: [price: string, size: string][]) => JSON.stringify(levels);
const bids = list(['9.9', '1.0'], ['9.80', '2']);
const asks = list(['10.0', '3'], ['10.1', '4']);

function full(): LiveBook {
  const book = new LiveBook(definition);
  book.take('book', { bids, asks });
  return book;
}

test('a full book with the best level first, and a change with distinct prices, are passed on as the venue wrote them', () => {
  const book = new LiveBook(definition);
  assert.deepEqual(book.take('book', { bids, asks }), { kind: 'book', bids, asks });
  const change = { bids: list(['9.80', '0.0'], ['9.9', '7']), asks: '[]' };
  assert.deepEqual(book.take('delta', change), { kind: 'delta', ...change });
  assert.deepEqual(book.full(), {
    kind: 'book',
    bids: list(['9.9', '7.0']),
    asks: list(['10.0', '3.0'], ['10.1', '4.0']),
  });
});

test('a full book out of order, with empty levels or duplicate prices, is put in order', () => {
  const book = new LiveBook(definition);
  const untidy = { bids: list(['9.8', '2'], ['9.9', '5'], ['9.7', '0'], ['9.9', '1']), asks };
  const tidied = {
    kind: 'book',
    bids: list(['9.9', '1.0'], ['9.8', '2.0']),
    asks: list(['10.0', '3.0'], ['10.1', '4.0']),
  };
  assert.deepEqual(book.take('book', untidy), tidied);
});

test('for a price that occurs twice in a change, the last level counts', () => {
  const change = full().take('delta', { bids: list(['9.7', '5'], ['9.7', '6']), asks: '[]' });
  assert.deepEqual(change, { kind: 'delta', bids: list(['9.7', '6.0']), asks: '[]' });
});

test('changes that cross the book are held back until the change that uncrosses it', () => {
  const book = full();
  assert.equal(book.take('delta', { bids: list(['10.0', '5']), asks: '[]' }), null);
  assert.equal(book.isCrossed, true);
  assert.equal(book.take('delta', { bids: list(['9.6', '1']), asks: '[]' }), null);
  assert.deepEqual(book.take('delta', { bids: '[]', asks: list(['10.0', '0']) }), {
    kind: 'delta',
    bids: list(['10.0', '5.0'], ['9.6', '1.0']),
    asks: list(['10.0', '0.0']),
  });
  assert.equal(book.isCrossed, false);
});

test('a full book that arrives crossed is recorded completely once it uncrosses', () => {
  const book = new LiveBook(definition);
  assert.equal(book.take('book', { bids: list(['10.0', '1']), asks }), null);
  assert.deepEqual(book.take('delta', { bids: list(['10.0', '0'], ['9.9', '1']), asks: '[]' }), {
    kind: 'book',
    bids: list(['9.9', '1.0']),
    asks: list(['10.0', '3.0'], ['10.1', '4.0']),
  });
});

test('a message that does not fit the market leaves the book unchanged', () => {
  const book = full();
  const before = book.full();
  for (const change of [
    { bids: list(['9.85', '1']), asks: '[]' },
    { bids: list(['9.8', '1']), asks: list(['11', '0.05']) },
    { bids: list(['9.8', '9']), asks: '[["11"]]' },
  ]) {
    assert.throws(() => book.take('delta', change), LineProblem);
    assert.throws(() => book.take('book', change), LineProblem);
    assert.deepEqual(book.full(), before);
  }
});

test('best levels are compared as numbers, not as text', () => {
  const book = full();
  assert.equal(book.startsWith({ bids: list(['9.90', '1']), asks: list(['10', '3.0']) }), true);
  assert.equal(book.startsWith({ bids: list(['9.9', '2']), asks: list(['10', '3']) }), false);
  assert.equal(book.startsWith({ bids: list(['9.9', '1'], ['9.8', '2'], ['9.7', '1']), asks: '[]' }), false);
});

test('property: whatever a venue sends, the tape is a valid recording of the same book', () => {
  const level = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 9 }));
  const side = fc.array(level, { maxLength: 8 });
  const message = fc.record({ kind: fc.constantFrom('book', 'delta', 'delta', 'delta'), bids: side, asks: side });
  const text = (levels: [number, number][]) =>
    JSON.stringify(levels.map(([price, size]) => [`${price}.0`, `${(size / 10).toFixed(1)}`]));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
      const lines = new TapeLines(definition);
      const part = new PartTape('tape');
      const book = new LiveBook(definition);
      const truth = { bids: new Map<number, number>(), asks: new Map<number, number>() };
      part.take(`{"time":1${lines.market().text}`);
      let hasBook = false;
      let time = 1;
      for (const { kind, bids, asks } of messages) {
        if (kind === 'delta' && !hasBook) continue;
        time += 1;
        for (const [name, levels] of [
          ['bids', bids],
          ['asks', asks],
        ] as const) {
          if (kind === 'book') truth[name].clear();
          for (const [price, size] of levels) truth[name].set(price * 10, size);
        }
        const change = book.take(kind as 'book' | 'delta', { bids: text(bids), asks: text(asks) });
        if (change === null) continue;
        hasBook = true;
        part.take(`{"time":${time}${lines.book(change.kind, change).text}`);
        const read = part.book(definition.marketId, time)!;
        const sorted = (levels: Map<number, number>, sign: number) =>
          [...levels].filter(([, size]) => size > 0).sort(([one], [other]) => sign * (one - other));
        assert.deepEqual(read.bids, sorted(truth.bids, -1).flat());
        assert.deepEqual(read.asks, sorted(truth.asks, 1).flat());
      }
      part.close();
    }),
  );
});
