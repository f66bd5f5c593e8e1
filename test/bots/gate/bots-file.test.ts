import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BotsFile, isValid } from '../../../src/bots/gate/bots-file.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';

test('what two processes change in the file of bots at the same moment is all in it', (t) => {
  const folder = temporaryDirectory(t);
  const [gate, command] = [new BotsFile(folder), new BotsFile(folder)];
  gate.add('grid', 'live', 1, 10);
  assert.deepEqual(gate.stoppedSince('grid'), undefined);
  const { key } = command.add('scalper', 'live', 2, 10);
  gate.stop('grid', 3);
  assert.equal(new BotsFile(folder).validKey('scalper', 3)?.id, key.id);
  assert.equal(command.stoppedSince('grid'), 3);
});

test('a change of the file of bots by another process counts from the next turn of the event loop', async (t) => {
  const folder = temporaryDirectory(t);
  const [gate, command] = [new BotsFile(folder), new BotsFile(folder)];
  const { text } = command.add('grid', 'live', 1, 10);
  assert.equal(gate.key(text)?.revoked_at, null);
  command.revoke('grid', 2);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gate.key(text)?.revoked_at, 2);
});

test('a key of a bot counts until the moment at which it expires, unless it is revoked', (t) => {
  const file = new BotsFile(temporaryDirectory(t));
  const { key } = file.add('grid', 'live', 1, 10);
  assert.equal(key.expires_at, 10);
  assert.deepEqual(
    [9, 10].map((now) => file.validKey('grid', now)?.id),
    [key.id, undefined],
  );
  assert.ok(!isValid({ revoked_at: 5, expires_at: 10 }, 5));
});

test('a revoked or replaced key is found by nobody: neither by its id nor by its bot', (t) => {
  const file = new BotsFile(temporaryDirectory(t));
  const first = file.add('grid', 'live', 1, 10).key;
  file.add('scalper', 'live', 1, 10);
  assert.equal(file.revoke(first.id, 2)?.bot, 'grid');
  assert.equal(file.revoke(first.id, 3), undefined);
  assert.equal(file.revoke('grid', 3), undefined);
  const second = file.add('grid', 'live', 4, 9).key;
  const third = file.add('grid', 'live', 5, 9).key;
  assert.equal(file.keys().find(({ id }) => id === second.id)?.revoked_at, 5);
  assert.equal(file.validKey('grid', 5)?.id, third.id);
  assert.equal(file.validKey('scalper', 5)?.bot, 'scalper');
});

test('a bot that is stopped stays so since the first stop, until it is resumed', (t) => {
  const file = new BotsFile(temporaryDirectory(t));
  assert.equal(file.resume('grid'), false);
  file.stop('grid', 1);
  file.stop('grid', 2);
  assert.deepEqual([file.stoppedSince('grid'), file.stoppedSince('scalper')], [1, undefined]);
  file.stop(undefined, 3);
  assert.equal(file.stoppedSince('scalper'), 3);
  assert.equal(file.resume('scalper'), false, 'the stop of all stops it');
  assert.equal(file.resume('grid'), true);
  assert.equal(file.stoppedSince('grid'), 3);
  assert.equal(file.resume(undefined), true);
  assert.equal(file.stoppedSince('grid'), undefined);
});
