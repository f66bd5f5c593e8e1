import { wireLimits } from '../../base/terms/plans.ts';
import { Account, policyFields } from './accounts.ts';
import type { ValidationIssue } from './errors.ts';
import { enveloped, type FieldRule, get, listed, operationsOf, post } from './operation.ts';
import {
  array,
  boolean,
  choice,
  closed,
  defaulted,
  each,
  freeForm,
  integer,
  literal,
  nullable,
  number,
  object,
  optional,
  optionals,
  positive,
  record,
  type Sent,
  string,
} from './schema.ts';
import { simulationHistoryOperations } from './simulation-history.ts';
import { instant } from './terms.ts';

/** The simulation's source and clock, and counts of open records. */
export const SimulationStatus = object({
  state: string('Name of its state.'),
  source: choice(['synthetic', 'recorded', 'live'], 'Where its prices come from.'),
  books: nullable(string('File of the recording or tape.')),
  blind: boolean('Nothing beyond the clock is revealed.'),
  clock: choice(['real', 'manual']),
  speed: number('Exchange milliseconds per real millisecond.'),
  seed: integer(),
  time: number('Exchange time, Unix milliseconds.'),
  first_time: nullable(number("Time of the recording's first line, Unix milliseconds.")),
  last_time: nullable(number("Time of the recording's last line, Unix milliseconds; null also if it is played blind.")),
  trading_halt: object({ platform: boolean(), categories: array(string()) }),
  markets: integer('Number of markets.'),
  accounts: integer('Number of accounts.'),
  ended_accounts: array(
    object({
      account_id: string(),
      name: string(),
      status: choice(['passed', 'failed', 'closed']),
      rule_id: nullable(string('Why a failed one ended: daily-loss, maximum-drawdown.')),
      ended_at: nullable(number('Unix milliseconds; null: before this was recorded.')),
      equity: nullable(number('At that moment, USD; for a passed one its balance.')),
      bound: nullable(number('The floor that it touched, or the target that it reached, USD.')),
    }),
    'Accounts that no longer trade, oldest first.',
  ),
  working_orders: integer('Number of working orders.'),
  open_positions: integer('Number of open positions.'),
  running_strategies: integer('Number of running TWAP, VWAP and scaled orders.'),
});
export type SimulationStatus = Sent<typeof SimulationStatus>;

/** How far to move a manual clock: exactly one of the three. */
export const AdvanceRequest = closed({
  duration_ms: optional(positive('By this duration.')),
  to: optional(number('To this time, Unix milliseconds.')),
  end: optional(literal(true, 'To the last line of the recording.')),
});
export type AdvanceRequest = Sent<typeof AdvanceRequest>;

/** Whether the clock runs, and how fast. */
const ClockRequest = closed({
  running: boolean(),
  speed: optional(positive('Exchange milliseconds per millisecond, of a running clock; at most 1,000,000.')),
});

/** A connection to a venue. */
export const FeedConnection = object({
  name: string(),
  state: string(),
  subscriptions: integer('Confirmed by the venue.'),
  wanted: integer(),
  reconnects: integer(),
  age_ms: number(),
  problem: nullable(string()),
});

/** A market as its feed has it. */
export const FeedMarket = object({
  market_id: string(),
  state: choice(['waiting', 'healing', 'live']),
  gap_since: nullable(number()),
  gap_reason: nullable(string()),
  gaps: integer('So many since the feed began.'),
  messages: integer(),
  lag_ms: nullable(number()),
  quiet_ms: nullable(number('Since its last book message.')),
  mark: nullable(number("The venue's own mark, quote currency.")),
  index: nullable(number("The venue's index, quote currency.")),
  funding_rate: nullable(number("The venue's, a fraction per `funding_hours`.")),
  funding_hours: nullable(number()),
  next_funding_at: nullable(number('Unix milliseconds.')),
  mark_age_ms: nullable(number('Since the venue last published its mark.')),
  mark_problem: nullable(string("Why the venue's mark is not known.")),
  prints_joined: integer("How often its prints were compared with the venue's history, and none was missing."),
  prints_lost: integer('Prints that only the history had.'),
  problem: nullable(string()),
});

/** How the feeds of live markets are doing, and the tape that they write. */
export const FeedsStatus = object({
  feeds: array(
    object({
      venue: string(),
      state: choice(['idle', 'connecting', 'live', 'partly_live', 'in_gap']),
      problem: nullable(string('Why none of its markets is listed.')),
      unknown_rows: array(string("What perp does not know of the venue's list, and of how many markets.")),
      messages_per_second: number(),
      skew_ms: nullable(number("How far the venue's clock is ahead of this machine's.")),
      weight_used: number("Of the venue's REST budget, in the last minute."),
      weight_limit: number(),
      paused_until: nullable(number('The venue wants no request before; Unix milliseconds.')),
      connections: array(FeedConnection),
      markets: array(FeedMarket),
    }),
  ),
  tape: object({
    file: string(),
    part: integer(),
    lines: integer('Written by this process.'),
    bytes: integer('Of the open part.'),
    synced_at: nullable(number()),
    problem: nullable(string()),
  }),
});
export type FeedsStatus = Sent<typeof FeedsStatus>;

