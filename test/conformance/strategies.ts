import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const strategyTests: Part = (bench) => {
  const twap = async (changes: Record<string, unknown> = {}) => {
    const { mid } = await bench().quote();
    return { ...bench().order({ size: 0.1 }), expected_price: mid, duration_minutes: 5, ...changes };
  };
  const scaled = async (changes: Record<string, unknown> = {}) => {
    const { bid } = await bench().quote();
    const [start_price, end_price] = [Math.round(bid * 0.95), Math.round(bid * 0.9)];
    return { ...bench().order({ size: 0.1 }), start_price, end_price, rung_count: 5, distribution: 'flat', ...changes };
  };

  test('a TWAP starts, is listed as active, and is replayed by its key', async () => {
    const { api, account } = bench();
    const body = await twap();
    const first = await api.post('/v1/twap-orders', body, { key: 'twap' });
    assert.equal(first.status, 201);
    const { data } = first.body;
    assert.deepEqual(
      [data.strategy, data.status, data.total_size, data.slice_interval_seconds, data.slice_count],
      ['twap', 'running', 0.1, 30, 10],
    );
    const replay = await api.post('/v1/twap-orders', body, { key: 'twap' });
    assert.deepEqual([replay.status, replay.body.data.id], [200, data.id]);
    assertRefused(
      await api.post('/v1/twap-orders', { ...body, size: 0.2 }, { key: 'twap' }),
      409,
      'idempotency_conflict',
    );
    const active = await api.get(`/v1/twap-orders?account_id=${account}`);
    assert.deepEqual(
      active.body.data.map(({ id }: { id: string }) => id),
      [data.id],
    );
    assert.equal((await api.get(`/v1/twap-orders/${data.id}`)).body.data.id, data.id);
  });

  test('its slices add up to what it filled, and it ends as completed', async () => {
    if (bench().admin === null) return;
    const { api, accounts } = bench();
    const account = accounts[1]!;
    const { body } = await api.post('/v1/twap-orders', await twap({ account_id: account, strategy: 'vwap' }));
    await bench().advance(6 * 60_000);
    const ended = await api.get(`/v1/twap-orders/${body.data.id}`);
    assert.deepEqual([ended.body.data.status, ended.body.data.filled_size], ['completed', 0.1]);
    const fills = await api.get(`/v1/fills?account_id=${account}&limit=100`);
    const slices = fills.body.data.filter((fill: { twap_order_id?: string }) => fill.twap_order_id === body.data.id);
    const lots = slices.reduce((sum: number, { size }: { size: number }) => sum + Math.round(size * 1000), 0);
    assert.equal(lots, 100);
    const completed = await api.get(`/v1/twap-orders?account_id=${account}&status=completed`);
    assert.deepEqual([completed.body.data[0].id, completed.body.has_more], [body.data.id, false]);
  });

  test('a TWAP is canceled once', async () => {
    const { api, accounts } = bench();
    const { body } = await api.post('/v1/twap-orders', await twap({ account_id: accounts[2] }));
    const canceled = await api.delete(`/v1/twap-orders/${body.data.id}`);
    assert.equal(canceled.status, 200);
    assert.equal(canceled.body.data.status, 'canceled');
    assertRefused(await api.delete(`/v1/twap-orders/${body.data.id}`), 409, 'order_terminal');
  });

  test('an invalid TWAP is refused, field by field or by its rule', async () => {
    const { api } = bench();
    const cases: [Record<string, unknown>, string[]][] = [
      [{ duration_minutes: 4 }, ['duration_minutes']],
      [{ duration_minutes: 1441 }, ['duration_minutes']],
      [{ duration_minutes: 5.5 }, ['duration_minutes']],
      [{ slice_interval_seconds: 29 }, ['slice_interval_seconds']],
      [{ slice_interval_seconds: 151 }, ['slice_interval_seconds']],
      [{ expected_price: undefined }, ['expected_price']],
      [{ strategy: 'pov', type: 'market' }, ['strategy', 'type']],
    ];
    for (const [changes, fields] of cases)
      assertRefused(await api.post('/v1/twap-orders', await twap(changes)), 400, 'invalid_request', { fields });
    assertRefused(await api.post('/v1/twap-orders', await twap({ size: 0.001 })), 422, 'rule_violation', {
      rule: 'slice-size',
    });
    assertRefused(await api.post('/v1/twap-orders', await twap({ market_id: 'binance|NONE' })), 404, 'not_found');
    assertRefused(await api.get('/v1/twap-orders/twap_none'), 404, 'not_found');
    assertRefused(await api.delete('/v1/twap-orders/twap_none'), 404, 'not_found');
  });

  test('a ladder rests on its rungs, is listed, replayed and canceled', async () => {
    const { api, accounts } = bench();
    const account = accounts[3]!;
    const body = await scaled({ account_id: account });
    const first = await api.post('/v1/scaled-orders', body, { key: 'ladder' });
    assert.equal(first.status, 201);
    const { data } = first.body;
    assert.deepEqual([data.rung_count, data.placed_count, data.rejected_count], [5, 5, 0]);
    assert.equal(
      data.rungs.reduce((sum: number, { size }: { size: number }) => sum + Math.round(size * 1000), 0),
      100,
    );
    for (const { order_id, price } of data.rungs) {
      const rung = (await api.get(`/v1/orders/${order_id}`)).body.data;
      assert.deepEqual([rung.scaled_order_id, rung.limit_price, rung.status], [data.id, price, 'resting']);
    }
    const replay = await api.post('/v1/scaled-orders', body, { key: 'ladder' });
    assert.deepEqual([replay.status, replay.body.data.id], [200, data.id]);
    assert.deepEqual((await api.get(`/v1/scaled-orders/${data.id}`)).body.data, replay.body.data);
    const listed = await api.get(`/v1/scaled-orders?account_id=${account}`);
    assert.deepEqual([listed.body.has_more, listed.body.data[0].id], [false, data.id]);
    assert.equal((await api.delete(`/v1/scaled-orders/${data.id}`)).body.data.status, 'canceled');
    assert.deepEqual((await api.get(`/v1/orders?account_id=${account}&status=working`)).body.data, []);
    assertRefused(await api.delete(`/v1/scaled-orders/${data.id}`), 409, 'order_terminal');
  });

  test('a rejected rung has the code and the sentence of its order', async () => {
    const { api, accounts } = bench();
    const { bid } = await bench().quote();
    const [start_price, end_price] = [Math.round(bid * 0.9), Math.round(bid * 1.1)];
    const ladder = await scaled({ account_id: accounts[3]!, rung_count: 2, start_price, end_price });
    const { status, body } = await api.post('/v1/scaled-orders', ladder);
    assert.deepEqual([status, body.data.placed_count, body.data.rejected_count], [201, 1, 1]);
    const [resting, rejected] = body.data.rungs;
    assert.deepEqual([resting.reject_reason, resting.reject_message], [undefined, undefined]);
    const order = (await api.get(`/v1/orders/${rejected.order_id}`)).body.data;
    assert.deepEqual([order.status, rejected.reject_reason], ['rejected', 'marketable_limit']);
    assert.deepEqual([rejected.reject_reason, rejected.reject_message], [order.reject_reason, order.reject_message]);
    assert.equal((await api.delete(`/v1/scaled-orders/${body.data.id}`)).status, 200);
  });

  test('an invalid ladder is refused', async () => {
    const { api } = bench();
    const cases: [Record<string, unknown>, string[]][] = [
      [{ rung_count: 1 }, ['rung_count']],
      [{ rung_count: 11 }, ['rung_count']],
      [{ distribution: 'even', start_price: 0 }, ['distribution', 'start_price']],
    ];
    for (const [changes, fields] of cases)
      assertRefused(await api.post('/v1/scaled-orders', await scaled(changes)), 400, 'invalid_request', { fields });
    assertRefused(await api.post('/v1/scaled-orders', await scaled({ size: 0.002 })), 422, 'rule_violation', {
      rule: 'rung-size',
    });
    assertRefused(await api.post('/v1/scaled-orders', await scaled({ account_id: 'acc_none' })), 404, 'not_found');
    assertRefused(await api.get('/v1/scaled-orders/scaled_none'), 404, 'not_found');
    assertRefused(await api.delete('/v1/scaled-orders/scaled_none'), 404, 'not_found');
  });
};
