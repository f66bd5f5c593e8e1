import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Explanation,
  LedgerEntry,
  Ms,
  Order,
  Position,
  ScaledOrder,
  TwapOrder,
} from '../engine/model.ts';
import { Table } from './table.ts';

/*
 * Every table, declared once. Records with a creation number are kept in its order (it is their rowid), so that the
 * rows of one page lie side by side; every list has an index that ends in the page key and is read backwards.
 * Sizes and prices of orders are `real`: a rejected order keeps the off-grid number its caller sent.
 */

const ofAccount = 'FOREIGN KEY (account_id) REFERENCES accounts (id)';

/** Set once, when the simulation is created; then the clock and counters move with every command. */
export interface Head {
  /** Always 1: there is one row. */
  row: number;
  time: Ms;
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
  seed: number;
  halt: { platform: boolean; categories: string[] };
}

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
  },
  key: ['id'],
  fixed: ['owner', 'environment', 'createdAt'],
  indices: ['CREATE INDEX accounts_of_owner ON accounts (owner, environment, created_at, id)'],
});

export const orders = new Table<Order>({
  name: 'orders',
  columns: {
    id: 'text',
    sequence: 'int',
    accountId: 'text',
    owner: 'text',
    marketId: 'text',
    clientOrderId: 'text?',
    type: 'text',
    mode: 'text',
    side: 'text',
    size: 'real',
    initialSize: 'real',
    filledSize: 'int',
    expectedPrice: 'real',
    leverage: 'real',
    marginMode: 'text',
    reduceOnly: 'bool',
    status: 'text',
    timeInForce: 'text?',
    gtdExpiresAt: 'real?',
    limitPrice: 'real?',
    triggerPrice: 'real?',
    triggerMarketId: 'text?',
    triggerDirection: 'text?',
    slippageToleranceBps: 'real?',
    attachedTakeProfitPrice: 'real?',
    attachedStopLossPrice: 'real?',
    replaceOverlappingExits: 'bool',
    chaseOffset: 'real?',
    chaseCapPrice: 'real?',
    triggeredAt: 'int?',
    stopTriggeredAt: 'int?',
    cancelRequestedAt: 'int?',
    ocoSiblingOrderId: 'text?',
    targetPositionId: 'text?',
    exitGroup: 'text?',
    partialOfOrderId: 'text?',
    partialFillRootOrderId: 'text?',
    twapOrderId: 'text?',
    scaledOrderId: 'text?',
    copyConfigId: 'text?',
    liquidityRole: 'text?',
    notional: 'money?',
    fee: 'money?',
    realizedPnl: 'money?',
    executeAt: 'int?',
    requestedAt: 'int',
    settledAt: 'int?',
    canceledAt: 'int?',
    settleSequence: 'int?',
    rejectReason: 'text?',
    rejectRuleId: 'text?',
    queueAhead: 'int?',
    pricedAt: 'int',
    priority: 'int',
  },
  key: ['sequence'],
  fixed: ['id', 'accountId', 'owner', 'clientOrderId', 'requestedAt'],
  // An owner's list is one environment's: kept beside the order, else a page would have to skip the other's rows.
  derived: { environment: '(SELECT environment FROM accounts WHERE id = :accountId)' },
  constraints: [ofAccount],
  indices: [
    'CREATE UNIQUE INDEX orders_by_id ON orders (id)',
    'CREATE UNIQUE INDEX orders_by_client_id ON orders (owner, client_order_id) WHERE client_order_id IS NOT NULL',
    'CREATE INDEX orders_of_owner ON orders (owner, environment, requested_at, sequence)',
    'CREATE INDEX orders_of_account ON orders (account_id, requested_at, sequence)',
    "CREATE INDEX orders_working ON orders (owner, environment, requested_at, sequence) WHERE status IN ('pending', 'resting')",
    'CREATE INDEX orders_filled ON orders (account_id, settle_sequence) WHERE settle_sequence IS NOT NULL',
    'CREATE INDEX orders_of_order ON orders (partial_of_order_id, sequence) WHERE partial_of_order_id IS NOT NULL',
    'CREATE INDEX orders_of_twap ON orders (twap_order_id, sequence) WHERE twap_order_id IS NOT NULL',
    'CREATE INDEX orders_of_scaled ON orders (scaled_order_id, sequence) WHERE scaled_order_id IS NOT NULL',
  ],
});

