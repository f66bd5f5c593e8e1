import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const orderTests: Part = (bench) => {
  const place = async (changes: Record<string, unknown> = {}) =>
    (await bench().api.post('/v1/orders', bench().order(changes))).body.data;
  const rest = async (changes: Record<string, unknown> = {}) =>
    (await bench().api.post('/v1/orders', await bench().restingOrder(changes))).body.data;

  test('a market order without a type fills at once', async () => {
    const { api, order } = { api: bench().api, order: bench().order({ client_order_id: 'first one' }) };
    const { status, body } = await api.post('/v1/orders', order);
    assert.equal(status, 201);
    const { data } = body;
    assert.deepEqual(
      [data.status, data.type, data.mode, data.liquidity_role, data.client_order_id],
      ['filled', 'market', 'market', 'taker', 'first one'],
    );
    assert.deepEqual([data.size, data.initial_size, data.filled_size], [0.01, 0.01, 0.01]);
    assert.deepEqual((await api.get(`/v1/orders/${data.id}`)).body.data, data);
  });

  test('a limit order away from the market rests, is repriced, resized and canceled', async () => {
    const { api } = bench();
    const order = await rest();
    assert.equal(order.status, 'resting');
    const price = order.limit_price - 10;
    const patched = await api.patch(`/v1/orders/${order.id}`, { price, size: 0.02 });
    assert.equal(patched.status, 200);
    assert.deepEqual(
      [patched.body.data.limit_price, patched.body.data.size, patched.body.queued],
      [price, 0.02, false],
    );
    const canceled = await api.delete(`/v1/orders/${order.id}`);
    assert.deepEqual(canceled.body.data, { id: order.id, canceled: true });
    const after = await api.get(`/v1/orders/${order.id}`);
    assert.equal(after.body.data.status, 'canceled');
    assertRefused(await api.delete(`/v1/orders/${order.id}`), 409, 'order_terminal');
    assertRefused(await api.patch(`/v1/orders/${order.id}`, { price }), 409, 'order_terminal');
  });

  test('a stop order is armed: amending and canceling are queued', async () => {
    const { api, account } = bench();
    const { ask } = await bench().quote();
    const order = await place({ type: 'stop_market', trigger_price: Math.round(ask * 1.1) });
    assert.deepEqual(
      [order.status, order.type, order.trigger_price],
      ['resting', 'stop_market', Math.round(ask * 1.1)],
    );
    const moved = await api.patch(`/v1/orders/${order.id}`, { price: Math.round(ask * 1.2) });
    assert.deepEqual([moved.body.queued, moved.body.data.trigger_price], [true, Math.round(ask * 1.2)]);
    const canceled = await api.delete(`/v1/orders/${order.id}`);
    assert.deepEqual(canceled.body.data, { id: order.id, canceled: true, queued: true });
    const working = await api.get(`/v1/orders?account_id=${account}&status=working`);
    assert.ok(!working.body.data.some(({ id }: { id: string }) => id === order.id));
  });

  test('a limit that would cross needs to be acknowledged', async () => {
    const { ask } = await bench().quote();
    const crossing = bench().order({ type: 'limit', limit_price: Math.round(ask * 1.01) });
    assertRefused(await bench().api.post('/v1/orders', crossing), 422, 'rule_violation', { rule: 'marketable-limit' });
    const { body } = await bench().api.post('/v1/orders', { ...crossing, marketable_limit_acknowledged: true });
    assert.equal(body.data.status, 'filled');
    assert.ok(body.data.fill_price <= ask * 1.01);
  });

  test('ioc leaves nothing resting; fok fills completely or not at all', async () => {
    const { bid } = await bench().quote();
    const low = { type: 'limit', limit_price: Math.round(bid * 0.9) };
    assert.equal((await place({ ...low, time_in_force: 'ioc' })).status, 'expired');
    const fok = await bench().api.post('/v1/orders', bench().order({ ...low, time_in_force: 'fok' }));
    assertRefused(fok, 422, 'rule_violation', { rule: 'insufficient-depth' });
  });

  test('a rule that refuses an order leaves a rejected record, whose id is in the answer', async () => {
    const { api } = bench();
    const cases: [Record<string, unknown>, string][] = [
      [{ size: 0.0001 }, 'size-precision'],
      [{ size: 100_000 }, 'insufficient-depth'],
      [{ leverage: 11 }, 'max-leverage'],
      [{ leverage: 1.5 }, 'max-leverage'],
      [{ reduce_only: true, side: 'buy' }, 'reduce-only'],
      [{ type: 'limit', limit_price: 50_000.05 }, 'price-precision'],
      [{ type: 'stop_market', trigger_price: 60_000 }, 'trigger-side'],
      [{ market_id: 'binance|DOGEUSDT', size: 1 }, 'min-order-notional-usd'],
    ];
    for (const [changes, rule] of cases) {
      const clientOrderId = `rejected by ${rule} ${JSON.stringify(changes)}`.slice(0, 128);
      const answer = await api.post('/v1/orders', bench().order({ ...changes, client_order_id: clientOrderId }));
      assertRefused(answer, 422, 'rule_violation', { rule });
      const { order_id, client_order_id } = answer.body.error;
      assert.equal(client_order_id, clientOrderId);
      const { body } = await api.get(`/v1/orders/${order_id}`);
      assert.deepEqual([body.data.status, body.data.reject_rule_id], ['rejected', rule]);
      assert.equal(body.data.reject_reason, rule.replaceAll('-', '_'));
      assert.match(body.data.reject_message, / .*\.$/);
      assert.equal(body.data.size, changes.size ?? 0.01, 'the size as it was sent');
    }
  });

  test('an order is found by its client order id, without its account', async () => {
    const { api, accounts } = bench();
    const order = await rest({ client_order_id: 'find me/ä?&=' });
    const query = `client_order_id=${encodeURIComponent('find me/ä?&=')}`;
    const { body } = await api.get(`/v1/orders?${query}`);
    assert.deepEqual([body.has_more, body.data.map(({ id }: { id: string }) => id)], [false, [order.id]]);
    assert.deepEqual((await api.get(`/v1/orders?${query}&account_id=${accounts[1]}`)).body.data, []);
    assert.deepEqual((await api.get('/v1/orders?client_order_id=never')).body, { data: [], has_more: false });
    for (const other of ['status=working', 'limit=5', 'cursor=x'])
      assertRefused(await api.get(`/v1/orders?${query}&${other}`), 400, 'invalid_request', {
        fields: [other.split('=')[0]!],
      });
  });

  test('a client order id can be used once, for orders and closes together', async () => {
    const { api } = bench();
    await rest({ client_order_id: 'once' });
    assertRefused(
      await api.post('/v1/orders', bench().order({ client_order_id: 'once' })),
      409,
      'client_order_id_conflict',
    );
    await place({ account_id: bench().accounts[2] });
    const positions = await api.get(`/v1/positions?account_id=${bench().accounts[2]}`);
    const position = positions.body.data[0].id;
    assertRefused(
      await api.post(`/v1/positions/${position}/close`, { client_order_id: 'once' }),
      409,
      'client_order_id_conflict',
    );
  });

  test('the working set has no pages, whatever the limit', async () => {
    const { api } = bench();
    const account = bench().accounts[3]!;
    const ids: string[] = [];
    for (let number = 0; number < 5; number++)
      ids.unshift((await rest({ account_id: account, size: 0.001 * (number + 1) })).id);
    const { body } = await api.get(`/v1/orders?account_id=${account}&status=working&limit=2`);
    assert.deepEqual([body.has_more, body.data.map(({ id }: { id: string }) => id)], [false, ids]);
    assertRefused(await api.get('/v1/orders?status=working&cursor=x'), 400, 'invalid_request', { fields: ['cursor'] });
  });

  test('attached exits are set, changed and removed while the entry rests', async () => {
    const { api } = bench();
    const { bid } = await bench().quote();
    const order = await rest({ take_profit_price: Math.round(bid * 1.1), stop_loss_price: Math.round(bid * 0.8) });
    assert.equal(order.attached_take_profit_price, Math.round(bid * 1.1));
    const { status, body } = await api.put(`/v1/orders/${order.id}/attached-exits`, {
      take_profit_price: Math.round(bid * 1.2),
      stop_loss_price: null,
    });
    assert.equal(status, 200);
    assert.equal(body.data.attached_take_profit_price, Math.round(bid * 1.2));
    assert.equal(body.data.attached_stop_loss_price, undefined);
    assertRefused(await api.put(`/v1/orders/${order.id}/attached-exits`, {}), 400, 'invalid_request');
    assertRefused(await api.put('/v1/orders/ord_none/attached-exits', { take_profit_price: 1 }), 404, 'not_found');
  });

  test('an unknown order is not found', async () => {
    const { api } = bench();
    for (const id of ['ord_none', '%20', "ord_1'%3B--", 'ord_%1B%5B2J', '1', 'null']) {
      assertRefused(await api.get(`/v1/orders/${id}`), 404, 'not_found');
      assertRefused(await api.patch(`/v1/orders/${id}`, { price: 1 }), 404, 'not_found');
      assertRefused(await api.delete(`/v1/orders/${id}`), 404, 'not_found');
    }
  });

  test('ids in the body that do not belong to the caller are not found', async () => {
    const { api } = bench();
    const { ask } = await bench().quote();
    const conditional = { type: 'conditional', trigger_price: ask, trigger_direction: 'above' };
    for (const changes of [
      { account_id: 'acc_none' },
      { market_id: 'binance|NONE' },
      { ...conditional, trigger_market_id: 'binance|NONE' },
      { type: 'take_profit', side: 'sell', trigger_price: ask * 2, target_position_id: 'pos_none' },
    ])
      assertRefused(await api.post('/v1/orders', bench().order(changes)), 404, 'not_found');
  });

  test('a resting order that the market reaches is filled at the time when it was hit', async () => {
    if (bench().admin === null) return;
    const { api } = bench();
    const { bid } = await bench().quote();
    const order = await rest({ limit_price: Math.round(bid * 0.9995), size: 0.001 });
    await bench().advance(6 * 3_600_000);
    const { body } = await api.get(`/v1/orders/${order.id}`);
    const { time } = await bench().quote();
    assert.equal(body.data.status, 'filled');
    assert.equal(body.data.fill_price, order.limit_price);
    assert.equal(body.data.liquidity_role, 'maker');
    assert.ok(body.data.settled_at > order.requested_at && body.data.settled_at < (time as number));
  });
};
