import type { CloseField, CommandName, DefaultOf, RequestField } from '../terms/order-fields.ts';
import type { CloseType, RequestType } from '../terms/order-types.ts';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Environment,
  Explanation,
  LedgerEntry,
  MarginMode,
  Ms,
  Order,
  Plan,
  Policy,
  Position,
  ScaledOrder,
  Side,
  TwapOrder,
} from './model.ts';

/**
 * The exchange's commands, one transaction each. Numbers are as the caller gave them (JSON numbers in USD and base
 * asset); the engine converts them exactly and rejects those off the grid.
 */
export type Command =
  | OpenAccount
  | PlaceOrder
  | AmendOrder
  | CancelOrder
  | ClosePosition
  | UpdateAttachedExits
  | ReplaceExits
  | SetIsolatedMargin
  | PlaceTwap
  | CancelTwap
  | PlaceScaled
  | CancelScaled
  | StartBulk
  | ContinueBulk
  | SaveCopyGroups
  | DisableCopyGroup
  | AcknowledgeCopyStop
  | SetPolicy
  | SetHalt
  | FundAccount;

export interface OpenAccount {
  kind: 'open_account';
  owner: string;
  environment: Environment;
  name: string;
  plan: Plan;
  /** Whole or fractional USD. */
  startingBalance: number;
}

/** An order, with the fields that a request can set; null or false if not given. */
export type PlaceOrder = { kind: 'place_order'; mode: RequestType } & CommandFields<Exclude<RequestField, 'mode'>>;

/** Fields that a request can set, by the command's names. */
export type CommandFields<F extends RequestField> = { [One in F as CommandName<One>]: Order[One] | DefaultOf<One> };

export interface AmendOrder {
  kind: 'amend_order';
  orderId: string;
  price: number;
  size: number | null;
}

export interface CancelOrder {
  kind: 'cancel_order';
  orderId: string;
}

export type ClosePosition = {
  kind: 'close_position';
  positionId: string;
  type: CloseType;
  /** null: the whole position. */
  size: number | null;
} & CommandFields<Exclude<CloseField, 'mode' | 'size'>>;

export interface UpdateAttachedExits {
  kind: 'update_attached_exits';
  orderId: string;
  /** undefined: unchanged; null: removed. */
  takeProfitPrice: number | null | undefined;
  stopLossPrice: number | null | undefined;
}

export type ExitOperation =
  | { kind: 'cancel'; orderId: string }
  | { kind: 'modify'; orderId: string; price: number; size: number | null }
  | {
      kind: 'place';
      group: 'tp' | 'sl';
      executionType: 'market' | 'limit';
      price: number;
      size: number;
      ocoPairWithOperationIndex: number | null;
    };

export interface ReplaceExits {
  kind: 'replace_exits';
  positionId: string;
  expectedPositionSize: number;
  expectedOrders: { orderId: string; executionType: 'market' | 'limit' | null; price: number; size: number }[];
  operations: ExitOperation[];
}

export interface SetIsolatedMargin {
  kind: 'set_isolated_margin';
  positionId: string;
  /** New total, USD. */
  extraMargin: number;
}

export interface PlaceTwap {
  kind: 'place_twap';
  accountId: string;
  marketId: string;
  strategy: 'twap' | 'vwap';
  side: Side;
  size: number;
  expectedPrice: number;
  leverage: number;
  marginMode: MarginMode;
  durationMinutes: number;
  sliceIntervalSeconds: number;
  randomize: boolean;
  reduceOnly: boolean;
  triggerPrice: number | null;
  maxPrice: number | null;
  minPrice: number | null;
}

export interface CancelTwap {
  kind: 'cancel_twap';
  twapOrderId: string;
}

export interface PlaceScaled {
  kind: 'place_scaled';
  accountId: string;
  marketId: string;
  side: Side;
  size: number;
  startPrice: number;
  endPrice: number;
  rungCount: number;
  distribution: 'flat' | 'ascending' | 'descending';
  leverage: number;
  marginMode: MarginMode;
  reduceOnly: boolean;
  marketableLimitAcknowledged: boolean;
}

