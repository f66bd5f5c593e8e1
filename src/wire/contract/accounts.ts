import { wireLimits } from '../../base/terms/plans.ts';
import { ErrorEnvelope, type ValidationIssue } from './errors.ts';
import { enveloped, type FieldRule, get, listed, operationsOf, post, response } from './operation.ts';
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
  type Schema,
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

/** Where trading is halted. */
export const TradingPolicyHalt = object({
  platform: boolean('Everything is halted.'),
  categories: array(string(), 'Market categories that are halted.'),
});

/** Restrictions of a competition. */
export const TradingPolicyCompetition = object({
  opening_exposure_restricted: boolean(),
  market_allowlist: array(string(), 'Market ids that may be traded; empty: all.'),
});

/** The last stop of copying into this account; an acknowledgment names its `stopped_at`. */
export const TradingPolicyCopyStop = object({
  stopped_at: number('The time that an acknowledgment must name, Unix milliseconds.'),
  completed_at: nullable(number('Unix milliseconds; null until cleanup is complete.')),
  acknowledged_at: nullable(instant),
  reason: nullable(string('Human-readable.')),
});

/** Restrictions of this account alone. */
export const TradingPolicyRestriction = object({
  restriction: choice(['reduce_only']),
  reason: string('Human-readable.'),
  flagged_at: instant,
});

/** Every limit that placement and settlement check; a limit's name, written with dashes, is the id of its rule. */
const TradingPolicyLimits = object(each(wireLimits, number()));

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

/** A bounded snapshot of at most `most` targets, and the outcome of each. */
function bulkOperation<const W extends string, S extends Schema>(operation: W, most: number, result: S) {
  const count = integer('Targets of the snapshot.', { minimum: 0, maximum: most });
  return object({
    id: string(),
    account_id: string(),
    status: choice(['running', 'completed']),
    operation: literal(operation),
    total_count: count,
    succeeded_count: count,
    failed_count: count,
    results: array(result, undefined, { maxItems: most }),
    created_at: instant,
    completed_at: optional(instant),
  });
}

/** A bounded snapshot of working orders and the outcome of each (API 4.2.1). */
export const CancelAllOrdersOperation = bulkOperation(
  'cancel_all_orders',
  200,
  object({
    order_id: string(),
    status: choice(['canceled', 'queued', 'failed']),
    queued: optional(boolean('The order was armed.')),
    failure_code: optional(string('The code that canceling this order alone would get.')),
  }),
);
export type CancelAllOrdersOperation = Sent<typeof CancelAllOrdersOperation>;

/** A bounded snapshot of open positions and the close submitted for each (API 4.2.2). */
export const CloseAllPositionsOperation = bulkOperation(
  'close_all_positions',
  100,
  object({
    position_id: string(),
    status: choice(['submitted', 'failed']),
    order: optional(Order),
    failure_code: optional(string('The code that closing this position alone would get.')),
    rule_id: optional(string()),
  }),
);
export type CloseAllPositionsOperation = Sent<typeof CloseAllPositionsOperation>;

/** A cancel-all operation in its envelope. */
export const CancelAllOrdersEnvelope = enveloped(CancelAllOrdersOperation);
/** A close-all operation in its envelope. */
export const CloseAllPositionsEnvelope = enveloped(CloseAllPositionsOperation);

