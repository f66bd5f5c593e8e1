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
  id: { column: 'text' },
  sequence: { column: 'int' },
  accountId: { column: 'text', asked: 'account_id' },
  owner: { column: 'text' },
  marketId: { column: 'text', asked: 'market_id' },
  type: { column: 'text' },
  mode: { column: 'text', asked: 'type', closes: true },
  side: { column: 'text', asked: 'side' },
  size: { column: 'real', asked: 'size', closes: true },
  initialSize: { column: 'real' },
  filledSize: { column: 'int' },
  expectedPrice: { column: 'real', asked: 'expected_price', default: null, closes: true },
  leverage: { column: 'real', asked: 'leverage' },
  marginMode: { column: 'text', asked: 'margin_mode' },
  reduceOnly: { column: 'bool', asked: 'reduce_only', default: false },
  status: { column: 'text' },
  replaceOverlappingExits: { column: 'bool', asked: 'replace_overlapping_exits', default: false, heading: 'legs' },
  marketableLimitAcknowledged: { column: 'bool', asked: 'marketable_limit_acknowledged', default: false, heading: 'ack', closes: true },
  requestedAt: { column: 'int' },
  pricedAt: { column: 'int' },
  priority: { column: 'int' },

  settledAt: { column: 'int?' },
  settleSequence: { column: 'int?' },
  liquidityRole: { column: 'text?' },
  notional: { column: 'money?' },
  fee: { column: 'money?' },
  realizedPnl: { column: 'money?' },
  clientOrderId: { column: 'text?', asked: 'client_order_id', default: null, closes: true },
  limitPrice: { column: 'real?', asked: 'limit_price', default: null, heading: 'limit', closes: true },
  timeInForce: { column: 'text?', asked: 'time_in_force', default: null, heading: 'expiry' },
  queueAhead: { column: 'int?' },
  canceledAt: { column: 'int?' },
  triggerPrice: { column: 'real?', asked: 'trigger_price', default: null, heading: 'trigger', closes: true },
  attachedTakeProfitPrice: { column: 'real?', asked: 'take_profit_price', command: 'takeProfitPrice', default: null, heading: 'legs' },
  attachedStopLossPrice: { column: 'real?', asked: 'stop_loss_price', command: 'stopLossPrice', default: null, heading: 'legs' },
  slippageToleranceBps: { column: 'real?', asked: 'slippage_tolerance_bps', default: null, heading: 'slip', closes: true },
  exitGroup: { column: 'text?' },
  targetPositionId: { column: 'text?', asked: 'target_position_id', default: null, heading: 'target' },
  ocoSiblingOrderId: { column: 'text?' },
  partialOfOrderId: { column: 'text?' },
  partialFillRootOrderId: { column: 'text?' },
  twapOrderId: { column: 'text?' },
  scaledOrderId: { column: 'text?' },
  copyConfigId: { column: 'text?' },
  rejectReason: { column: 'text?' },
  rejectRuleId: { column: 'text?' },
  gtdExpiresAt: { column: 'real?', asked: 'gtd_expires_at', default: null, heading: 'expiry' },
  triggerMarketId: { column: 'text?', asked: 'trigger_market_id', default: null, heading: 'watch', closes: true },
  triggerDirection: { column: 'text?', asked: 'trigger_direction', default: null, heading: 'watch', closes: true },
  triggeredAt: { column: 'int?' },
  stopTriggeredAt: { column: 'int?' },
  cancelRequestedAt: { column: 'int?' },
  chaseOffset: { column: 'real?', asked: 'chase_offset', default: null, heading: 'chase' },
  chaseCapPrice: { column: 'real?', asked: 'chase_cap_price', default: null, heading: 'chase' },
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
