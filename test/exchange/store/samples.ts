import type { Changes } from '../../../src/exchange/engine/commands.ts';
import type { Account, Order, Position, Posting, ScaledOrder, TwapOrder } from '../../../src/exchange/engine/model.ts';
import type { IdempotencyRecord } from '../../../src/exchange/store/service-tables.ts';

/* Plain records, complete and in order; a test states only what it is about. */

export function account(overrides: Partial<Account> = {}): Account {
  return {
    id: 'acc_1',
    number: '1',
    name: 'Practice',
    owner: 'owner',
    environment: 'live',
    stage: 'evaluation',
    status: 'active',
    plan: {
      name: 'select',
      profitTargetPct: 9,
      dailyLossPct: 3,
      maxDrawdownPct: 3,
      minimumTradingDays: 0,
      consistencyPct: null,
    },
    policy: {
      limits: {
        tradesPerMinute: 120,
        tradesPerHour: 2_000,
        tradesPerDay: 10_000,
        orderCooldownMs: 0,
        maxOpenPositions: 50,
        maxPositionValueUsd: 1_000_000,
        minOrderNotionalUsd: 10,
        executionDelayMinMs: 0,
        executionDelayMaxMs: 0,
        maxBookStalenessMs: 10_000,
        maintenanceMarginRatioBps: 100,
        liquidationFeeBps: 50,
        maxRestingOrders: 200,
        riskTouchWindowMs: 0,
      },
      unlimitedTradeCountThreshold: 0,
      slippageMinBps: 1,
      slippageMaxBps: 250,
      marketOrderMaximumBpsByProvider: { binance: 250, bybit: 250, hyperliquid: 250 },
      maximumTotalNotionalUsd: null,
      feeExempt: false,
      payoutPending: false,
      restriction: null,
      competition: null,
    },
    startingBalance: 10_000_000_000_000n,
    balance: 10_000_000_000_000n,
    createdAt: 1_000,
    dayStartEquity: 10_000_000_000_000n,
    dayStartedAt: 0,
    tradingDays: 0,
    lastTradingDay: null,
    trades: { minute: 0, minuteCount: 0, hour: 0, hourCount: 0, day: 0, dayCount: 0 },
    lastOrderAt: null,
    copyStop: null,
    breachRuleId: null,
    endedAt: null,
    endedEquity: null,
    endedBound: null,
    successorId: null,
    ...overrides,
  };
}

export function order(sequence: number, overrides: Partial<Order> = {}): Order {
  return {
    id: `ord_${sequence.toString(36).padStart(9, '0')}`,
    sequence,
    accountId: 'acc_1',
    owner: 'owner',
    marketId: 'binance|BTCUSDT',
    clientOrderId: null,
    type: 'limit',
    mode: 'limit',
    side: 'buy',
    size: 50,
    initialSize: 50,
    filledSize: 0,
    expectedPrice: 61_000.5,
    leverage: 10,
    marginMode: 'cross',
    reduceOnly: false,
    status: 'resting',
    timeInForce: null,
    gtdExpiresAt: null,
    limitPrice: 610_000,
    triggerPrice: null,
    triggerMarketId: null,
    triggerDirection: null,
    slippageToleranceBps: null,
    attachedTakeProfitPrice: null,
    attachedStopLossPrice: null,
    replaceOverlappingExits: false,
    marketableLimitAcknowledged: false,
    chaseOffset: null,
    chaseCapPrice: null,
    triggeredAt: null,
    stopTriggeredAt: null,
    cancelRequestedAt: null,
    ocoSiblingOrderId: null,
    targetPositionId: null,
    exitGroup: null,
    partialOfOrderId: null,
    partialFillRootOrderId: null,
    twapOrderId: null,
    scaledOrderId: null,
    copyConfigId: null,
    liquidityRole: null,
    notional: null,
    fee: null,
    realizedPnl: null,
    executeAt: null,
    requestedAt: 1_000 + sequence,
    settledAt: null,
    canceledAt: null,
    settleSequence: null,
    rejectReason: null,
    rejectRuleId: null,
    queueAhead: null,
    pricedAt: 1_000 + sequence,
    priority: sequence,
    ...overrides,
  };
}

/** An order after its fill. */
export function filledOrder(sequence: number, overrides: Partial<Order> = {}): Order {
  return order(sequence, {
    type: 'market',
    mode: 'market',
    limitPrice: null,
    status: 'filled',
    filledSize: 50,
    liquidityRole: 'taker',
    notional: 305_002_500_000n,
    fee: 91_500_750n,
    realizedPnl: 0n,
    settledAt: 1_000 + sequence,
    settleSequence: sequence,
    ...overrides,
  });
}