const anEnabledOneHasTargets = {
  if: { properties: { enabled: { const: true } }, required: ['enabled'] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword; schemas are never awaited.
  then: { properties: { targets: { minItems: 1 } } },
};

/** A group to create (without config_id) or replace. An enabled group needs at least one follower. */
export const CopyTradingGroupInput = closed(
  {
    config_id: optional(string('Omit to create a group.')),
    enabled: boolean('An enabled group needs at least one follower.'),
    source_account_id: string('The lead account.'),
    targets: array(
      closed({
        account_id: string('A follower.'),
        multiplier_bps: integer('10000 copies at the ratio of the starting balances.', {
          minimum: 1000,
          maximum: 20000,
        }),
      }),
      undefined,
      { maxItems: 20 },
    ),
  },
  anEnabledOneHasTargets,
);
export type CopyTradingGroupInput = Sent<typeof CopyTradingGroupInput>;

/** A lead and its followers (API 2.8). */
export const CopyTradingConfiguration = object({
  config_id: string(),
  enabled: boolean(),
  source_account_id: string('The lead account.'),
  targets: array(object({ account_id: string('A follower.'), multiplier_bps: integer() })),
  policy_version: integer('Rises with every change.'),
  updated_at: instant,
  stopped_at: optional(instant),
  stop_reason: optional(string()),
  stopped_completed_at: optional(instant),
  stop_cleanup_pending: optional(boolean()),
});
export type CopyTradingConfiguration = Sent<typeof CopyTradingConfiguration>;

/** The answer to a change of groups: the ids of the saved groups, in the order sent. */
export const CopyTradingWriteResponse = object({
  data: object({ ok: boolean(), config_ids: optional(array(string(), 'Ids of the saved groups, in the order sent.')) }),
});
export type CopyTradingWriteResponse = Sent<typeof CopyTradingWriteResponse>;

/** Groups to save and ids to delete, committed together. Other groups are unchanged. */
export const SaveCopyTradingRequest = closed({
  groups: array(CopyTradingGroupInput, undefined, { maxItems: 20 }),
  deleted_config_ids: array(string(), undefined, { maxItems: 20 }),
});
export type SaveCopyTradingRequest = Sent<typeof SaveCopyTradingRequest>;

/** A request that saves a group twice, or saves and deletes it, is ambiguous and refused. */
const groupsNamedOnce: FieldRule = ({ groups, deleted_config_ids: deleted }) => {
  if (!Array.isArray(groups)) return [];
  const seen = new Set<unknown>();
  const isDeleted = new Set<unknown>(Array.isArray(deleted) ? deleted : []);
  return groups.flatMap((group: { config_id?: unknown } | null, at): ValidationIssue[] => {
    const id = group?.config_id;
    if (typeof id !== 'string') return [];
    const field = `groups[${at}].config_id`;
    if (isDeleted.has(id)) return [{ field, issue: 'names a group that this request also deletes' }];
    if (seen.has(id)) return [{ field, issue: 'names a group twice' }];
    seen.add(id);
    return [];
  });
};

const rejected = response('Rejected', ErrorEnvelope);

/** Account operations. */
export const accountOperations = operationsOf({
  /** GET /v1/accounts (API 4.2). */
  listAccounts: get('/v1/accounts', "All accounts of the credential's owner, except archived ones.", listed(Account)),
  /** GET /v1/accounts/{account_id} (API 4.2). */
  getAccount: get('/v1/accounts/{account_id}', 'One account and its risk.', enveloped(Account)),
  /** GET /v1/accounts/{account_id}/trading-policy (API 4.2). */
  getAccountTradingPolicy: get(
    '/v1/accounts/{account_id}/trading-policy',
    'What the account may trade now, and its limits.',
    enveloped(AccountTradingPolicy),
  ),
  /** POST /v1/accounts/{account_id}/cancel-all-orders (API 4.2.1). */
  cancelAllAccountOrders: post(
    '/v1/accounts/{account_id}/cancel-all-orders',
    'Cancel every working order of the account, in parts of bounded size.',
    CancelAllOrdersEnvelope,
    { idempotent: true, succeeds: [200, 201, 202], refuses: [409, 503] },
  ),
  /** POST /v1/accounts/{account_id}/close-all-positions (API 4.2.2). */
  closeAllAccountPositions: post(
    '/v1/accounts/{account_id}/close-all-positions',
    'Close every open position of the account at market, one position per call.',
    CloseAllPositionsEnvelope,
    { idempotent: true, succeeds: [200, 201, 202], refuses: [409, 503] },
  ),
  /** POST /v1/accounts/{account_id}/acknowledge-copy-stop (API 4.2). Changes nothing for any other copy stop. */
  acknowledgeCopyTradingStop: post(
    '/v1/accounts/{account_id}/acknowledge-copy-stop',
    'Acknowledge the completed copy stop that the trading policy shows.',
    CopyTradingWriteResponse,
    {
      body: closed({ stopped_at: number('copy_stop.stopped_at of the trading policy, Unix milliseconds.') }),
      others: { 422: rejected },
    },
  ),
});

/** Copy-trading operations. */
export const copyOperations = operationsOf({
  /** GET /v1/copy-trading (API 4.7). */
  listCopyTradingConfigurations: get(
    '/v1/copy-trading',
    'All copy-trading groups, including stopped ones.',
    listed(CopyTradingConfiguration),
    { refuses: [403] },
  ),
  /** POST /v1/copy-trading (API 4.7). */
  saveCopyTradingConfigurations: post(
    '/v1/copy-trading',
    'Create, change and delete copy-trading groups, all or nothing.',
    CopyTradingWriteResponse,
    {
      body: SaveCopyTradingRequest,
      bodyRule: groupsNamedOnce,
      refuses: [404],
      others: { 422: rejected },
    },
  ),
  /** POST /v1/copy-trading/{config_id}/disable (API 4.7). */
  disableCopyTradingConfiguration: post(
    '/v1/copy-trading/{config_id}/disable',
    'Stop copying in a group and cancel unfilled orders; filled positions stay open.',
    CopyTradingWriteResponse,
    { others: { 422: rejected } },
  ),
});
