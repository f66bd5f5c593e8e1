import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

test('the carry that the day shows is what the ledger books by the end of the day, at the marks of each hour', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '20%', '--yes');
  const { ahead, review: before } = await desk.json('day');
  await desk.json('sim', 'advance', `${ahead.ends_at - ahead.time}ms`);
  const paid = (await desk.json('positions'))[0].funding - before.carry;
  assert.ok(Math.abs(paid / ahead.carry - 1) < 0.1, `${paid} of ${ahead.carry}`);
});
