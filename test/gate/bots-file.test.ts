import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BotsFile } from '../../src/gate/bots-file.ts';
import { temporaryDirectory } from '../service/temporary-directory.ts';

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
