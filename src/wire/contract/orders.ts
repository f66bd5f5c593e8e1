import {
  closeFields,
  type RequestField,
  type RequestName,
  requestFields,
  type SettableField,
} from '../../base/terms/order-fields.ts';
import {
  closeTypes,
  defaultType,
  headings,
  orderKinds,
  orderModes,
  orderTypes,
  type Presence,
  type RequestType,
  requestTypes,
} from '../../base/terms/order-types.ts';
import { ErrorEnvelope, TradeRejectionEnvelope, type ValidationIssue } from './errors.ts';
import {
  enveloped,
  type FieldRule,
  get,
  operationsOf,
  paged,
  patch,
  post,
  put,
  remove,
  response,
} from './operation.ts';
import {
  boolean,
  choice,
  closed,
  defaulted,
  literal,
  nullable,
  number,
  object,
  optional,
  positive,
  type Sent,
  string,
} from './schema.ts';
import { accountFilter, instant, liquidityRole, marginMode, pageFields, side, triggerDirection } from './terms.ts';

/** The caller's own id for an order: unique per owner, accepted wherever an order is looked up. */
export const ClientOrderId = string("The caller's own id for the order.", { minLength: 1, maxLength: 128 });

/** An order, or one of its fills: the fills list shows the same record (API 2.5). */
export const Order = object({
  id: string(),
  client_order_id: optional(string("The caller's own id.")),
  account_id: string(),
  market_id: string(),
  provider: string(),
  symbol: string(),
  coin: string(),
  type: choice(orderTypes, 'How it executes.'),
  mode: choice(orderModes, 'The kind of order that was requested.'),
  side,
  size: number('Base asset; for a working order, the remainder.'),
  initial_size: optional(number('Base asset, as placed.')),
  filled_size: optional(number('Base asset, so far.')),
  expected_price: number('The price the caller saw; never used for pricing.'),
  fill_price: optional(number('Average price of the fill that this record is.')),
  trigger_price: optional(number()),
  limit_price: optional(number()),
  notional: optional(number('USD, of this fill.')),
  fee: optional(number('USD, of this fill.')),
  realized_pnl: optional(number('USD, of this fill, without fees and funding.')),
  leverage: number(),
  margin_mode: marginMode,
  reduce_only: boolean(),
  time_in_force: optional(choice(['gtc', 'ioc', 'fok', 'gtd'])),
  gtd_expires_at: optional(instant),
  attached_take_profit_price: optional(number()),
  attached_stop_loss_price: optional(number()),
  chase_offset: optional(number()),
  chase_cap_price: optional(number()),
  trigger_market_id: optional(string()),
  trigger_direction: optional(triggerDirection),
  triggered_at: optional(number('When the trigger fired, Unix milliseconds.')),
  stop_triggered_at: optional(number('The same, for orders that became a limit order.')),
  cancel_requested_at: optional(instant),
  oco_sibling_order_id: optional(string('The other order of the pair: a fill of one reduces the other.')),
  target_position_id: optional(string('The position that an exit belongs to.')),
  liquidity_role: optional(liquidityRole),
  partial_of_order_id: optional(string('On a partial fill: the order it is a part of.')),
  partial_fill_root_order_id: optional(string('On a partial fill: the order that was placed.')),
  twap_order_id: optional(string('The time-weighted order that sent this slice.')),
  scaled_order_id: optional(string('The scaled order that this rung belongs to.')),
  status: choice(['pending', 'filled', 'rejected', 'expired', 'resting', 'canceled']),
  reject_reason: optional(
    string('Why it was rejected or canceled, or a leg was not placed, as a code: insufficient_margin.'),
  ),
  reject_message: optional(string('The same, as a sentence.')),
  reject_rule_id: optional(string('The rule that caused this.')),
  requested_at: instant,
  settled_at: optional(instant),
  canceled_at: optional(instant),
});
export type Order = Sent<typeof Order>;

/** A page of orders or fills. */
export const OrderPage = paged(Order);
export type OrderPage = Sent<typeof OrderPage>;

/** An order, and whether the change is queued because the order is armed. */
export const OrderEnvelope = object({
  data: Order,
  queued: optional(boolean('The order is armed: the change is queued.')),
});
export type OrderEnvelope = Sent<typeof OrderEnvelope>;

/** What every request to trade names. */
export const traded = {
  account_id: string('The account that trades.'),
  market_id: string('`<provider>|<SYMBOL>`.'),
};

/**
 * An order to place. The table in `base/terms/order-types.ts` lists the fields that each type takes (simulation 4.1).
 */
