import type { Heading } from './order-types.ts';

/**
 * How the store keeps a value (exchange/store/table.ts): `?` allows null, for orders that the field does not apply to.
 */
type Column = `${'int' | 'real' | 'money' | 'text' | 'bool'}${'?' | ''}`;

/**
 * Everything about a field of an order except its type (exchange/engine/model.ts) and its bounds
 * (wire/contract/orders.ts).
 */
export interface OrderField {
  readonly column: Column;
  /** Its name in an answer; absent if the exchange does not show it, or shows it in another form. */
  readonly shown?: string;
  /** The record's unit; absent if the record has the value as sent. */
  readonly unit?: 'lots' | 'ticks' | 'money';
  /** Its name in a request; absent if no request can set it. */
  readonly asked?: string;
  /** Its name in the command, if different from the record's. */
  readonly command?: string;
  /** Its value when a request omits it; absent if it is required. Command logs omit it too, so this never changes. */
  readonly default?: null | false;
  /** Its column in the table of types; absent if every type takes it. */
  readonly heading?: Heading;
  /** Also accepted when closing. */
  readonly closes?: true;
}

/**
 * Every field of an order's record. Every order has the first ones; those that most orders leave null come last, where
 * they cost the store nothing. Sizes and prices are `real`: a rejected order keeps the off-grid number its caller sent.
 */
// biome-ignore format: a table
export const orderFields = {
  id: { column: 'text', shown: 'id' },
  sequence: { column: 'int' },
  accountId: { column: 'text', shown: 'account_id', asked: 'account_id' },
  owner: { column: 'text' },
  marketId: { column: 'text', shown: 'market_id', asked: 'market_id' },
  type: { column: 'text', shown: 'type' },
  mode: { column: 'text', shown: 'mode', asked: 'type', closes: true },
  side: { column: 'text', shown: 'side', asked: 'side' },
  size: { column: 'real', shown: 'size', unit: 'lots', asked: 'size', closes: true },
  initialSize: { column: 'real', shown: 'initial_size', unit: 'lots' },
  filledSize: { column: 'int', shown: 'filled_size', unit: 'lots' },
  expectedPrice: { column: 'real', shown: 'expected_price', asked: 'expected_price', default: null, closes: true },
  leverage: { column: 'real', shown: 'leverage', asked: 'leverage' },
  marginMode: { column: 'text', shown: 'margin_mode', asked: 'margin_mode' },
  reduceOnly: { column: 'bool', shown: 'reduce_only', asked: 'reduce_only', default: false },
  status: { column: 'text', shown: 'status' },
  replaceOverlappingExits: { column: 'bool', asked: 'replace_overlapping_exits', default: false, heading: 'legs' },
  marketableLimitAcknowledged: { column: 'bool', asked: 'marketable_limit_acknowledged', default: false, heading: 'ack', closes: true },
  requestedAt: { column: 'int', shown: 'requested_at' },
  pricedAt: { column: 'int' },
  priority: { column: 'int' },

  settledAt: { column: 'int?', shown: 'settled_at' },
  settleSequence: { column: 'int?' },
  liquidityRole: { column: 'text?', shown: 'liquidity_role' },
  notional: { column: 'money?', shown: 'notional', unit: 'money' },
  fee: { column: 'money?', shown: 'fee', unit: 'money' },
  realizedPnl: { column: 'money?', shown: 'realized_pnl', unit: 'money' },
  clientOrderId: { column: 'text?', shown: 'client_order_id', asked: 'client_order_id', default: null, closes: true },
  limitPrice: { column: 'real?', shown: 'limit_price', unit: 'ticks', asked: 'limit_price', default: null, heading: 'limit', closes: true },
  timeInForce: { column: 'text?', shown: 'time_in_force', asked: 'time_in_force', default: null, heading: 'expiry' },
  queueAhead: { column: 'int?' },
  canceledAt: { column: 'int?', shown: 'canceled_at' },
  triggerPrice: { column: 'real?', shown: 'trigger_price', asked: 'trigger_price', default: null, heading: 'trigger', closes: true },
  attachedTakeProfitPrice: { column: 'real?', shown: 'attached_take_profit_price', asked: 'take_profit_price', command: 'takeProfitPrice', default: null, heading: 'legs' },
  attachedStopLossPrice: { column: 'real?', shown: 'attached_stop_loss_price', asked: 'stop_loss_price', command: 'stopLossPrice', default: null, heading: 'legs' },
  slippageToleranceBps: { column: 'real?', asked: 'slippage_tolerance_bps', default: null, heading: 'slip', closes: true },
  exitGroup: { column: 'text?' },
  targetPositionId: { column: 'text?', asked: 'target_position_id', default: null, heading: 'target' },
  ocoSiblingOrderId: { column: 'text?', shown: 'oco_sibling_order_id' },
  partialOfOrderId: { column: 'text?', shown: 'partial_of_order_id' },
  partialFillRootOrderId: { column: 'text?', shown: 'partial_fill_root_order_id' },
  twapOrderId: { column: 'text?', shown: 'twap_order_id' },
  scaledOrderId: { column: 'text?', shown: 'scaled_order_id' },
  copyConfigId: { column: 'text?' },
  rejectReason: { column: 'text?', shown: 'reject_message' },
  rejectRuleId: { column: 'text?', shown: 'reject_rule_id' },
  gtdExpiresAt: { column: 'real?', shown: 'gtd_expires_at', asked: 'gtd_expires_at', default: null, heading: 'expiry' },
  triggerMarketId: { column: 'text?', shown: 'trigger_market_id', asked: 'trigger_market_id', default: null, heading: 'watch', closes: true },
  triggerDirection: { column: 'text?', shown: 'trigger_direction', asked: 'trigger_direction', default: null, heading: 'watch', closes: true },
  triggeredAt: { column: 'int?', shown: 'triggered_at' },
  stopTriggeredAt: { column: 'int?', shown: 'stop_triggered_at' },
  cancelRequestedAt: { column: 'int?', shown: 'cancel_requested_at' },
  chaseOffset: { column: 'real?', shown: 'chase_offset', asked: 'chase_offset', default: null, heading: 'chase' },
  chaseCapPrice: { column: 'real?', shown: 'chase_cap_price', asked: 'chase_cap_price', default: null, heading: 'chase' },
  executeAt: { column: 'int?' },
} as const satisfies Readonly<Record<string, OrderField>>;

