import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, issueKey, served } from './serving.ts';

test('a number that the market can’t count is named where it stands, also in the parts of a request', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const send = (method: string, path: string, json: object) =>
    ask(`${serving.baseUrl}/v1${path}`, key, { method, json });
  const { data } = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body;
  const order = {
    account_id: data[0].id,
    market_id: 'binance|BTCUSDT',
    side: 'buy',
    leverage: 1,
    margin_mode: 'cross',
  };
  await send('POST', '/orders', { ...order, size: 0.01 });
  const [position] = (await ask(`${serving.baseUrl}/v1/positions?account_id=${data[0].id}`, key)).body.data;
  const operations = [{ kind: 'place', group: 'sl', execution_type: 'market', price: 20_000, size: 1e14 }];
  const body = { expected_position_size: 0.01, expected_orders: [], operations };
  const { status, body: answer } = await send('PUT', `/positions/${position.id}/exit-orders`, body);
  assert.equal(status, 400, JSON.stringify(answer));
  assert.deepEqual(answer.error.details, [
    { field: 'operations[0].size', issue: 'must be at most 2^53 lots of the market' },
  ]);
});

test('a page of fills has as many as were asked for, and the next one goes on after them', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const { data } = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body;
  const order = {
    account_id: data[0].id,
    market_id: 'binance|BTCUSDT',
    side: 'buy',
    leverage: 1,
    margin_mode: 'cross',
  };
  for (const size of [0.01, 0.02, 0.03])
    await ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json: { ...order, size } });
  const sizes: number[][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `/sim/fills?account_id=${data[0].id}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await ask(`${serving.baseUrl}${path}`, serving.key);
    sizes.push(body.data.map(({ size }: { size: number }) => size));
    cursor = body.has_more ? body.next_cursor : undefined;
  }
  assert.deepEqual(sizes, [[0.03, 0.02], [0.01]]);
});
