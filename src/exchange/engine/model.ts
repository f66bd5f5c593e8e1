import type { Direction, HalfPrice, Lots, MarginMode, Money, Price, Side } from '../../base/margin/notional.ts';
import type { OrderMode, OrderType } from '../../base/terms/order-types.ts';
import type { LimitName } from '../../base/terms/plans.ts';
import type { ObservedBehavior } from './observed.ts';

// The exchange's own records. Everything is exact: integer ticks, lots and 1e-8 USD; the service makes wire numbers of
// them.

export type { Direction, HalfPrice, Lots, MarginMode, Money, Price, Side };
/** Unix milliseconds. */
export type Ms = number;

/** A market's asset class, such as crypto, tradfi or fx: it decides fees and carry. */
export type Category = string;

/** A market's definition. `tick` is its price grid in price units; provider hyperliquid has its own rule instead. */
export interface MarketDefinition {
  readonly marketId: string;
  readonly provider: string;
  /** Short name: BTC, GOLD. */
  readonly symbol: string;
  /** The venue's name: BTCUSDT, xyz:GOLD. */
  readonly coin: string;
  readonly category: Category;
  /** Decimals of the unit of sizes: enough for every size of the market's source. */
  readonly sizeDecimals: number;
  /** Decimals of an order's size, if they are fewer: the venue's lots may get finer while the unit stays. */
  readonly lotDecimals?: number;
  /** Decimals of the price unit: enough for every price of the market's source. */
  readonly priceDecimals: number;
  /** Grid of limit prices, in price units (null: the five-significant-figures rule of provider hyperliquid). */
  readonly tick: Price | null;
  readonly maxLeverage: number;
  /** Whether the market was removed from its catalog: positions there may only be reduced. */
  readonly isRetired?: true;
}

/** Whether an account may trade, or how it ended. */
type AccountStatus = 'active' | 'passed' | 'failed' | 'closed';
/** Whether an account is being evaluated, or followed a passed evaluation. */
type Stage = 'evaluation' | 'funded';
/** Which of the two hosts a record belongs to: live or sandbox. */
export type Environment = 'live' | 'test';

/** Challenge rules of an account; percentages of the starting balance, null if there is no such rule. */
export interface Plan {
  readonly name: string;
  readonly profitTargetPct: number | null;
  readonly dailyLossPct: number | null;
  readonly maxDrawdownPct: number | null;
  readonly minimumTradingDays: number;
  readonly consistencyPct: number | null;
}

/** The trading policy's limits (contract: AccountTradingPolicy.limits), in the wire's own units. */
export type Limits = Record<LimitName, number>;

/** Everything in an account's policy that can be set for practice (`perp sim policy`). */
export interface Policy {
  limits: Limits;
  unlimitedTradeCountThreshold: number;
  slippageMinBps: number;
  slippageMaxBps: number;
  marketOrderMaximumBpsByProvider: Record<string, number>;
  maximumTotalNotionalUsd: number | null;
  feeExempt: boolean;
  payoutPending: boolean;
  restriction: { restriction: 'reduce_only'; reason: string; flaggedAt: Ms } | null;
  competition: { openingExposureRestricted: boolean; marketAllowlist: string[] } | null;
  /** Absent: no observed behavior (simulation 6.3). */
  observed?: ObservedBehavior;
}

/** Trades counted in fixed UTC windows: each window's number since the epoch, and the count in it. */
export interface TradeCounts {
  minute: number;
  minuteCount: number;
  hour: number;
  hourCount: number;
  day: number;
  dayCount: number;
}

/** A challenge account: its plan, policy and balance, and the counts for its rules. */
export interface Account {
  id: string;
  number: string;
  name: string;
  /** The owner: the user behind a credential. */
  owner: string;
  environment: Environment;
  stage: Stage;
  status: AccountStatus;
  plan: Plan;
  policy: Policy;
  startingBalance: Money;
  /** Always the sum of the account's postings. */
  balance: Money;
  createdAt: Ms;
  /** Equity at the start of the trading day (midnight in New York), and when that was. */
  dayStartEquity: Money;
  dayStartedAt: Ms;
  /** Trading days with at least one fill, and the day (its start) of the last. */
  tradingDays: number;
  lastTradingDay: Ms | null;
  trades: TradeCounts;
  lastOrderAt: Ms | null;
  copyStop: { stoppedAt: Ms; completedAt: Ms | null; acknowledgedAt: Ms | null; reason: string | null } | null;
  /** Why it failed: the rule id of the floor. */
  breachRuleId: string | null;
  /** When it failed or passed; null if it has not, or if that was before this was recorded. */
  endedAt: Ms | null;
  /** Its equity at that moment, and the floor that it touched or the target that it reached. */
  endedEquity: Money | null;
  endedBound: Money | null;
  /** The funded account created from this passed one. */
  successorId: string | null;
}

