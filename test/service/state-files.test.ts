import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from '../../src/exchange/store/errors.ts';
import { openSimulation, runningService, stateHealth } from '../../src/service/public.ts';
import { serve } from '../../src/service/serve.ts';
import { assertLocksWork } from '../../src/service/state/lock-probe.ts';
import { makeStateDirectory, stateFiles } from '../../src/service/state/state-directory.ts';
import { cannotFail, FaultyDisk } from '../faulty-disk/faulty-disk.ts';
import { test, trial } from '../tiers.ts';
import { ask, served } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const posix = { skip: process.platform === 'win32' ? 'no pipes in folders on this system' : false };

const isRefusal = (error: unknown, kind: string, words: RegExp) => {
  assert.ok(error instanceof StoreError, String(error));
  assert.equal(error.kind, kind);
  assert.match(error.message, words);
  return true;
};

test('a pipe or a device in place of a state’s file is refused without waiting', posix, async (t) => {
  const put: Record<string, (path: string) => void> = {
    pipe: (path) => assert.equal(spawnSync('mkfifo', [path]).status, 0),
    device: (path) => symlinkSync('/dev/zero', path),
  };
  for (const [what, make] of Object.entries(put)) {
    for (const ending of ['db', 'db-wal', 'db-shm', 'db-journal', 'lock']) {
      const stateDir = temporaryDirectory(t);
      const path = join(stateDir, `default.${ending}`);
      make(path);
      const open = ending === 'lock' ? serve({ stateDir, port: 0, sandboxPort: 0 }) : openSimulation({ stateDir });
      await assert.rejects(open, (error) => isRefusal(error, 'special', /is not a regular file/), `${what} ${ending}`);
      if (ending !== 'db') continue;
      const [health] = stateHealth(stateDir);
      assert.equal(health!.problem!.kind, 'special');
    }
    const stateDir = temporaryDirectory(t);
    make(stateFiles(stateDir, 'default').service);
    assert.equal(await runningService(stateDir, 'default'), null);
  }
});

/** Ways to take a database, or part of it, away from a running service. */
const thefts: Record<string, (file: string) => void> = {
  deleted: (file) => rmSync(file),
  'deleted with its log': (file) => {
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending);
  },
  'stripped of its log': (file) => rmSync(`${file}-wal`),
  'moved away': (file) => renameSync(file, `${file}.moved`),
  'replaced by a copy': (file) => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  },
};

for (const [what, steal] of Object.entries(thefts)) {
  test(
    `a database that is ${what} while it is served is noticed: nothing is acknowledged from then on`,
    posix,
    async (t) => {
      const stateDir = temporaryDirectory(t);
      const trouble: StoreError[] = [];
      const serving = await served(t, { stateDir, onTrouble: (error) => trouble.push(error) });
      const { baseUrl, key } = serving;
      const account_id = (await ask(`${baseUrl}/v1/accounts`, key)).body.data[0].id;
      const terms = {
        account_id,
        market_id: 'binance|BTCUSDT',
        side: 'buy',
        size: 0.01,
        leverage: 1,
        margin_mode: 'cross',
      };
      const place = () => ask(`${baseUrl}/v1/orders`, key, { method: 'POST', json: terms });
      assert.equal((await place()).status, 201);
      steal(join(stateDir, 'default.db'));
      for (let time = 0; time < 2; time++) {
        const { status, body } = await place();
        assert.deepEqual([status, body.error.code], [503, 'unavailable']);
        assert.match(body.error.message, /default\.db was deleted or replaced while it was in use.*start again/);
      }
      assert.deepEqual(
        trouble.map(({ kind }) => kind),
        ['moved'],
        'reported once',
      );
    },
  );
}

test('a database deleted between requests is noticed by the clock', posix, async (t) => {
  const stateDir = temporaryDirectory(t);
  const noticed = Promise.withResolvers<StoreError>();
  await served(t, { stateDir, onTrouble: noticed.resolve });
  rmSync(join(stateDir, 'default.db'));
  const error = await Promise.race([noticed.promise, delay(60_000, null, { ref: false })]);
  assert.equal(error?.kind, 'moved');
});

test('a folder on a file system with locks can hold states', (t) => {
  assert.doesNotThrow(() => assertLocksWork(temporaryDirectory(t)));
});

trial(
  'a folder on a file system without locks is refused, whether locking fails or only seems to work',
  {
    skip: cannotFail,
  },
  (t) => {
    const disk = new FaultyDisk();
    t.after(() => disk.remove());
    const folder = temporaryDirectory(t);
    const module = new URL('../../src/service/state/lock-probe.ts', import.meta.url).href;
    const script = `const { assertLocksWork } = await import('${module}');
    try { assertLocksWork(process.argv[1]); } catch (error) { console.log(error.kind, error.message); }`;
    for (const locks of ['refused', 'ignored']) {
      const env = { ...process.env, ...disk.variables(folder), FAULTY_DISK_LOCKS: locks };
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, folder], {
        env,
        encoding: 'utf8',
      });
      assert.match(
        stdout,
        /^no_locks The file system of .* does not support file locks.*PERP_STATE_DIR/,
        `${locks}: ${stderr}`,
      );
    }
  },
);

trial('the folder of a state is safely on disk before anything is in it', { skip: cannotFail }, (t) => {
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const folder = temporaryDirectory(t);
  const module = new URL('../../src/service/state/state-directory.ts', import.meta.url).href;
  const script = `const { makeStateDirectory } = await import('${module}'); makeStateDirectory(process.argv[1]);`;
  disk.arm({ at: 100, onlySyncs: true });
  const made = join(folder, 'above', 'state');
  const env = { ...process.env, ...disk.variables(folder) };
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, made], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.equal(disk.calls, 2, 'both folders above a new one were synced');
  makeStateDirectory(made);
  writeFileSync(join(made, 'file'), '');
});
