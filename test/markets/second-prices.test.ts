import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultCatalog } from '../../src/markets/catalog.ts';
import { secondPricesTouch } from '../../src/markets/synthetic/second-prices.ts';

/** Best bids and asks that version 2 of the prices showed with seed 7 on November 18, 2026, at 12:34. */
const shown = [
  ['binance|BTCUSDT', 1116340, 1116341],
  ['binance|ETHUSDT', 409587, 409588],
  ['binance|SOLUSDT', 20031, 20032],
  ['binance|XRPUSDT', 25866, 25867],
  ['binance|NVDAUSDT', 19093, 19094],
  ['hyperliquid|xyz:GOLD', 395770, 395840],
  ['hyperliquid|xyz:SP500', 6620600, 6620700],
  ['hyperliquid|xyz:EUR', 118130, 118140],
] as const;

test('at every full minute, the prices of version 2 are what they were', () => {
  for (const [marketId, bid, ask] of shown) {
    const definition = defaultCatalog.find((market) => market.marketId === marketId)!;
    const touch = secondPricesTouch(7, definition, Date.UTC(2026, 10, 18, 12, 34, 56, 789), null)!;
    assert.ok(touch.bid >= bid && touch.bid <= ask && touch.ask > touch.bid, `${marketId}: ${touch.bid}`);
  }
});

test('a market that went on from another price under version 2 goes on from there', () => {
  const definition = defaultCatalog.find(({ symbol }) => symbol === 'BTC')!;
  const time = Date.UTC(2026, 10, 18, 12, 34);
  const usual = secondPricesTouch(7, definition, time, null)!;
  const later = secondPricesTouch(7, definition, time + 3_600_000, null)!;
  const start = { marketId: definition.marketId, time, bid: usual.bid / 2, ask: usual.ask / 2 };
  const half = secondPricesTouch(7, definition, time + 3_600_000, start)!;
  assert.ok(Math.abs(half.bid / later.bid - 0.5) < 1e-4);
});
