import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mandatedWrite } from '../../../src/cli/watch/mandated-write.ts';
import type { LiveModel } from '../../../src/desk/watch/live-model.ts';

const market_id = 'binance|BTCUSDT';
const level = (px: string, sz: string) => ({ px, sz });
const model = {
  accountId: 'acc_1',
  chosen: { market_id, provider: 'binance', symbol: 'BTC', coin: 'BTCUSDT' },
  mid: () => 100,
  book: { bids: [level('99', '1'), level('90', '1')], asks: [level('101', '1'), level('120', '1')], time: 1 },
} as unknown as LiveModel;
const priceOf = (body: object) => mandatedWrite('createOrder', { body: { market_id, ...body } }, model)!.order.price;

test('a mandate judges an order by the worst price at which the book fills it', () => {
  assert.equal(priceOf({ type: 'market', side: 'buy', size: 1 }), 101);
  assert.equal(priceOf({ type: 'market', side: 'buy', size: 2 }), 120);
  assert.equal(priceOf({ type: 'market', side: 'sell', size: 2 }), 100, 'never less than the midpoint');
  assert.equal(priceOf({ type: 'limit', side: 'buy', size: 2, limit_price: 95 }), 95);
  assert.ok(Number.isNaN(priceOf({ type: 'market', side: 'buy', size: 3 })), 'the book does not fill it: not allowed');
  assert.equal(priceOf({ type: 'market', side: 'sell', size: 3, reduce_only: true }), 100, 'reducing goes on');
});
