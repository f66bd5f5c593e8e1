import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentNamedBy, hashSecret, newKey } from '../../src/wire/hosting/keys.ts';
import { ask, served } from './serving.ts';

test('a key starts with its prefix and its environment', () => {
  const cases: [Parameters<typeof newKey>, RegExp][] = [
    [['live'], /^sim_live_[A-Za-z0-9_-]{43}$/],
    [['test'], /^sim_test_[A-Za-z0-9_-]{43}$/],
    [['live', 'pt'], /^pt_live_/],
    [['test', 'pt_'], /^pt_test_/],
    [['live', 'pt_live_'], /^pt_live_[A-Za-z0-9_-]{43}$/],
    [['live', ''], /^live_/],
  ];
  for (const [parameters, expected] of cases) assert.match(newKey(...parameters), expected);
});

test('a key contains its environment', () => {
  assert.equal(environmentNamedBy(newKey('live')), 'live');
  assert.equal(environmentNamedBy(newKey('test', 'my_')), 'test');
  for (const other of ['', 'sim_', 'abc', 'livetest', 'sim_live']) assert.equal(environmentNamedBy(other), null);
});

test('no two keys are the same, and a hash reveals nothing about its key', () => {
  assert.notEqual(newKey('live'), newKey('live'));
  assert.match(hashSecret('a'), /^[0-9a-f]{64}$/);
});

test('a key that is revoked, or expires, is refused from then on; a revoked one never comes back', async (t) => {
  const serving = await served(t);
  const issue = async () =>
    (await ask(`${serving.baseUrl}/sim/keys`, serving.key, { method: 'POST', json: {} })).body.data;
  const change = (id: string, json: object) =>
    ask(`${serving.baseUrl}/sim/keys/${id}`, serving.key, { method: 'POST', json });
  const statusWith = async (key: string) => (await ask(`${serving.baseUrl}/v1/accounts`, key)).status;
  const [revoked, expired] = [await issue(), await issue()];
  assert.deepEqual([await statusWith(revoked.api_key), await statusWith(expired.api_key)], [200, 200]);
  assert.equal((await change(revoked.key.id, { revoked: true })).status, 200);
  assert.equal((await change(expired.key.id, { expires_at: Date.now() - 1 })).status, 200);
  assert.deepEqual([await statusWith(revoked.api_key), await statusWith(expired.api_key)], [401, 401]);
  assert.equal((await change(expired.key.id, { expires_at: Date.now() + 60_000 })).status, 200);
  assert.equal(await statusWith(expired.api_key), 200, 'valid until then');
  assert.equal((await change(revoked.key.id, { expires_at: Date.now() + 60_000 })).status, 409);
  assert.equal((await change('key_none', { revoked: true })).status, 404);
  assert.equal((await change(revoked.key.id, {})).status, 400);
});
