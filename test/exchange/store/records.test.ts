import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Changes } from '../../../src/exchange/engine/commands.ts';
import type { CopyGroup } from '../../../src/exchange/engine/model.ts';
import type { Page, PageKey } from '../../../src/exchange/store/query.ts';
import type { Store } from '../../../src/exchange/store/store.ts';
import { test, trial } from '../../tiers.ts';
import { account, changes, filledOrder, order, position, posting, scaledOrder, twap } from './samples.ts';
import { newStore, nothingOpen } from './state-file.ts';

function write(store: Store, parts: Parameters<typeof changes>[0]): void {
  const { sequence, settleSequence, ledgerSequence } = store.loadOpenState()!;
  store.transaction(() => store.write(changes({ sequence, settleSequence, ledgerSequence, ...parts })));
}

const ids = (records: { id: string }[]) => records.map(({ id }) => id);
const live = { owner: 'owner', environment: 'live' } as const;
const top = { limit: 50, after: null };

/** Follows `next` to the last page; calls `between` after each page. */
function everyPage<R>(read: (after: PageKey | null) => Page<R>, between: () => void = () => {}): R[] {
  const rows: R[] = [];
  for (let after: PageKey | null = null; ; ) {
    const page = read(after);
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = page.next;
    between();
  }
}

test('a state without history is loaded as it was initialized', (t) => {
  const store = newStore(t);
  assert.deepEqual(store.loadOpenState(), nothingOpen);
});

test('open records are loaded in order of creation, settled ones are not', (t) => {
  const store = newStore(t);
  const group: CopyGroup = {
    id: 'cpy_1',
    sequence: 9,
    ...live,
    enabled: true,
    sourceAccountId: 'acc_1',
    targets: [{ accountId: 'acc_2', multiplierBps: 10_000 }],
    policyVersion: 1,
    updatedAt: 1_009,
    stoppedAt: null,
    stopReason: null,
    stoppedCompletedAt: null,
    stopCleanupPending: false,
    progress: [],
  };
  const operation = {
    id: 'blk_1',
    sequence: 10,
    kind: 'cancel_all_orders',
    accountId: 'acc_1',
    owner: 'owner',
    status: 'running',
    targets: ['ord_1'],
    results: [],
    createdAt: 1_010,
    completedAt: null,
  } as const;
  const level = { accountId: 'acc_1', marketId: 'm', bookSide: 'ask', price: 3, consumed: 2 } as const;
  const open = {
    accounts: [account(), account({ id: 'acc_2', owner: 'other' })],
    orders: [
      order(1),
      order(4, { status: 'pending', requestedAt: 1 }),
      order(6, { owner: 'other', accountId: 'acc_2' }),
    ],
    positions: [position(2), position(5, { accountId: 'acc_2', openedAt: 1 })],
    twaps: [twap(7), twap(8, { status: 'canceling', startedAt: 1 })],
    scaled: [scaledOrder(11)],
    copyGroups: [group],
    operations: [{ ...operation, targets: [...operation.targets], results: [] }],
  };
  write(store, open);
  write(store, {
    time: 2_000,
    sequence: 40,
    settleSequence: 30,
    ledgerSequence: 20,
    halt: { platform: true, categories: ['fx'] },
    consumption: new Map([['key', level]]),
    orders: [filledOrder(20), order(21, { status: 'canceled' }), order(22, { status: 'rejected' })],
    positions: [position(23, { status: 'closed', closedAt: 5 })],
    twaps: [twap(24, { status: 'completed' }), twap(25, { status: 'canceled' })],
    scaled: [scaledOrder(26, { status: 'completed' })],
    operations: [{ ...operation, id: 'blk_2', sequence: 27, status: 'completed', targets: [], results: [] }],
  });
  assert.deepEqual(store.loadOpenState(), {
    ...open,
    time: 2_000,
    sequence: 40,
    settleSequence: 30,
    ledgerSequence: 20,
    seed: 7,
    halt: { platform: true, categories: ['fx'] },
    consumption: [level],
  });

  write(store, {
    orders: [order(1, { status: 'canceled' })],
    positions: [position(2, { status: 'closed', closedAt: 5 })],
    twaps: [twap(7, { status: 'completed' })],
    scaled: [scaledOrder(11, { status: 'canceled' })],
    deletedCopyGroups: new Set(['cpy_1']),
    operations: [{ ...operation, status: 'completed', targets: [...operation.targets], results: [] }],
    consumption: new Map([['key', { ...level, consumed: 0 }]]),
  });
  const left = store.loadOpenState()!;
  assert.deepEqual(ids([...left.orders, ...left.positions, ...left.twaps]), [
    order(4).id,
    order(6).id,
    position(5).id,
    twap(8).id,
  ]);
  assert.deepEqual([left.scaled, left.copyGroups, left.operations, left.consumption], [[], [], [], []]);
  assert.deepEqual(left.halt, { platform: true, categories: ['fx'] }, 'a change without a halt leaves it unchanged');
});

