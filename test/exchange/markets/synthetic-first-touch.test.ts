import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Book } from '../../../src/exchange/engine/book/book.ts';
import type { BookEvent, MarketSource, TakenLevel } from '../../../src/exchange/engine/source.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { test, trial } from '../../tiers.ts';
import { anyMoment, anySeed, booksOf, playWhole } from './playing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);
const marketIds = defaultCatalog.map(({ marketId }) => marketId);

const anyMarket = fc.constantFrom(...marketIds);

test('firstTouch agrees exactly with stepping through every book', () => {
  fc.assert(
    fc.property(
      anySeed,
      anyMarket,
      anyMoment,
      fc.integer({ min: 0, max: 3 * hour }),
      fc.double({ min: 0, max: 0.006, noNaN: true }),
      fc.double({ min: 0, max: 0.006, noNaN: true }),
      (seed, marketId, from, length, down, up) => {
        const source = syntheticSource({ seed });
        const { bids, asks } = source.book(marketId, from)!;
        const half = bids[0]! + asks[0]!;
        const [low, high] = [Math.round(half * (1 - down * down * 100)), Math.round(half * (1 + up * up * 100))];
        const stepped = stepToTouch(source, marketId, from, from + length, low, high);
        assert.equal(source.firstTouch!(marketId, from, from + length, low, high), stepped);
      },
    ),
    { numRuns: process.env.PERP_LONG ? 1_500 : 50 },
  );
});

trial('firstTouch: prices at the bounds are inside, from is exclusive, to is inclusive', () => {
  const source = syntheticSource({ seed: 17 });
  const books = booksOf(playWhole(source, ['binance|XRPUSDT'], noon, noon + hour));
  const half = (book: BookEvent) => book.bids[0]! + book.asks[0]!;
  const start = half(books[0]!);
  const leaving = books.find((book) => half(book) !== start)!;
  const touch = (from: number, to: number, low: number, high: number) =>
    source.firstTouch!('binance|XRPUSDT', from, to, low, high);
  assert.equal(touch(noon, noon + hour, start, start), leaving.time);
  assert.equal(touch(noon, leaving.time - 1, start, start), null);
  assert.equal(touch(noon, leaving.time, start, start), leaving.time);
  const [low, high] = [Math.min(start, half(leaving)), Math.max(start, half(leaving))];
  assert.notEqual(touch(noon, noon + hour, low, high), leaving.time);
  assert.equal(touch(books[3]!.time, noon + hour, 0, 1), books[4]!.time);
  assert.equal(touch(noon, noon, 0, 1), null);
  assert.equal(touch(noon + hour, noon, 0, 1), null);
});

test('thirty days without a touch are answered at once', () => {
  const source = syntheticSource({ seed: 19 });
  const { bids } = source.book('binance|BTCUSDT', noon)!;
  const { user } = process.threadCpuUsage();
  assert.equal(source.firstTouch!('binance|BTCUSDT', noon, noon + 30 * day, bids[0]!, 4 * bids[0]!), null);
  assert.ok(process.threadCpuUsage().user - user < 500_000, 'in half a second of CPU time');
});

test('firstShrink agrees exactly with stepping through every book', () => {
  const anyLevel = fc.record({
    isBid: fc.boolean(),
    place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    share: fc.double({ min: 0.01, max: 1, noNaN: true }),
  });
  let [ended, lasted] = [0, 0];
  fc.assert(
    fc.property(
      anySeed,
      anyMarket,
      anyMoment,
      fc.integer({ min: 0, max: hour / 20 }),
      fc.array(anyLevel, { minLength: 1, maxLength: 4 }),
      (seed, marketId, from, length, levels) => {
        const source = syntheticSource({ seed });
        const book = source.book(marketId, from)!;
        const taken = levels.map(({ isBid, place, share }): TakenLevel => {
          const side = isBid ? book.bids : book.asks;
          const at = 2 * Math.floor(place * place * (side.length / 2));
          return { bookSide: isBid ? 'bid' : 'ask', price: side[at]!, lots: Math.ceil(side[at + 1]! * share) };
        });
        const stepped = stepTo(source, marketId, { from, to: from + length }, ({ bids, asks }) =>
          taken.some(({ bookSide, price, lots }) => (bookSide === 'bid' ? bids : asks).sizeAt(price) < lots),
        );
        if (stepped === null) lasted += 1;
        else ended += 1;
        assert.equal(source.firstShrink!(marketId, from, from + length, taken), stepped);
      },
    ),
    { numRuns: process.env.PERP_LONG ? 2_000 : 40 },
  );
  assert.ok(ended > 5 && lasted > 5, `${ended} ended, ${lasted} lasted`);
});

/** The correct result of firstTouch, found by playing every event. */
function stepToTouch(source: MarketSource, marketId: string, from: number, to: number, low: number, high: number) {
  return stepTo(source, marketId, { from, to }, ({ mid }) => mid < low || mid > high);
}

/** The first book event of a time at which something holds. */
function stepTo(
  source: MarketSource,
  marketId: string,
  { from, to }: { from: number; to: number },
  holds: (book: Book) => boolean,
): number | null {
  const book = new Book();
  const tape = source.open(from);
  tape.watch(marketId, true, { buys: Number.NEGATIVE_INFINITY, sells: Number.POSITIVE_INFINITY });
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else if (event.kind === 'delta') book.update(event.time, event.sequence, event);
    if (holds(book)) return event.time;
  }
  return null;
}
