import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentNamedBy, hashSecret, newKey } from '../../src/service/keys.ts';

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
