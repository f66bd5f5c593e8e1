import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstCatalog } from '../../../src/exchange/markets/catalog.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { anyMoment, anySeed } from './playing.ts';

const day = 86_400_000;

const anyMarket = fc.constantFrom(...firstCatalog);
/** How far the older price is from the one that the market would have, and the width of its touch in price units. */
const anyFactor = fc.double({ min: 0.5, max: 2, noNaN: true });

test('a market continues from exactly the touch that it last showed, on its grid, and then moves like any other', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, anyFactor, (seed, definition, moment, factor) => {
      const { marketId } = definition;
      const usual = syntheticSource({ seed, definitions: firstCatalog }).book(marketId, moment)!;
      const step = definition.tick ?? 10;
      const bid = Math.round((factor * usual.bids[0]!) / step) * step;
      const touch = { bid, ask: bid + step * (1 + (seed % 3)) };
      const source = syntheticSource({
        seed,
        definitions: firstCatalog,
        lastTouches: [{ marketId, time: moment, ...touch }],
      });
      const { bids, asks } = source.book(marketId, moment)!;
      assert.deepEqual([bids[0], asks[0]], [touch.bid, touch.ask]);
      const mid = touch.bid + touch.ask;
      assert.equal(source.firstTouch!(marketId, moment - 1000, moment, 0, 2 ** 50), null);
      const later = source.book(marketId, moment + day)!;
      assert.ok(Math.abs((later.bids[0]! + later.asks[0]!) / mid - 1) < 0.35);
      const [bar] = source.bars(marketId, '1m', moment, 1, moment + day);
      assert.ok(Math.abs((2 * bar!.open!) / mid - 1) < 0.05);
    }),
    { numRuns: process.env.PERP_LONG ? 1_000 : 20 },
  );
});
