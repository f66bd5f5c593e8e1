import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { PageQuery } from '../../../src/exchange/store/query.ts';
import { queriesOf } from '../../../src/exchange/store/records.ts';
import { migrate } from '../../../src/exchange/store/schema.ts';
import { StateDatabase } from '../../../src/exchange/store/state-database.ts';
import { Store } from '../../../src/exchange/store/store.ts';
import { test, trial } from '../../tiers.ts';
import { account, changes, filledOrder, position } from './samples.ts';
import { newStore, temporaryFile } from './state-file.ts';

/** SQLite's query plan for each read: the index that it uses. */
const plans: Record<keyof ReturnType<typeof queriesOf>, string[]> = {
  head: ['SEARCH head USING INTEGER PRIMARY KEY (rowid=?)'],
  account: ['SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (id=?)'],
  accounts: ['SEARCH accounts USING INDEX accounts_of_owner (owner=? AND environment=?)'],
  everyAccount: ['SCAN accounts'],
  order: ['SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)'],
  orderByClientId: ['SEARCH orders USING INDEX orders_by_client_id (owner=? AND environment=? AND client_order_id=?)'],
  ordersOfOwner: [
    'SEARCH orders USING INDEX orders_of_owner (owner=? AND environment=? AND (requested_at,sequence)<(?,?))',
  ],
  ordersOfAccount: [
    'SEARCH accounts EXISTS USING INDEX sqlite_autoindex_accounts_1 (id=?)',
    'SEARCH orders USING INDEX orders_of_account (account_id=? AND (requested_at,sequence)<(?,?))',
  ],
  workingOrders: ['SEARCH orders USING INDEX orders_working (owner=? AND environment=?)'],
  everyWorkingOrder: ['SCAN orders USING INDEX orders_working'],
  fills: ['SEARCH orders USING INDEX orders_filled (account_id=? AND settle_sequence>? AND settle_sequence<?)'],
  position: ['SEARCH positions USING INTEGER PRIMARY KEY (rowid=?)'],
  openPositions: ['SEARCH positions USING INDEX positions_open (account_id=?)'],
  everyOpenPosition: ['SCAN positions USING INDEX positions_open'],
  closedPositions: ['SEARCH positions USING INDEX positions_closed (account_id=? AND (closed_at,sequence)<(?,?))'],
  twap: ['SEARCH twap_orders USING INDEX sqlite_autoindex_twap_orders_1 (id=?)'],
  activeTwaps: ['SEARCH twap_orders USING INDEX twap_orders_active (account_id=? AND (started_at,sequence)<(?,?))'],
  endedTwaps: [
    'SEARCH twap_orders USING INDEX twap_orders_of_account (account_id=? AND status=? AND (started_at,sequence)<(?,?))',
  ],
  everyActiveTwap: ['SCAN twap_orders USING INDEX twap_orders_active'],
  scaled: ['SEARCH scaled_orders USING INDEX sqlite_autoindex_scaled_orders_1 (id=?)'],
  scaledOrders: [
    'SEARCH scaled_orders USING INDEX scaled_orders_of_account (account_id=? AND (started_at,sequence)<(?,?))',
  ],
  everyWorkingScaled: ['SCAN scaled_orders USING INDEX scaled_orders_working'],
  copyGroup: ['SEARCH copy_groups USING INDEX sqlite_autoindex_copy_groups_1 (id=?)'],
  copyGroups: ['SEARCH copy_groups USING INDEX copy_groups_of_owner (owner=? AND environment=?)'],
  everyCopyGroup: ['SCAN copy_groups'],
  operation: ['SEARCH operations USING INDEX sqlite_autoindex_operations_1 (id=?)'],
  everyRunningOperation: ['SCAN operations USING INDEX operations_running'],
  everyConsumption: ['SCAN consumption'],
  explanations: ['SEARCH explanations USING PRIMARY KEY (order_id=?)'],
  ledger: ['SEARCH ledger USING PRIMARY KEY (account_id=? AND sequence<?)'],
  payments: ['SEARCH ledger USING PRIMARY KEY (account_id=? AND sequence<?)'],
};

test('every read uses its own index, sorts nothing, and scans only partial indexes of open records', (t) => {
  const connection = new StateDatabase(temporaryFile(t));
  t.after(() => connection.close());
  migrate(connection);
  for (const [name, query] of Object.entries(queriesOf(connection))) {
    const plan = connection
      .prepare(`EXPLAIN QUERY PLAN ${query.sql}`)
      .rows()
      .map((row) => row[3]);
    assert.deepEqual(plan, plans[name as keyof typeof plans], name);
    if (query instanceof PageQuery) assert.ok(!plan.some((step) => String(step).startsWith('SCAN')), name);
  }
});

const uncounted = existsSync('/proc/self/io') ? false : 'this system does not count what a process reads';

trial(
  'a page reads the same small number of file pages at 1,000 and at 20,000 rows, at the top and in the middle',
  {
    skip: uncounted,
  },
  (t) => {
    const few = pagesReadOf(historyOf(1_000, t), 500);
    const many = pagesReadOf(historyOf(20_000, t), 10_000);
    for (const [name, pages] of Object.entries(many)) {
      const before = few[name]!;
      // Deeper trees cost one page each for the index and the table; the rows of the small state have been counted
      // before.
      assert.ok(pages <= before + 8, `${name}: ${before} pages of 4 KiB at 1,000 rows, ${pages} at 20,000`);
    }
  },
);

/** A state with this many filled orders and closed positions, half of them in the same millisecond. */
function historyOf(count: number, t: Parameters<typeof temporaryFile>[0]): string {
  const store = newStore(t);
  const sequences = Array.from({ length: count }, (_, index) => index + 1);
  const at = (sequence: number) => (sequence % 2 === 0 ? 5_000_000 : 5_000_000 + sequence - count / 2);
  store.transaction(() => {
    store.write(changes({ accounts: [account()] }));
    store.write(
      changes({
        orders: sequences.map((sequence) => filledOrder(sequence, { requestedAt: at(sequence) })),
        positions: sequences.map((sequence) => position(sequence, { status: 'closed', closedAt: at(sequence) })),
      }),
    );
  });
  store.close();
  return store.file;
}

/** File pages that a fresh handle reads for each kind of list page, as counted by the kernel. */
function pagesReadOf(file: string, middle: number) {
  const owned = { owner: 'owner', environment: 'live' } as const;
  const after = { time: 5_000_000, sequence: middle };
  const reads = {
    opening: () => null,
    orders: (store: Store) => store.orders({ ...owned, accountId: null, limit: 50, after: null }),
    'orders from the middle': (store: Store) => store.orders({ ...owned, accountId: null, limit: 50, after }),
    "an account's orders": (store: Store) => store.orders({ ...owned, accountId: 'acc_1', limit: 50, after }),
    fills: (store: Store) => store.fills({ accountId: 'acc_1', limit: 50, after }),
    'closed positions': (store: Store) => store.closedPositions({ accountId: 'acc_1', limit: 50, after }),
    'working orders': (store: Store) => store.workingOrders({ ...owned, accountId: null }),
    'open state': (store: Store) => store.loadOpenState(),
  };
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => {
      const store = Store.open(file);
      try {
        const before = bytesRead();
        read(store);
        return [name, Math.ceil((bytesRead() - before) / 4_096)];
      } finally {
        store.close();
      }
    }),
  );
}

/** Bytes that this process has read from the kernel so far. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
}
