import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Bar, type BarInterval, barStart, nextBarStart } from '../../../src/exchange/markets/bars.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { test, trial } from '../../tiers.ts';
import { anyMoment, anySeed, play } from './playing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);
const ever = Date.UTC(2100, 0, 1);

const anyMarket = fc.constantFrom(...defaultCatalog.map(({ marketId }) => marketId));

trial('a bar contains exactly the prints that orders trade against', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, moment) => {
      const source = syntheticSource({ seed });
      const from = barStart('15m', moment);
      const length = hour / 2;
      const prints = play(source, [marketId], from - 1, from + length - 1).flatMap((event) =>
        event.kind === 'print' ? [event] : [],
      );
      for (const interval of ['1s', '1m', '3m', '5m', '15m'] as const) {
        const size = nextBarStart(interval, 0);
        let next = 0;
        for (const bar of source.bars(marketId, interval, from, length / size, ever)) {
          const first = next;
          while (next < prints.length && prints[next]!.time < bar.endTime) next += 1;
          const inside = prints.slice(first, next);
          assert.equal(bar.count, inside.length);
          assert.equal(
            bar.volume,
            inside.reduce((sum, print) => sum + print.size, 0),
          );
          const worth = inside.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n);
          assert.equal(bar.quoteVolume, worth);
          if (inside.length === 0) {
            assert.ok(bar.open === bar.close && bar.high === bar.close && bar.low === bar.close);
            continue;
          }
          const prices = inside.map(({ price }) => price);
          assert.deepEqual(
            [bar.open, bar.high, bar.low, bar.close],
            [prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)],
          );
        }
      }
    }),
    { numRuns: process.env.PERP_LONG ? 200 : 5 },
  );
});

const nestings: readonly (readonly [short: BarInterval, long: BarInterval])[] = [
  ['1m', '1h'],
  ['5m', '30m'],
  ['1h', '4h'],
  ['2h', '12h'],
  ['4h', '8h'],
  ['4h', '1d'],
  ['8h', '3d'],
  ['1d', '1w'],
  ['1d', '1M'],
];

test('shorter bars add up to longer ones', () => {
  fc.assert(
    fc.property(
      anySeed,
      anyMarket,
      anyMoment,
      fc.constantFrom(...nestings),
      (seed, marketId, moment, [short, long]) => {
        const source = syntheticSource({ seed });
        const [whole] = source.bars(marketId, long, moment, 1, ever);
        const count = Math.round((whole!.endTime - whole!.openTime) / (nextBarStart(short, 0) - barStart(short, 0)));
        const parts = source.bars(marketId, short, whole!.openTime, count, ever);
        assert.deepEqual(sumOf(parts), whole);
      },
    ),
    { numRuns: process.env.PERP_LONG ? 500 : 15 },
  );
});

test('prints after `until` don’t count, and other requests in between change nothing', () => {
  const source = syntheticSource({ seed: 4 });
  const [whole] = source.bars('binance|BTCUSDT', '1h', noon, 1, ever);
  source.book('binance|BTCUSDT', noon + 30 * day);
  const [half] = source.bars('binance|BTCUSDT', '1h', noon, 1, noon + hour / 2 - 1);
  const minutes = source.bars('binance|BTCUSDT', '1m', noon, 60, noon + hour / 2 - 1);
  source.book('binance|BTCUSDT', noon - 7 * day);
  assert.deepEqual(sumOf(minutes.slice(0, 30)), { ...half!, endTime: noon + hour / 2 });
  assert.equal(
    minutes.slice(30).reduce((sum, { count }) => sum + count, 0),
    0,
  );
  assert.equal(minutes.at(-1)!.close, half!.close);
  assert.deepEqual(sumOf(source.bars('binance|BTCUSDT', '1m', noon, 60, ever)), whole);
});

test('weeks start on Monday, months are calendar months, and there is nothing before the epoch', () => {
  assert.equal(barStart('1w', noon), Date.UTC(2026, 10, 16));
  assert.equal(barStart('1M', noon), Date.UTC(2026, 10, 1));
  assert.equal(nextBarStart('1M', Date.UTC(2026, 11, 1)), Date.UTC(2027, 0, 1));
  const [bar] = syntheticSource({ seed: 4 }).bars('binance|BTCUSDT', '1d', -3 * day, 1, ever);
  assert.deepEqual([bar!.open, bar!.volume, bar!.count], [null, 0, 0]);
});

function sumOf(bars: readonly Bar[]): Bar {
  return {
    openTime: bars[0]!.openTime,
    endTime: bars.at(-1)!.endTime,
    open: bars[0]!.open,
    high: Math.max(...bars.map(({ high }) => high!)),
    low: Math.min(...bars.map(({ low }) => low!)),
    close: bars.at(-1)!.close,
    volume: bars.reduce((sum, { volume }) => sum + volume, 0),
    quoteVolume: bars.reduce((sum, { quoteVolume }) => sum + quoteVolume, 0n),
    count: bars.reduce((sum, { count }) => sum + count, 0),
  };
}