/** An API key as listed, without the key itself. */
export const SimulationKey = object({
  id: string(),
  name: string(),
  kind: choice(['key', 'session']),
  environment: choice(['live', 'test']),
  scope: choice(['read', 'trade']),
  created_at: instant,
  expires_at: nullable(instant),
  revoked_at: nullable(instant),
});
export type SimulationKey = Sent<typeof SimulationKey>;

/** An API key to issue. */
const CreateKeyRequest = closed({
  name: defaulted(string('Label of the key.', { minLength: 1, maxLength: 128 }), 'key'),
  environment: defaulted(choice(['live', 'test']), 'live'),
  scope: defaulted(choice(['read', 'trade']), 'trade'),
  prefix: optional(
    string('For clients that need a prefix other than sim_live_ or sim_test_.', { minLength: 1, maxLength: 32 }),
  ),
});

/** A newly issued key: the only time it is shown. */
export const IssuedKey = object({ api_key: string(), key: SimulationKey });
export type IssuedKey = Sent<typeof IssuedKey>;

/** Ends a key or session: at once, or at a time. */
const EndKeyRequest = closed(
  {
    revoked: optional(literal(true, 'From now on.')),
    expires_at: optional(instant),
  },
  { minProperties: 1 },
);

const observed = {
  exposure_cap_usd: nullable(
    positive('Maximum open notional of one owner in one market, USD; no answer of the API reveals it.'),
  ),
  slippage_caps: boolean("A taker's adverse slippage is capped."),
  stop_price: choice(
    ['mark', 'last', 'index'],
    "The price that triggers stops: the mark, the last print of their market, or their venue's index.",
  ),
  marks: choice(['book', 'venue'], "Where marks come from: the midpoint of the book, or the venue's own mark."),
  fx_at_mark: boolean('Markets of category fx trade at their mark plus or minus the spread of a tier.'),
  open_interest_usd: record(number(undefined, { minimum: 0 }), 'Open interest by market id, USD.'),
  worst_price_is_estimate: boolean("A quote's worst price is its estimated fill price."),
  order_list_needs_filter: boolean('A list of orders needs account_id or client_order_id.'),
  side_alone_is_plain_quote: boolean('A quote with a side and no size is answered like one without both.'),
  pings_keep_stream: boolean('WebSocket pings keep the market stream connected, as frames do.'),
};

/** Behavior observed on the live service, which a policy may turn on (simulation 6.3). */
export const ObservedBehavior = object(observed);
export type ObservedBehavior = Sent<typeof ObservedBehavior>;

/** An account's trading policy, and the observed behavior that it turns on. */
export const SimulationPolicy = object({ ...policyFields, observed: ObservedBehavior });
export type SimulationPolicy = Sent<typeof SimulationPolicy>;

const limit = optional(number(undefined, { minimum: 0 }));

/** Changes to an account's policy, and the halt of the whole exchange, for practice. Omitted fields are unchanged. */
export const SetPolicyRequest = closed(
  {
    account_id: optional(string('The account; required for everything except trading_halt.')),
    preset: optional(
      choice(
        ['observed', 'default'],
        'Applied first: turns all observed behavior on, or off; other fields then change it.',
      ),
    ),
    limits: optional(closed(each(wireLimits, limit))),
    unlimited_trade_count_threshold: limit,
    slippage_min_bps: limit,
    slippage_max_bps: limit,
    market_order_maximum_bps_by_provider: optional(record(positive())),
    maximum_total_notional_usd: optional(nullable(positive())),
    fee_exempt: optional(boolean()),
    payout_pending: optional(boolean()),
    restriction: optional(nullable(literal('reduce_only'))),
    competition: optional(
      nullable(closed({ opening_exposure_restricted: boolean(), market_allowlist: array(string()) })),
    ),
    observed: optional(closed(optionals(observed))),
    trading_halt: optional(closed({ platform: boolean(), categories: array(string()) })),
  },
  { minProperties: 1 },
);
export type SetPolicyRequest = Sent<typeof SetPolicyRequest>;

/** Why an order filled or did not: its history, line by line. */
export const OrderExplanation = object({
  order_id: string(),
  queue_ahead: optional(number('What the book displays ahead of a resting order, base asset; absent if unknown.')),
  lines: array(object({ time: instant, kind: string(), detail: freeForm() })),
});
export type OrderExplanation = Sent<typeof OrderExplanation>;

