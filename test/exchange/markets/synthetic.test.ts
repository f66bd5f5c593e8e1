import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { Ladder } from '../../../src/exchange/markets/synthetic/ladder.ts';
import { profileOf } from '../../../src/exchange/markets/synthetic/profile.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { test, trial } from '../../tiers.ts';
import { anyMoment, anySeed, booksOf, playWhole, sides } from './playing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);
const marketIds = defaultCatalog.map(({ marketId }) => marketId);

const anyMarket = fc.constantFrom(...marketIds);

test('every book is full, sorted and not crossed, on the grid of limit prices and in whole lots', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, time) => {
      const source = syntheticSource({ seed });
      const market = source.definitions.find((definition) => definition.marketId === marketId)!;
      const { bids, asks } = source.book(marketId, time)!;
      const profile = profileOf(market);
      const { maxLevels } = new Ladder(seed, market, profile);
      const highest = profile.base * 1.33 * 10 ** market.priceDecimals;
      assert.ok(bids[0]! < asks[0]!);
      for (const [side, direction] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        assert.ok(side.length >= 2 * 12 && side.length <= 2 * maxLevels);
        for (let i = 0; i < side.length; i += 2) {
          assert.ok(Number.isSafeInteger(side[i]) && Number.isSafeInteger(side[i + 1]) && side[i + 1]! > 0);
          if (i > 0) assert.ok((side[i]! - side[i - 2]!) * direction > 0);
          if (market.tick === null && side[i]! <= highest) assert.ok(significantFigures(side[i]!) <= 5);
        }
      }
    }),
    { numRuns: process.env.PERP_LONG ? 1_500 : 50 },
  );
});

trial('stepping and random access show the same books', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, from) => {
      const source = syntheticSource({ seed });
      for (const event of booksOf(playWhole(source, [marketId], from, from + 65_000))) {
        const there = source.book(marketId, event.time)!;
        assert.deepEqual({ time: event.time, sequence: event.sequence, ...sides(event) }, there);
        assert.notEqual(source.book(marketId, event.time - 1)!.sequence, there.sequence);
      }
    }),
    { numRuns: 20 },
  );
});

test('a source depends only on its seed: the same seed shows the same data, another seed different data', () => {
  const [one, same, other] = [7, 7, 8].map((seed) => syntheticSource({ seed }).book('binance|BTCUSDT', noon));
  assert.deepEqual(one, same);
  assert.notDeepEqual(one!.bids, other!.bids);
});

test('every machine computes the same numbers: a fixed book, path and bar', () => {
  const source = syntheticSource({ seed: 1 });
  const eth = source.book('binance|ETHUSDT', noon)!;
  assert.deepEqual(
    { time: eth.time, sequence: eth.sequence, bids: eth.bids.slice(0, 6), asks: eth.asks.slice(0, 6) },
    {
      time: 1795003199929,
      sequence: 17950031999,
      bids: [446673, 76783, 446670, 18568, 446668, 3472],
      asks: [446674, 43962, 446675, 412, 446677, 1861],
    },
  );
  const path = Array.from({ length: 8 }, (_, i) => source.book('binance|BTCUSDT', noon + i * day)!.bids[0]);
  assert.deepEqual(path, [1273726, 1244977, 1271010, 1247255, 1244534, 1235077, 1209547, 1193994]);
  const [bar] = source.bars('binance|BTCUSDT', '1h', noon, 1, noon + day);
  assert.deepEqual(bar, {
    openTime: noon,
    endTime: noon + hour,
    open: 1273726,
    high: 1292340,
    low: 1273189,
    close: 1290423,
    volume: 45879600,
    quoteVolume: 58838098576772n,
    count: 482385,
  });
});

test('every machine computes the same books and prints: half a minute of a market with each kind of ladder', () => {
  const source = syntheticSource({ seed: 1 });
  const sums = ['binance|BTCUSDT', 'hyperliquid|xyz:AAPL', 'binance|AAVEUSDT'].map((marketId) => {
    const events = playWhole(source, [marketId], noon, noon + 30_000);
    const prints = events.filter(({ kind }) => kind === 'print');
    return [prints.length, hash('sha256', JSON.stringify(events), 'hex').slice(0, 16)];
  });
  assert.deepEqual(
    sums,
    [
      [2000, 'e2a395a5f7ffc81c'],
      [44, '88a190d801fc484c'],
      [144, '2e1720034a185c8f'],
    ],
    'deliberate? Then raise the version of prices in src/exchange/markets/versions.ts',
  );
});

trial('firstReach never returns a time that is too late: no level or print before it reaches the given prices', () => {
  fc.assert(
    fc.property(
      anySeed,
      anyMarket,
      anyMoment,
      fc.double({ min: 0.0035, max: 0.012, noNaN: true }),
      (seed, marketId, from, away) => {
        const source = syntheticSource({ seed });
        const { bids, asks } = source.book(marketId, from)!;
        const [low, high] = [Math.round(bids[0]! * (1 - away)), Math.round(asks[0]! * (1 + away))];
        const at = source.firstReach!(marketId, from, from + hour, low, high) ?? from + hour + 1;
        assert.ok(at > from);
        for (const event of playWhole(source, [marketId], from, Math.min(at - 1, from + hour / 4))) {
          const prices =
            event.kind === 'print'
              ? [event.price]
              : [...sides(event).bids, ...sides(event).asks].filter((_, i) => i % 2 === 0);
          for (const price of prices) assert.ok(price > low && price < high, `${marketId} ${price} at ${event.time}`);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('an unknown market is an error; a time before the Unix epoch has no book', () => {
  const source = syntheticSource({ seed: 1 });
  assert.throws(() => source.book('binance|NOPE', noon), RangeError);
  assert.throws(() => source.open(noon).watch('binance|NOPE', true), RangeError);
  assert.equal(source.book('binance|BTCUSDT', -1), null);
  assert.equal(source.firstTouch!('binance|BTCUSDT', -day, -1, 0, 1), null);
});

test('a custom market gets a price that suits its grid', () => {
  const definitions = [
    { ...catalogued('binance|BTCUSDT'), marketId: 'fpx|OWN', symbol: 'OWN', coin: 'OWN', priceDecimals: 3, tick: 5 },
    {
      ...catalogued('hyperliquid|xyz:GOLD'),
      sizeDecimals: 2,
      priceDecimals: 4,
      marketId: 'hyperliquid|OWN',
      symbol: 'OWN2',
      coin: 'OWN',
    },
  ];
  const source = syntheticSource({ seed: 1, definitions });
  for (const { marketId, tick } of definitions) {
    const { bids, asks } = source.book(marketId, noon)!;
    assert.ok(bids[0]! > 10_000 && asks[0]! < 1_000_000 && bids[0]! < asks[0]!);
    assert.equal(bids[0]! % (tick ?? 10), 0);
  }
});

function catalogued(marketId: string): MarketDefinition {
  return defaultCatalog.find((market) => market.marketId === marketId)!;
}

function significantFigures(price: number): number {
  return String(price).replace(/0+$/, '').length;
}