export const CreateOrderRequest = closed({
  client_order_id: optional(ClientOrderId),
  type: defaulted(choice(requestTypes), defaultType),
  ...traded,
  side,
  size: positive('Base asset, in whole lots of the market.'),
  expected_price: optional(positive('The price the caller saw; recorded, never used for pricing.')),
  leverage: positive("A whole number up to the market's max_leverage; ignored for reductions."),
  margin_mode: choice(['cross', 'isolated'], 'Ignored for reductions.'),
  slippage_tolerance_bps: optional(positive("How far from mid the worst fill may be; at most the account's ceiling.")),
  reduce_only: defaulted(boolean('Never increases or flips a position.'), false),
  take_profit_price: optional(positive('Attaches a take-profit to the position it opens.')),
  stop_loss_price: optional(positive('Attaches a stop-loss to the position it opens.')),
  trigger_price: optional(positive('Mark that triggers a stop, take or conditional order.')),
  limit_price: optional(positive("On the market's price grid.")),
  time_in_force: optional(choice(['ioc', 'fok', 'gtd'], 'Default: good till canceled.')),
  gtd_expires_at: optional(number('When a gtd order expires, Unix milliseconds; required with gtd.')),
  chase_offset: optional(number("Distance from the best price of the order's own side.", { minimum: 0 })),
  chase_cap_price: optional(positive('The chase never goes past this price.')),
  marketable_limit_acknowledged: optional(boolean('Lets a limit order that would cross fill as taker.')),
  replace_overlapping_exits: optional(boolean("Attached exits replace the position's current exits.")),
  trigger_market_id: optional(string('The market whose mark triggers a conditional order.')),
  trigger_direction: optional(triggerDirection),
  target_position_id: optional(string('The position that a take-profit exits.')),
} satisfies Readonly<Record<RequestName<RequestField>, object>>);
export type CreateOrderRequest = Sent<typeof CreateOrderRequest>;

/** A change of a resting or armed order. */
export const ModifyOrderRequest = closed({
  price: positive('The new limit price; for an armed order, the new trigger price.'),
  size: optional(positive('The new remainder, base asset.')),
});
export type ModifyOrderRequest = Sent<typeof ModifyOrderRequest>;

/** The exits attached to a resting entry: a price sets one, null removes it, an omitted one is unchanged. */
export const UpdateAttachedExitsRequest = closed(
  {
    take_profit_price: optional(nullable(positive())),
    stop_loss_price: optional(nullable(positive())),
  },
  { minProperties: 1 },
);
export type UpdateAttachedExitsRequest = Sent<typeof UpdateAttachedExitsRequest>;

/** The result of a cancellation. */
export const CanceledOrder = object({
  id: string(),
  canceled: literal(true),
  queued: optional(boolean('The order was armed: its cancellation is queued.')),
});
export type CanceledOrder = Sent<typeof CanceledOrder>;

/** Order operations. */
export const orderOperations = operationsOf({
  /** GET /v1/orders (API 4.5). Newest first; `status=working` lists the complete working set. */
  listOrders: get(
    '/v1/orders',
    'Orders, newest first; all working orders; or one order by its client order id.',
    OrderPage,
    {
      query: object({
        account_id: optional(accountFilter),
        client_order_id: optional(ClientOrderId),
        ...pageFields,
        status: optional(choice(['working'], 'All pending and resting orders.')),
      }),
      queryRule: clientOrderIdAlone,
      refuses: [503],
    },
  ),
  /** POST /v1/orders (API 4.5, simulation 3 and 4). */
  createOrder: post('/v1/orders', 'Place an order of any kind.', enveloped(Order), {
    idempotent: true,
    maxBodyBytes: 16 * 1024,
    body: CreateOrderRequest,
    bodyRule: orderFieldIssues,
    others: {
      409: response('Conflict', ErrorEnvelope),
      413: response('Payload too large', ErrorEnvelope),
      415: response('Unsupported media type', ErrorEnvelope),
      422: response('Rejected', TradeRejectionEnvelope),
    },
  }),
  /** GET /v1/orders/{order_id} (API 4.5). */
  getOrder: get('/v1/orders/{order_id}', 'One order.', enveloped(Order)),
  /** PATCH /v1/orders/{order_id} (API 4.5). */
  modifyOrder: patch(
    '/v1/orders/{order_id}',
    'Change the price, and optionally the size, of a working order.',
    OrderEnvelope,
    { body: ModifyOrderRequest, refuses: [409, 422] },
  ),
  /** DELETE /v1/orders/{order_id} (API 4.5). */
  cancelOrder: remove('/v1/orders/{order_id}', 'Cancel a working order.', enveloped(CanceledOrder), {
    others: { 409: response('Conflict', ErrorEnvelope) },
  }),
  /** PUT /v1/orders/{order_id}/attached-exits (API 4.5). */
  updateAttachedExits: put(
    '/v1/orders/{order_id}/attached-exits',
    'Change the take-profit and stop-loss attached to a resting entry.',
    OrderEnvelope,
    { body: UpdateAttachedExitsRequest, refuses: [409, 422] },
  ),
  /** GET /v1/fills (API 4.6): the order records of fills, in settlement order, newest first. */
  listFills: get('/v1/fills', 'Executions of an account, newest first.', OrderPage, {
    query: object({ account_id: accountFilter, ...pageFields }),
  }),
});

