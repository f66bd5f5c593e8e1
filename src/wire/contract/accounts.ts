import { wireLimits } from '../../base/terms/plans.ts';
import { CopyTradingWriteResponse } from './copy.ts';
import { ErrorEnvelope } from './errors.ts';
import {
  created,
  enveloped,
  incomplete,
  listed,
  ok,
  operationsOf,
  refusals,
  response,
  unavailable,
} from './operation.ts';
import { Order } from './orders.ts';
import {
  array,
  boolean,
  choice,
  closed,
  each,
  integer,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  type Sent,
  string,
  union,
} from './schema.ts';
import { instant } from './terms.ts';

/** The account's risk, marked at the mids of fresh books; a value that needs a missing mark is null. */
export const AccountRisk = object({
  observed_at: instant,
  marks_complete: boolean('Every open position has a fresh mark.'),
  missing_markets: array(string(), 'Markets without a fresh mark; values that need them are null.'),
  equity: nullable(number('Balance plus unrealized profit, USD.')),
  unrealized_pnl: nullable(number('USD.')),
  margin_used: number('Initial and extra margin of open positions, USD.'),
  available_balance: number('The lower of balance and equity, minus margin_used; never below zero. USD.'),
  gross_exposure: nullable(number('Notional of all open positions, USD.')),
  daily_loss_floor: nullable(number('Equity at which the daily loss is breached, USD.')),
  max_drawdown_floor: nullable(number('Equity at which the drawdown is breached, USD.')),
  daily_loss_room: nullable(number('How far equity is above the daily-loss floor, USD.')),
  max_drawdown_room: nullable(number('How far equity is above the drawdown floor, USD.')),
  remaining_profit: nullable(number('Realized profit still needed to pass, USD.')),
  requirements: object({
    daily_loss_pct: nullable(number('Percent of the starting balance.')),
    max_drawdown_pct: nullable(number('Percent of the starting balance.')),
    profit_target_pct: nullable(number('Percent of the starting balance.')),
    consistency_pct: nullable(number('Percent.')),
    minimum_trading_days: nullable(number('Days with at least one fill.')),
  }),
});
export type AccountRisk = Sent<typeof AccountRisk>;

/** A challenge account: identity, realized balance and a fresh risk snapshot (API 2.1). */
export const Account = object({
  id: string(),
  account_number: string('Short number for people.'),
  name: string(),
  stage: choice(['evaluation', 'funded'], 'funded follows a passed evaluation.'),
  status: choice(['active', 'passed', 'failed', 'closed'], 'Only an active account takes new exposure.'),
  starting_balance: number("USD; the plan's percentages refer to it."),
  balance: number('Realized balance, without open profit and loss, USD.'),
  created_at: instant,
  risk: optional(AccountRisk),
});
export type Account = Sent<typeof Account>;

/** The largest allowed distance from mid at which an order may fill. */
export const TradingPolicySlippage = object({
  min: number('Smallest tolerance an order may set, bps.'),
  max: number("The account's ceiling, bps."),
  market_order_maximum_by_provider: record(number(), 'Ceiling of market orders, bps.'),
});
export type TradingPolicySlippage = Sent<typeof TradingPolicySlippage>;

/** Where trading is halted. */
export const TradingPolicyHalt = object({
  platform: boolean('Everything is halted.'),
  categories: array(string(), 'Market categories that are halted.'),
});
export type TradingPolicyHalt = Sent<typeof TradingPolicyHalt>;

/** Restrictions of a competition. */
export const TradingPolicyCompetition = object({
  opening_exposure_restricted: boolean(),
  market_allowlist: array(string(), 'Market ids that may be traded; empty: all.'),
});
export type TradingPolicyCompetition = Sent<typeof TradingPolicyCompetition>;

/** The last stop of copying into this account; an acknowledgment names its `stopped_at`. */
export const TradingPolicyCopyStop = object({
  stopped_at: number('The time that an acknowledgment must name, Unix milliseconds.'),
  completed_at: nullable(number('Unix milliseconds; null until cleanup is complete.')),
  acknowledged_at: nullable(instant),
  reason: nullable(string('Human-readable.')),
});
export type TradingPolicyCopyStop = Sent<typeof TradingPolicyCopyStop>;

/** Restrictions of this account alone. */
export const TradingPolicyRestriction = object({
  restriction: choice(['reduce_only']),
  reason: string('Human-readable.'),
  flagged_at: instant,
});
export type TradingPolicyRestriction = Sent<typeof TradingPolicyRestriction>;

/** Every limit that placement and settlement check; a limit's name, written with dashes, is the id of its rule. */
const TradingPolicyLimits = object(each(wireLimits, number()));
export type TradingPolicyLimits = Sent<typeof TradingPolicyLimits>;

/** The fields of a trading policy. */
export const policyFields = {
  account_id: string(),
  observed_at: instant,
  advisory: boolean('Always true: placement and settlement check again.'),
  status: string('As in the account.'),
  stage: choice(['evaluation', 'funded'], 'As in the account.'),
  manual_trading_blocked: boolean('No new manual exposure: the account is not active, or copies another.'),
  opening_exposure_restricted: boolean('No new exposure, for any reason.'),
  payout_pending: boolean('A payout blocks new exposure.'),
  copy_follower_locked: boolean('An enabled copy group trades this account; nothing else may.'),
  copy_scope_blocked: boolean('The credential does not reach every member of the group.'),
  fee_exempt: boolean('Pays no trading fee.'),
  restriction: nullable(TradingPolicyRestriction),
  copy_stop: nullable(TradingPolicyCopyStop),
  competition: nullable(TradingPolicyCompetition),
  trading_halt: TradingPolicyHalt,
  limits: TradingPolicyLimits,
  unlimited_trade_count_threshold: number(
    'USD; from this starting balance on, the trade counts do not apply. 0: they always apply.',
  ),
  slippage_tolerance_bps: TradingPolicySlippage,
  account_rules: array(
    object({
      id: string('profit-target, daily-loss, maximum-drawdown.'),
      parameters: record(union(number(), string())),
    }),
  ),
  maximum_total_notional_usd: nullable(number('null: no limit.')),
};