test('orders are listed newest first, ties by creation, per owner and environment or per account', (t) => {
  const store = newStore(t);
  const accounts = [
    account({ id: 'acc_1' }),
    account({ id: 'acc_2' }),
    account({ id: 'acc_3', environment: 'test' }),
    account({ id: 'acc_4', owner: 'other' }),
  ];
  const orders = [
    order(1, { requestedAt: 5_000 }),
    order(2, { accountId: 'acc_2', requestedAt: 9_000 }),
    order(3, { accountId: 'acc_3' }),
    order(4, { accountId: 'acc_4', owner: 'other' }),
    filledOrder(5, { requestedAt: 5_000 }),
    order(6, { accountId: 'acc_2', requestedAt: 5_000, status: 'pending' }),
  ];
  write(store, { accounts, orders });
  const numbers = (rows: { sequence: number }[]) => rows.map(({ sequence }) => sequence);
  const list = (filter: { owner: string; environment: 'live' | 'test'; accountId: string | null }) => [
    numbers(store.orders({ ...filter, ...top }).rows),
    numbers(store.workingOrders(filter)),
  ];
  for (const [filter, all, working] of [
    [{ ...live, accountId: null }, [2, 6, 5, 1], [2, 6, 1]],
    [{ ...live, accountId: 'acc_1' }, [5, 1], [1]],
    [{ ...live, accountId: 'acc_2' }, [2, 6], [2, 6]],
    [{ ...live, environment: 'test', accountId: null }, [3], [3]],
    [{ ...live, owner: 'other', accountId: null }, [4], [4]],
    [{ ...live, accountId: 'acc_3' }, [], []],
    [{ ...live, accountId: 'acc_4' }, [], []],
    [{ ...live, accountId: 'nobody' }, [], []],
  ] as const)
    assert.deepEqual(list(filter), [all, working], JSON.stringify(filter));
});

test('a page has a position for the next page only if there is a next page', (t) => {
  const store = newStore(t);
  write(store, { accounts: [account()], orders: [order(1), order(2)] });
  const page = (limit: number, after: PageKey | null = null) =>
    store.orders({ ...live, accountId: null, limit, after });
  assert.deepEqual(page(1), { rows: [order(2)], next: { time: order(2).requestedAt, sequence: 2 } });
  assert.deepEqual(page(1, page(1).next), { rows: [order(1)], next: null });
  assert.deepEqual(page(2).next, null);
});

