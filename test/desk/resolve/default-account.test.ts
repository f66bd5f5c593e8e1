import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../../cli/practice.ts';

test('each simulation remembers its own default account, chosen by name, number or id', async () => {
  using desk = new Desk();
  for (const state of ['default', 'friday'])
    await desk.perp(['sim', 'reset', '--accounts', '3', '--yes', '--state', state]);
  const accounts = await desk.json('accounts');
  const [, second, third] = accounts;
  await desk.json('accounts', 'use', second.name.toUpperCase());
  await desk.json('accounts', 'use', third.account_number, '--state', 'friday');
  const used = async (...state: string[]) => (await desk.json('accounts', 'show', ...state)).id;
  assert.deepEqual([await used(), await used('--state', 'friday')], [second.id, third.id]);
  assert.equal(await used('--account', third.name), third.id);
  const { out } = await desk.perp(['accounts', 'use', second.id, '--state', 'friday']);
  assert.match(out, /Using acc_\w+ \(.*\) on SIM friday, synthetic/);
  assert.equal((await desk.json('config', 'list'))['sim.account.friday'], second.id);
});

test('an account that does not exist or whose name is shared is refused', async () => {
  using desk = new Desk();
  assert.equal((await desk.perp(['accounts', 'use', 'Nobody'])).exit, 3);
  assert.equal((await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--account', 'Nobody'])).exit, 3);
});

test('an account given by name is compared with the owner of an order', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--accounts', '2', '--yes']);
  const [first, second] = await desk.json('accounts');
  const order = await desk.json(
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--limit-price',
    '20000',
    '--account',
    first.name,
  );
  assert.equal(order.account_id, first.id);
  assert.equal((await desk.perp(['order', 'cancel', order.id, '--account', second.name])).exit, 2);
  assert.equal((await desk.perp(['order', 'cancel', order.id, '--account', first.name])).exit, 0);
});
