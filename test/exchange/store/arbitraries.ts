import fc, { type Arbitrary } from 'fast-check';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Explanation,
  Order,
  Position,
  Posting,
  ScaledOrder,
  TwapOrder,
} from '../../../src/exchange/engine/model.ts';
import { anyText } from '../../any-text.ts';
import { account } from './samples.ts';

/* Every record the engine could ever hand over: any text, money beyond 2^53, null wherever it may be. */

const text = anyText({ maxLength: 40 });
const integer = fc.maxSafeInteger();
const count = fc.maxSafeNat();
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const money = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const flag = fc.boolean();
const orNull = <T>(arbitrary: Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const one = <const T extends readonly string[]>(...values: T) => fc.constantFrom<T[number]>(...values);
const record = <R extends object>(fields: { [F in keyof R]: Arbitrary<R[F]> }): Arbitrary<R> =>
  fc.record<R>(fields, { noNullPrototype: true }) as Arbitrary<R>;
const marginMode = one('cross', 'isolated');
const side = one('buy', 'sell');
const role = orNull(one('maker', 'taker'));

/** References to the account that the test has stored. */
const ofAccount = { accountId: fc.constant('acc_1'), owner: text, marketId: text };

export const accounts: Arbitrary<Account> = record({
  id: text,
  number: text,
  name: text,
  owner: text,
  environment: one('live', 'test'),
  stage: one('evaluation', 'funded'),
  status: one('active', 'passed', 'failed', 'closed'),
  plan: record({
    name: text,
    profitTargetPct: orNull(number),
    dailyLossPct: orNull(number),
    maxDrawdownPct: orNull(number),
    minimumTradingDays: count,
    consistencyPct: orNull(number),
  }),
  policy: record({
    limits: fc.constant(account().policy.limits),
    unlimitedTradeCountThreshold: number,
    slippageMinBps: number,
    slippageMaxBps: number,
    marketOrderMaximumBpsByProvider: fc.constant({ binance: 250 }),
    maximumTotalNotionalUsd: orNull(number),
    feeExempt: flag,
    payoutPending: flag,
    restriction: orNull(record({ restriction: fc.constant('reduce_only' as const), reason: text, flaggedAt: integer })),
    competition: orNull(record({ openingExposureRestricted: flag, marketAllowlist: fc.array(text) })),
  }),
  startingBalance: money,
  balance: money,
  createdAt: integer,
  dayStartEquity: money,
  dayStartedAt: integer,
  tradingDays: count,
  lastTradingDay: orNull(integer),
  trades: record({
    minute: count,
    minuteCount: count,
    hour: count,
    hourCount: count,
    day: count,
    dayCount: count,
  }),
  lastOrderAt: orNull(integer),
  copyStop: orNull(
    record({
      stoppedAt: integer,
      completedAt: orNull(integer),
      acknowledgedAt: orNull(integer),
      reason: orNull(text),
    }),
  ),
  breachRuleId: orNull(text),
  endedAt: orNull(integer),
  endedEquity: orNull(money),
  endedBound: orNull(money),
  successorId: orNull(text),
});

export const orders: Arbitrary<Order> = record({
  id: text,
  sequence: count,
  ...ofAccount,
  clientOrderId: orNull(text),
  type: one('market', 'limit', 'stop_market', 'stop_limit', 'take_profit', 'liquidation', 'close_out'),
  mode: one('market', 'limit', 'chase', 'conditional'),
  side,
  // A rejected order keeps sizes and prices that are off the grid, as its caller sent them.
  size: fc.oneof(count, number),
  initialSize: fc.oneof(count, number),
  filledSize: count,
  expectedPrice: number,
  leverage: number,
  marginMode,
  reduceOnly: flag,
  status: one('pending', 'filled', 'rejected', 'expired', 'resting', 'canceled'),
  timeInForce: orNull(one('gtc', 'ioc', 'fok', 'gtd')),
  gtdExpiresAt: orNull(number),
  limitPrice: orNull(number),
  triggerPrice: orNull(number),
  triggerMarketId: orNull(text),
  triggerDirection: orNull(one('above', 'below')),
  slippageToleranceBps: orNull(number),
  attachedTakeProfitPrice: orNull(number),
  attachedStopLossPrice: orNull(number),
  replaceOverlappingExits: flag,
  marketableLimitAcknowledged: flag,
  chaseOffset: orNull(number),
  chaseCapPrice: orNull(number),
  triggeredAt: orNull(integer),
  stopTriggeredAt: orNull(integer),
  cancelRequestedAt: orNull(integer),
  ocoSiblingOrderId: orNull(text),
  targetPositionId: orNull(text),
  exitGroup: orNull(one('tp', 'sl')),
  partialOfOrderId: orNull(text),
  partialFillRootOrderId: orNull(text),
  twapOrderId: orNull(text),
  scaledOrderId: orNull(text),
  copyConfigId: orNull(text),
  liquidityRole: role,
  notional: orNull(money),
  fee: orNull(money),
  realizedPnl: orNull(money),
  executeAt: orNull(integer),
  requestedAt: integer,
  settledAt: orNull(integer),
  canceledAt: orNull(integer),
  settleSequence: orNull(count),
  rejectReason: orNull(text),
  rejectRuleId: orNull(text),
  queueAhead: orNull(count),
  pricedAt: integer,
  priority: count,
});

export const positions: Arbitrary<Position> = record({
  id: text,
  sequence: count,
  ...ofAccount,
  direction: one('long', 'short'),
  size: count,
  cost: money,
  leverage: number,
  marginMode,
  isolatedMarginExtra: money,
  status: one('open', 'closed'),
  openedAt: integer,
  closedAt: orNull(integer),
  closedSize: count,
  closedNotional: money,
  closedCost: money,
  realizedPnl: money,
  realizedMarginBasis: money,
  fees: money,
  funding: money,
  carriedUntil: integer,
});

export const postings: Arbitrary<Posting> = record({
  sequence: count,
  accountId: ofAccount.accountId,
  kind: one('deposit', 'fee', 'realized_pnl', 'funding', 'liquidation_fee', 'bankruptcy', 'withdrawal'),
  amount: money,
  balanceAfter: money,
  time: integer,
  orderId: orNull(text),
  positionId: orNull(text),
});

export const consumptions: Arbitrary<Consumption> = record({
  accountId: text,
  marketId: text,
  bookSide: one('bid', 'ask'),
  price: count,
  consumed: fc.integer({ min: 1 }),
});

export const explanations: Arbitrary<Explanation> = record({
  orderId: text,
  sequence: count,
  time: integer,
  kind: text,
  detail: fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    fc.oneof(number, text, flag, fc.constant(null), fc.array(fc.array(number))),
    { noNullPrototype: true },
  ),
});

