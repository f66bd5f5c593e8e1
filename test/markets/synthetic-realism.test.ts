import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BookEvent, PrintEvent } from '../../src/engine/source.ts';
import { defaultCatalog } from '../../src/markets/catalog.ts';
import { syntheticSource } from '../../src/markets/synthetic.ts';
import { booksOf, pairs, play, sides } from './playing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);
const marketIds = defaultCatalog.map(({ marketId }) => marketId);

const anyMarket = fc.constantFrom(...marketIds);
const anyMoment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });

test('a print takes from a level of the book before it: its price was displayed on the opposite side, its size too', () => {
  const source = syntheticSource({ seed: 3 });
  for (const marketId of marketIds) {
    let prints = 0;
    let book: BookEvent | null = null;
    for (const event of play(source, [marketId], noon, noon + hour)) {
      if (event.kind === 'print') {
        prints += 1;
        assert.ok(displayed(book!, event) >= event.size && event.size > 0, `${marketId} at ${event.time}`);
      } else book = event as BookEvent;
    }
    assert.ok(prints > 300, `${marketId}: ${prints} prints in an hour`);
  }
});

test('sizes stay at their prices: nearly all of what two successive books share is unchanged', () => {
  for (const marketId of marketIds) {
    const books = booksOf(play(syntheticSource({ seed: 5 }), [marketId], noon, noon + 600_000));
    let shared = 0;
    let kept = 0;
    for (let i = 1; i < books.length; i += 1) {
      const before = new Map(pairs(sides(books[i - 1]!).bids).slice(1));
      for (const [price, size] of pairs(sides(books[i]!).bids).slice(1)) {
        if (!before.has(price)) continue;
        shared += 1;
        if (before.get(price) === size) kept += 1;
      }
    }
    assert.ok(kept / shared > 0.95, `${marketId}: ${kept} of ${shared}`);
  }
});

test('depth is shaped like the instrument: a million USD fits the majors, not the thin markets', () => {
  const source = syntheticSource({ seed: 11 });
  const depthUsd = (marketId: string) => {
    const market = source.definitions.find((definition) => definition.marketId === marketId)!;
    const depths = Array.from({ length: 200 }, (_, i) => {
      const { asks } = source.book(marketId, noon + i * 97_003)!;
      const mid = asks[0]!;
      return pairs(asks)
        .filter(([price]) => price <= mid * 1.025)
        .reduce(
          (sum, [price, size]) => sum + (price / 10 ** market.priceDecimals) * (size / 10 ** market.sizeDecimals),
          0,
        );
    });
    return depths.sort((a, b) => a - b);
  };
  for (const major of ['binance|BTCUSDT', 'binance|ETHUSDT', 'binance|SOLUSDT', 'bybit|XRPUSDT']) {
    assert.ok(depthUsd(major)[0]! > 1_000_000, major);
  }
  for (const thin of ['hyperliquid|HYPE', 'hyperliquid|xyz:GOLD']) assert.ok(depthUsd(thin)[100]! < 1_000_000, thin);
});

test('moves are fat-tailed and calm down over longer times; two thirds of books leave the mid where it was', () => {
  const mids = booksOf(play(syntheticSource({ seed: 13 }), ['binance|BTCUSDT'], noon, noon + day)).map(
    ({ bids, asks }) => bids[0]! + asks[0]!,
  );
  const kurtosis = (steps: number) => {
    let [count, second, fourth] = [0, 0, 0];
    for (let i = steps; i < mids.length; i += steps) {
      const move = mids[i]! / mids[i - steps]! - 1;
      count += 1;
      second += move ** 2;
      fourth += move ** 4;
    }
    return (fourth * count) / second ** 2;
  };
  assert.ok(kurtosis(1) > 12);
  assert.ok(kurtosis(11) > 3.5 && kurtosis(11) < kurtosis(1));
  const still = mids.filter((mid, i) => mid === mids[i - 1]).length / mids.length;
  assert.ok(still > 0.6 && still < 0.75, `${still}`);
});

test('prices stay within what their instrument could cost, over decades', () => {
  const bounds: Record<string, [number, number]> = {
    'binance|BTCUSDT': [60_000, 150_000],
    'bybit|XRPUSDT': [1, 4.6],
    'hyperliquid|HYPE': [16, 76],
    'hyperliquid|xyz:EUR': [1.07, 1.25],
  };
  for (const seed of [1, 2, 3]) {
    const source = syntheticSource({ seed });
    for (const [marketId, [low, high]] of Object.entries(bounds)) {
      const unit = 10 ** source.definitions.find((definition) => definition.marketId === marketId)!.priceDecimals;
      for (let i = 0; i < 2000; i += 1) {
        const price = source.book(marketId, Date.UTC(2000, 0, 1) + i * 7.1 * day)!.bids[0]! / unit;
        assert.ok(price > low && price < high);
      }
      assert.equal(source.firstTouch!(marketId, 0, Date.UTC(2060, 0, 1), 2 * low * unit, 2 * high * unit), null);
    }
  }
});

test('volume follows the session of the day and adds up', () => {
  const source = syntheticSource({ seed: 1 });
  const monday = Date.UTC(2026, 10, 16);
  const volume = (marketId: string, from: number, to: number) => source.volume(marketId, from, to, from);
  assert.ok(
    volume('hyperliquid|xyz:SP500', monday + 14 * hour, monday + 15 * hour) >
      3 * volume('hyperliquid|xyz:SP500', monday + 3 * hour, monday + 4 * hour),
  );
  assert.ok(
    volume('hyperliquid|xyz:GOLD', monday + 5 * day, monday + 6 * day) <
      0.5 * volume('hyperliquid|xyz:GOLD', monday, monday + day),
  );
  assert.equal(volume('binance|BTCUSDT', monday, monday), 0);
  fc.assert(
    fc.property(anyMarket, anyMoment, fc.nat(20 * day), fc.nat(20 * day), (marketId, from, first, second) => {
      const parts = volume(marketId, from, from + first) + volume(marketId, from + first, from + first + second);
      assert.ok(Math.abs(parts - volume(marketId, from, from + first + second)) < 1e-6);
    }),
  );
});

function displayed(book: BookEvent, print: PrintEvent): number {
  const { bids, asks } = sides(book);
  return new Map(pairs(print.side === 'buy' ? asks : bids)).get(print.price) ?? 0;
}
