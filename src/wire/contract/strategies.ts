import type { ValidationIssue } from './errors.ts';
import { enveloped, type FieldRule, get, maybePaged, operationsOf, paged, post, remove } from './operation.ts';
import { traded } from './orders.ts';
import {
  array,
  boolean,
  choice,
  closed,
  defaulted,
  integer,
  number,
  object,
  optional,
  positive,
  type Sent,
  string,
} from './schema.ts';
import { accountFilter, instant, liquidityRole, marginMode, pageFields, side } from './terms.ts';

/** An order worked in slices over time (API 2.6, simulation 7). */
export const CreateTwapOrderRequest = closed({
  ...traded,
  strategy: defaulted(choice(['twap', 'vwap'], "Even slices, or weighted by each hour's usual volume."), 'twap'),
  side,
  size: positive('Total, base asset.'),
  expected_price: positive('The price the caller saw; never used for pricing.'),
  leverage: positive("A whole number up to the market's max_leverage."),
  margin_mode: marginMode,
  duration_minutes: integer(undefined, { minimum: 5, maximum: 1440 }),
  slice_interval_seconds: optional(integer('At most half the duration; default: 30.', { minimum: 30, maximum: 43200 })),
  randomize: defaulted(boolean('Vary the size and time of the slices; the total is the same.'), false),
  reduce_only: defaulted(boolean('Never increases or flips a position.'), false),
  trigger_price: optional(positive('Starts when the mark crosses this price.')),
  max_price: optional(positive('A mark above this price ends the order.')),
  min_price: optional(positive('A mark below this price ends the order.')),
});
export type CreateTwapOrderRequest = Sent<typeof CreateTwapOrderRequest>;

/** The account and the market of a strategy. */
const named = {
  id: string(),
  account_id: string(),
  market_id: string(),
  provider: optional(string()),
  symbol: optional(string()),
  coin: optional(string()),
};

/** A TWAP or VWAP parent; its slices are orders with its `twap_order_id` (API 2.6). */
export const TwapOrder = object({
  ...named,
  strategy: choice(['twap', 'vwap'], 'Even slices, or weighted by usual volume.'),
  side,
  total_size: number('Base asset.'),
  filled_size: number('Base asset.'),
  size_decimals: optional(integer()),
  average_price: optional(number('Of all fills.')),
  leverage: number(),
  margin_mode: marginMode,
  reduce_only: boolean(),
  duration_minutes: integer(),
  slice_interval_seconds: integer(),
  slice_count: optional(integer('Slices planned.')),
  slices_attempted: optional(integer('Slices sent.')),
  randomize: optional(boolean()),
  trigger_price: optional(number()),
  max_price: optional(number()),
  min_price: optional(number()),
  status: string('running, canceling, completed, canceled.'),
  current_child_order_id: optional(string('The slice that is being worked.')),
  activated_at: optional(number('When its trigger fired, Unix milliseconds.')),
  started_at: instant,
  end_at: instant,
  next_run_at: optional(number('When the next slice is due, Unix milliseconds.')),
  canceled_at: optional(instant),
  completed_at: optional(instant),
  completion_reason: optional(string('filled, duration_elapsed, price_limit, canceled, rejected, account_closed.')),
});
export type TwapOrder = Sent<typeof TwapOrder>;

/** A TWAP or VWAP order in its envelope. */
export const TwapOrderEnvelope = enveloped(TwapOrder);

/** A ladder of limit orders between two prices (API 2.7, simulation 7.3). */
export const CreateScaledOrderRequest = closed({
  ...traded,
  side,
  size: positive('Total of all rungs, base asset.'),
  start_price: positive('Price of the first rung.'),
  end_price: positive('Price of the last rung.'),
  rung_count: integer(undefined, { minimum: 2, maximum: 10 }),
  distribution: choice(
    ['flat', 'ascending', 'descending'],
    'How the size is distributed from the first rung to the last.',
  ),
  leverage: positive("A whole number up to the market's max_leverage."),
  margin_mode: marginMode,
  reduce_only: defaulted(boolean('Never increases or flips a position.'), false),
  marketable_limit_acknowledged: optional(boolean('Lets rungs that would cross fill as taker.')),
});
export type CreateScaledOrderRequest = Sent<typeof CreateScaledOrderRequest>;

