import type { BulkOperation, CopyGroup, ScaledOrder, TwapOrder } from '../engine/model.ts';
import { Table } from './table.ts';
import { ofAccount } from './tables.ts';

/** The table of TWAP and VWAP orders. */
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
  key: ['id'],
  fixed: ['sequence', 'accountId', 'owner', 'startedAt'],
  constraints: [ofAccount],
  indices: [
    "CREATE INDEX twap_orders_active ON twap_orders (account_id, started_at, sequence) WHERE status IN ('running', 'canceling')",
    'CREATE INDEX twap_orders_of_account ON twap_orders (account_id, status, started_at, sequence)',
  ],
});

/** The table of ladders, rungs included. */
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
  key: ['id'],
  fixed: ['sequence', 'accountId', 'owner', 'startedAt'],
  constraints: [ofAccount],
  indices: [
    "CREATE INDEX scaled_orders_working ON scaled_orders (sequence) WHERE status = 'working'",
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
  indices: ["CREATE INDEX operations_running ON operations (sequence) WHERE status = 'running'"],
});
