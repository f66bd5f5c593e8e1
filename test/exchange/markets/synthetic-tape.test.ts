import assert from 'node:assert/strict';
import fc from 'fast-check';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { test, trial } from '../../tiers.ts';
import { anyMoment, anySeed, booksOf, drain, play, playWhole, someMarkets } from './playing.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);

const anyMarket = fc.constantFrom(...someMarkets);

test('events come in time order, with at least two books in every second and prints between them', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, from) => {
      const events = play(syntheticSource({ seed }), [marketId], from, from + 120_000);
      const times = booksOf(events).map(({ time }) => time);
      for (let i = 2; i < times.length; i += 1) assert.ok(times[i]! - times[i - 2]! < 1000);
      for (let i = 1; i < events.length; i += 1) assert.ok(events[i]!.time >= events[i - 1]!.time);
      assert.ok(times[0]! - from < 1000 && from + 120_000 - times.at(-1)! < 1000);
    }),
    { numRuns: process.env.PERP_LONG ? 200 : 10 },
  );
});

test('several markets are merged by time; events of the same millisecond come in catalog order', () => {
  const events = play(syntheticSource({ seed: 21 }), [...someMarkets].reverse(), noon, noon + hour / 12);
  const place = new Map(defaultCatalog.map(({ marketId }, i) => [marketId, i]));
  let ties = 0;
  for (let i = 1; i < events.length; i += 1) {
    const [before, after] = [events[i - 1]!, events[i]!];
    assert.ok(before.time <= after.time);
    if (before.time < after.time) continue;
    ties += 1;
    assert.ok(place.get(before.marketId)! <= place.get(after.marketId)!);
  }
  assert.ok(ties > 0);
});

test('a market watched later starts at the tape’s position; one that is no longer watched gives no events', () => {
  const source = syntheticSource({ seed: 23 });
  const tape = source.open(noon);
  assert.equal(tape.peek(noon + day), null);
  assert.equal(tape.next(noon + hour), null);
  tape.watch('binance|BTCUSDT', true);
  const first = tape.peek(noon + day)!;
  assert.ok(first > noon + hour && first < noon + hour + 1000);
  assert.equal(tape.peek(first - 1), null);
  assert.equal(tape.next(first - 1), null);
  assert.equal(tape.next(first)!.time, first);
  tape.watch('binance|XRPUSDT', true);
  const both = drain(tape, first + 60_000);
  assert.ok(both.every(({ time }) => time > first));
  assert.deepEqual(
    both.filter(({ marketId }) => marketId === 'binance|XRPUSDT').map(({ time }) => time),
    play(source, ['binance|XRPUSDT'], first, first + 60_000).map(({ time }) => time),
  );
  tape.watch('binance|BTCUSDT', false);
  assert.ok(drain(tape, first + 120_000).every(({ marketId }) => marketId === 'binance|XRPUSDT'));
});

trial('a tape opened in the middle plays the same events as one opened earlier', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, fc.integer({ min: 0, max: 150_000 }), (seed, marketId, skip) => {
      const source = syntheticSource({ seed });
      const whole = playWhole(source, [marketId], noon, noon + 200_000).filter(({ time }) => time > noon + skip);
      assert.deepEqual(playWhole(source, [marketId], noon + skip, noon + 200_000), whole);
    }),
    { numRuns: process.env.PERP_LONG ? 200 : 10 },
  );
});
