import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeRecord, KeyRecord } from '../../../src/exchange/store/service-tables.ts';
import { newStore } from './state-file.ts';

const key: KeyRecord = {
  hash: 'a1',
  owner: 'owner',
  environment: 'live',
  scope: 'trade',
  name: 'desk',
  kind: 'key',
  createdAt: 1_000,
  expiresAt: null,
  revokedAt: null,
};

const code: CodeRecord = {
  hash: 'c1',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  owner: 'owner',
  deviceName: 'laptop \u001b[31m',
  expiresAt: 301_000,
  usedAt: null,
  sessionHash: null,
};

test('a key is found only by its hash', (t) => {
  const { credentials } = newStore(t);
  credentials.addKey(key);
  assert.deepEqual(credentials.key('a1'), key);
  for (const hash of ['A1', 'a', '', "' OR 1=1 --"]) assert.equal(credentials.key(hash), null);
  assert.throws(() => credentials.addKey(key), /UNIQUE|constraint/);
});

test('keys are listed newest first, of one owner or environment if given', (t) => {
  const { credentials } = newStore(t);
  const session: KeyRecord = { ...key, hash: 'a2', kind: 'session', createdAt: 2_000, expiresAt: 9_000 };
  const other: KeyRecord = { ...key, hash: 'a3', owner: 'other', environment: 'test', createdAt: 1_500 };
  for (const each of [key, session, other]) credentials.addKey(each);
  for (const [filter, expected] of [
    [{}, [session, other, key]],
    [{ owner: 'owner' }, [session, key]],
    [{ environment: 'test' }, [other]],
    [{ owner: 'owner', environment: 'test' }, []],
  ] as const)
    assert.deepEqual(credentials.keys(filter), expected);
});

test('a key is revoked once and permanently', (t) => {
  const { credentials } = newStore(t);
  credentials.addKey(key);
  assert.deepEqual([credentials.revokeKey('a1', 5_000), credentials.revokeKey('a1', 6_000)], [true, false]);
  assert.equal(credentials.key('a1')?.revokedAt, 5_000);
  assert.equal(credentials.revokeKey('nobody', 5_000), false);
});

test('a code is used once, and only before it expires', (t) => {
  const { credentials } = newStore(t);
  credentials.addCode(code);
  credentials.addCode({ ...code, hash: 'c2' });
  assert.deepEqual(credentials.code('c1'), code);
  assert.equal(credentials.useCode('c1', 'session', 300_999), true);
  assert.equal(credentials.useCode('c1', 'session', 300_999), false);
  assert.equal(credentials.code('c1')?.usedAt, 300_999);
  assert.equal(credentials.useCode('c2', 'session', 301_000), false, 'expired');
  assert.equal(credentials.useCode('nobody', 'session', 1), false);
});

test('a code whose exchange failed in the end can be used again', (t) => {
  const store = newStore(t);
  store.credentials.addCode(code);
  assert.throws(() =>
    store.transaction(() => {
      assert.ok(store.credentials.useCode('c1', 'session', 2_000));
      throw new Error('the session could not be created');
    }),
  );
  assert.equal(store.credentials.useCode('c1', 'session', 3_000), true);
});

test('expired codes can be deleted', (t) => {
  const { credentials } = newStore(t);
  credentials.addCode(code);
  credentials.addCode({ ...code, hash: 'c2', expiresAt: 400_000 });
  credentials.dropExpiredCodes(301_000);
  assert.deepEqual([credentials.code('c1'), credentials.code('c2')?.hash], [null, 'c2']);
});
