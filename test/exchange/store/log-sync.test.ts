import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { Store } from '../../../src/exchange/store/store.ts';
import { newStore, temporaryFile } from './state-file.ts';

test('a store that syncs later says what is not on disk yet; commits during a sync share the next one', async (t) => {
  const store = newStore(t);
  assert.equal(store.unsynced(), null, 'a commit returns once it is on disk');
  store.syncLater(() => assert.fail('nothing is lost'));
  assert.deepEqual([store.unsynced(), store.syncing()], [null, null]);
  store.setSetting('a', '1');
  const first = store.unsynced();
  assert.ok(first !== null && store.syncing() === first);
  store.setSetting('a', '2');
  const second = store.unsynced();
  store.setSetting('a', '3');
  assert.ok(second !== null && second !== first && store.unsynced() === second);
  assert.equal(store.syncing(), first);
  await first;
  assert.equal(store.syncing(), second);
  await second;
  assert.deepEqual([store.unsynced(), store.syncing()], [null, null]);
});

test('closing a store leaves no promise open: what was not synced is in doubt', async (t) => {
  const file = temporaryFile(t);
  newStore(t, file).close();
  const store = Store.open(file);
  store.syncLater(() => {});
  store.setSetting('a', '1');
  const unsynced = store.unsynced()!;
  store.close();
  await assert.rejects(unsynced, { kind: 'in_doubt' });
});

test('if the file is deleted before a commit is synced, the commit is in doubt', async (t) => {
  const store = newStore(t);
  let lost = 0;
  store.syncLater(() => lost++);
  store.setSetting('a', '1');
  const unsynced = store.unsynced()!;
  for (const suffix of ['', '-wal', '-shm']) rmSync(store.file + suffix);
  await assert.rejects(unsynced, { kind: 'in_doubt' });
  assert.equal(lost, 1);
  assert.throws(() => store.setSetting('a', '2'), { kind: 'moved' });
  assert.throws(() => store.setting('a'), { kind: 'moved' });
});
