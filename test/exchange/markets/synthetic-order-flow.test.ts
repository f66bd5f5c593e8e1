import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BookEvent } from '../../../src/exchange/engine/source.ts';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { anyMoment, anySeed, pairs, playWhole } from './playing.ts';

const minute = 60_000;
const isLong = process.env.PERP_LONG !== undefined;

const anyMarket = fc.constantFrom(...defaultCatalog.map(({ marketId }) => marketId));

test('prints take what the book before them displays: its touch, or the level behind it once nothing is left there', () => {
  let walks = 0;
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, from) => {
      let left: { buy: [price: number, size: number][]; sell: [price: number, size: number][] } | null = null;
      for (const event of playWhole(syntheticSource({ seed }), [marketId], from, from + minute)) {
        if (event.kind !== 'print') {
          const { bids, asks } = event;
          left = { buy: pairs(Array.from(asks)), sell: pairs(Array.from(bids)) };
          continue;
        }
        if (left === null) continue;
        const levels: [price: number, size: number][] = left[event.side];
        if (levels[0]![1] === 0) {
          levels.shift();
          walks += 1;
        }
        assert.equal(event.price, levels[0]![0], `${marketId} at ${event.time}`);
        levels[0]![1] -= event.size;
        assert.ok(levels[0]![1] >= 0, `${marketId} at ${event.time}: ${-levels[0]![1]} lots were not there`);
      }
    }),
    { numRuns: isLong ? 1000 : 25 },
  );
  assert.ok(walks > 0);
});

test('the high of every minute is the best ask of one of its books, the low a best bid', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, moment) => {
      const source = syntheticSource({ seed });
      const from = Math.floor(moment / minute) * minute;
      const events = playWhole(source, [marketId], from - 1, from + 2 * minute - 1);
      for (const bar of source.bars(marketId, '1m', from, 2, from + 10 * minute)) {
        const books = events.filter(
          (event): event is BookEvent =>
            event.kind !== 'print' && event.time >= bar.openTime && event.time < bar.endTime,
        );
        assert.equal(bar.high, Math.max(...books.map(({ asks }) => asks[0]!)));
        assert.equal(bar.low, Math.min(...books.map(({ bids }) => bids[0]!)));
      }
    }),
    { numRuns: isLong ? 1000 : 15 },
  );
});

test('every minute’s prints make up its turnover', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, marketId, moment) => {
      const source = syntheticSource({ seed });
      const tape = source.open(moment);
      tape.watch(marketId, true);
      let prints = 0;
      while (tape.next(moment + (isLong ? 24 * 60 : 10) * minute) !== null) prints += 1;
      assert.ok(prints > 0);
    }),
    { numRuns: isLong ? 300 : 15 },
  );
});