/** A scaled parent and its rungs (API 2.7). */
export const ScaledOrder = object({
  ...named,
  side,
  total_size: number('Base asset.'),
  size_decimals: optional(integer()),
  leverage: optional(number()),
  margin_mode: optional(marginMode),
  reduce_only: optional(boolean()),
  distribution: optional(
    choice(['flat', 'ascending', 'descending'], 'How the size is distributed from the first rung to the last.'),
  ),
  start_price: optional(number('Price of the first rung.')),
  end_price: optional(number('Price of the last rung.')),
  rung_count: integer(),
  placed_count: optional(integer()),
  rejected_count: optional(integer()),
  rungs: array(
    object({
      price: number(),
      size: number('Base asset.'),
      liquidity_role: optional(liquidityRole),
      order_id: optional(string('Absent when the rung was rejected.')),
      reject_reason: optional(string('Why it was rejected, as a code such as `insufficient_margin`.')),
      reject_message: optional(string('The same, as a sentence.')),
    }),
  ),
  status: string('working, completed, canceled, rejected.'),
  started_at: instant,
  completed_at: optional(instant),
  canceled_at: optional(instant),
});
export type ScaledOrder = Sent<typeof ScaledOrder>;

/** A scaled order in its envelope. */
export const ScaledOrderEnvelope = enveloped(ScaledOrder);

/** Default seconds between slices (simulation 7.1). */
export const defaultSliceIntervalSeconds = 30;

/** Rules between the fields of a TWAP or VWAP request (API 4.6). */
const twapFieldIssues: FieldRule = (body) => {
  const issues: ValidationIssue[] = [];
  const { duration_minutes: minutes, slice_interval_seconds: interval, min_price: min, max_price: max } = body;
  if (typeof minutes === 'number' && typeof interval === 'number' && interval * 2 > minutes * 60) {
    const half = minutes * 30;
    issues.push({
      field: 'slice_interval_seconds',
      issue: `must be at most half the duration, ${half} for ${minutes} minutes`,
    });
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    issues.push({ field: 'min_price', issue: 'must not be above max_price' });
  }
  return issues;
};

/** TWAP, VWAP and scaled order operations. */
export const strategyOperations = operationsOf({
  /** GET /v1/twap-orders. Active orders, or the history in pages. */
  listActiveTwapOrders: get(
    '/v1/twap-orders',
    'TWAP and VWAP orders: active, completed or canceled, newest first.',
    maybePaged(TwapOrder),
    {
      query: object({
        account_id: accountFilter,
        status: defaulted(choice(['active', 'completed', 'canceled']), 'active'),
        ...pageFields,
      }),
    },
  ),
  /** POST /v1/twap-orders (API 4.6). */
  createTwapOrder: post('/v1/twap-orders', 'Start a TWAP or VWAP order.', TwapOrderEnvelope, {
    idempotent: true,
    body: CreateTwapOrderRequest,
    bodyRule: twapFieldIssues,
    refuses: [409, 422],
  }),
  /** GET /v1/twap-orders/{twap_order_id}. */
  getTwapOrder: get('/v1/twap-orders/{twap_order_id}', 'One TWAP or VWAP order.', TwapOrderEnvelope),
  /** DELETE /v1/twap-orders/{twap_order_id}. Fills stay. */
  cancelTwapOrder: remove(
    '/v1/twap-orders/{twap_order_id}',
    'Stop a TWAP or VWAP order; fills stay.',
    TwapOrderEnvelope,
    { refuses: [409] },
  ),
  /** GET /v1/scaled-orders (API 4.6). */
  listScaledOrders: get('/v1/scaled-orders', 'Scaled orders, newest first.', paged(ScaledOrder), {
    query: object({ account_id: accountFilter, ...pageFields }),
  }),
  /** POST /v1/scaled-orders. */
  createScaledOrder: post('/v1/scaled-orders', 'Place a ladder of limit orders.', ScaledOrderEnvelope, {
    idempotent: true,
    body: CreateScaledOrderRequest,
    refuses: [409, 422],
  }),
  /** GET /v1/scaled-orders/{scaled_order_id}. */
  getScaledOrder: get('/v1/scaled-orders/{scaled_order_id}', 'One scaled order and its rungs.', ScaledOrderEnvelope),
  /** DELETE /v1/scaled-orders/{scaled_order_id}. Filled rungs stay. */
  cancelScaledOrder: remove(
    '/v1/scaled-orders/{scaled_order_id}',
    'Cancel the working rungs of a scaled order; fills stay.',
    ScaledOrderEnvelope,
    { refuses: [409] },
  ),
});