export type { OrderMode, OrderType };

/** How long a limit order works: until canceled, only now, all of it now or nothing, or until a date. */
type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'gtd';
/** The stage of an order; `pending` and `resting` are working, the others final. */
type OrderStatus = 'pending' | 'filled' | 'rejected' | 'expired' | 'resting' | 'canceled';
/** Whether an execution came from a resting order or took from the book. */
export type LiquidityRole = 'maker' | 'taker';

/** An account's state in a market. */
interface Owned {
  id: string;
  /** Creation number, unique over all records of a state: breaks ties of one millisecond. Ids sort the same way. */
  sequence: number;
  accountId: string;
  owner: string;
  marketId: string;
}

/** One order record (contract: Order). Each execution that does not finish it is a `filled` child record. */
export interface Order extends Owned {
  clientOrderId: string | null;
  type: OrderType;
  mode: OrderMode;
  side: Side;
  /** The remainder of a working order; a filled record's own fill. */
  size: Lots;
  initialSize: Lots;
  filledSize: Lots;
  /** As the caller gave it, else the mid at acceptance; never used for pricing. */
  expectedPrice: number;
  leverage: number;
  marginMode: MarginMode;
  reduceOnly: boolean;
  status: OrderStatus;
  timeInForce: TimeInForce | null;
  gtdExpiresAt: Ms | null;
  limitPrice: Price | null;
  /** As given by the caller (a JSON number): may be off the grid; compared exactly. */
  triggerPrice: number | null;
  triggerMarketId: string | null;
  triggerDirection: 'above' | 'below' | null;
  /** Largest distance of the worst level from mid, bps; null: the account's ceiling. */
  slippageToleranceBps: number | null;
  attachedTakeProfitPrice: number | null;
  attachedStopLossPrice: number | null;
  replaceOverlappingExits: boolean;
  /** Whether a limit may fill at once; kept for an order whose execution is delayed. */
  marketableLimitAcknowledged: boolean;
  /** As given (USD, a JSON number). */
  chaseOffset: number | null;
  chaseCapPrice: number | null;
  /** Set on an armed order when it was triggered (record: triggered_at; *_limit also stop_triggered_at). */
  triggeredAt: Ms | null;
  stopTriggeredAt: Ms | null;
  cancelRequestedAt: Ms | null;
  ocoSiblingOrderId: string | null;
  /** The position that a reduction reduces; on an entry, the one that its legs were last attached to. */
  targetPositionId: string | null;
  /** An exit's group; null: not an exit. Attached and batch exits end with their position. */
  exitGroup: 'tp' | 'sl' | null;
  partialOfOrderId: string | null;
  partialFillRootOrderId: string | null;
  twapOrderId: string | null;
  scaledOrderId: string | null;
  /** The lead's order or event this one copies, and the group. */
  copyConfigId: string | null;
  /** The last (for a child, the only) execution: its average price is notional over lots. */
  liquidityRole: LiquidityRole | null;
  notional: Money | null;
  fee: Money | null;
  realizedPnl: Money | null;
  /** When a pending order reaches the book (execution delay). */
  executeAt: Ms | null;
  requestedAt: Ms;
  settledAt: Ms | null;
  canceledAt: Ms | null;
  /** A fill's number in settlement order; null until filled. */
  settleSequence: number | null;
  /** Why it was rejected, why the exchange canceled it, or which of an entry's legs were not placed. */
  rejectReason: string | null;
  rejectRuleId: string | null;
  /** Queue: displayed size ahead at the limit price; null if its level has not been visible yet. */
  queueAhead: Lots | null;
  /** When it was accepted at its current price; earlier prints do not match. */
  pricedAt: Ms;
  /** Place in line at its current price (changes when it is repriced or grows). */
  priority: number;
}

/** One netted position per account and market (contract: Position). `cost` is the entry notional of what is open. */
export interface Position extends Owned {
  direction: Direction;
  size: Lots;
  cost: Money;
  leverage: number;
  marginMode: MarginMode;
  /** Margin of an isolated position beyond its initial margin; negative if closing a part used some of that. */
  isolatedMarginExtra: Money;
  status: 'open' | 'closed';
  openedAt: Ms;
  closedAt: Ms | null;
  /** Sums over the position's life. `closed*`: totals closed so far, for the average exit price. */
  closedSize: Lots;
  closedNotional: Money;
  /** Entry notional of what was closed: the entry price survives the close. */
  closedCost: Money;
  realizedPnl: Money;
  /** Initial margin of what was closed (contract: realized_margin_basis). */
  realizedMarginBasis: Money;
  fees: Money;
  funding: Money;
  /** Full UTC hours of carry already paid, as the hour's start. */
  carriedUntil: Ms;
}

