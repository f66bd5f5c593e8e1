import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation, MarketDefinition } from '../../src/exchange/engine/model.ts';
import { presentExplanation } from '../../src/service/present/presenters.ts';

const market = (marketId: string, priceDecimals: number, sizeDecimals: number) =>
  ({ marketId, priceDecimals, sizeDecimals }) as MarketDefinition;
const btc = market('binance|BTCUSDT', 1, 3);
const eth = market('binance|ETHUSDT', 2, 3);
const markets = new Map([btc, eth].map((one) => [one.marketId, one]));

test('an explanation gives prices and sizes in the units of the API', () => {
  const table: [Explanation['detail'], object][] = [
    [
      { taken: [[952750, 50]], filled: 50, levels: 1 },
      { taken: [[95275, 0.05]], filled: 0.05, levels: 1 },
    ],
    [
      { mid_half_price: 1905499, book_time: 1795216446988 },
      { mid: 95274.95, book_time: 1795216446988 },
    ],
    [
      { mark_half_price: 654573, trigger_market_id: 'binance|ETHUSDT' },
      { mark: 3272.865, trigger_market_id: 'binance|ETHUSDT' },
    ],
    [
      { price: 610000, queue_ahead: 2500, print_size: 40 },
      { price: 61000, queue_ahead: 2.5, print_size: 0.04 },
    ],
    [
      { trigger_price: 60000.5, reason: 'by hand', queue_ahead: null },
      { trigger_price: 60000.5, reason: 'by hand', queue_ahead: null },
    ],
  ];
  for (const [detail, presented] of table) {
    const line = presentExplanation({ orderId: 'ord_1', sequence: 1, time: 5, kind: 'taken', detail }, btc, markets);
    assert.deepEqual(line, { time: 5, kind: 'taken', detail: presented });
  }
});
