import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { StoreError } from '../../src/exchange/store/errors.ts';
import { Store } from '../../src/exchange/store/store.ts';
import { Batches } from '../../src/service/state/batches.ts';
import { account, changes, order } from '../exchange/store/samples.ts';
import { newStore, temporaryFile } from '../exchange/store/state-file.ts';

/** Handle with which a test sees what is committed, as another process would. */
function onlooker(t: Parameters<typeof newStore>[0], store: Store): Store {
  const other = Store.open(store.file);
  t.after(() => other.close());
  return other;
}

/** Pieces of work, each on its own. */
function batchesOf(store: Store): Batches<null> {
  return new Batches<null>(store, {
    perform: (works) => store.transaction(() => works.map((work) => work(null))),
    onCommit() {},
  });
}

test('work submitted in one turn is committed together, in order, and no promise resolves before the commit', async (t) => {
  const store = newStore(t);
  const other = onlooker(t, store);
  const group = batchesOf(store);
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

test('when another process locks the state for too long, the whole group rejects and nothing runs', async (t) => {
  const holder = newStore(t);
  const store = Store.open(holder.file, { busyTimeoutMs: 10 });
  t.after(() => store.close());
  const lock = new DatabaseSync(holder.file);
  t.after(() => lock.close());
  const group = batchesOf(store);
  lock.exec('BEGIN IMMEDIATE');
  const outcomes = [1, 2].map(() => group.submit(() => assert.fail('not reached')));
  for (const outcome of outcomes)
    await assert.rejects(outcome, (error) => error instanceof StoreError && error.kind === 'busy');
  lock.exec('ROLLBACK');
  await group.submit(() => store.setSetting('a', 'later'));
  assert.equal(holder.setting('a'), 'later', 'and the next group is fine');
});

test('a full disk rejects everything that was not committed, and everything acknowledged is there', async (t) => {
  const file = temporaryFile(t);
  newStore(t, file).close();
  const store = Store.open(file, { maxPages: statSync(file).size / 4_096 + 12 });
  t.after(() => store.close());
  store.transaction(() => store.write(changes({ accounts: [account()] })));
  const group = batchesOf(store);
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
  assert.ok(acknowledged.length > 0 && refused.length > 0);
  assert.ok(refused.every((reason) => reason instanceof StoreError && reason.kind === 'full'));
  assert.deepEqual(
    store.loadOpenState()!.orders.map(({ sequence }) => sequence),
    acknowledged,
  );
});
