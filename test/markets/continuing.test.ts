import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstCatalog } from '../../src/markets/catalog.ts';
import { firstModelTouch } from '../../src/markets/synthetic/first-model.ts';
import { syntheticSource } from '../../src/markets/synthetic.ts';
import { anyMoment, anySeed } from './playing.ts';

const time = Date.UTC(2026, 10, 18, 12, 0, 0, 123);
const day = 86_400_000;

const anyMarket = fc.constantFrom(...firstCatalog);

test('the prices of version 1 never change', () => {
  const shown = [
    ['binance|BTCUSDT', 944709, 944710],
    ['binance|ETHUSDT', 339173, 339174],
    ['binance|SOLUSDT', 19097, 19098],
    ['bybit|XRPUSDT', 21340, 21341],
    ['binance|DOGEUSDT', 35838, 35839],
    ['binance|BNBUSDT', 66948, 66949],
    ['hyperliquid|HYPE', 357230, 357250],
    ['hyperliquid|xyz:GOLD', 405230, 405240],
    ['hyperliquid|xyz:SP500', 6827600, 6827900],
    ['hyperliquid|xyz:EUR', 117150, 117160],
  ];
  assert.deepEqual(
    firstCatalog.map((definition) => {
      const { bid, ask } = firstModelTouch(7, definition, time)!;
      return [definition.marketId, bid, ask];
    }),
    shown,
  );
});

test('a market continues from exactly the touch that it last showed, on its grid, and then moves like any other', () => {
  fc.assert(
    fc.property(anySeed, anyMarket, anyMoment, (seed, definition, moment) => {
      const { marketId } = definition;
      const touch = firstModelTouch(seed, definition, moment)!;
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
    // A touch finer than the grid around the price that this path returns to.
    { numRuns: 60, examples: [[19, firstCatalog.find(({ symbol }) => symbol === 'SP500')!, 1_620_682_071_770]] },
  );
});
