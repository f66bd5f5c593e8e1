import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from './api.ts';
import type { Part } from './target.ts';

export const bulkTests: Part = (bench) => {
  /** Repeats the same request until it is done. */
  const run = async (target: string, key: string): Promise<Answer[]> => {
    const answers: Answer[] = [];
    do answers.push(await bench().api.post(target, undefined, { key }));
    while (answers.at(-1)!.status === 202);
    return answers;
  };

  test('cancel-all takes its snapshot first, cancels it in parts, and replays the results', async () => {
    const { api, account } = bench();
    const body = await bench().restingOrder({ size: 0.001 });
    const ids = await Promise.all(
      Array.from({ length: 60 }, async () => (await api.post('/v1/orders', body)).body.data.id),
    );
    const target = `/v1/accounts/${account}/cancel-all-orders`;
    const answers = await run(target, 'cancel all');
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 201],
    );
    const { data } = answers.at(-1)!.body;
    assert.deepEqual(
      [data.operation, data.status, data.total_count, data.succeeded_count, data.failed_count],
      ['cancel_all_orders', 'completed', 60, 60, 0],
    );
    assert.deepEqual(data.results.map(({ order_id }: { order_id: string }) => order_id).sort(), ids.sort());
    assert.deepEqual((await api.get(`/v1/orders?account_id=${account}&status=working`)).body.data, []);
    await api.post('/v1/orders', body);
    const replay = await api.post(target, undefined, { key: 'cancel all' });
    assert.deepEqual([replay.status, replay.body.data], [200, data]);
    assert.equal(
      (await api.get(`/v1/orders?account_id=${account}&status=working`)).body.data.length,
      1,
      'newer orders stay',
    );
  });

  test('an empty snapshot is completed at once', async () => {
    const { accounts } = bench();
    for (const operation of ['cancel-all-orders', 'close-all-positions']) {
      const [answer, ...more] = await run(`/v1/accounts/${accounts[1]}/${operation}`, 'nothing');
      assert.deepEqual([more.length, answer!.status, answer!.body.data.total_count], [0, 201, 0]);
    }
  });

  test('close-all submits one close per call and reports each', async () => {
    const { api, accounts } = bench();
    const account = accounts[2]!;
    for (const [market_id, size] of [
      ['binance|BTCUSDT', 0.01],
      ['binance|ETHUSDT', 0.1],
      ['binance|XRPUSDT', 100],
    ])
      assert.equal((await api.post('/v1/orders', bench().order({ account_id: account, market_id, size }))).status, 201);
    const answers = await run(`/v1/accounts/${account}/close-all-positions`, 'close all');
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 201],
    );
    const { data } = answers.at(-1)!.body;
    assert.deepEqual([data.total_count, data.succeeded_count], [3, 3]);
    for (const { status, order } of data.results) {
      assert.equal(status, 'submitted');
      assert.deepEqual([order.reduce_only, order.status], [true, 'filled']);
    }
    assert.deepEqual((await api.get(`/v1/positions?account_id=${account}`)).body.data, []);
  });

  test('a position that another order has closed fails like a single close', async () => {
    const { api, accounts } = bench();
    const account = accounts[2]!;
    for (const market_id of ['binance|BTCUSDT', 'binance|ETHUSDT'])
      await api.post('/v1/orders', bench().order({ account_id: account, market_id, size: 0.1 }));
    const target = `/v1/accounts/${account}/close-all-positions`;
    assert.equal((await api.post(target, undefined, { key: 'overtaken' })).status, 202);
    const [left] = (await api.get(`/v1/positions?account_id=${account}`)).body.data;
    const close = () => api.post(`/v1/positions/${left.id}/close`, {});
    assert.equal((await close()).status, 201);
    const { error } = (await close()).body;
    const { status, body } = await api.post(target, undefined, { key: 'overtaken' });
    assert.equal(status, 201);
    assert.deepEqual(body.data.results[1], { position_id: left.id, status: 'failed', failure_code: error.code });
    assert.equal(error.code, 'conflict');
  });

  test('no body, an empty one, `{}` and a bare content type are all accepted', async () => {
    const { api, accounts } = bench();
    const target = `/v1/accounts/${accounts[3]}/cancel-all-orders`;
    assert.equal((await api.post(target)).status, 201);
    assert.equal((await api.post(target, {})).status, 201);
    assert.equal((await api.post(target, undefined, { headers: { 'content-type': 'application/json' } })).status, 201);
    assert.equal((await api.post(target, { orders: ['all'] })).status, 400);
  });
};
