import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inProcessTransport } from '../../src/service/public.ts';
import { healthOf, stateHealth } from '../../src/service/state/state-health.ts';
import { beginning } from '../seed.ts';
import { temporaryDirectory } from './temporary-directory.ts';

test('every state of a folder is checked, in order of name, and nothing else in it', async (t) => {
  const stateDir = temporaryDirectory(t);
  for (const state of ['friday', 'default']) (await inProcessTransport({ stateDir, state, beginning })).close();
  for (const name of ['notes.txt', '.hidden.db', 'copy.db.backup']) writeFileSync(join(stateDir, name), 'mine');
  writeFileSync(join(stateDir, 'torn.db'), 'not a database');
  const health = stateHealth(stateDir);
  assert.deepEqual(
    health.map(({ state }) => state),
    ['default', 'friday', 'torn'],
  );
  assert.deepEqual(healthOf(stateDir, 'friday'), health[1]);
});

test('the size of a state includes its log', async (t) => {
  const stateDir = temporaryDirectory(t);
  const opened = await inProcessTransport({ stateDir, state: 'default', beginning });
  t.after(() => opened.close());
  const { file, sizeBytes } = healthOf(stateDir, 'default');
  const [main, log] = [statSync(file).size, statSync(`${file}-wal`).size];
  assert.ok(log > 0);
  assert.equal(sizeBytes, main + log);
});

test('a folder that does not exist has no states; one that is a file is an error', (t) => {
  const folder = temporaryDirectory(t);
  assert.deepEqual(stateHealth(join(folder, 'none')), []);
  writeFileSync(join(folder, 'file'), '');
  assert.throws(() => stateHealth(join(folder, 'file')), /ENOTDIR/);
});
