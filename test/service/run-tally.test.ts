import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginTally } from '../../src/service/run-tally.ts';
import { ask, issueKey, served } from './serving.ts';

test('a tally counts the orders, rejections and fills since it began', async (t) => {
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
  const place = (size: number) =>
    ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json: { ...order, size } });
  await place(0.01);
  const tally = beginTally(serving.simulation, 'live');
  for (const size of [0.01, 0.02, 1_000]) await place(size);
  const { orders, rejected, fills, accounts } = tally();
  assert.deepEqual([orders, rejected, fills], [3, 1, 2]);
  assert.deepEqual(
    accounts.map(({ account_id, status, breach }) => [account_id, status, breach]),
    [[data[0].id, 'active', null]],
  );
});
