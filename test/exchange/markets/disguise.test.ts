import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { disguised, disguiseOf, disguises } from '../../../src/exchange/markets/disguise.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { beginning } from '../../seed.ts';

const drawn = fc.record({
  price: fc.integer({ min: 1, max: 1e8 }),
  priceDecimals: fc.nat(8),
  sizeDecimals: fc.nat(5),
  way: fc.nat(disguises - 1),
  time: fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2099, 0, 1) }),
  isFine: fc.boolean(),
});

test('every price is shown between 100 and 1,000, every amount of money as it is, and every time in one winter week', () => {
  fc.assert(
    fc.property(drawn, ({ price, priceDecimals, sizeDecimals, way, time, isFine }) => {
      const real: MarketDefinition = {
        ...defaultCatalog[0]!,
        priceDecimals,
        sizeDecimals,
        tick: isFine ? null : 5,
      };
      const { shown, priceFactor, sizeFactor, laterMs } = disguiseOf(real, { price, time, way });
      const level = (price * priceFactor) / 10 ** shown.priceDecimals;
      assert.ok(level >= 100 && level < 1_000, String(level));
      const worth = (market: MarketDefinition, product: number) =>
        Number((product / 10 ** (market.priceDecimals + market.sizeDecimals)).toPrecision(12));
      assert.equal(worth(shown, price * priceFactor * 7 * sizeFactor), worth(real, price * 7));
      assert.ok(Number.isInteger(sizeFactor) && shown.sizeDecimals >= 0);
      assert.ok(Number.isInteger(laterMs / (7 * 86_400_000)));
      assert.equal(new Date(time - laterMs).toISOString().slice(0, 8), '2001-01-');
    }),
  );
});

test('books, events and bars are those of the market, at other prices and times', () => {
  const { seed, startTime } = beginning;
  const source = syntheticSource({ seed });
  const real = defaultCatalog[0]!;
  const price = source.book(real.marketId, startTime)!.bids[0]!;
  const disguise = disguiseOf(real, { price, time: startTime, way: 3 });
  const { shown, priceFactor, sizeFactor, laterMs } = disguise;
  const hidden = disguised(source, disguise);
  const [own, other] = [source.open(startTime), hidden.open(startTime - laterMs)];
  own.watch(real.marketId, true);
  other.watch(shown.marketId, true);
  for (let at = 0; at < 40; at++) {
    const event = structuredClone(own.next(startTime + 60_000)!);
    const seen = other.next(startTime + 60_000 - laterMs)!;
    assert.deepEqual([seen.kind, seen.time, seen.marketId], [event.kind, event.time - laterMs, shown.marketId]);
    if (event.kind === 'print' && seen.kind === 'print')
      assert.deepEqual([seen.price, seen.size], [event.price * priceFactor, event.size * sizeFactor]);
  }
  const [book, seen] = [source.book(real.marketId, startTime)!, hidden.book('any', startTime - laterMs)!];
  assert.deepEqual(
    seen.asks,
    book.asks.map((value, at) => value * (at % 2 === 0 ? priceFactor : sizeFactor)),
  );
  assert.ok('bars' in source && 'bars' in hidden);
  const from = startTime - 90 * 86_400_000;
  const days = source.bars(real.marketId, '1d', from, 90, startTime);
  // Months are those of the calendar that is shown, so that no date can be read from where they begin.
  const [month] = hidden.bars('any', '1M', Date.UTC(2000, 11, 1), 1, startTime - laterMs);
  assert.deepEqual([month!.openTime, month!.endTime], [Date.UTC(2000, 11, 1), Date.UTC(2001, 0, 1)]);
  const within = days.filter(
    ({ openTime }) => openTime >= month!.openTime + laterMs && openTime < month!.endTime + laterMs,
  );
  assert.equal(
    month!.count,
    within.reduce((sum, { count }) => sum + count, 0),
  );
  assert.equal(month!.high, Math.max(...within.map(({ high }) => high!)) * priceFactor);
});
