import type { CloseField, CommandName, DefaultOf, RequestField } from '../../base/terms/order-fields.ts';
import type { CloseType, ExitExecution, RequestType } from '../../base/terms/order-types.ts';
import type {
  Account,
  BulkOperation,
  Consumption,
  CopyGroup,
  Environment,
  Explanation,
  Ms,
  Order,
  Plan,
  Policy,
  Position,
  Posting,
  ScaledOrder,
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

/** Opens an account with a plan and a starting balance, USD. */
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
export type PlaceOrder = {
  kind: 'place_order';
  mode: RequestType;
  /** Above the hidden exposure cap, regardless of its size. */
  isCapped?: true;
} & CommandFields<Exclude<RequestField, 'mode'>>;

/** Fields that a request can set, by the command's names. */
export type CommandFields<F extends RequestField> = { [One in F as CommandName<One>]: Order[One] | DefaultOf<One> };

/**
 * Moves a working order's price (the limit, or the trigger of an armed order) and, unless `size` is null, its
 * remainder, in base asset.
 */
export interface AmendOrder {
  kind: 'amend_order';
  orderId: string;
  price: number;
  size: number | null;
}

/** Cancels a working order; what has filled stays. */
export interface CancelOrder {
  kind: 'cancel_order';
  orderId: string;
}

/** Closes all or part of a position by an order of one of the types that may close (API 4.4). */
export type ClosePosition = {
  kind: 'close_position';
  positionId: string;
  type: CloseType;
  /** null: the whole position. */
  size: number | null;
} & CommandFields<Exclude<CloseField, 'mode' | 'size'>>;

/** Sets, moves or removes the legs of a resting entry. */
export interface UpdateAttachedExits {
  kind: 'update_attached_exits';
  orderId: string;
  /** undefined: unchanged; null: removed. */
  takeProfitPrice: number | null | undefined;
  stopLossPrice: number | null | undefined;
}

/** One change of a position's exits; sizes are in base asset, and a modification without one keeps its size. */
export type ExitOperation =
  | { kind: 'cancel'; orderId: string }
  | { kind: 'modify'; orderId: string; price: number; size: number | null }
  | {
      kind: 'place';
      group: 'tp' | 'sl';
      executionType: ExitExecution;
      price: number;
      size: number;
      ocoPairWithOperationIndex: number | null;
    };

/** Changes a position's exits together, if they are as the caller saw them (simulation 4.3). */
export interface ReplaceExits {
  kind: 'replace_exits';
  positionId: string;
  expectedPositionSize: number;
  expectedOrders: { orderId: string; executionType: ExitExecution | null; price: number; size: number }[];
  operations: ExitOperation[];
}

/** Sets the extra margin of an isolated position. */
export interface SetIsolatedMargin {
  kind: 'set_isolated_margin';
  positionId: string;
  /** New total, USD. */
  extraMargin: number;
}

/** Starts a TWAP or VWAP, at once or when the mark crosses its trigger price (simulation 7.1). */
export type PlaceTwap = { kind: 'place_twap'; size: number } & Pick<
  TwapOrder,
  | ('accountId' | 'marketId' | 'strategy' | 'side' | 'expectedPrice' | 'leverage' | 'marginMode' | 'reduceOnly')
  | ('durationMinutes' | 'sliceIntervalSeconds' | 'randomize' | 'triggerPrice' | 'maxPrice' | 'minPrice')
>;

/** Ends a running TWAP or VWAP; its fills stay. */
export interface CancelTwap {
  kind: 'cancel_twap';
  twapOrderId: string;
}

/** Places a ladder of limit orders between two prices (simulation 7.3). */
export type PlaceScaled = {
  kind: 'place_scaled';
  size: number;
  rungCount: number;
  marketableLimitAcknowledged: boolean;
} & Pick<
  ScaledOrder,
  | ('accountId' | 'marketId' | 'side' | 'leverage' | 'marginMode' | 'reduceOnly')
  | ('startPrice' | 'endPrice' | 'distribution')
>;

/** Cancels the rungs of a ladder that still work. */
export interface CancelScaled {
  kind: 'cancel_scaled';
  scaledOrderId: string;
}

/** Fixes the snapshot of a bulk operation and does its first part. */
export interface StartBulk {
  kind: 'start_bulk';
  operation: BulkOperation['kind'];
  accountId: string;
  /** The maximum number of targets now; absent: the usual number. */
  perCall?: number | undefined;
}

/** Does the next part of a bulk operation. */
export interface ContinueBulk {
  kind: 'continue_bulk';
  operationId: string;
  /** The maximum number of targets now; absent: the usual number. */
  perCall?: number | undefined;
}

/** Saves and deletes copy-trading groups of one owner, all or none of them (simulation 7.4). */
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

/** Stops copying in a group; its followers keep their positions. */
export interface DisableCopyGroup {
  kind: 'disable_copy_group';
  owner: string;
  environment: Environment;
  configId: string;
}

/** Confirms that the owner has seen the stop of copying with this time. */
export interface AcknowledgeCopyStop {
  kind: 'acknowledge_copy_stop';
  accountId: string;
  stoppedAt: Ms;
}

/** Replaces an account's whole policy. */
export interface SetPolicy {
  kind: 'set_policy';
  accountId: string;
  policy: Policy;
}

/** Halts trading on the platform or in these categories, and nowhere else. */
export interface SetHalt {
  kind: 'set_halt';
  platform: boolean;
  categories: string[];
}

/** Opens the funded successor of a passed account. */
export interface FundAccount {
  kind: 'fund_account';
  accountId: string;
}

/** The result of a command. An expected failure is a value; an exception is a bug in the engine. */
export type Outcome = Done | Refused;

/** A command that was carried out, and the records that it made or changed. */
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

/** Why a command was refused, as an answer's error code. */
type RefusalCode =
  | 'invalid_request'
  | 'not_found'
  | 'order_terminal'
  | 'copy_managed'
  | 'stale_snapshot'
  | 'conflict'
  | 'rule_violation'
  | 'cooldown'
  | 'unavailable';

/** A command that was refused; apart from a `rejected` order, nothing changed. */
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

/** The records that have an id and are stored one by one. */
export interface Records {
  accounts: Account;
  orders: Order;
  positions: Position;
  twaps: TwapOrder;
  scaled: ScaledOrder;
  copyGroups: CopyGroup;
  operations: BulkOperation;
}

/** A kind of such records. */
export type RecordKind = keyof Records;

/** A moment, and the last number given to a record, to a fill, to a posting. */
interface Numbers {
  time: Ms;
  sequence: number;
  settleSequence: number;
  ledgerSequence: number;
}

/**
 * Everything open at the time of the last event, enough to continue from; history stays in the store. Of its records,
 * all accounts and copy groups, and those that are still pending, resting, open, running, canceling or working.
 */
export type OpenState = Numbers & { [Kind in RecordKind]: Records[Kind][] } & {
  /** Seed of the engine's random draws (execution delay, randomize). */
  seed: number;
  halt: { platform: boolean; categories: string[] };
  consumption: Consumption[];
};

/**
 * Changes made by one command and by the time before it, up to the moment of the last one, however time was divided
 * into steps. Records are final values, keyed by id.
 */
export type Changes = Numbers & { [Kind in RecordKind]: Map<string, Records[Kind]> } & {
  halt: OpenState['halt'] | null;
  deletedCopyGroups: Set<string>;
  ledger: Posting[];
  /** Keyed by account, market, side and price; consumed 0 removes the entry. */
  consumption: Map<string, Consumption>;
  explanations: Explanation[];
};
