import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

/** A desk with a lead, a follower at half its size, and the id of their enabled group. */
async function copying(desk: Desk): Promise<{ lead: string; follower: string; group: string }> {
  await desk.json('sim', 'reset', '--clock', 'manual', '--accounts', '2', '--seed', '1', '--yes');
  const [lead, follower] = (await desk.json('accounts')).map(({ id }: { id: string }) => id);
  await desk.json('copy', 'save', '--lead', lead, '--follower', `${follower}:0.5`, '--enable');
  const [{ config_id: group }] = await desk.json('copy');
  return { lead, follower, group };
}

async function sizes(desk: Desk, account: string): Promise<number[]> {
  return (await desk.json('positions', '--account', account)).map(({ size }: { size: number }) => size);
}

test('a copy group copies while it is enabled', async () => {
  using desk = new Desk();
  const { lead, follower, group } = await copying(desk);
  const buy = () => desk.json('order', 'place', 'BTC', 'buy', '0.02', '--account', lead, '--yes');
  await buy();
  assert.deepEqual(await sizes(desk, follower), [0.01]);
  await desk.json('copy', 'disable', group);
  await buy();
  assert.deepEqual(await sizes(desk, follower), [0.01], 'disabled, it copies nothing and closes nothing');
  await desk.json('close-all', '--account', lead, '--yes');
  await desk.json('close-all', '--account', follower, '--yes');
  await desk.json('copy', 'enable', group);
  await buy();
  assert.deepEqual(await sizes(desk, follower), [0.01]);
});

test('the end of copying is acknowledged once', async () => {
  using desk = new Desk();
  const { follower, group } = await copying(desk);
  await desk.json('copy', 'disable', group);
  const stop = async () => (await desk.json('accounts', 'policy', follower)).copy_stop;
  assert.equal((await stop()).acknowledged_at, null);
  await desk.json('accounts', 'acknowledge-copy-stop', follower);
  const { acknowledged_at: time } = await stop();
  assert.ok(time > 0);
  await desk.perp(['accounts', 'acknowledge-copy-stop', follower]);
  assert.equal((await stop()).acknowledged_at, time);
});

test('only a disabled copy group is deleted, and only after a yes', async () => {
  using desk = new Desk();
  const { group } = await copying(desk);
  const enabled = await desk.perp(['copy', 'delete', group, '--yes', '--json']);
  assert.deepEqual([enabled.exit, enabled.error.rule_id], [5, 'copy-group-enabled']);
  await desk.json('copy', 'disable', group);
  assert.equal((await desk.perp(['copy', 'delete', group])).exit, 2, 'nobody is there to answer');
  assert.equal((await desk.json('copy')).length, 1);
  const { exit, out } = await desk.perp(['copy', 'delete', group, '--yes']);
  assert.equal(exit, 0);
  assert.match(out, new RegExp(`^Deleted ${group}\\.$`, 'm'));
  assert.deepEqual(await desk.json('copy'), []);
});