trial('pages do not skip or repeat rows of one millisecond while new rows arrive between them', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('orders', 'account orders', 'fills', 'closed positions', 'twaps', 'scaled orders', 'ledger'),
      (times, limit, kind) => {
        const store = newStore(t);
        let sequence = 0;
        const add = (time: number) => {
          sequence += 1;
          write(store, rowOf(kind, sequence, time));
        };
        write(store, { accounts: [account()] });
        times.forEach(add);
        const before = sequence;
        const rows = everyPage(
          (after) => readPage(store, kind, { limit, after }),
          () => add(4),
        );
        const seen = rows.map((row) => row.sequence);
        assert.equal(new Set(seen).size, seen.length, 'no row twice');
        assert.deepEqual(
          seen.filter((number) => number <= before).sort((a, b) => a - b),
          times.map((_, index) => index + 1),
          'no row missing',
        );
        store.close();
      },
    ),
    { numRuns: 60 },
  );
});

type Kind = 'orders' | 'account orders' | 'fills' | 'closed positions' | 'twaps' | 'scaled orders' | 'ledger';

function rowOf(kind: Kind, sequence: number, time: number): Partial<Parameters<typeof changes>[0]> {
  if (kind === 'closed positions') return { positions: [position(sequence, { status: 'closed', closedAt: time })] };
  if (kind === 'twaps') return { twaps: [twap(sequence, { startedAt: time })] };
  if (kind === 'scaled orders') return { scaled: [scaledOrder(sequence, { startedAt: time })] };
  if (kind === 'ledger') return { ledger: [posting(sequence, { time })] };
  return { orders: [filledOrder(sequence, { requestedAt: time, settledAt: time })] };
}

function readPage(
  store: Store,
  kind: Kind,
  page: { limit: number; after: PageKey | null },
): Page<{ sequence: number }> {
  const accountId = 'acc_1';
  if (kind === 'orders') return store.orders({ ...live, accountId: null, ...page });
  if (kind === 'account orders') return store.orders({ ...live, accountId, ...page });
  if (kind === 'fills') return store.fills({ accountId, ...page });
  if (kind === 'closed positions') return store.closedPositions({ accountId, ...page });
  if (kind === 'twaps') return store.twaps({ accountId, status: 'active', ...page });
  if (kind === 'scaled orders') return store.scaledOrders({ accountId, ...page });
  return store.ledger({ accountId, ...page });
}

test('fills come in settlement order, newest first, whatever the ids of the orders', (t) => {
  const store = newStore(t);
  write(store, {
    accounts: [account()],
    orders: [filledOrder(1, { settleSequence: 3 }), order(2), filledOrder(3, { settleSequence: 2 })],
  });
  assert.deepEqual(ids(store.fills({ accountId: 'acc_1', ...top }).rows), [order(1).id, order(3).id]);
});

test('TWAP orders are listed by status', (t) => {
  const store = newStore(t);
  const statuses = ['running', 'completed', 'canceling', 'canceled', 'completed'] as const;
  write(store, { accounts: [account()], twaps: statuses.map((status, index) => twap(index + 1, { status })) });
  for (const [status, expected] of [
    ['active', [twap(3).id, twap(1).id]],
    ['completed', [twap(5).id, twap(2).id]],
    ['canceled', [twap(4).id]],
  ] as const)
    assert.deepEqual(ids(store.twaps({ accountId: 'acc_1', status, ...top }).rows), expected, status);
});

test('a client order id is unique per owner and environment', (t) => {
  const store = newStore(t);
  const accounts = [
    account(),
    account({ id: 'acc_2', owner: 'other' }),
    account({ id: 'acc_3', environment: 'test' }),
    account({ id: 'acc_4' }),
  ];
  const clientOrderId = "x'; DROP TABLE orders; --\u001b[31m";
  const mine = order(1, { clientOrderId });
  const theirs = order(2, { clientOrderId, owner: 'other', accountId: 'acc_2' });
  const sandbox = order(3, { clientOrderId, accountId: 'acc_3' });
  write(store, { accounts, orders: [mine, theirs, sandbox] });
  assert.deepEqual(store.orderByClientId('owner', 'live', clientOrderId), mine);
  assert.deepEqual(store.orderByClientId('other', 'live', clientOrderId), theirs);
  assert.deepEqual(store.orderByClientId('owner', 'test', clientOrderId), sandbox);
  assert.equal(store.orderByClientId('other', 'test', clientOrderId), null);
  assert.equal(store.orderByClientId('owner', 'live', 'x'), null);
  for (const accountId of ['acc_1', 'acc_3', 'acc_4'])
    assert.throws(() => write(store, { orders: [order(4, { clientOrderId, accountId })] }), /UNIQUE/, accountId);
});

