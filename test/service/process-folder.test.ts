import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processFolder } from '../../src/service/state/process-folder.ts';
import { ServeLock } from '../../src/service/state/service-file.ts';
import { temporaryFolder } from '../exchange/markets/recording-file.ts';

/** No system has processes with such numbers. */
const nobody = 2 ** 30;

test('a process’s folder replaces those that killed ones have left, and no others', (t) => {
  const root = temporaryFolder(t);
  const left = (name: string, lock?: 'free' | 'held') => {
    mkdirSync(join(root, name));
    if (lock === 'free') writeFileSync(join(root, name, 'process.lock'), '');
    if (lock === 'held') {
      const held = ServeLock.acquire(join(root, name, 'process.lock'))!;
      t.after(() => held.release());
    }
    return name;
  };
  const old = left(`run-${nobody}-neverlocked`);
  utimesSync(join(root, old), 1, 1);
  const kept = [
    left(`run-${nobody}-elsewhere`, 'held'),
    left(`run-${nobody}-beginning`),
    left(`run-${process.pid}-ours`, 'free'),
    left(`other-${nobody}-a`, 'free'),
    left('run-notes'),
  ];
  left(`run-${nobody}-killed`, 'free');
  const { folder, unlock, remove } = processFolder(root, 'run-');
  assert.deepEqual(readdirSync(root).sort(), [...kept, folder.slice(root.length + 1)].sort());
  assert.ok(ServeLock.isHeld(join(folder, 'process.lock')));
  writeFileSync(join(folder, 'kept'), '');
  unlock();
  const copy = processFolder(root, 'run-', folder);
  assert.ok(existsSync(join(copy.folder, 'kept')) && ServeLock.isHeld(join(copy.folder, 'process.lock')));
  copy.remove();
  remove();
  assert.deepEqual(readdirSync(root).sort(), kept.sort());
});