type Fields = Readonly<Record<string, unknown>>;

/**
 * Issues for fields that the order's type requires but the request lacks, or that the type does not take (simulation
 * 4.1).
 */
export function orderFieldIssues(order: Fields): ValidationIssue[] {
  return [...typeIssues(requestTypes, requestFields, order), ...expiryIssues(order), ...legIssues(order)];
}

/** Issues for fields that the close's type requires but the request lacks, or that the type does not take (API 4.4). */
export const closeFieldIssues: FieldRule = (close) => typeIssues(closeTypes, closeFields, close);

function typeIssues(
  types: readonly RequestType[],
  fields: readonly SettableField[],
  request: Fields,
): ValidationIssue[] {
  const { type: named = defaultType } = request;
  const type = types.find((one) => one === named);
  // The schema reports an unknown type.
  if (type === undefined) return [];
  const taken: readonly Presence[] = orderKinds[type].fields;
  const hasLimit = request.limit_price !== undefined;
  const issues: ValidationIssue[] = [];
  for (const { heading, asked: field } of fields) {
    // Every type takes a field without a column in the table of types.
    if (heading === undefined) continue;
    const issue = presenceIssue(taken[headings.indexOf(heading)]!, request[field] !== undefined, hasLimit, type);
    if (issue !== null) issues.push({ field, issue });
  }
  return issues;
}

function presenceIssue(presence: Presence, isGiven: boolean, hasLimit: boolean, type: string): string | null {
  if (!isGiven) return presence === 'R' ? `is required for type ${type}` : null;
  if (presence === '-') return `is not allowed for type ${type}`;
  if (presence === 'L' && !hasLimit) return `is only allowed with limit_price for type ${type}`;
  if (presence === 'M' && hasLimit) return `is only allowed without limit_price for type ${type}`;
  return null;
}

function expiryIssues(order: Fields): ValidationIssue[] {
  const field = 'gtd_expires_at';
  const isGtd = order.time_in_force === 'gtd';
  const isGiven = order[field] !== undefined;
  if (isGtd === isGiven) return [];
  return [{ field, issue: isGtd ? 'is required for time_in_force gtd' : 'is only allowed for time_in_force gtd' }];
}

/** A reduction has nothing to protect, so it takes no legs. Replacing exits needs a leg that replaces them. */
function legIssues(order: Fields): ValidationIssue[] {
  const legs = ['take_profit_price', 'stop_loss_price'] as const;
  const replacement = 'replace_overlapping_exits';
  if (order.reduce_only === true) {
    return [...legs, replacement]
      .filter((field) => order[field] !== undefined)
      .map((field) => ({ field, issue: 'is not allowed on a reduce-only order' }));
  }
  const hasLeg = legs.some((leg) => order[leg] !== undefined);
  return order[replacement] === undefined || hasLeg
    ? []
    : [{ field: replacement, issue: 'is only allowed with take_profit_price or stop_loss_price' }];
}

/** An empty cursor means none: the client wants the first page. */
const isGiven = (value: unknown) => value !== undefined && value !== '';

/** A lookup by client order id takes no other filter, and the working set has no pages (API 4.5, simulation 8.4). */
function clientOrderIdAlone(query: Fields): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  if (query.client_order_id !== undefined) {
    for (const field of ['status', 'limit', 'cursor'] as const) {
      if (isGiven(query[field])) issues.push({ field, issue: 'is not allowed with client_order_id' });
    }
  } else if (query.status !== undefined && isGiven(query.cursor)) {
    issues.push({ field: 'cursor', issue: 'is not allowed with status: the working set has no pages' });
  }
  return issues;
}