/** Why a balance changed. */
export type LedgerKind =
  | 'deposit'
  | 'fee'
  | 'realized_pnl'
  | 'funding'
  | 'liquidation_fee'
  | 'bankruptcy'
  | 'withdrawal';

/** One change of a balance. The ledger is append-only; a balance is the sum of its postings. */
export interface Posting {
  sequence: number;
  accountId: string;
  kind: LedgerKind;
  amount: Money;
  balanceAfter: Money;
  time: Ms;
  orderId: string | null;
  positionId: string | null;
}

/** Lots that an account took from a displayed level and is not offered again (consumption). */
export interface Consumption {
  accountId: string;
  marketId: string;
  /** The side of the book that was taken from. */
  bookSide: 'bid' | 'ask';
  price: Price;
  consumed: Lots;
}

/** Why an order did or didn't fill (`perp order explain`): one line of its history. Values are engine units. */
export interface Explanation {
  orderId: string;
  sequence: number;
  time: Ms;
  kind: string;
  detail: Record<string, number | string | boolean | null | number[][]>;
}

/** A TWAP or VWAP parent (contract: TwapOrder). */
export interface TwapOrder extends Owned {
  strategy: 'twap' | 'vwap';
  side: Side;
  totalSize: Lots;
  filledSize: Lots;
  filledNotional: Money;
  expectedPrice: number;
  leverage: number;
  marginMode: MarginMode;
  reduceOnly: boolean;
  durationMinutes: number;
  sliceIntervalSeconds: number;
  randomize: boolean;
  triggerPrice: number | null;
  /** On which side of the trigger the mark was at placement. */
  triggerFrom: 'below' | 'above' | null;
  maxPrice: number | null;
  minPrice: number | null;
  status: 'running' | 'canceling' | 'completed' | 'canceled';
  completionReason: string | null;
  startedAt: Ms;
  endAt: Ms;
  activatedAt: Ms | null;
  canceledAt: Ms | null;
  completedAt: Ms | null;
  nextRunAt: Ms | null;
  currentChildOrderId: string | null;
  sliceCount: number;
  slicesAttempted: number;
  /** Fixed at the start: planned cumulative lots after each slice, and each slice's time. */
  plannedCumulative: Lots[];
  sliceTimes: Ms[];
}

/** One rung of a ladder: its limit order, or why it was rejected. */
export interface ScaledRung {
  price: Price;
  size: Lots;
  liquidityRole: LiquidityRole | null;
  orderId: string | null;
  rejectReason: string | null;
  /** The rule behind it; null or, in records of older versions, absent if none is known. */
  rejectRuleId?: string | null;
}

/** A scaled parent (contract: ScaledOrder). */
export interface ScaledOrder extends Owned {
  side: Side;
  totalSize: Lots;
  leverage: number;
  marginMode: MarginMode;
  reduceOnly: boolean;
  distribution: 'flat' | 'ascending' | 'descending';
  startPrice: number;
  endPrice: number;
  rungs: ScaledRung[];
  status: 'working' | 'completed' | 'canceled' | 'rejected';
  startedAt: Ms;
  completedAt: Ms | null;
  canceledAt: Ms | null;
}

/** A copy-trading group (contract: CopyTradingConfiguration). */
export interface CopyGroup {
  id: string;
  sequence: number;
  owner: string;
  environment: Environment;
  enabled: boolean;
  sourceAccountId: string;
  targets: { accountId: string; multiplierBps: number }[];
  policyVersion: number;
  updatedAt: Ms;
  stoppedAt: Ms | null;
  stopReason: string | null;
  stoppedCompletedAt: Ms | null;
  stopCleanupPending: boolean;
  /** Per follower and market: the size that the lead added since its position opened, and the copied part of it. */
  progress: { accountId: string; marketId: string; leadAdded: Lots; copied: Lots; leadPositionId: string }[];
}

/** A bulk operation (API 4.2.1, 4.2.2): its snapshot is fixed before it changes anything. */
export interface BulkOperation {
  id: string;
  sequence: number;
  kind: 'cancel_all_orders' | 'close_all_positions';
  accountId: string;
  owner: string;
  status: 'running' | 'completed';
  targets: string[];
  results: BulkResult[];
  createdAt: Ms;
  completedAt: Ms | null;
}

/** The effect of a bulk operation on one of its targets. */
export interface BulkResult {
  targetId: string;
  status: 'canceled' | 'queued' | 'failed' | 'submitted';
  orderId: string | null;
  failureCode: string | null;
  ruleId: string | null;
}