/** The weather of a simulation, and how its clients have coped. */
export const WeatherReport = object({
  profile: freeForm('Its seed and its parts.'),
  thrown: object({
    rejections: integer('Orders that were accepted and ended rejected.'),
    lost_answers: integer('Writes that were done and answered 502.'),
    rate_limits: integer('Requests that were 429.'),
    history_failures: integer('Requests for candles that failed in transport.'),
    drains: integer('Times that streams were drained.'),
    ends: integer('Subscriptions that were ended.'),
    lingering: integer('Times that a closed position was listed as open.'),
    partial_answers: integer('Answers 202 of bulk operations.'),
  }),
  writes: object({
    repeated_with_key: integer('Lost answers after which the write was repeated under its key.'),
    looked_up: integer('Lost answers after which the outcome was read.'),
    doubled: integer('Lost answers after which the same was sent under another key.'),
    lost: integer('Lost answers after which nothing was done.'),
  }),
  rate_limits_ignored: integer('Requests before Retry-After was over.'),
  ordinary_rate_limits: integer("Requests that were 429 by the service's own limit."),
  bulk_unfinished: integer('Bulk operations that were not continued to their end.'),
  streams: object({
    gaps: integer('Times without a connection after a drain.'),
    longest_gap_ms: integer(),
    not_reconnected: integer('Streams to which nobody has returned.'),
    subscribed_again: integer('Ended subscriptions that were made again.'),
    not_subscribed_again: integer('Ended subscriptions that were not.'),
    account_events_missed: integer('Account events while a client was away that did not resume.'),
  }),
});
export type WeatherReport = Sent<typeof WeatherReport>;

const exactlyOneTarget: FieldRule = (body) => {
  const targets = ['duration_ms', 'to', 'end'] as const;
  const given = targets.filter((field) => body[field] !== undefined);
  if (given.length === 1) return [];
  if (given.length === 0) return [{ field: 'body', issue: 'must have one of duration_ms, to, end' }];
  return given.slice(1).map((field) => ({ field, issue: `is not allowed with ${given[0]}` }));
};

const accountForItsPolicy: FieldRule = (body) => {
  const isHaltOnly = Object.keys(body).every((field) => field === 'trading_halt' || body[field] === undefined);
  const issues: ValidationIssue[] = [{ field: 'account_id', issue: "is required to change an account's policy" }];
  return isHaltOnly || body.account_id !== undefined ? [] : issues;
};

/** The simulation's own operations: not part of the API or its OpenAPI document. */
export const simulationOperations = operationsOf({
  ...simulationHistoryOperations,
  simStatus: get(
    '/sim/status',
    "The simulation's source and clock, and counts of open records.",
    enveloped(SimulationStatus),
  ),
  simAdvance: post(
    '/sim/advance',
    'Move the manual clock and play everything in between.',
    enveloped(object({ from: instant, to: instant })),
    { body: AdvanceRequest, bodyRule: exactlyOneTarget, refuses: [409] },
  ),
  simSetClock: post('/sim/clock', 'Pause the clock, let it run, or change its speed.', enveloped(SimulationStatus), {
    body: ClockRequest,
    refuses: [409],
  }),
  simFeeds: get('/sim/feeds', 'The health of the live market feeds.', enveloped(FeedsStatus), { refuses: [409] }),
  simWeather: get('/sim/weather', 'The weather, and how clients have survived it.', enveloped(WeatherReport), {
    refuses: [409],
  }),
  simListKeys: get('/sim/keys', 'Issued API keys and sessions.', listed(SimulationKey), { scope: 'trade' }),
  simCreateKey: post('/sim/keys', 'Issue an API key for another client.', enveloped(IssuedKey), {
    body: CreateKeyRequest,
    succeeds: [201],
  }),
  simEndKey: post('/sim/keys/{key_id}', 'Revoke a key or session, or let it expire.', enveloped(SimulationKey), {
    body: EndKeyRequest,
    refuses: [409],
  }),
  simGetPolicy: get('/sim/policy', 'The policy of an account.', enveloped(SimulationPolicy), {
    query: object({ account_id: string('The account.') }),
  }),
  simSetPolicy: post(
    '/sim/policy',
    'Change limits, restrictions and halts, for practice.',
    enveloped(nullable(SimulationPolicy)),
    { body: SetPolicyRequest, bodyRule: accountForItsPolicy, refuses: [409] },
  ),
  simFund: post('/sim/fund', 'Create the funded successor of a passed account.', enveloped(Account), {
    body: closed({ account_id: string('The passed account.') }),
    succeeds: [201],
    refuses: [409],
  }),
  simExplainOrder: get(
    '/sim/orders/{order_id}/explanation',
    'Why an order filled or did not.',
    enveloped(OrderExplanation),
  ),
});

/** The simulation's operations with their types. */
export type SimulationOperations = typeof simulationOperations;
