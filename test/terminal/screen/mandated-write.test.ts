import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeWrite } from '../../../src/desk/mandate/judge-write.ts';
import { exposedOf, mandatedWrite } from '../../../src/desk/watch/armed-orders.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { account, order, position } from '../../desk/mandate/exposures.ts';

const market_id = 'binance|BTCUSDT';
const level = (px: string, sz: string) => ({ px, sz });
const chosen = { market_id, provider: 'binance', symbol: 'BTC', coin: 'BTCUSDT', size_decimals: 3, max_leverage: 20 };
const model = {
  accountId: 'acc_1',
  chosen,
  time: 1,
  mid: () => 100,
  marks: LiveModel.prototype.marks,
  market: (id: string) => (id === market_id ? chosen : undefined),
  book: { bids: [level('99', '1'), level('90', '1')], asks: [level('101', '1'), level('120', '1')], time: 1 },
  account: {
    account,
    positions: new Map([['pos_1', position(1)]]),
    orders: new Map([['ord_1', order({ size: 2 })]]),
  },
} as unknown as LiveModel;
const facts = { twaps: [], policy: undefined };
const mandate = {
  accounts: ['acc_1'],
  markets: [market_id],
  sides: ['buy', 'sell'] as const,
  largestOrderUsd: Number.POSITIVE_INFINITY,
  largestPositionUsd: Number.POSITIVE_INFINITY,
  lossPerDayUsd: 1_000,
  ordersPerMinute: 10,
  until: 1e15,
};

/** What an order counts, and what the position with everything that waits; undefined: it is refused. */
function counted(body: object, equityThen: number | null = 10_000) {
  const given = { leverage: 1, margin_mode: 'cross', account_id: 'acc_1', market_id, ...body };
  const { write, order: placed } = mandatedWrite('createOrder', { body: given }, model)!;
  const exposed = exposedOf(model, { sentAt: [], equityThen: equityThen ?? undefined, facts }, placed);
  const verdict = judgeWrite(mandate, exposed, write, 0);
  return verdict.isAllowed ? verdict.effect.adds : undefined;
}

test('armed keys count an order at the worst price of the streamed book, with what is held and what works', () => {
  assert.equal(counted({ type: 'market', side: 'buy', size: 1 })!.price, 101);
  assert.equal(counted({ type: 'market', side: 'buy', size: 2 })!.price, 102.5, 'at most the tolerance');
  assert.equal(counted({ type: 'market', side: 'buy', size: 3 })!.price, 102.5, 'also where the book is too short');
  assert.equal(counted({ type: 'market', side: 'sell', size: 2 })!.price, 100, 'never less than the midpoint');
  assert.equal(counted({ type: 'limit', side: 'buy', size: 2, limit_price: 95 })!.price, 95);
  assert.equal(counted({ type: 'limit', side: 'buy', size: 2, limit_price: 95 })!.positionUsd, 100 + 200 + 190);
  assert.equal(counted({ type: 'market', side: 'buy', size: 1 }, null), undefined, 'the loss is not known');
});

test('what works in another market counts with its mark', () => {
  const other = { ...chosen, market_id: 'binance|ETHUSDT' };
  const orders = new Map([['ord_1', order({ size: 2, market_id: other.market_id })]]);
  const wide = {
    ...{ ...model, account: { account, positions: new Map(), orders } },
    market: (id: string) => [chosen, other].find((market) => market.market_id === id),
  } as unknown as LiveModel;
  const { marks } = exposedOf(wide, { sentAt: [], equityThen: 10_000, facts });
  assert.deepEqual([...marks.keys()], [market_id, other.market_id]);
});

test('armed keys only place, amend, cancel and close', () => {
  assert.equal(mandatedWrite('saveCopyTradingConfigurations', {}, model), undefined);
  assert.equal(mandatedWrite('createTwapOrder', {}, model), undefined);
  const amended = mandatedWrite('modifyOrder', { path: { order_id: 'ord_1' }, body: { price: 99 } }, model);
  assert.equal(amended?.write.account, 'acc_1');
});