export const positions = new Table<Position>({
  name: 'positions',
  columns: {
    id: 'text',
    sequence: 'int',
    accountId: 'text',
    owner: 'text',
    marketId: 'text',
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
  key: ['sequence'],
  fixed: ['id', 'accountId', 'owner', 'openedAt'],
  constraints: [ofAccount],
  indices: [
    'CREATE UNIQUE INDEX positions_by_id ON positions (id)',
    "CREATE INDEX positions_open ON positions (account_id, opened_at, sequence) WHERE status = 'open'",
    "CREATE INDEX positions_closed ON positions (account_id, closed_at, sequence) WHERE status = 'closed'",
  ],
});

export const ledger = new Table<LedgerEntry>({
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
  key: ['sequence'],
  constraints: [ofAccount],
  indices: ['CREATE INDEX ledger_of_account ON ledger (account_id, sequence)'],
});

export const consumption = new Table<Consumption>({
  name: 'consumption',
  columns: { accountId: 'text', marketId: 'text', bookSide: 'text', price: 'int', consumed: 'int' },
  key: ['accountId', 'marketId', 'bookSide', 'price'],
  withoutRowid: true,
});

export const explanations = new Table<Explanation>({
  name: 'explanations',
  columns: { orderId: 'text', sequence: 'int', time: 'int', kind: 'text', detail: 'json' },
  key: [],
  indices: ['CREATE INDEX explanations_of_order ON explanations (order_id, sequence)'],
});

export const twaps = new Table<TwapOrder>({
  name: 'twap_orders',
  columns: {
    id: 'text',
    sequence: 'int',
    accountId: 'text',
    owner: 'text',
    marketId: 'text',
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
  key: ['sequence'],
  fixed: ['id', 'accountId', 'owner', 'startedAt'],
  constraints: [ofAccount],
  indices: [
    'CREATE UNIQUE INDEX twap_orders_by_id ON twap_orders (id)',
    "CREATE INDEX twap_orders_active ON twap_orders (account_id, started_at, sequence) WHERE status IN ('running', 'canceling')",
    'CREATE INDEX twap_orders_of_account ON twap_orders (account_id, status, started_at, sequence)',
  ],
});

export const scaledOrders = new Table<ScaledOrder>({
  name: 'scaled_orders',
  columns: {
    id: 'text',
    sequence: 'int',
    accountId: 'text',
    owner: 'text',
    marketId: 'text',
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
  key: ['sequence'],
  fixed: ['id', 'accountId', 'owner', 'startedAt'],
  constraints: [ofAccount],
  indices: [
    'CREATE UNIQUE INDEX scaled_orders_by_id ON scaled_orders (id)',
    "CREATE INDEX scaled_orders_working ON scaled_orders (sequence) WHERE status = 'working'",
    'CREATE INDEX scaled_orders_of_account ON scaled_orders (account_id, started_at, sequence)',
  ],
});

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
  key: ['sequence'],
  fixed: ['id', 'owner', 'environment'],
  indices: [
    'CREATE UNIQUE INDEX copy_groups_by_id ON copy_groups (id)',
    'CREATE INDEX copy_groups_of_owner ON copy_groups (owner, environment, sequence)',
  ],
});

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
  key: ['sequence'],
  fixed: ['id', 'accountId', 'owner', 'createdAt', 'targets'],
  constraints: [ofAccount],
  indices: [
    'CREATE UNIQUE INDEX operations_by_id ON operations (id)',
    "CREATE INDEX operations_running ON operations (sequence) WHERE status = 'running'",
  ],
});
