import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/exchange/engine/commands.ts';
import { StoreError } from '../../../src/exchange/store/errors.ts';
import { StateDatabase, untilFree } from '../../../src/exchange/store/state-database.ts';
import { Store } from '../../../src/exchange/store/store.ts';
import { plainOrder } from '../engine/scenario.ts';
import { account, changes, order, remembered } from './samples.ts';
import { newStore, nothingOpen } from './state-file.ts';

const boom = new Error('boom');
const fail = () => {
  throw boom;
};

/** Another handle on the same state, as another process would have. */
function secondHandle(t: Parameters<typeof newStore>[0], store: Store): Store {
  const second = Store.open(store.file);
  t.after(() => second.close());
  return second;
}

test('a transaction returns the result of its work, and its writes are visible to others only then', (t) => {
  const store = newStore(t);
  const other = secondHandle(t, store);
  const result = store.transaction(() => {
    store.setSetting('a', '1');
    assert.equal(store.setting('a'), '1');
    assert.equal(other.setting('a'), null);
    return 42;
  });
  assert.equal(result, 42);
  assert.equal(other.setting('a'), '1');
});

test('what a transaction writes later is there for whatever is read or written in it, however that is asked for', (t) => {
  const database = new StateDatabase(newStore(t).file);
  t.after(() => database.close());
  const append = database.prepare('INSERT INTO settings (name, value, checksum) VALUES (?, 1, 0)');
  const all = "SELECT name FROM settings WHERE name LIKE 'later %'";
  const change = "UPDATE settings SET value = 2 WHERE name LIKE 'later %'";
  const ways: readonly ((name: string) => unknown)[] = [
    () => database.prepare(all).row()?.length,
    () => database.prepare(all).rows().length,
    () => database.prepare(change).run().changes,
    () => {
      database.execute(change);
      return database.prepare(`${all} AND value = '2'`).rows().length;
    },
    () => {
      database.prepare(change).write([]);
      return database.prepare(`${all} AND value = '2'`).rows().length;
    },
  ];
  for (const [at, way] of ways.entries()) {
    database.transaction(() => {
      database.writeLater('settings', at, () => append.write([`later ${at}`]));
      assert.equal(way(`later ${at}`), 1, String(way));
      database.prepare('DELETE FROM settings WHERE name = ?').write([`later ${at}`]);
    });
    assert.deepEqual(database.prepare(all).rows(), []);
  }
});

test('a transaction whose work throws leaves nothing, and rethrows the same error', (t) => {
  const store = newStore(t);
  assert.throws(
    () =>
      store.transaction(() => {
        store.write(changes({ accounts: [account()], orders: [order(1)] }));
        fail();
      }),
    boom,
  );
  assert.deepEqual(store.loadOpenState(), nothingOpen);
  assert.equal(store.inTransaction, false);
});

test('what was undone is not missed: the state opens again', (t) => {
  const store = newStore(t);
  assert.throws(() =>
    store.transaction(() => {
      store.write(changes({ accounts: [account()], orders: [order(1)] }));
      fail();
    }),
  );
  store.transaction(() => {
    store.write(changes({ accounts: [account()], orders: [order(2)] }));
  });
  store.close();
  const again = Store.open(store.file);
  t.after(() => again.close());
  assert.deepEqual(
    again.loadOpenState()!.orders.map(({ sequence }) => sequence),
    [2],
  );
});

test('the exchange writes nothing outside a transaction, and transactions do not nest', (t) => {
  const store = newStore(t);
  assert.throws(() => store.write(changes({})), /inside a transaction/);
  assert.throws(() => store.initialize(nothingOpen), /inside a transaction/);
  assert.throws(() => store.clear(), /inside a transaction/);
  assert.throws(() => store.transaction(() => store.transaction(() => 1)), /already open/);
  assert.equal(store.inTransaction, false);
});

test('a state that was never initialized has no open state and accepts no changes', (t) => {
  const store = newStore(t);
  store.transaction(() => store.clear());
  assert.equal(store.loadOpenState(), null);
  assert.throws(() => store.transaction(() => store.write(changes({}))), /never initialized/);
});

test('commits by others are noticed once; its own commits and rollbacks are not', (t) => {
  const store = newStore(t);
  const other = secondHandle(t, store);
  assert.equal(store.changedElsewhere(), false);
  store.transaction(() => store.setSetting('a', '1'));
  assert.equal(store.changedElsewhere(), false, 'its own commit');
  other.transaction(() => other.setSetting('a', '2'));
  assert.equal(
    store.transaction(() => store.changedElsewhere()),
    true,
  );
  assert.equal(store.changedElsewhere(), false, 'asked already');
  assert.throws(() =>
    other.transaction(() => {
      other.setSetting('a', '3');
      fail();
    }),
  );
  assert.equal(store.changedElsewhere(), false, 'its own rollback');
  other.transaction(() => other.setSetting('a', '4'));
  store.loadOpenState();
  assert.equal(store.changedElsewhere(), false, 'loaded since');
});