export function position(sequence: number, overrides: Partial<Position> = {}): Position {
  return {
    id: `pos_${sequence.toString(36).padStart(9, '0')}`,
    sequence,
    accountId: 'acc_1',
    owner: 'owner',
    marketId: 'binance|BTCUSDT',
    direction: 'long',
    size: 50,
    cost: 305_002_500_000n,
    leverage: 10,
    marginMode: 'cross',
    isolatedMarginExtra: 0n,
    status: 'open',
    openedAt: 1_000 + sequence,
    closedAt: null,
    closedSize: 0,
    closedNotional: 0n,
    closedCost: 0n,
    realizedPnl: 0n,
    realizedMarginBasis: 0n,
    fees: 91_500_750n,
    funding: 0n,
    carriedUntil: 0,
    ...overrides,
  };
}

export function twap(sequence: number, overrides: Partial<TwapOrder> = {}): TwapOrder {
  return {
    id: `twap_${sequence.toString(36).padStart(9, '0')}`,
    sequence,
    accountId: 'acc_1',
    owner: 'owner',
    marketId: 'binance|BTCUSDT',
    strategy: 'twap',
    side: 'buy',
    totalSize: 1_000,
    filledSize: 0,
    filledNotional: 0n,
    expectedPrice: 61_000.5,
    leverage: 10,
    marginMode: 'cross',
    reduceOnly: false,
    durationMinutes: 5,
    sliceIntervalSeconds: 30,
    randomize: false,
    triggerPrice: null,
    triggerFrom: null,
    maxPrice: null,
    minPrice: null,
    status: 'running',
    completionReason: null,
    startedAt: 1_000 + sequence,
    endAt: 301_000 + sequence,
    activatedAt: 1_000 + sequence,
    canceledAt: null,
    completedAt: null,
    nextRunAt: 1_000 + sequence,
    currentChildOrderId: null,
    sliceCount: 2,
    slicesAttempted: 0,
    plannedCumulative: [500, 1_000],
    sliceTimes: [1_000, 31_000],
    ...overrides,
  };
}

export function scaledOrder(sequence: number, overrides: Partial<ScaledOrder> = {}): ScaledOrder {
  return {
    id: `scl_${sequence.toString(36).padStart(9, '0')}`,
    sequence,
    accountId: 'acc_1',
    owner: 'owner',
    marketId: 'binance|BTCUSDT',
    side: 'buy',
    totalSize: 1_000,
    leverage: 10,
    marginMode: 'cross',
    reduceOnly: false,
    distribution: 'flat',
    startPrice: 60_000,
    endPrice: 61_000,
    rungs: [{ price: 600_000, size: 1_000, liquidityRole: null, orderId: null, rejectReason: null }],
    status: 'working',
    startedAt: 1_000 + sequence,
    completedAt: null,
    canceledAt: null,
    ...overrides,
  };
}

export function posting(sequence: number, overrides: Partial<Posting> = {}): Posting {
  return {
    sequence,
    accountId: 'acc_1',
    kind: 'fee',
    amount: -91_500_750n,
    balanceAfter: 9_999_908_499_250n,
    time: 1_000 + sequence,
    orderId: null,
    positionId: null,
    ...overrides,
  };
}

/** What is stored about an order placed under this idempotency key. */
export function remembered(key: string, overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    owner: 'owner',
    operation: 'createOrder',
    key,
    payloadHash: 'h',
    resourceKind: 'order',
    resourceId: 'ord_1',
    status: 201,
    outcome: null,
    createdAt: 1_000,
    ...overrides,
  };
}

/** Changes with only these parts; records are given as lists. */
export function changes({
  accounts = [],
  orders = [],
  positions = [],
  twaps = [],
  scaled = [],
  copyGroups = [],
  operations = [],
  ...rest
}: {
  [Part in
    | 'accounts'
    | 'orders'
    | 'positions'
    | 'twaps'
    | 'scaled'
    | 'copyGroups'
    | 'operations']?: Changes[Part] extends Map<string, infer Kept> ? Kept[] : never;
} & Partial<
  Omit<Changes, 'accounts' | 'orders' | 'positions' | 'twaps' | 'scaled' | 'copyGroups' | 'operations'>
>): Changes {
  return {
    time: 1_000,
    sequence: 0,
    settleSequence: 0,
    ledgerSequence: 0,
    halt: null,
    accounts: byId(accounts),
    orders: byId(orders),
    positions: byId(positions),
    twaps: byId(twaps),
    scaled: byId(scaled),
    copyGroups: byId(copyGroups),
    deletedCopyGroups: new Set(),
    operations: byId(operations),
    ledger: [],
    consumption: new Map(),
    explanations: [],
    ...rest,
  };
}

function byId<R extends { id: string }>(records: R[]): Map<string, R> {
  return new Map(records.map((record) => [record.id, record]));
}