/** The current permissions and limits for trading. Advisory: it reserves nothing (API 2.8). */
export const AccountTradingPolicy = object(policyFields);
export type AccountTradingPolicy = Sent<typeof AccountTradingPolicy>;

const bulkOperation = {
  id: string(),
  account_id: string(),
  status: choice(['running', 'completed']),
};
const counted = 'Targets of the snapshot.';

/** A bounded snapshot of working orders and the outcome of each (API 4.2.1). */
export const CancelAllOrdersOperation = object({
  ...bulkOperation,
  operation: literal('cancel_all_orders'),
  total_count: integer(counted, { minimum: 0, maximum: 200 }),
  succeeded_count: integer(counted, { minimum: 0, maximum: 200 }),
  failed_count: integer(counted, { minimum: 0, maximum: 200 }),
  results: array(
    object({
      order_id: string(),
      status: choice(['canceled', 'queued', 'failed']),
      queued: optional(boolean('The order was armed.')),
      failure_code: optional(string('The code that canceling this order alone would get.')),
    }),
    undefined,
    { maxItems: 200 },
  ),
  created_at: instant,
  completed_at: optional(instant),
});
export type CancelAllOrdersOperation = Sent<typeof CancelAllOrdersOperation>;

/** A bounded snapshot of open positions and the close submitted for each (API 4.2.2). */
export const CloseAllPositionsOperation = object({
  ...bulkOperation,
  operation: literal('close_all_positions'),
  total_count: integer(counted, { minimum: 0, maximum: 100 }),
  succeeded_count: integer(counted, { minimum: 0, maximum: 100 }),
  failed_count: integer(counted, { minimum: 0, maximum: 100 }),
  results: array(
    object({
      position_id: string(),
      status: choice(['submitted', 'failed']),
      order: optional(Order),
      failure_code: optional(string('The code that closing this position alone would get.')),
      rule_id: optional(string()),
    }),
    undefined,
    { maxItems: 100 },
  ),
  created_at: instant,
  completed_at: optional(instant),
});
export type CloseAllPositionsOperation = Sent<typeof CloseAllPositionsOperation>;

/** A cancel-all operation in its envelope. */
export const CancelAllOrdersEnvelope = enveloped(CancelAllOrdersOperation);
/** A close-all operation in its envelope. */
export const CloseAllPositionsEnvelope = enveloped(CloseAllPositionsOperation);

/** Account operations. */
export const accountOperations = operationsOf({
  /** GET /v1/accounts (API 4.2). */
  listAccounts: {
    method: 'GET',
    path: '/v1/accounts',
    summary: "All accounts of the credential's owner, except archived ones.",
    responses: { 200: ok(listed(Account)), ...refusals(401, 429) },
  },
  /** GET /v1/accounts/{account_id} (API 4.2). */
  getAccount: {
    method: 'GET',
    path: '/v1/accounts/{account_id}',
    summary: 'One account and its risk.',
    responses: { 200: ok(enveloped(Account)), ...refusals(401, 404, 429) },
  },
  /** GET /v1/accounts/{account_id}/trading-policy (API 4.2). */
  getAccountTradingPolicy: {
    method: 'GET',
    path: '/v1/accounts/{account_id}/trading-policy',
    summary: 'What the account may trade now, and its limits.',
    responses: { 200: ok(enveloped(AccountTradingPolicy)), ...refusals(401, 404, 429) },
  },
  /** POST /v1/accounts/{account_id}/cancel-all-orders (API 4.2.1). */
  cancelAllAccountOrders: {
    method: 'POST',
    path: '/v1/accounts/{account_id}/cancel-all-orders',
    summary: 'Cancel every working order of the account, in parts of bounded size.',
    scope: 'trade',
    idempotent: true,
    responses: {
      200: ok(CancelAllOrdersEnvelope),
      201: created(CancelAllOrdersEnvelope),
      202: incomplete(CancelAllOrdersEnvelope),
      ...refusals(400, 401, 403, 404, 409, 429),
      503: unavailable,
    },
  },
  /** POST /v1/accounts/{account_id}/close-all-positions (API 4.2.2). */
  closeAllAccountPositions: {
    method: 'POST',
    path: '/v1/accounts/{account_id}/close-all-positions',
    summary: 'Close every open position of the account at market, one position per call.',
    scope: 'trade',
    idempotent: true,
    responses: {
      200: ok(CloseAllPositionsEnvelope),
      201: created(CloseAllPositionsEnvelope),
      202: incomplete(CloseAllPositionsEnvelope),
      ...refusals(400, 401, 403, 404, 409, 429),
      503: unavailable,
    },
  },
  /** POST /v1/accounts/{account_id}/acknowledge-copy-stop (API 4.2). Changes nothing for any other copy stop. */
  acknowledgeCopyTradingStop: {
    method: 'POST',
    path: '/v1/accounts/{account_id}/acknowledge-copy-stop',
    summary: 'Acknowledge the completed copy stop that the trading policy shows.',
    scope: 'trade',
    body: closed({ stopped_at: number('copy_stop.stopped_at of the trading policy, Unix milliseconds.') }),
    responses: {
      200: ok(CopyTradingWriteResponse),
      ...refusals(400, 401, 403, 404, 429),
      422: response('Rejected', ErrorEnvelope),
    },
  },
});
