import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';
import { around, recordingOf } from './recording.ts';

test('without a choice, a command means the only account, or the only active one; otherwise it asks for a choice', async () => {
  using desk = new Desk();
  const recording = [
    '--books',
    recordingOf(desk.folder, [96_000, 96_000, 92_900, 92_900].map(around)),
    '--clock',
    'manual',
  ];
  await desk.perp(['sim', 'reset', '--accounts', '2', ...recording, '--yes']);
  await desk.json('sim', 'advance', '1s');
  const [second, first] = await desk.json('accounts');
  const buy = (size: string, ...more: string[]) => desk.perp(['order', 'place', 'BTC', 'buy', size, ...more, '--json']);
  const undecided = await buy('1');
  assert.equal(undecided.exit, 2);
  assert.match(
    undecided.error.message,
    /several accounts:\n {2}acc_\w+ \(Challenge 2, active\)\n {2}acc_\w+ \(Challenge 1, active\)$/,
  );
  assert.equal((await buy('1', '--account', first.id)).exit, 0);
  await desk.json('sim', 'advance', '2s');
  assert.deepEqual(
    (await desk.json('accounts')).map(({ status }: { status: string }) => status),
    ['active', 'failed'],
  );
  const bought = await buy('0.01');
  assert.deepEqual([bought.exit, bought.json?.account_id], [0, second.id], bought.err);
  assert.equal((await buy('0.01', '--account', first.id)).exit, 5, 'an account that is named is meant, active or not');
});

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
  assert.equal(await desk.json('config', 'get', 'sim.account.friday'), second.id);
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
