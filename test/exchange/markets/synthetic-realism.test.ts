import assert from 'node:assert/strict';
import fc from 'fast-check';
import { profileOf } from '../../../src/exchange/markets/synthetic/profile.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { test, trial } from '../../tiers.ts';
import { anyMoment, booksOf, pairs, playWhole, sides, someMarkets } from './playing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);

const anyMarket = fc.constantFrom(...someMarkets);

trial('sizes stay at their prices: nearly all levels that two successive books share are unchanged', () => {
  for (const marketId of someMarkets) {
    const books = booksOf(playWhole(syntheticSource({ seed: 5 }), [marketId], noon, noon + hour / 60));
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

test('depth fits the instrument: a million USD is little in the majors and too much in thin markets', () => {
  const source = syntheticSource({ seed: 11 });
  const depthUsd = (marketId: string) => {
    const market = source.definitions.find((definition) => definition.marketId === marketId)!;
    const { base } = profileOf(market);
    const depths = Array.from({ length: 200 }, (_, i) => {
      const { asks } = source.book(marketId, noon + i * 97_003)!;
      const mid = asks[0]!;
      // Lots do not follow the level of the price.
      const level = mid / 10 ** market.priceDecimals / base;
      return pairs(asks)
        .filter(([price]) => price <= mid * 1.025)
        .reduce(
          (sum, [price, size]) =>
            sum + (price / level / 10 ** market.priceDecimals) * (size / 10 ** market.sizeDecimals),
          0,
        );
    });
    return depths.sort((a, b) => a - b);
  };
  for (const major of ['binance|BTCUSDT', 'binance|ETHUSDT', 'binance|SOLUSDT', 'binance|XRPUSDT']) {
    assert.ok(depthUsd(major)[0]! > 1_000_000, major);
  }
  for (const thin of ['binance|HYPEUSDT', 'hyperliquid|xyz:GOLD']) assert.ok(depthUsd(thin)[100]! < 2_500_000, thin);
});

trial('prices stay plausible for their instrument over decades', () => {
  const bounds: Record<string, [number, number]> = {
    'binance|BTCUSDT': [10_000, 900_000],
    'binance|XRPUSDT': [0.08, 80],
    'binance|HYPEUSDT': [0.8, 1_000],
    'hyperliquid|xyz:EUR': [0.8, 1.8],
  };
  for (const seed of process.env.PERP_LONG ? [1, 2, 3, 4, 5] : [1]) {
    const source = syntheticSource({ seed });
    for (const [marketId, [low, high]] of Object.entries(bounds)) {
      const unit = 10 ** source.definitions.find((definition) => definition.marketId === marketId)!.priceDecimals;
      for (let i = 0; i < 25; i += 1) {
        const price = source.book(marketId, Date.UTC(2000, 0, 1) + i * 568 * day)!.bids[0]! / unit;
        assert.ok(price > low && price < high);
      }
      assert.equal(source.firstTouch!(marketId, 0, Date.UTC(2040, 0, 1), 2 * low * unit, 2 * high * unit), null);
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
