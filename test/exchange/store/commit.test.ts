import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { GroupCommit } from '../../../src/exchange/store/commit.ts';
import { StoreError } from '../../../src/exchange/store/errors.ts';
import { untilFree } from '../../../src/exchange/store/state-database.ts';
import { Store } from '../../../src/exchange/store/store.ts';
import { account, changes, order } from './samples.ts';
import { newStore, temporaryFile } from './state-file.ts';

/** Handle with which a test sees what is committed, as another process would. */
function onlooker(t: Parameters<typeof newStore>[0], store: Store): Store {
  const other = Store.open(store.file);
  t.after(() => other.close());
  return other;
}

test('work submitted in one turn is committed together, in order, and no promise resolves before the commit', async (t) => {
  const store = newStore(t);
  const other = onlooker(t, store);
  const group = new GroupCommit(store);
  const ran: number[] = [];
  const seen: (string | null)[] = [];
  const results = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const result = await group.submit(() => {
        ran.push(number);
        seen.push(other.setting('last'));
        store.setSetting('last', String(number));
        return number * 10;
      });
      assert.equal(other.setting('last'), '3', 'committed with its group');
      return result;
    }),
  );
  assert.deepEqual(
    [results, ran, seen],
    [
      [10, 20, 30],
      [1, 2, 3],
      [null, null, null],
    ],
  );
  assert.ok(other.changedElsewhere());
});

test('an item that throws rejects with its error and loses only its own writes', async (t) => {
  const store = newStore(t);
  const rollbacks: string[] = [];
  const group = new GroupCommit(store, { onRollback: () => rollbacks.push(store.setting('a') ?? '') });
  const boom = new Error('boom');
  const outcomes = await Promise.allSettled([
    group.submit(() => store.setSetting('a', 'kept')),
    group.submit(() => {
      store.setSetting('a', 'undone');
      store.setSetting('b', 'undone');
      throw boom;
    }),
    group.submit(() => store.setting('a')),
  ]);
  assert.deepEqual(outcomes, [
    { status: 'fulfilled', value: undefined },
    { status: 'rejected', reason: boom },
    { status: 'fulfilled', value: 'kept' },
  ]);
  assert.deepEqual(rollbacks, ['kept'], 'reported right after the rollback, before the next item runs');
  assert.deepEqual([store.setting('a'), store.setting('b')], ['kept', null]);
});

test('a group has a maximum size; the rest is committed after it', async (t) => {
  const store = newStore(t);
  const other = onlooker(t, store);
  const group = new GroupCommit(store, { maxItems: 4 });
  const committedBefore: number[] = [];
  const all = Array.from({ length: 10 }, (_, index) =>
    group.submit(() => {
      committedBefore.push(Number(other.setting('count') ?? 0));
      store.setSetting('count', String(index + 1));
    }),
  );
  assert.equal(group.waiting, 10);
  await Promise.all(all);
  assert.deepEqual(committedBefore, [0, 0, 0, 0, 4, 4, 4, 4, 8, 8]);
  assert.equal(group.waiting, 0);
});

test('waiting work can be committed immediately', async (t) => {
  const store = newStore(t);
  const group = new GroupCommit(store);
  const submitted = group.submit(() => store.setSetting('a', '1'));
  group.flush();
  assert.equal(store.setting('a'), '1');
  await submitted;
});

test('when another process locks the state for too long, the whole group rejects and nothing runs', async (t) => {
  const holder = newStore(t);
  const store = Store.open(holder.file, { busyTimeoutMs: 10 });
  t.after(() => store.close());
  const group = new GroupCommit(store, { onRollback: () => assert.fail('nothing was rolled back') });
  const outcomes = [1, 2].map(() => group.submit(() => assert.fail('not reached')));
  holder.transaction(() => group.flush());
  for (const outcome of outcomes)
    await assert.rejects(outcome, (error) => error instanceof StoreError && error.kind === 'busy');
  await group.submit(() => store.setSetting('a', 'later'));
  assert.equal(holder.setting('a'), 'later', 'and the next group is fine');
});

test('what meets a lock that SQLite does not wait for is tried again; another error is not', () => {
  const errors = [new StoreError('busy', 'f', 'locked'), new StoreError('busy', 'f', 'locked')];
  let tries = 0;
  const work = () => {
    tries += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'done';
  };
  assert.deepEqual([untilFree(work), tries], ['done', 3]);
  for (const error of [new StoreError('corrupt', 'f', 'damaged'), new TypeError('a bug')]) {
    errors.push(error as StoreError);
    tries = 0;
    assert.throws(() => untilFree(work), error);
    assert.equal(tries, 1);
  }
});

test('a full disk rejects everything that was not committed, and everything acknowledged is there', async (t) => {
  const file = temporaryFile(t);
  newStore(t, file).close();
  const store = Store.open(file, { maxPages: statSync(file).size / 4_096 + 12 });
  t.after(() => store.close());
  store.transaction(() => store.write(changes({ accounts: [account()] })));
  let rollbacks = 0;
  const group = new GroupCommit(store, { onRollback: () => rollbacks++, maxItems: 16 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 400 }, (_, index) =>
      group.submit(() => {
        store.write(changes({ orders: [order(index + 1)] }));
        return index + 1;
      }),
    ),
  );
  const acknowledged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  assert.ok(acknowledged.length > 0 && refused.length > 0 && rollbacks > 0);
  assert.ok(refused.every((reason) => reason instanceof StoreError && reason.kind === 'full'));
  assert.deepEqual(
    store.loadOpenState()!.orders.map(({ sequence }) => sequence),
    acknowledged,
  );
});