type Fields = typeof orderFields;
/** The fields, by the record's name, that a caller can set. */
export type RequestField = { [F in keyof Fields]: Fields[F] extends { asked: string } ? F : never }[keyof Fields];
/** The fields accepted when closing a position. */
export type CloseField = { [F in RequestField]: Fields[F] extends { closes: true } ? F : never }[RequestField];
/** A field's name in a request. */
export type RequestName<F extends RequestField> = Fields[F]['asked'];
/** A field's name in a command. */
export type CommandName<F extends RequestField> = Fields[F] extends { command: infer Name extends string } ? Name : F;
/** The command's value when the request omits the field; `never` if the field is required. */
export type DefaultOf<F extends RequestField> = Fields[F] extends { default: infer Default } ? Default : never;
/** The names in an answer. */
export type ShownName = { [F in keyof Fields]: Fields[F] extends { shown: infer Name } ? Name : never }[keyof Fields];

/** A field that a caller can set, with all its names. */
export interface SettableField<F extends RequestField = RequestField> extends OrderField {
  readonly field: F;
  readonly asked: string;
  readonly command: string;
}

/** The fields that a request can set on a new order. */
export const requestFields: readonly SettableField[] = Object.entries<OrderField>(orderFields).flatMap(
  ([field, facts]) =>
    facts.asked === undefined ? [] : [{ command: field, ...facts, field: field as RequestField, asked: facts.asked }],
);
/** The fields that a request can set on an order that closes a position. */
export const closeFields = requestFields.filter(
  ({ closes }) => closes === true,
) as readonly SettableField<CloseField>[];

type Defaults<F extends RequestField> = {
  readonly [One in F as DefaultOf<One> extends never ? never : CommandName<One>]: DefaultOf<One>;
};

/** The command of a request that has only the required fields. */
export const defaultOrder = defaultsOf(requestFields) as Defaults<RequestField>;
/** The command of a close that has only the required fields; without a size, it closes everything. */
export const defaultClose = { ...defaultsOf(closeFields), size: null } as Defaults<CloseField> & {
  readonly size: null;
};

function defaultsOf(fields: readonly SettableField[]): object {
  return Object.fromEntries(
    fields.flatMap(({ command, default: usual }) => (usual === undefined ? [] : [[command, usual]])),
  );
}
