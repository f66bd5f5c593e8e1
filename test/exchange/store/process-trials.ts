import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Store } from '../../../src/exchange/store/store.ts';
import { runTogether, start } from './programs.ts';
import { account, changes, filledOrder } from './samples.ts';
import { newStore, temporaryFile } from './state-file.ts';

/** How often, by how many processes at once, and with how many kills. */
interface ProcessTrials {
  readonly rounds: number;
  readonly processes: number;
  readonly kills: number;
}

/** Processes that create, migrate and write the same state concurrently, and that are killed while they write. */
export function processTrials({ rounds, processes, kills }: ProcessTrials): void {
  test('several processes create the same new state at once: all succeed, one creates it', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const file = temporaryFile(t);
      const printed = await runTogether(Array.from({ length: processes }, () => ['open-new', file]));
      assert.deepEqual(
        printed,
        Array.from({ length: processes }, () => ['1']),
      );
    }
  });

  test('several processes migrate the same older state at once: all succeed, and each step is applied once', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const file = temporaryFile(t);
      await runTogether([['migrate', file, '1']]);
      const printed = await runTogether(Array.from({ length: processes }, () => ['migrate', file, '5']));
      assert.deepEqual(
        printed,
        Array.from({ length: processes }, () => ['version 5, 4 rows']),
      );
    }
  });

  test(`a process killed ${kills} times while writing loses nothing that it acknowledged and leaves nothing half done`, async (t) => {
    const { file } = newStore(t);
    const opened = Store.open(file);
    opened.transaction(() => opened.write(changes({ accounts: [account()] })));
    opened.close();
    let next = 1;
    for (let kill = 0; kill < kills; kill++) {
      const acknowledged = await killWhileWriting(file, next, 20 + ((kill * 37) % 150));
      next = checkAfterKill(file, next, acknowledged);
    }
  });
}

/** Lets a process write until it has acknowledged a number of orders, kills it, and returns everything acknowledged. */
async function killWhileWriting(file: string, from: number, count: number): Promise<number[]> {
  const { child, lines, errors } = start('write-orders', file, String(from));
  const ended = once(child, 'close');
  const acknowledged: number[] = [];
  for await (const line of lines) {
    acknowledged.push(Number(line));
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  assert.deepEqual(await ended, [null, 'SIGKILL'], errors());
  return acknowledged;
}

/**
 * Checks that the file is sound, that every acknowledged order is there with all its records, and that every other one
 * is complete or absent.
 */
function checkAfterKill(file: string, from: number, acknowledged: number[]): number {
  const database = new DatabaseSync(file);
  assert.equal(database.prepare('PRAGMA integrity_check').get()!.integrity_check, 'ok');
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
  database.close();
  const store = Store.open(file);
  try {
    const { sequence: last } = store.loadOpenState()!;
    assert.ok(last >= Math.max(...acknowledged), 'nothing acknowledged is missing');
    for (let sequence = from; sequence <= last; sequence++) {
      const order = filledOrder(sequence);
      assert.deepEqual(store.order(order.id), order);
      assert.equal(store.idempotency('owner', 'createOrder', `key-${sequence}`)?.resourceId, order.id);
    }
    assert.equal(store.order(filledOrder(last + 1).id), null);
    assert.equal(store.idempotency('owner', 'createOrder', `key-${last + 1}`), null);
    assert.equal(store.ledger({ accountId: 'acc_1', limit: 1, after: null }).rows[0]?.sequence, last);
    assert.deepEqual(
      store.commands(last - 1, 10).map(({ sequence }) => sequence),
      [last],
    );
    return last + 1;
  } finally {
    store.close();
  }
}
