import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginTally } from '../../src/service/present/run-tally.ts';
import { served, trading } from './serving.ts';

test('a tally counts the orders, rejections and fills since it began', async (t) => {
  const serving = await served(t);
  const { account_id, buy } = await trading(serving);
  await buy(0.01);
  const tally = beginTally(serving.simulation, 'live');
  for (const size of [0.01, 0.02, 1_000]) await buy(size);
  const { orders, rejected, fills, accounts } = tally();
  assert.deepEqual([orders, rejected, fills], [3, 1, 2]);
  assert.deepEqual(
    accounts.map((one) => [one.account_id, one.status, one.breach]),
    [[account_id, 'active', null]],
  );
});
