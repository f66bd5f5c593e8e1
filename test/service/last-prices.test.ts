import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyState } from '../../src/exchange/engine/exchange.ts';
import { firstCatalog } from '../../src/exchange/markets/catalog.ts';
import { lastKnownTouch } from '../../src/service/state/versions.ts';
import { twap } from '../exchange/store/samples.ts';

const [market] = firstCatalog;
const { marketId, priceDecimals, sizeDecimals } = market!;
const unit = 10 ** priceDecimals;
/** One lot at 60,000. */
const fill = { notional: 60_000n * 10n ** BigInt(8 - sizeDecimals), size: 1, time: 500 };

test('a market continues around its last fill, where no TWAP that waits for a price starts', () => {
  const bidWith = (changes: Parameters<typeof twap>[1]) => {
    const open = { ...emptyState(7, 0), twaps: [twap(1, { marketId, ...changes })] };
    return lastKnownTouch(market!, { open, time: 1_000, fill, start: null })!.bid / unit;
  };
  const waiting = { activatedAt: null, triggerPrice: 50_000, triggerFrom: 'below' } as const;
  assert.ok(bidWith(waiting) < 50_000, 'it starts at 50,000 or above');
  assert.ok(bidWith({ ...waiting, triggerPrice: 70_000, triggerFrom: 'above' }) >= 70_000);
  assert.equal(bidWith({ ...waiting, activatedAt: 5 }), 60_000, 'it has started');
  assert.equal(bidWith({ ...waiting, marketId: 'binance|ETHUSDT' }), 60_000, 'it waits for another market');
  assert.equal(bidWith({ activatedAt: 5, triggerPrice: null, triggerFrom: null }), 60_000, 'it never waited');
});