export interface CancelScaled {
  kind: 'cancel_scaled';
  scaledOrderId: string;
}

export interface StartBulk {
  kind: 'start_bulk';
  operation: BulkOperation['kind'];
  accountId: string;
}

export interface ContinueBulk {
  kind: 'continue_bulk';
  operationId: string;
}

export interface SaveCopyGroups {
  kind: 'save_copy_groups';
  owner: string;
  environment: Environment;
  groups: {
    configId: string | null;
    enabled: boolean;
    sourceAccountId: string;
    targets: { accountId: string; multiplierBps: number }[];
  }[];
  deletedConfigIds: string[];
}

export interface DisableCopyGroup {
  kind: 'disable_copy_group';
  owner: string;
  environment: Environment;
  configId: string;
}

export interface AcknowledgeCopyStop {
  kind: 'acknowledge_copy_stop';
  accountId: string;
  stoppedAt: Ms;
}

export interface SetPolicy {
  kind: 'set_policy';
  accountId: string;
  policy: Policy;
}

export interface SetHalt {
  kind: 'set_halt';
  platform: boolean;
  categories: string[];
}

export interface FundAccount {
  kind: 'fund_account';
  accountId: string;
}

/** The result of a command. An expected failure is a value; an exception is a bug in the engine. */
export type Outcome = Done | Refused;

export interface Done {
  ok: true;
  order?: Order;
  queued?: boolean;
  position?: Position;
  account?: Account;
  twap?: TwapOrder;
  scaled?: ScaledOrder;
  operation?: BulkOperation;
  configIds?: string[];
}

export type RefusalCode =
  | 'invalid_request'
  | 'not_found'
  | 'order_terminal'
  | 'copy_managed'
  | 'stale_snapshot'
  | 'conflict'
  | 'rule_violation'
  | 'cooldown'
  | 'unavailable';

export interface Refused {
  ok: false;
  code: RefusalCode;
  message: string;
  /** Set on rule_violation and cooldown (simulation 6.2 lists the ids). */
  ruleId?: string;
  /** Facts for the caller, wire names and numbers: available_size, required_margin, field issues. */
  details?: Record<string, unknown>;
  /** A well-formed order that a rule rejects leaves a `rejected` record. */
  order?: Order;
}

/** Everything that is open, enough to continue from; history stays in the store. */
export interface OpenState {
  /** Time of the last event. */
  time: Ms;
  /** Last number given to a record, to a fill, to a ledger entry. */
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
  /** Seed of the engine's random draws (execution delay, randomize). */
  seed: number;
  halt: { platform: boolean; categories: string[] };
  accounts: Account[];
  /** Pending and resting. */
  orders: Order[];
  /** Open. */
  positions: Position[];
  consumption: Consumption[];
  /** Running or canceling. */
  twaps: TwapOrder[];
  /** Working. */
  scaled: ScaledOrder[];
  copyGroups: CopyGroup[];
  /** Running. */
  operations: BulkOperation[];
}

/** Changes made by one command and by the time before it; records are final values, keyed by id. */
export interface Changes {
  /** The moment of the last change, however time was divided into steps. */
  time: Ms;
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
  halt: { platform: boolean; categories: string[] } | null;
  accounts: Map<string, Account>;
  orders: Map<string, Order>;
  positions: Map<string, Position>;
  twaps: Map<string, TwapOrder>;
  scaled: Map<string, ScaledOrder>;
  copyGroups: Map<string, CopyGroup>;
  /** Deleted groups. */
  deletedCopyGroups: Set<string>;
  operations: Map<string, BulkOperation>;
  ledger: LedgerEntry[];
  /** Keyed by account, market, side and price; consumed 0 removes the entry. */
  consumption: Map<string, Consumption>;
  explanations: Explanation[];
}
