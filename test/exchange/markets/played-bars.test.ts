import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BarInterval, barIntervals, barStart, nextBarStart } from '../../../src/exchange/markets/bars.ts';
import { PlayedBars } from '../../../src/exchange/markets/played-bars.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { test, trial } from '../../tiers.ts';

/** A source with few prints, which are summed up by hand. */
const market = 'hyperliquid|xyz:EUR';
const source = syntheticSource({ seed: 7 });
const begin = Date.UTC(2026, 10, 17, 12, 3, 27, 418);
const end = begin + 3 * 3_600_000;

const tape = source.open(begin - 1);
tape.watch(market, true);
const prints: { time: number; price: number; size: number }[] = [];
for (let event = tape.next(end); event !== null; event = tape.next(end))
  if (event.kind === 'print') prints.push({ ...event });

/** A bar computed by hand, from the prints from `begin` on. */
function barByHand(openTime: number, endTime: number, until: number) {
  const within = prints.filter(({ time }) => time >= openTime && time < endTime && time <= until);
  const before = prints.findLast(({ time }) => time < openTime && time <= until)?.price ?? null;
  const prices = within.map(({ price }) => price);
  return {
    openTime,
    endTime,
    open: prices[0] ?? before,
    high: prices.length > 0 ? Math.max(...prices) : before,
    low: prices.length > 0 ? Math.min(...prices) : before,
    close: prices.at(-1) ?? before,
    volume: within.reduce((sum, { size }) => sum + size, 0),
    quoteVolume: within.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n),
    count: within.length,
  };
}

trial('bars match their prints, whatever was requested before', () => {
  const asked = fc.record({
    interval: fc.constantFrom<BarInterval[]>('1s', '1m', '3m', '15m', '1h'),
    from: fc.integer({ min: begin + 60_000, max: end }),
    count: fc.integer({ min: 1, max: 40 }),
    until: fc.integer({ min: begin + 120_000, max: end }),
  });
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 8 }), (questions) => {
      const bars = new PlayedBars(source, begin);
      for (const { interval, from, count, until } of questions) {
        const found = bars.bars(market, interval, from, count, until);
        assert.equal(found.length, count);
        let openTime = barStart(interval, from);
        for (const bar of found) {
          const endTime = nextBarStart(interval, openTime);
          assert.equal(bar.openTime, openTime);
          // Whatever has not printed yet, or came before the data starts, is unknown.
          if (openTime > begin && openTime <= until) assert.deepEqual(bar, barByHand(openTime, endTime, until));
          openTime = endTime;
        }
      }
    }),
    { numRuns: process.env.PERP_LONG ? 500 : 8 },
  );
});

test('a bar without prints has the last price before it, even if nothing earlier was requested', () => {
  // The first second of a minute has a print.
  let openTime = barStart('1m', begin) + 90_000;
  while (prints.some(({ time }) => time >= openTime && time < openTime + 1_000)) openTime += 60_000;
  assert.ok(openTime < end);
  const [bar] = new PlayedBars(source, begin).bars(market, '1s', openTime, 1, end);
  assert.deepEqual(bar, barByHand(openTime, openTime + 1_000, end));
});

test('bars of every length start where the calendar says: weeks on Monday, months on the first', () => {
  const time = Date.UTC(2026, 10, 18, 13, 47, 5);
  const starts = Object.fromEntries(
    barIntervals.map((interval) => [interval, new Date(barStart(interval, time)).toISOString()]),
  );
  assert.equal(starts['1w'], '2026-11-16T00:00:00.000Z');
  assert.equal(starts['1M'], '2026-11-01T00:00:00.000Z');
  assert.equal(starts['8h'], '2026-11-18T08:00:00.000Z');
  assert.equal(new Date(nextBarStart('1M', Date.UTC(2026, 11, 1))).toISOString(), '2027-01-01T00:00:00.000Z');
});

test('before the first print there is no price', () => {
  const bars = new PlayedBars(source, begin).bars(market, '1h', begin - 5 * 3_600_000, 3, end);
  assert.deepEqual(
    bars.map(({ open, count }) => [open, count]),
    Array(3).fill([null, 0]),
  );
});
