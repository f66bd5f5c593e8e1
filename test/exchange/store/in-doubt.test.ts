import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Counts } from '../../../src/exchange/store/counts.ts';
import { commitFailure, StoreError } from '../../../src/exchange/store/errors.ts';
import { StateDatabase } from '../../../src/exchange/store/state-database.ts';
import { Store } from '../../../src/exchange/store/store.ts';
import { cannotFail, type DiskFault, FaultyDisk } from '../../faulty-disk/faulty-disk.ts';
import { test, trial } from '../../tiers.ts';
import { newStore, temporaryFile } from './state-file.ts';

const program = fileURLToPath(new URL('programs/commit-on-request.ts', import.meta.url));

/** A process that commits on request, on a disk that fails on request. */
async function committer(t: Parameters<typeof temporaryFile>[0]) {
  const disk = new FaultyDisk();
  t.after(() => disk.remove());
  const file = temporaryFile(t);
  newStore(t, file).close();
  const child = spawn(process.execPath, [program, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...disk.variables(dirname(file)) },
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  assert.equal(await next(), 'ready');
  return {
    file,
    async commit(word: string, fault?: DiskFault): Promise<string> {
      disk.arm(fault);
      child.stdin.write(`${word}\n`);
      return next();
    },
    repair: () => disk.arm(),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

trial(
  'a COMMIT whose sync fails is in doubt; the next read sees its final outcome',
  {
    skip: cannotFail,
  },
  async (t) => {
    const { file, commit, kill } = await committer(t);
    assert.equal(await commit('one'), 'done, then one');
    assert.equal(await commit('two', { at: 1, onlySyncs: true }), 'in_doubt, then one');
    await kill();
    const store = Store.open(file);
    t.after(() => store.close());
    assert.equal(store.setting('said'), 'one', 'what was read after the doubt is still true after a kill');
  },
);

trial(
  'while the disk fails, nothing can be read either; once it works again, the state is usable',
  {
    skip: cannotFail,
  },
  async (t) => {
    const { commit, repair } = await committer(t);
    assert.equal(await commit('one'), 'done, then one');
    assert.match(await commit('two', { at: 1, onlySyncs: true, isPersistent: true }), /^in_doubt, then (io|in_doubt)$/);
    repair();
    const ended = await commit('three');
    assert.equal(ended, 'done, then three');
  },
);

trial(
  'a log left unsynced by a killed process counts once it is on disk',
  {
    skip: cannotFail,
  },
  async (t) => {
    const { file, commit, kill } = await committer(t);
    await commit('one');
    await commit('two', { at: 1, onlySyncs: true, isPersistent: true });
    await kill();
    const read = () => {
      const store = Store.open(file);
      try {
        return store.setting('said');
      } finally {
        store.close();
      }
    };
    const found = read();
    assert.match(found!, /^(one|two)$/);
    assert.equal(read(), found);
  },
);

test('what a COMMIT that fails would have written is forgotten, also in memory', (t) => {
  const file = temporaryFile(t);
  newStore(t, file).close();
  const database = new StateDatabase(file);
  t.after(() => database.close());
  const counts = new Counts(database);
  const open = () => Number(database.prepare('SELECT open_orders FROM counts').row()![0]);
  database.transaction(() => counts.note('orders', { id: 'ord_1', status: 'resting' }));
  assert.equal(open(), 1);
  // A broken reference that counts only at COMMIT.
  database.execute('CREATE TEMP TABLE one (id PRIMARY KEY)');
  database.execute('CREATE TEMP TABLE other (one REFERENCES one DEFERRABLE INITIALLY DEFERRED)');
  const failing = () => {
    counts.note('orders', { id: 'ord_2', status: 'resting' });
    database.execute('INSERT INTO other VALUES (1)');
  };
  assert.throws(() => database.transaction(failing), /FOREIGN KEY constraint failed/);
  assert.equal(open(), 1);
  database.transaction(() => counts.note('orders', { id: 'ord_3', status: 'resting' }));
  assert.equal(open(), 1, 'the table has no other row');
});

test('only an error before SQLite writes the commit is a plain failure', () => {
  const kind = (errcode: number) => {
    const failure = commitFailure(Object.assign(new Error('it failed'), { errcode }), '/state.db');
    return failure instanceof StoreError ? failure.kind : failure;
  };
  const [busy, full, sync, shm, noMemory] = [5, 13, 10 | (4 << 8), 10 | (21 << 8), 7];
  assert.deepEqual([busy, full].map(kind), ['busy', 'full']);
  assert.deepEqual([sync, shm, noMemory].map(kind), ['in_doubt', 'in_doubt', 'in_doubt']);
  assert.equal(kind(undefined as unknown as number), 'in_doubt', 'and an error that is not from SQLite');
});
