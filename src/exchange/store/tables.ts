import { orderFields } from '../../base/terms/order-fields.ts';
import type { RecordKind, Records } from '../engine/commands.ts';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Explanation,
  Ms,
  Order,
  Position,
  Posting,
  ScaledOrder,
  TwapOrder,
} from '../engine/model.ts';
import { Table } from './table.ts';

/*
 * The exchange's own tables, each declared once. Rows are stored in order of creation, so that those of one page are
 * neighbors; every list has an index that ends in its page key and is read backward.
 */

/** Every record's account must exist. */
const ofAccount = 'FOREIGN KEY (account_id) REFERENCES accounts (id)';

/** Tables with rows that are loaded only while they are open, and the statuses of those. */
export const openStatuses = {
  orders: ['pending', 'resting'],
  positions: ['open'],
  twap_orders: ['running', 'canceling'],
  scaled_orders: ['working'],
  operations: ['running'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A table with rows that are open. */
export type OpenTable = keyof typeof openStatuses;

/** The condition of open rows, which the partial indexes have, so that only those are read. */
export function isOpen(table: OpenTable): string {
  const [one, ...others] = openStatuses[table].map((status) => `'${status}'`);
  return others.length === 0 ? `status = ${one}` : `status IN (${[one, ...others].join(', ')})`;
}

/** Created once with the simulation; its clock and counters then change with every command. */
export interface Head {
  /** Always 1, because there is only one row. */
  row: number;
  time: Ms;
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
  seed: number;
  halt: { platform: boolean; categories: string[] };
}

/** The table with the state's time and its last numbers: one row. */
export const head = new Table<Head>({
  name: 'head',
  columns: {
    row: 'int',
    time: 'int',
    sequence: 'int',
    settleSequence: 'int',
    ledgerSequence: 'int',
    seed: 'real',
    halt: 'json',
  },
  key: ['row'],
  constraints: ['CHECK (row = 1)'],
});

/** The table of accounts. */
export const accounts = new Table<Account>({
  name: 'accounts',
  columns: {
    id: 'text',
    number: 'text',
    name: 'text',
    owner: 'text',
    environment: 'text',
    stage: 'text',
    status: 'text',
    plan: 'json',
    policy: 'json',
    startingBalance: 'money',
    balance: 'money',
    createdAt: 'int',
    dayStartEquity: 'money',
    dayStartedAt: 'int',
    tradingDays: 'int',
    lastTradingDay: 'int?',
    trades: 'json',
    lastOrderAt: 'int?',
    copyStop: 'json?',
    breachRuleId: 'text?',
    successorId: 'text?',
    endedAt: 'int?',
    endedEquity: 'money?',
    endedBound: 'money?',
  },
  key: ['id'],
  fixed: ['owner', 'environment', 'createdAt'],
  indices: ['CREATE INDEX accounts_of_owner ON accounts (owner, environment, created_at, id)'],
});

type ColumnsOf<Fields> = { readonly [F in keyof Fields]: Fields[F] extends { column: infer Column } ? Column : never };

const orderColumns: ColumnsOf<typeof orderFields> = Object.fromEntries(
  Object.entries(orderFields).map(([field, { column }]) => [field, column]),
) as never;

/** The table of orders and fills; its columns come from the fields of orders. */
export const orders = new Table<Order>({
  name: 'orders',
  columns: orderColumns,
  key: ['id'],
  row: 'sequence',
  fixed: ['sequence', 'accountId', 'owner', 'clientOrderId', 'requestedAt'],
  // An owner's list is for one environment: stored with the order, so that a page need not skip the other's rows.
  derived: { environment: '(SELECT environment FROM accounts WHERE id = :accountId)' },
  constraints: [ofAccount],
  indices: [
    'CREATE UNIQUE INDEX orders_by_client_id ON orders (owner, environment, client_order_id) WHERE client_order_id IS NOT NULL',
    'CREATE INDEX orders_of_owner ON orders (owner, environment, requested_at, sequence)',
    'CREATE INDEX orders_of_account ON orders (account_id, requested_at, sequence)',
    `CREATE INDEX orders_working ON orders (owner, environment, requested_at, sequence) WHERE ${isOpen('orders')}`,
    'CREATE INDEX orders_filled ON orders (account_id, settle_sequence) WHERE settle_sequence IS NOT NULL',
    'CREATE INDEX orders_of_order ON orders (partial_of_order_id, sequence) WHERE partial_of_order_id IS NOT NULL',
    'CREATE INDEX orders_of_twap ON orders (twap_order_id, sequence) WHERE twap_order_id IS NOT NULL',
    'CREATE INDEX orders_of_scaled ON orders (scaled_order_id, sequence) WHERE scaled_order_id IS NOT NULL',
  ],
});

/** The first columns of what an account has in a market. */
const owned = { id: 'text', sequence: 'int', accountId: 'text', owner: 'text', marketId: 'text' } as const;

/** The table of positions, open and closed. */
export const positions = new Table<Position>({
  name: 'positions',
  columns: {
    ...owned,
    direction: 'text',
    size: 'int',
    cost: 'money',
    leverage: 'real',
    marginMode: 'text',
    isolatedMarginExtra: 'money',
    status: 'text',
    openedAt: 'int',
    closedAt: 'int?',
    closedSize: 'int',
    closedNotional: 'money',
    closedCost: 'money',
    realizedPnl: 'money',
    realizedMarginBasis: 'money',
    fees: 'money',
    funding: 'money',
    carriedUntil: 'int',
  },
  key: ['id'],
  row: 'sequence',
  fixed: ['sequence', 'accountId', 'owner', 'openedAt'],
  constraints: [ofAccount],
  indices: [
    `CREATE INDEX positions_open ON positions (account_id, opened_at, sequence) WHERE ${isOpen('positions')}`,
    "CREATE INDEX positions_closed ON positions (account_id, closed_at, sequence) WHERE status = 'closed'",
  ],
});

/** The table of postings, which are only ever added. */
export const ledger = new Table<Posting>({
  name: 'ledger',
  columns: {
    sequence: 'int',
    accountId: 'text',
    kind: 'text',
    amount: 'money',
    balanceAfter: 'money',
    time: 'int',
    orderId: 'text?',
    positionId: 'text?',
  },
  key: ['accountId', 'sequence'],
  withoutRowid: true,
  constraints: [ofAccount],
});

/** The table of what accounts have taken from displayed levels. */
export const consumption = new Table<Consumption>({
  name: 'consumption',
  columns: { accountId: 'text', marketId: 'text', bookSide: 'text', price: 'int', consumed: 'int' },
  key: ['accountId', 'marketId', 'bookSide', 'price'],
  withoutRowid: true,
});

/** The table of the lines of orders' histories. */
export const explanations = new Table<Explanation>({
  name: 'explanations',
  columns: { orderId: 'text', sequence: 'int', time: 'int', kind: 'text', detail: 'json' },
  key: ['orderId', 'sequence'],
  withoutRowid: true,
});

/** The table of TWAP and VWAP orders. */
export const twaps = new Table<TwapOrder>({
  name: 'twap_orders',
  columns: {
    ...owned,
    strategy: 'text',
    side: 'text',
    totalSize: 'int',
    filledSize: 'int',
    filledNotional: 'money',
    expectedPrice: 'real',
    leverage: 'real',
    marginMode: 'text',
    reduceOnly: 'bool',
    durationMinutes: 'int',
    sliceIntervalSeconds: 'int',
    randomize: 'bool',
    triggerPrice: 'real?',
    triggerFrom: 'text?',
    maxPrice: 'real?',
    minPrice: 'real?',
    status: 'text',
    completionReason: 'text?',
    startedAt: 'int',
    endAt: 'int',
    activatedAt: 'int?',
    canceledAt: 'int?',
    completedAt: 'int?',
    nextRunAt: 'int?',
    currentChildOrderId: 'text?',
    sliceCount: 'int',
    slicesAttempted: 'int',
    plannedCumulative: 'json',
    sliceTimes: 'json',
  },
  key: ['id'],
  fixed: ['sequence', 'accountId', 'owner', 'startedAt'],
  constraints: [ofAccount],
  indices: [
    `CREATE INDEX twap_orders_active ON twap_orders (account_id, started_at, sequence) WHERE ${isOpen('twap_orders')}`,
    'CREATE INDEX twap_orders_of_account ON twap_orders (account_id, status, started_at, sequence)',
  ],
});

/** The table of ladders, rungs included. */
export const scaledOrders = new Table<ScaledOrder>({
  name: 'scaled_orders',
  columns: {
    ...owned,
    side: 'text',
    totalSize: 'int',
    leverage: 'real',
    marginMode: 'text',
    reduceOnly: 'bool',
    distribution: 'text',
    startPrice: 'real',
    endPrice: 'real',
    rungs: 'json',
    status: 'text',
    startedAt: 'int',
    completedAt: 'int?',
    canceledAt: 'int?',
  },
  key: ['id'],
  fixed: ['sequence', 'accountId', 'owner', 'startedAt'],
  constraints: [ofAccount],
  indices: [
    `CREATE INDEX scaled_orders_working ON scaled_orders (sequence) WHERE ${isOpen('scaled_orders')}`,
    'CREATE INDEX scaled_orders_of_account ON scaled_orders (account_id, started_at, sequence)',
  ],
});

/** The table of copy-trading groups. */
export const copyGroups = new Table<CopyGroup>({
  name: 'copy_groups',
  columns: {
    id: 'text',
    sequence: 'int',
    owner: 'text',
    environment: 'text',
    enabled: 'bool',
    sourceAccountId: 'text',
    targets: 'json',
    policyVersion: 'int',
    updatedAt: 'int',
    stoppedAt: 'int?',
    stopReason: 'text?',
    stoppedCompletedAt: 'int?',
    stopCleanupPending: 'bool',
    progress: 'json',
  },
  key: ['id'],
  fixed: ['sequence', 'owner', 'environment'],
  indices: ['CREATE INDEX copy_groups_of_owner ON copy_groups (owner, environment, sequence)'],
});

/** The table of bulk operations. */
export const operations = new Table<BulkOperation>({
  name: 'operations',
  columns: {
    id: 'text',
    sequence: 'int',
    kind: 'text',
    accountId: 'text',
    owner: 'text',
    status: 'text',
    targets: 'json',
    results: 'json',
    createdAt: 'int',
    completedAt: 'int?',
  },
  key: ['id'],
  fixed: ['sequence', 'accountId', 'owner', 'createdAt', 'targets'],
  constraints: [ofAccount],
  indices: [`CREATE INDEX operations_running ON operations (sequence) WHERE ${isOpen('operations')}`],
});

/** The tables of the records that have an id; accounts first, because the others refer to them. */
export const recordTables: { readonly [Kind in RecordKind]: Table<Records[Kind]> } = {
  accounts,
  orders,
  positions,
  twaps,
  scaled: scaledOrders,
  copyGroups,
  operations,
};
