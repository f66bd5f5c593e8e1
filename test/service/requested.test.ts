import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, served, trading } from './serving.ts';

test('a number that the market can’t count is named where it stands, also in the parts of a request', async (t) => {
  const serving = await served(t);
  const { key, account_id, buy } = await trading(serving);
  await buy(0.01);
  const [position] = (await ask(`${serving.baseUrl}/v1/positions?account_id=${account_id}`, key)).body.data;
  const operations = [{ kind: 'place', group: 'sl', execution_type: 'market', price: 20_000, size: 1e14 }];
  const json = { expected_position_size: 0.01, expected_orders: [], operations };
  const exits = `${serving.baseUrl}/v1/positions/${position.id}/exit-orders`;
  const { status, body: answer } = await ask(exits, key, { method: 'PUT', json });
  assert.equal(status, 400, JSON.stringify(answer));
  assert.deepEqual(answer.error.details, [
    { field: 'operations[0].size', issue: 'must be at most 2^53 lots of the market' },
  ]);
});

test('a page of fills has as many as were asked for, and the next one goes on after them', async (t) => {
  const serving = await served(t);
  const { account_id, buy } = await trading(serving);
  for (const size of [0.01, 0.02, 0.03]) await buy(size);
  const sizes: number[][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `/sim/fills?account_id=${account_id}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await ask(`${serving.baseUrl}${path}`, serving.key);
    sizes.push(body.data.map(({ size }: { size: number }) => size));
    cursor = body.has_more ? body.next_cursor : undefined;
  }
  assert.deepEqual(sizes, [[0.03, 0.02], [0.01]]);
});

test('what a request names is looked up before its numbers are counted, and those before whether it has ended', async (t) => {
  const serving = await served(t);
  const { key, account_id } = await trading(serving);
  const send = (json: object, path: string, method = 'POST') => ask(`${serving.baseUrl}${path}`, key, { method, json });
  const order = {
    account_id,
    market_id: 'binance|BTCUSDT',
    side: 'buy',
    leverage: 1,
    margin_mode: 'cross',
    size: 0.01,
  };
  const exit = { ...order, side: 'sell', type: 'take_profit', trigger_price: 1 };
  const unknown = await send({ ...exit, market_id: 'binance|NONE', target_position_id: 'pos_none' }, '/v1/orders');
  assert.deepEqual([unknown.status, unknown.body.error?.message], [404, 'There is no such position.']);
  const resting = { ...order, type: 'limit', limit_price: 20_000 };
  const { id } = (await send(resting, '/v1/orders')).body.data;
  assert.equal((await ask(`${serving.baseUrl}/v1/orders/${id}`, key, { method: 'DELETE' })).status, 200);
  const amended = await send({ price: 1e15 }, `/v1/orders/${id}`, 'PATCH');
  assert.equal(amended.status, 400, JSON.stringify(amended.body));
  const legs = await send({ stop_loss_price: 1e15 }, `/v1/orders/${id}/attached-exits`, 'PUT');
  assert.equal(legs.status, 400, JSON.stringify(legs.body));
  assert.equal((await send({ price: 20_000 }, `/v1/orders/${id}`, 'PATCH')).status, 409);
});
