import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetAccounts } from '../../src/service/handlers/admin.ts';
import { beginTally } from '../../src/service/present/run-tally.ts';
import { ask, served, trading } from './serving.ts';

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

test('whoever sets up a simulation presets the accounts of an environment, and reads and changes those of both', async (t) => {
  const serving = await served(t);
  const { simulation, baseUrl, key } = serving;
  const accountIn = (environment: 'test' | 'live') =>
    simulation.read(({ store }) => store.accounts('local', environment))[0]!.id;
  const [tested, live] = [accountIn('test'), accountIn('live')];
  presetAccounts(simulation, 'test', 'observed');
  const policyOf = async (id: string) => (await ask(`${baseUrl}/sim/policy?account_id=${id}`, key)).body.data;
  assert.equal((await policyOf(tested)).observed.slippage_caps, true);
  assert.equal((await policyOf(live)).observed.slippage_caps, false);
  const json = { account_id: tested, slippage_min_bps: 5 };
  assert.equal((await ask(`${baseUrl}/sim/policy`, key, { method: 'POST', json })).status, 200);
  assert.equal((await policyOf(tested)).slippage_tolerance_bps.min, 5);
});
