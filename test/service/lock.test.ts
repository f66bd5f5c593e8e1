import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runningService, ServeLock, writeServiceFile } from '../../src/service/state/service-file.ts';
import { stateFiles } from '../../src/service/state/state-directory.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const lockModule = new URL('../../src/service/state/service-file.ts', import.meta.url).href;

test('a lock has one holder until it is released', (t) => {
  const file = join(temporaryDirectory(t), 'a.lock');
  assert.equal(ServeLock.isHeld(file), false);
  const lock = ServeLock.acquire(file);
  assert.ok(lock);
  assert.equal(ServeLock.isHeld(file), true);
  assert.equal(ServeLock.acquire(file), null);
  lock.release();
  assert.equal(ServeLock.isHeld(file), false);
  ServeLock.acquire(file)!.release();
});

test('a file that can’t be used as a lock is named in the error', (t) => {
  const file = join(temporaryDirectory(t), 'a.lock');
  writeFileSync(file, 'somebody else wrote this here, and at some length'.repeat(100));
  for (const ask of [ServeLock.acquire, ServeLock.isHeld]) {
    assert.throws(() => ask(file), { name: 'StoreError', kind: 'corrupt', message: /a\.lock/ });
  }
});

test('a lock ends with its process, however it dies, and a leftover service file is not trusted', async (t) => {
  const directory = temporaryDirectory(t);
  const files = stateFiles(directory, 'default');
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { ServeLock } = await import(${JSON.stringify(lockModule)});
     globalThis.kept = ServeLock.acquire(process.argv[1]);
     setInterval(() => {}, 1000);
     console.log('held');`,
    files.lock,
  ]);
  await once(holder.stdout, 'data');
  const running = {
    state: 'default',
    pid: holder.pid!,
    baseUrl: 'http://127.0.0.1:1',
    sandboxUrl: 'http://127.0.0.1:2',
    source: 'synthetic',
    firstTime: null,
    key: 'k',
  };
  writeServiceFile(files, running);
  assert.equal(statSync(files.service).mode & 0o777, 0o600);
  assert.deepEqual(await runningService(directory, 'default'), running);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.equal(ServeLock.isHeld(files.lock), false);
  assert.equal(await runningService(directory, 'default'), null);
});