export const twaps: Arbitrary<TwapOrder> = record({
  id: text,
  sequence: count,
  ...ofAccount,
  strategy: one('twap', 'vwap'),
  side,
  totalSize: count,
  filledSize: count,
  filledNotional: money,
  expectedPrice: number,
  leverage: number,
  marginMode,
  reduceOnly: flag,
  durationMinutes: count,
  sliceIntervalSeconds: count,
  randomize: flag,
  triggerPrice: orNull(number),
  triggerFrom: orNull(one('below', 'above')),
  maxPrice: orNull(number),
  minPrice: orNull(number),
  status: one('running', 'canceling', 'completed', 'canceled'),
  completionReason: orNull(text),
  startedAt: integer,
  endAt: integer,
  activatedAt: orNull(integer),
  canceledAt: orNull(integer),
  completedAt: orNull(integer),
  nextRunAt: orNull(integer),
  currentChildOrderId: orNull(text),
  sliceCount: count,
  slicesAttempted: count,
  plannedCumulative: fc.array(count),
  sliceTimes: fc.array(integer),
});

export const scaledOrders: Arbitrary<ScaledOrder> = record({
  id: text,
  sequence: count,
  ...ofAccount,
  side,
  totalSize: count,
  leverage: number,
  marginMode,
  reduceOnly: flag,
  distribution: one('flat', 'ascending', 'descending'),
  startPrice: number,
  endPrice: number,
  rungs: fc.array(
    record({ price: number, size: count, liquidityRole: role, orderId: orNull(text), rejectReason: orNull(text) }),
  ),
  status: one('working', 'completed', 'canceled', 'rejected'),
  startedAt: integer,
  completedAt: orNull(integer),
  canceledAt: orNull(integer),
});

export const copyGroups: Arbitrary<CopyGroup> = record({
  id: text,
  sequence: count,
  owner: text,
  environment: one('live', 'test'),
  enabled: flag,
  sourceAccountId: text,
  targets: fc.array(record({ accountId: text, multiplierBps: number })),
  policyVersion: count,
  updatedAt: integer,
  stoppedAt: orNull(integer),
  stopReason: orNull(text),
  stoppedCompletedAt: orNull(integer),
  stopCleanupPending: flag,
  progress: fc.array(
    record({ accountId: text, marketId: text, leadAdded: count, copied: count, leadPositionId: text }),
  ),
});

export const operations: Arbitrary<BulkOperation> = record({
  id: text,
  sequence: count,
  kind: one('cancel_all_orders', 'close_all_positions'),
  accountId: ofAccount.accountId,
  owner: text,
  status: one('running', 'completed'),
  targets: fc.array(text),
  results: fc.array(
    record({
      targetId: text,
      status: one('canceled', 'queued', 'failed', 'submitted'),
      orderId: orNull(text),
      failureCode: orNull(text),
      ruleId: orNull(text),
    }),
  ),
  createdAt: integer,
  completedAt: orNull(integer),
});