test('single records are found by id; a missing one is null', (t) => {
  const store = newStore(t);
  write(store, {
    accounts: [account()],
    orders: [order(1)],
    positions: [position(2)],
    twaps: [twap(3)],
    scaled: [scaledOrder(4)],
    explanations: [
      { orderId: order(1).id, sequence: 6, time: 2, kind: 'filled', detail: { levels: [[610_000, 50]] } },
      { orderId: order(1).id, sequence: 5, time: 1, kind: 'accepted', detail: {} },
    ],
  });
  assert.deepEqual(store.account('acc_1'), account());
  assert.deepEqual(store.accounts('owner', 'live'), [account()]);
  assert.deepEqual(store.accounts('owner', 'test'), []);
  assert.deepEqual(store.order(order(1).id), order(1));
  assert.deepEqual(store.position(position(2).id), position(2));
  assert.deepEqual(store.openPositions('acc_1'), [position(2)]);
  assert.deepEqual(store.twap(twap(3).id), twap(3));
  assert.deepEqual(store.scaled(scaledOrder(4).id), scaledOrder(4));
  assert.deepEqual(
    store.explanations(order(1).id).map(({ kind }) => kind),
    ['accepted', 'filled'],
  );
  const missing = ['account', 'order', 'position', 'twap', 'scaled', 'copyGroup', 'operation'] as const;
  for (const read of missing) assert.equal(store[read]('nobody'), null, read);
});

test('no record is stored for an account that does not exist', (t) => {
  const store = newStore(t);
  const orphans: Partial<Record<keyof Changes, Parameters<typeof changes>[0]>> = {
    orders: { orders: [order(1)] },
    positions: { positions: [position(1)] },
    twaps: { twaps: [twap(1)] },
    scaled: { scaled: [scaledOrder(1)] },
    ledger: { ledger: [posting(1)] },
  };
  for (const [name, parts] of Object.entries(orphans)) assert.throws(() => write(store, parts), /constraint/, name);
});

test('clearing removes every record of the exchange and keeps credentials and settings', (t) => {
  const store = newStore(t);
  write(store, { accounts: [account()], orders: [order(1)], positions: [position(2)], ledger: [posting(1)] });
  store.transaction(() => {
    store.appendCommand(1, { kind: 'cancel_order', orderId: 'ord_1' });
    store.setSetting('market', 'synthetic');
    store.clear();
  });
  assert.equal(store.loadOpenState(), null);
  assert.equal(store.order(order(1).id), null);
  assert.deepEqual(store.commands(0, 10), []);
  assert.equal(store.setting('market'), 'synthetic');
  store.transaction(() => store.initialize(nothingOpen));
  assert.deepEqual(store.loadOpenState(), nothingOpen);
});

test('an order is found only by its own id, not by another id with the same number', (t) => {
  const store = newStore(t);
  write(store, { accounts: [account()], orders: [order(35)], positions: [position(36)] });
  assert.equal(store.order('ord_00000000z')?.sequence, 35);
  assert.equal(store.position('pos_000000010')?.sequence, 36);
  for (const id of [
    'ord_z',
    'ord_00000000Z',
    'pos_00000000z',
    'z',
    '',
    'ord_',
    'ord_-',
    `ord_${'z'.repeat(99)}`,
    "ord_'",
  ])
    assert.equal(store.order(id), null, id);
  assert.equal(store.position('ord_000000010'), null);
});
