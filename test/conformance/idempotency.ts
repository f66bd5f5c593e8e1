import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused } from './api.ts';
import type { Part } from './target.ts';

export const idempotencyTests: Part = (bench) => {
  test('the same key and payload create one order; the replay shows its current state', async () => {
    const { api } = bench();
    const body = await bench().restingOrder();
    const first = await api.post('/v1/orders', body, { key: 'one' });
    assert.equal(first.status, 201);
    const shuffled = Object.fromEntries(Object.entries(body).reverse());
    const replay = await api.post('/v1/orders', shuffled, { key: 'one' });
    assert.equal(replay.status, 200);
    assert.deepEqual(replay.body.data, first.body.data);
    await api.delete(`/v1/orders/${first.body.data.id}`);
    const later = await api.post('/v1/orders', body, { key: 'one' });
    assert.deepEqual([later.status, later.body.data.status], [200, 'canceled']);
  });

  test('the same key with another payload is a conflict, and changes nothing', async () => {
    const { api, account } = bench();
    const body = await bench().restingOrder();
    await api.post('/v1/orders', body, { key: 'two' });
    const count = async () => (await api.get(`/v1/orders?account_id=${account}&limit=100`)).body.data.length;
    const before = await count();
    assertRefused(await api.post('/v1/orders', { ...body, size: 0.02 }, { key: 'two' }), 409, 'idempotency_conflict');
    assert.equal(await count(), before);
  });

  test('a key belongs to one operation and can be used with others', async () => {
    const { api, accounts } = bench();
    const account = accounts[1]!;
    const placed = await api.post('/v1/orders', bench().order({ account_id: account }), { key: 'three' });
    assert.equal(placed.status, 201);
    const { body } = await api.get(`/v1/positions?account_id=${account}`);
    const close = `/v1/positions/${body.data[0].id}/close`;
    assert.equal((await api.post(close, {}, { key: 'three' })).status, 201);
    assert.equal((await api.post(close, {}, { key: 'three' })).status, 200, 'even though the position is closed now');
  });

  test('a rejected order is rejected again with the same message, without another record', async () => {
    const { api, account } = bench();
    const body = bench().order({ size: 1_000_000 });
    const first = await api.post('/v1/orders', body, { key: 'four' });
    const again = await api.post('/v1/orders', body, { key: 'four' });
    assert.equal(first.status, 422);
    const { request_id: _first, ...said } = first.body.error;
    const { request_id: _again, ...saidAgain } = again.body.error;
    assert.deepEqual([again.status, saidAgain], [422, said]);
    const { body: page } = await api.get(`/v1/orders?account_id=${account}&limit=100`);
    const records = page.data.filter(({ size }: { size: number }) => size === 1_000_000);
    assert.equal(records.length, 1);
    const { status, reject_rule_id: rule, reject_reason: reason } = records[0];
    assert.deepEqual([status, rule, reason], ['rejected', said.rule_id, said.rule_id.replaceAll('-', '_')]);
  });

  test('a refusal before an order exists leaves the key free', async () => {
    const { api } = bench();
    assert.equal((await api.post('/v1/orders', { nonsense: 1 }, { key: 'five' })).status, 400);
    assert.equal(
      (await api.post('/v1/orders', bench().order({ account_id: 'acc_none' }), { key: 'five' })).status,
      404,
    );
    assert.equal((await api.post('/v1/orders', bench().order(), { key: 'five' })).status, 201);
  });

  test('a key is required if the contract says so, and has 1 to 128 printable characters', async () => {
    const { api, account } = bench();
    const send = (key: string | null) => api.post('/v1/orders', bench().order(), { key });
    const fields = ['Idempotency-Key'];
    assertRefused(await send(null), 400, 'invalid_request', { fields });
    assertRefused(await send('x'.repeat(129)), 400, 'invalid_request', { fields });
    assert.equal((await send('x'.repeat(128))).status, 201);
    assert.equal((await send('!"#$%&()*+,-./:;<=>?@[]^_`{|}~ a')).status, 201);
    for (const operation of ['cancel-all-orders', 'close-all-positions'])
      assertRefused(
        await api.post(`/v1/accounts/${account}/${operation}`, undefined, { key: null }),
        400,
        'invalid_request',
        {
          fields,
        },
      );
    assert.equal((await api.get('/v1/accounts', { key: 'not needed here' })).status, 200);
  });

  test('many concurrent requests under one key create one order', async () => {
    const { api } = bench();
    const body = await bench().restingOrder({ size: 0.003 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/v1/orders', body, { key: 'race' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(9).fill(200), 201]);
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
  });

  test('many concurrent requests under one client order id create one order', async () => {
    const { api } = bench();
    const body = await bench().restingOrder({ size: 0.004, client_order_id: 'race' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/v1/orders', body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  });
};