test('the command log returns every command as it was given, including omitted defaults', (t) => {
  const store = newStore(t);
  const order = {
    ...plainOrder,
    accountId: 'acc_1',
    marketId: 'binance|BTCUSDT',
    mode: 'limit',
    side: 'buy',
    size: 1,
    limitPrice: 2,
  } as const;
  const close = {
    kind: 'close_position',
    positionId: 'pos_1',
    clientOrderId: null,
    type: 'market',
    size: null,
    expectedPrice: null,
    slippageToleranceBps: null,
    limitPrice: null,
    triggerPrice: null,
    triggerMarketId: null,
    triggerDirection: null,
    marketableLimitAcknowledged: false,
  } as const;
  const commands: Command[] = [
    order,
    { ...order, clientOrderId: 'mine', reduceOnly: true, size: 0, timeInForce: 'ioc' },
    close,
    { ...close, size: 0.5, marketableLimitAcknowledged: true },
    { kind: 'amend_order', orderId: 'ord_1', price: 1, size: null },
    { kind: 'update_attached_exits', orderId: 'ord_1', takeProfitPrice: null, stopLossPrice: 3 },
  ];
  store.transaction(() => {
    for (const command of commands) store.appendCommand(1_000, command);
  });
  assert.deepEqual(
    store.commands(0, 10).map(({ command }) => command),
    commands,
  );
});

test('the command log keeps commands in order and returns them in parts', (t) => {
  const store = newStore(t);
  const command = (orderId: string) => ({ kind: 'cancel_order', orderId }) as const;
  store.transaction(() => {
    for (const [index, time] of [1_000, 1_000, 2_000].entries()) store.appendCommand(time, command(`ord_${index}`));
  });
  assert.deepEqual(store.commands(0, 2), [
    { sequence: 1, time: 1_000, command: command('ord_0') },
    { sequence: 2, time: 1_000, command: command('ord_1') },
  ]);
  assert.deepEqual(store.commands(2, 2), [{ sequence: 3, time: 2_000, command: command('ord_2') }]);
  assert.deepEqual(store.commands(3, 2), []);
});

test('commands and keys that wait to be written are there for every read, and go with what is undone', (t) => {
  const store = newStore(t);
  const command = (orderId: string) => ({ kind: 'cancel_order', orderId }) as const;
  const write = (name: string) => {
    store.appendCommand(1_000, command(name));
    store.remember(remembered(name));
  };
  const found = () => ({
    commands: store.commands(0, 10).map((row) => ('orderId' in row.command ? row.command.orderId : '')),
    keys: ['a', 'b', 'c', 'd'].filter((key) => store.idempotency('owner', 'createOrder', key) !== null),
  });
  const failing = (work: () => void) => () => {
    work();
    throw new Error('undone');
  };
  store.transaction(() => {
    write('a');
    assert.deepEqual(store.idempotency('owner', 'createOrder', 'a'), remembered('a'));
    assert.equal(store.idempotency('owner', 'closePosition', 'a'), null);
    write('c');
    assert.deepEqual(found(), { commands: ['a', 'c'], keys: ['a', 'c'] });
    write('d');
    assert.deepEqual(found().keys, ['a', 'c', 'd']);
  });
  assert.throws(() => store.transaction(failing(() => write('b'))), /undone/);
  assert.throws(() => store.transaction(() => ['b', 'b'].map(write)), /key-once/);
  assert.deepEqual(found(), { commands: ['a', 'c', 'd'], keys: ['a', 'c', 'd'] });
});

test('an idempotency key belongs to its owner and operation, and is written once', (t) => {
  const store = newStore(t);
  const record = remembered('k');
  store.transaction(() => store.remember(record));
  assert.deepEqual(store.idempotency('owner', 'createOrder', 'k'), record);
  for (const [owner, operation, key] of [
    ['other', 'createOrder', 'k'],
    ['owner', 'closePosition', 'k'],
    ['owner', 'createOrder', 'K'],
  ] as const)
    assert.equal(store.idempotency(owner, operation, key), null);
  const settled = { ...record, status: 422, outcome: { code: 'rule_violation', results: [1, null, 'x'] } };
  assert.throws(() => store.transaction(() => store.remember(settled)), /An idempotency key is written once/);
  assert.deepEqual(store.idempotency('owner', 'createOrder', 'k'), record);
});

test('settings are stored by name', (t) => {
  const store = newStore(t);
  assert.equal(store.setting('speed'), null);
  store.setSetting('speed', '1');
  store.setSetting('speed', '10');
  assert.equal(store.setting('speed'), '10');
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
