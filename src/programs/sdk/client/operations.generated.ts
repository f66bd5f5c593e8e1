// Written by tools/sdk-operations.ts from src/wire/contract. Do not edit: npm run fix writes it again.
import type { CallOptions, List } from './call-options.ts';

/** The codes of errors: the API's, and perp's own. */
export type KnownCode =
  | 'access_denied'
  | 'already_decided'
  | 'another_run'
  | 'approval_pending'
  | 'audit_damaged'
  | 'bad_answer'
  | 'bug'
  | 'changed'
  | 'client_order_id_conflict'
  | 'closed'
  | 'config'
  | 'config_exposed'
  | 'conflict'
  | 'cooldown'
  | 'copy_managed'
  | 'credential'
  | 'damaged_journal'
  | 'exists'
  | 'exit_conflict'
  | 'exit_side'
  | 'expired'
  | 'far_stop'
  | 'file_busy'
  | 'forbidden'
  | 'foreign_answer'
  | 'gate'
  | 'gate_file'
  | 'gate_in_charge'
  | 'gate_runs'
  | 'gate_silent'
  | 'guard_in_charge'
  | 'guard_lock'
  | 'idempotency_conflict'
  | 'idempotency_key_reused'
  | 'idle_timeout'
  | 'incomplete'
  | 'insecure_file'
  | 'insecure_storage'
  | 'insufficient_depth'
  | 'internal'
  | 'interrupted'
  | 'invalid_arguments'
  | 'invalid_grant'
  | 'invalid_request'
  | 'keychain_missing'
  | 'keychain_refused'
  | 'keychain_silent'
  | 'leverage_mismatch'
  | 'lock_unchecked'
  | 'login_in_progress'
  | 'login_refused'
  | 'login_timeout'
  | 'mandate'
  | 'mandate_file'
  | 'mandate_refused'
  | 'never_met'
  | 'no_answer'
  | 'no_connection'
  | 'no_copy_stop'
  | 'no_equity'
  | 'no_gate'
  | 'no_home'
  | 'no_price'
  | 'no_receiver'
  | 'no_room'
  | 'no_size'
  | 'not_a_gate'
  | 'not_found'
  | 'not_kept'
  | 'not_logged'
  | 'not_met'
  | 'not_signed'
  | 'not_written'
  | 'nothing_recorded'
  | 'order_terminal'
  | 'other_login'
  | 'outcome_unknown'
  | 'payload_too_large'
  | 'person_needed'
  | 'plans'
  | 'port_taken'
  | 'position_changed'
  | 'practice_unreadable'
  | 'profile_exists'
  | 'profile_needed'
  | 'program'
  | 'rate_limited'
  | 'read_only'
  | 'recording'
  | 'rule_violation'
  | 'rules'
  | 'secret_exposed'
  | 'secret_unusable'
  | 'session_missing'
  | 'stale_snapshot'
  | 'state_mismatch'
  | 'stop_required'
  | 'store_busy'
  | 'store_corrupt'
  | 'store_foreign'
  | 'store_full'
  | 'store_in_doubt'
  | 'store_io'
  | 'store_moved'
  | 'store_newer'
  | 'store_no_locks'
  | 'store_outdated'
  | 'store_read_only'
  | 'store_special'
  | 'stream_ended'
  | 'stream_not_accepted'
  | 'stream_refused'
  | 'tape'
  | 'terminated'
  | 'too_many_calls'
  | 'too_slow'
  | 'unauthorized'
  | 'unavailable'
  | 'unknown'
  | 'unknown_floor'
  | 'unsettled_write'
  | 'unsupported_media_type'
  | 'usage'
  | 'void'
  | 'waits_for_approval'
  | 'worker'
  | 'worst_case_breach'
  | 'wrong_environment';

/** Every operation of the API. A request has the fields of path, query and body together; the answer is its data. */
export interface Operations {
  /** Name, version and environment of the service. `GET /v1` */
  getApiInformation(request?: Record<string, never>, options?: CallOptions): Promise<{
    name: string;
    version: string;
    /** Which of the two environments this host serves. */
    environment: 'live' | 'test';
    /** Address of the API documentation. */
    documentation: string;
  }>;
  /** Countries whose residents the service does not accept, sorted. `GET /v1/restricted-countries` */
  listRestrictedCountries(request?: Record<string, never>, options?: CallOptions): Promise<{
    /** ISO 3166-1 alpha-2. */
    country: string;
  }[]>;
  /** Exchange an approved authorization code for a session credential. `POST /v1/auth/cli/token` */
  exchangeCliAuthorizationCode(request: {
    /** The one-time authorization code. */
    code: string;
    /** The PKCE verifier of the approved S256 challenge. */
    code_verifier: string;
  }, options?: CallOptions): Promise<{
    /** The credential, shown only here. */
    api_key: string;
    /** Bearer. */
    token_type: string;
    /** Unix milliseconds. */
    expires_at: number;
    /** The session's label, from the device name. */
    name: string;
  }>;
  /** Revoke the command-line session that makes the request. `POST /v1/auth/cli/revoke` */
  revokeCliSession(request?: Record<string, never>, options?: CallOptions): Promise<{
    revoked: boolean;
  }>;
  /** All accounts of the credential's owner, except archived ones. `GET /v1/accounts` */
  listAccounts(request?: Record<string, never>, options?: CallOptions): Promise<Account[]>;
  /** One account and its risk. `GET /v1/accounts/{account_id}` */
  getAccount(request: { account_id: string }, options?: CallOptions): Promise<Account>;
  /** What the account may trade now, and its limits. `GET /v1/accounts/{account_id}/trading-policy` */
  getAccountTradingPolicy(request: { account_id: string }, options?: CallOptions): Promise<AccountTradingPolicy>;
  /** Cancel every working order of the account, in parts of bounded size. `POST /v1/accounts/{account_id}/cancel-all-orders` */
  cancelAllAccountOrders(request: { account_id: string }, options?: CallOptions): Promise<CancelAllOrdersOperation>;
  /** Close every open position of the account at market, one position per call. `POST /v1/accounts/{account_id}/close-all-positions` */
  closeAllAccountPositions(request: { account_id: string }, options?: CallOptions): Promise<CloseAllPositionsOperation>;
  /** Acknowledge the completed copy stop that the trading policy shows. `POST /v1/accounts/{account_id}/acknowledge-copy-stop` */
  acknowledgeCopyTradingStop(request: { account_id: string } & {
    /** copy_stop.stopped_at of the trading policy, Unix milliseconds. */
    stopped_at: number;
  }, options?: CallOptions): Promise<{
    ok: boolean;
    /** Ids of the saved groups, in the order sent. */
    config_ids?: string[] | undefined;
  }>;
  /** Every tradable market. `GET /v1/markets` */
  listMarkets(request?: Record<string, never>, options?: CallOptions): Promise<Market[]>;
  /** One market. `GET /v1/markets/{market_id}` */
  getMarket(request: { market_id: string }, options?: CallOptions): Promise<Market>;
  /** Best prices now and, for a side and size, what an order would fill at. `GET /v1/markets/{market_id}/quote` */
  getMarketQuote(request: { market_id: string } & {
    side?: 'buy' | 'sell' | undefined;
    /** Base asset; given together with side. */
    size?: number | undefined;
    /** The account whose earlier fills the estimate considers. */
    account_id?: string | undefined;
  }, options?: CallOptions): Promise<Quote>;
  /** Open positions, or closed ones in pages, newest first. `GET /v1/positions` */
  listOpenPositions(request: {
    /** The account whose records to list. */
    account_id: string;
    status?: 'open' | 'closed' | undefined;
    /** Rows per page. */
    limit?: number | undefined;
    /** next_cursor of the previous page, with the same account and filters. */
    cursor?: string | undefined;
  }, options?: CallOptions): List<Position>;
  /** One position, open or closed. `GET /v1/positions/{position_id}` */
  getPosition(request: { position_id: string; account_id?: string }, options?: CallOptions): Promise<Position>;
  /** Close all or part of a position with a reduce-only order. `POST /v1/positions/{position_id}/close` */
  closePosition(request: { position_id: string; account_id?: string } & ClosePositionRequest, options?: CallOptions): Promise<Order>;
  /** Place, modify and cancel a position's exits, all or nothing. `PUT /v1/positions/{position_id}/exit-orders` */
  replacePositionExitOrders(request: { position_id: string; account_id?: string } & ExitOrderBatchRequest, options?: CallOptions): Promise<Position>;
  /** Set the total extra margin of an isolated position. `PUT /v1/positions/{position_id}/isolated-margin` */
  setPositionIsolatedMargin(request: { position_id: string; account_id?: string } & {
    /** New total, not a change, USD. */
    extra_margin: number;
  }, options?: CallOptions): Promise<Position>;
  /** Orders, newest first; all working orders; or one order by its client order id. `GET /v1/orders` */
  listOrders(request?: {
    /** The account whose records to list. */
    account_id?: string | undefined;
    /** The caller's own id for the order. */
    client_order_id?: string | undefined;
    /** Rows per page. */
    limit?: number | undefined;
    /** next_cursor of the previous page, with the same account and filters. */
    cursor?: string | undefined;
    /** All pending and resting orders. */
    status?: 'working' | undefined;
  }, options?: CallOptions): List<Order>;
  /** Place an order of any kind. `POST /v1/orders` */
  createOrder(request: CreateOrderRequest, options?: CallOptions): Promise<Order>;
  /** One order. `GET /v1/orders/{order_id}` */
  getOrder(request: { order_id: string; account_id?: string }, options?: CallOptions): Promise<Order>;
  /** Change the price, and optionally the size, of a working order. `PATCH /v1/orders/{order_id}` */
  modifyOrder(request: { order_id: string; account_id?: string } & {
    /** The new limit price; for an armed order, the new trigger price. */
    price: number;
    /** The new remainder, base asset. */
    size?: number | undefined;
  }, options?: CallOptions): Promise<Order>;
  /** Cancel a working order. `DELETE /v1/orders/{order_id}` */
  cancelOrder(request: { order_id: string; account_id?: string }, options?: CallOptions): Promise<{
    id: string;
    canceled: true;
    /** The order was armed: its cancellation is queued. */
    queued?: boolean | undefined;
  }>;
  /** Change the take-profit and stop-loss attached to a resting entry. `PUT /v1/orders/{order_id}/attached-exits` */
  updateAttachedExits(request: { order_id: string; account_id?: string } & {
    take_profit_price?: number | null | undefined;
    stop_loss_price?: number | null | undefined;
  }, options?: CallOptions): Promise<Order>;
  /** Executions of an account, newest first. `GET /v1/fills` */
  listFills(request: {
    /** The account whose records to list. */
    account_id: string;
    /** Rows per page. */
    limit?: number | undefined;
    /** next_cursor of the previous page, with the same account and filters. */
    cursor?: string | undefined;
  }, options?: CallOptions): List<Order>;
  /** TWAP and VWAP orders: active, completed or canceled, newest first. `GET /v1/twap-orders` */
  listActiveTwapOrders(request: {
    /** The account whose records to list. */
    account_id: string;
    status?: 'active' | 'completed' | 'canceled' | undefined;
    /** Rows per page. */
    limit?: number | undefined;
    /** next_cursor of the previous page, with the same account and filters. */
    cursor?: string | undefined;
  }, options?: CallOptions): List<TwapOrder>;
  /** Start a TWAP or VWAP order. `POST /v1/twap-orders` */
  createTwapOrder(request: CreateTwapOrderRequest, options?: CallOptions): Promise<TwapOrder>;
  /** One TWAP or VWAP order. `GET /v1/twap-orders/{twap_order_id}` */
  getTwapOrder(request: { twap_order_id: string; account_id?: string }, options?: CallOptions): Promise<TwapOrder>;
  /** Stop a TWAP or VWAP order; fills stay. `DELETE /v1/twap-orders/{twap_order_id}` */
  cancelTwapOrder(request: { twap_order_id: string; account_id?: string }, options?: CallOptions): Promise<TwapOrder>;
  /** Scaled orders, newest first. `GET /v1/scaled-orders` */
  listScaledOrders(request: {
    /** The account whose records to list. */
    account_id: string;
    /** Rows per page. */
    limit?: number | undefined;
    /** next_cursor of the previous page, with the same account and filters. */
    cursor?: string | undefined;
  }, options?: CallOptions): List<ScaledOrder>;
  /** Place a ladder of limit orders. `POST /v1/scaled-orders` */
  createScaledOrder(request: CreateScaledOrderRequest, options?: CallOptions): Promise<ScaledOrder>;
  /** One scaled order and its rungs. `GET /v1/scaled-orders/{scaled_order_id}` */
  getScaledOrder(request: { scaled_order_id: string; account_id?: string }, options?: CallOptions): Promise<ScaledOrder>;
  /** Cancel the working rungs of a scaled order; fills stay. `DELETE /v1/scaled-orders/{scaled_order_id}` */
  cancelScaledOrder(request: { scaled_order_id: string; account_id?: string }, options?: CallOptions): Promise<ScaledOrder>;
  /** All copy-trading groups, including stopped ones. `GET /v1/copy-trading` */
  listCopyTradingConfigurations(request?: Record<string, never>, options?: CallOptions): Promise<CopyTradingConfiguration[]>;
  /** Create, change and delete copy-trading groups, all or nothing. `POST /v1/copy-trading` */
  saveCopyTradingConfigurations(request: {
    groups: CopyTradingGroupInput[];
    deleted_config_ids: string[];
  }, options?: CallOptions): Promise<{
    ok: boolean;
    /** Ids of the saved groups, in the order sent. */
    config_ids?: string[] | undefined;
  }>;
  /** Stop copying in a group and cancel unfilled orders; filled positions stay open. `POST /v1/copy-trading/{config_id}/disable` */
  disableCopyTradingConfiguration(request: { config_id: string }, options?: CallOptions): Promise<{
    ok: boolean;
    /** Ids of the saved groups, in the order sent. */
    config_ids?: string[] | undefined;
  }>;
}

/** A group to create (without config_id) or replace. An enabled group needs at least one follower. */
export interface CopyTradingGroupInput {
  /** Omit to create a group. */
  config_id?: string | undefined;
  /** An enabled group needs at least one follower. */
  enabled: boolean;
  /** The lead account. */
  source_account_id: string;
  targets: {
    /** A follower. */
    account_id: string;
    /** 10000 copies at the ratio of the starting balances. */
    multiplier_bps: number;
  }[];
}

/** A lead and its followers. */
export interface CopyTradingConfiguration {
  config_id: string;
  enabled: boolean;
  /** The lead account. */
  source_account_id: string;
  targets: {
    /** A follower. */
    account_id: string;
    multiplier_bps: number;
  }[];
  /** Rises with every change. */
  policy_version: number;
  /** Unix milliseconds. */
  updated_at: number;
  /** Unix milliseconds. */
  stopped_at?: number | undefined;
  stop_reason?: string | undefined;
  /** Unix milliseconds. */
  stopped_completed_at?: number | undefined;
  stop_cleanup_pending?: boolean | undefined;
}

/** The current permissions and limits for trading. Advisory: it reserves nothing. */
export interface AccountTradingPolicy {
  account_id: string;
  /** Unix milliseconds. */
  observed_at: number;
  /** Always true: placement and settlement check again. */
  advisory: boolean;
  /** As in the account. */
  status: string;
  /** As in the account. */
  stage: 'evaluation' | 'funded';
  /** No new manual exposure: the account is not active, or copies another. */
  manual_trading_blocked: boolean;
  /** No new exposure, for any reason. */
  opening_exposure_restricted: boolean;
  /** A payout blocks new exposure. */
  payout_pending: boolean;
  /** An enabled copy group trades this account; nothing else may. */
  copy_follower_locked: boolean;
  /** The credential does not reach every member of the group. */
  copy_scope_blocked: boolean;
  /** Pays no trading fee. */
  fee_exempt: boolean;
  restriction: TradingPolicyRestriction | null;
  copy_stop: TradingPolicyCopyStop | null;
  competition: TradingPolicyCompetition | null;
  trading_halt: TradingPolicyHalt;
  limits: {
    trades_per_minute: number;
    trades_per_hour: number;
    trades_per_day: number;
    order_cooldown_ms: number;
    max_open_positions: number;
    max_position_value_usd: number;
    min_order_notional_usd: number;
    execution_delay_min_ms: number;
    execution_delay_max_ms: number;
    max_book_staleness_ms: number;
    maintenance_margin_ratio_bps: number;
    liquidation_fee_bps: number;
    max_resting_orders: number;
    risk_touch_window_ms: number;
  };
  /** USD; from this starting balance on, the trade counts do not apply. 0: they always apply. */
  unlimited_trade_count_threshold: number;
  slippage_tolerance_bps: TradingPolicySlippage;
  account_rules: {
    /** profit-target, daily-loss, maximum-drawdown. */
    id: string;
    parameters: Record<string, number | string>;
  }[];
  /** null: no limit. */
  maximum_total_notional_usd: number | null;
}

/** The largest allowed distance from mid at which an order may fill. */
export interface TradingPolicySlippage {
  /** Smallest tolerance an order may set, bps. */
  min: number;
  /** The account's ceiling, bps. */
  max: number;
  /** Ceiling of market orders, bps. */
  market_order_maximum_by_provider: Record<string, number>;
}

/** Where trading is halted. */
export interface TradingPolicyHalt {
  /** Everything is halted. */
  platform: boolean;
  /** Market categories that are halted. */
  categories: string[];
}

/** Restrictions of a competition. */
export interface TradingPolicyCompetition {
  opening_exposure_restricted: boolean;
  /** Market ids that may be traded; empty: all. */
  market_allowlist: string[];
}

/** The last stop of copying into this account; an acknowledgment names its `stopped_at`. */
export interface TradingPolicyCopyStop {
  /** The time that an acknowledgment must name, Unix milliseconds. */
  stopped_at: number;
  /** Unix milliseconds; null until cleanup is complete. */
  completed_at: number | null;
  /** Unix milliseconds. */
  acknowledged_at: number | null;
  /** Human-readable. */
  reason: string | null;
}

/** Restrictions of this account alone. */
export interface TradingPolicyRestriction {
  restriction: 'reduce_only';
  /** Human-readable. */
  reason: string;
  /** Unix milliseconds. */
  flagged_at: number;
}

/** A challenge account: identity, realized balance and a fresh risk snapshot. */
export interface Account {
  id: string;
  /** Short number for people. */
  account_number: string;
  name: string;
  /** funded follows a passed evaluation. */
  stage: 'evaluation' | 'funded';
  /** Only an active account takes new exposure. */
  status: 'active' | 'passed' | 'failed' | 'closed';
  /** USD; the plan's percentages refer to it. */
  starting_balance: number;
  /** Realized balance, without open profit and loss, USD. */
  balance: number;
  /** Unix milliseconds. */
  created_at: number;
  risk?: AccountRisk | undefined;
}

/** The account's risk, marked at the mids of fresh books; a value that needs a missing mark is null. */
export interface AccountRisk {
  /** Unix milliseconds. */
  observed_at: number;
  /** Every open position has a fresh mark. */
  marks_complete: boolean;
  /** Markets without a fresh mark; values that need them are null. */
  missing_markets: string[];
  /** Balance plus unrealized profit, USD. */
  equity: number | null;
  /** USD. */
  unrealized_pnl: number | null;
  /** Initial and extra margin of open positions, USD. */
  margin_used: number;
  /** The lower of balance and equity, minus margin_used; never below zero. USD. */
  available_balance: number;
  /** Notional of all open positions, USD. */
  gross_exposure: number | null;
  /** Equity at which the daily loss is breached, USD. */
  daily_loss_floor: number | null;
  /** Equity at which the drawdown is breached, USD. */
  max_drawdown_floor: number | null;
  /** How far equity is above the daily-loss floor, USD. */
  daily_loss_room: number | null;
  /** How far equity is above the drawdown floor, USD. */
  max_drawdown_room: number | null;
  /** Realized profit still needed to pass, USD. */
  remaining_profit: number | null;
  requirements: {
    /** Percent of the starting balance. */
    daily_loss_pct: number | null;
    /** Percent of the starting balance. */
    max_drawdown_pct: number | null;
    /** Percent of the starting balance. */
    profit_target_pct: number | null;
    /** Percent. */
    consistency_pct: number | null;
    /** Days with at least one fill. */
    minimum_trading_days: number | null;
  };
}

/** A bounded snapshot of working orders and the outcome of each. */
export interface CancelAllOrdersOperation {
  id: string;
  account_id: string;
  status: 'running' | 'completed';
  operation: 'cancel_all_orders';
  /** Targets of the snapshot. */
  total_count: number;
  /** Targets of the snapshot. */
  succeeded_count: number;
  /** Targets of the snapshot. */
  failed_count: number;
  results: {
    order_id: string;
    status: 'canceled' | 'queued' | 'failed';
    /** The order was armed. */
    queued?: boolean | undefined;
    /** The code that canceling this order alone would get. */
    failure_code?: string | undefined;
  }[];
  /** Unix milliseconds. */
  created_at: number;
  /** Unix milliseconds. */
  completed_at?: number | undefined;
}

/** A bounded snapshot of open positions and the close submitted for each. */
export interface CloseAllPositionsOperation {
  id: string;
  account_id: string;
  status: 'running' | 'completed';
  operation: 'close_all_positions';
  /** Targets of the snapshot. */
  total_count: number;
  /** Targets of the snapshot. */
  succeeded_count: number;
  /** Targets of the snapshot. */
  failed_count: number;
  results: {
    position_id: string;
    status: 'submitted' | 'failed';
    order?: Order | undefined;
    /** The code that closing this position alone would get. */
    failure_code?: string | undefined;
    rule_id?: string | undefined;
  }[];
  /** Unix milliseconds. */
  created_at: number;
  /** Unix milliseconds. */
  completed_at?: number | undefined;
}

/** One tradable instrument on its venue. */
export interface Market {
  /** `<provider>|<SYMBOL>`. */
  market_id: string;
  /** The venue whose book executes. */
  provider: 'binance' | 'bybit' | 'hyperliquid' | 'lighter' | 'fpx';
  /** Short name, e.g. BTC. */
  symbol: string;
  /** The venue's name, e.g. BTCUSDT. */
  coin: string;
  /** A lot is 10^-size_decimals of the base asset. */
  size_decimals: number;
  max_leverage: number;
  /** Sizes are multiples of it, base asset. */
  size_step?: number | undefined;
  /** Smallest size of an order, base asset. */
  min_size?: number | undefined;
  /** Smallest notional of an order that adds exposure, USD. */
  min_notional?: number | undefined;
  /** Limit prices are multiples of it. On hyperliquid, a price also has at most five significant figures. */
  tick_size?: number | undefined;
  market_type?: string | undefined;
  /** crypto, tradfi or fx. */
  category?: string | undefined;
  trading_enabled?: boolean | undefined;
  /** Only reducing orders are accepted. */
  reduce_only?: boolean | undefined;
}

/** Best prices of a fresh book and, for a side and size, what an order would fill at. */
export interface Quote {
  status: 'ok';
  market_id: string;
  provider: string;
  symbol: string;
  coin: string;
  /** Best bid, quote currency; null: no bids. */
  bid: number | null;
  /** Best ask, quote currency; null: no asks. */
  ask: number | null;
  /** Midpoint, quote currency. */
  mid: number | null;
  /** Time of the book, Unix milliseconds. */
  time: number;
  /** Whether the displayed book fills the whole size. */
  fillable?: boolean | undefined;
  /** Why the size does not fill. */
  unfillable_reason?: 'empty_book' | 'insufficient_depth' | 'size_precision_mismatch' | undefined;
  requested_side?: 'buy' | 'sell' | undefined;
  /** Base asset. */
  requested_size?: number | undefined;
  /** Price that slippage is measured from. */
  reference_price?: number | null | undefined;
  reference_kind?: 'venue_mark' | 'book_mid' | undefined;
  /** Unix milliseconds. */
  reference_time?: number | undefined;
  /** Average price over the levels used. */
  estimated_fill_price?: number | undefined;
  /** Price of the last level used. */
  worst_price?: number | undefined;
  /** USD. */
  estimated_notional?: number | undefined;
  /** USD, taker. */
  estimated_fee?: number | undefined;
  /** Of the notional. */
  fee_bps?: number | undefined;
  /** How much worse than mid the estimated fill price is, bps; below zero: better. */
  slippage_bps?: number | undefined;
  /** Levels used. */
  levels_consumed?: number | undefined;
  /** Whether a deeper book was asked for. */
  depth?: 'standard' | 'deep' | undefined;
}

/** An account's net position in a market. */
export interface Position {
  id: string;
  account_id: string;
  market_id: string;
  provider: string;
  symbol: string;
  coin: string;
  side: 'long' | 'short';
  /** Base asset. */
  size: number;
  /** Average. */
  entry_price: number;
  leverage: number;
  margin_mode: 'cross' | 'isolated';
  /** Mark at which it is liquidated, other marks unchanged; absent if out of reach. */
  liquidation_price?: number | undefined;
  /** USD, isolated positions; negative: the initial margin that a losing partial close has used up. */
  isolated_margin_extra: number;
  status: 'open' | 'closed';
  /** Unix milliseconds. */
  opened_at: number;
  /** Unix milliseconds. */
  closed_at?: number | undefined;
  /** Decimals of a lot. */
  size_decimals?: number | undefined;
  /** Average. */
  exit_price?: number | undefined;
  /** USD, without fees and funding. */
  realized_pnl?: number | undefined;
  /** Initial margin of the closed size, USD. */
  realized_margin_basis?: number | undefined;
  /** USD, paid so far. */
  fees?: number | undefined;
  /** USD, paid so far. */
  funding?: number | undefined;
}

/** An order, or one of its fills: the fills list shows the same record. */
export interface Order {
  id: string;
  /** The caller's own id. */
  client_order_id?: string | undefined;
  account_id: string;
  market_id: string;
  provider: string;
  symbol: string;
  coin: string;
  /** How it executes. */
  type: 'market' | 'limit' | 'stop_market' | 'stop_limit' | 'take_market' | 'take_limit' | 'take_profit' | 'liquidation' | 'close_out';
  /** The kind of order that was requested. */
  mode: 'market' | 'limit' | 'chase' | 'stop_market' | 'stop_limit' | 'take_market' | 'take_limit' | 'take_profit' | 'conditional' | 'liquidation' | 'close_out';
  side: 'buy' | 'sell';
  /** Base asset; for a working order, the remainder. */
  size: number;
  /** Base asset, as placed. */
  initial_size?: number | undefined;
  /** Base asset, so far. */
  filled_size?: number | undefined;
  /** The price the caller saw; never used for pricing. */
  expected_price: number;
  /** Average price of the fill that this record is. */
  fill_price?: number | undefined;
  trigger_price?: number | undefined;
  limit_price?: number | undefined;
  /** USD, of this fill. */
  notional?: number | undefined;
  /** USD, of this fill. */
  fee?: number | undefined;
  /** USD, of this fill, without fees and funding. */
  realized_pnl?: number | undefined;
  leverage: number;
  margin_mode: 'cross' | 'isolated';
  reduce_only: boolean;
  time_in_force?: 'gtc' | 'ioc' | 'fok' | 'gtd' | undefined;
  /** Unix milliseconds. */
  gtd_expires_at?: number | undefined;
  attached_take_profit_price?: number | undefined;
  attached_stop_loss_price?: number | undefined;
  chase_offset?: number | undefined;
  chase_cap_price?: number | undefined;
  trigger_market_id?: string | undefined;
  /** Triggers when the mark is at or above the trigger price, or at or below it. */
  trigger_direction?: 'above' | 'below' | undefined;
  /** When the trigger fired, Unix milliseconds. */
  triggered_at?: number | undefined;
  /** The same, for orders that became a limit order. */
  stop_triggered_at?: number | undefined;
  /** Unix milliseconds. */
  cancel_requested_at?: number | undefined;
  /** The other order of the pair: a fill of one reduces the other. */
  oco_sibling_order_id?: string | undefined;
  /** The position that an exit belongs to. */
  target_position_id?: string | undefined;
  liquidity_role?: 'maker' | 'taker' | undefined;
  /** On a partial fill: the order it is a part of. */
  partial_of_order_id?: string | undefined;
  /** On a partial fill: the order that was placed. */
  partial_fill_root_order_id?: string | undefined;
  /** The time-weighted order that sent this slice. */
  twap_order_id?: string | undefined;
  /** The scaled order that this rung belongs to. */
  scaled_order_id?: string | undefined;
  status: 'pending' | 'filled' | 'rejected' | 'expired' | 'resting' | 'canceled';
  /** Why it was rejected or canceled, or a leg was not placed, as a code: insufficient_margin. */
  reject_reason?: string | undefined;
  /** The same, as a sentence. */
  reject_message?: string | undefined;
  /** The rule that caused this. */
  reject_rule_id?: string | undefined;
  /** Unix milliseconds. */
  requested_at: number;
  /** Unix milliseconds. */
  settled_at?: number | undefined;
  /** Unix milliseconds. */
  canceled_at?: number | undefined;
}

/** An order to place. The table in `base/terms/order-types.ts` lists the fields that each type takes. */
export interface CreateOrderRequest {
  /** The caller's own id for the order. */
  client_order_id?: string | undefined;
  type?: 'market' | 'limit' | 'chase' | 'stop_market' | 'stop_limit' | 'take_market' | 'take_limit' | 'take_profit' | 'conditional' | undefined;
  /** The account that trades. */
  account_id: string;
  /** `<provider>|<SYMBOL>`. */
  market_id: string;
  side: 'buy' | 'sell';
  /** Base asset, in whole lots of the market. */
  size: number;
  /** The price the caller saw; recorded, never used for pricing. */
  expected_price?: number | undefined;
  /** A whole number up to the market's max_leverage; ignored for reductions. */
  leverage: number;
  /** Ignored for reductions. */
  margin_mode: 'cross' | 'isolated';
  /** How far from mid the worst fill may be; at most the account's ceiling. */
  slippage_tolerance_bps?: number | undefined;
  /** Never increases or flips a position. */
  reduce_only?: boolean | undefined;
  /** Attaches a take-profit to the position it opens. */
  take_profit_price?: number | undefined;
  /** Attaches a stop-loss to the position it opens. */
  stop_loss_price?: number | undefined;
  /** Mark that triggers a stop, take or conditional order. */
  trigger_price?: number | undefined;
  /** On the market's price grid. */
  limit_price?: number | undefined;
  /** Default: good till canceled. */
  time_in_force?: 'ioc' | 'fok' | 'gtd' | undefined;
  /** When a gtd order expires, Unix milliseconds; required with gtd. */
  gtd_expires_at?: number | undefined;
  /** Distance from the best price of the order's own side. */
  chase_offset?: number | undefined;
  /** The chase never goes past this price. */
  chase_cap_price?: number | undefined;
  /** Lets a limit order that would cross fill as taker. */
  marketable_limit_acknowledged?: boolean | undefined;
  /** Attached exits replace the position's current exits. */
  replace_overlapping_exits?: boolean | undefined;
  /** The market whose mark triggers a conditional order. */
  trigger_market_id?: string | undefined;
  /** Triggers when the mark is at or above the trigger price, or at or below it. */
  trigger_direction?: 'above' | 'below' | undefined;
  /** The position that a take-profit exits. */
  target_position_id?: string | undefined;
}

/** How to close a position. The table in `base/terms/order-types.ts` lists the fields that each type takes. */
export interface ClosePositionRequest {
  /** The caller's own id for the order. */
  client_order_id?: string | undefined;
  type?: 'market' | 'limit' | 'conditional' | undefined;
  /** Base asset; default: the whole position. */
  size?: number | undefined;
  /** The price the caller saw; recorded, never used for pricing. */
  expected_price?: number | undefined;
  /** How far from mid the worst fill may be. */
  slippage_tolerance_bps?: number | undefined;
  /** On the market's price grid. */
  limit_price?: number | undefined;
  /** Mark of the trigger market that starts the close. */
  trigger_price?: number | undefined;
  /** The market whose mark triggers a conditional close. */
  trigger_market_id?: string | undefined;
  /** Triggers when the mark is at or above the trigger price, or at or below it. */
  trigger_direction?: 'above' | 'below' | undefined;
  /** Lets a limit order that would cross fill as taker. */
  marketable_limit_acknowledged?: boolean | undefined;
}

/** A batch that applies completely or not at all, and only to the size and exits that the caller expects. */
export interface ExitOrderBatchRequest {
  /** Base asset. */
  expected_position_size: number;
  /** All working exits of the position. */
  expected_orders: {
    order_id: string;
    /** Default: market. */
    execution_type?: 'market' | 'limit' | undefined;
    /** The trigger price, or without one the limit price. */
    price: number;
    /** Base asset. */
    size: number;
  }[];
  operations: {
    kind: 'cancel';
    order_id: string;
  } | {
    kind: 'modify';
    order_id: string;
    price: number;
    /** Base asset. */
    size?: number | undefined;
  } | {
    kind: 'place';
    /** Take-profit or stop-loss. */
    group: 'tp' | 'sl';
    /** Default: market. */
    execution_type?: 'market' | 'limit' | undefined;
    price: number;
    /** Base asset. */
    size: number;
    /** Index in operations of the opposite leg to pair with. */
    oco_pair_with_operation_index?: number | undefined;
  }[];
}

/** An order worked in slices over time. */
export interface CreateTwapOrderRequest {
  /** The account that trades. */
  account_id: string;
  /** `<provider>|<SYMBOL>`. */
  market_id: string;
  /** Even slices, or weighted by each hour's usual volume. */
  strategy?: 'twap' | 'vwap' | undefined;
  side: 'buy' | 'sell';
  /** Total, base asset. */
  size: number;
  /** The price the caller saw; never used for pricing. */
  expected_price: number;
  /** A whole number up to the market's max_leverage. */
  leverage: number;
  margin_mode: 'cross' | 'isolated';
  duration_minutes: number;
  /** At most half the duration; default: 30. */
  slice_interval_seconds?: number | undefined;
  /** Vary the size and time of the slices; the total is the same. */
  randomize?: boolean | undefined;
  /** Never increases or flips a position. */
  reduce_only?: boolean | undefined;
  /** Starts when the mark crosses this price. */
  trigger_price?: number | undefined;
  /** A mark above this price ends the order. */
  max_price?: number | undefined;
  /** A mark below this price ends the order. */
  min_price?: number | undefined;
}

/** A TWAP or VWAP parent; its slices are orders with its `twap_order_id`. */
export interface TwapOrder {
  id: string;
  account_id: string;
  market_id: string;
  provider?: string | undefined;
  symbol?: string | undefined;
  coin?: string | undefined;
  /** Even slices, or weighted by usual volume. */
  strategy: 'twap' | 'vwap';
  side: 'buy' | 'sell';
  /** Base asset. */
  total_size: number;
  /** Base asset. */
  filled_size: number;
  size_decimals?: number | undefined;
  /** Of all fills. */
  average_price?: number | undefined;
  leverage: number;
  margin_mode: 'cross' | 'isolated';
  reduce_only: boolean;
  duration_minutes: number;
  slice_interval_seconds: number;
  /** Slices planned. */
  slice_count?: number | undefined;
  /** Slices sent. */
  slices_attempted?: number | undefined;
  randomize?: boolean | undefined;
  trigger_price?: number | undefined;
  max_price?: number | undefined;
  min_price?: number | undefined;
  /** running, canceling, completed, canceled. */
  status: string;
  /** The slice that is being worked. */
  current_child_order_id?: string | undefined;
  /** When its trigger fired, Unix milliseconds. */
  activated_at?: number | undefined;
  /** Unix milliseconds. */
  started_at: number;
  /** Unix milliseconds. */
  end_at: number;
  /** When the next slice is due, Unix milliseconds. */
  next_run_at?: number | undefined;
  /** Unix milliseconds. */
  canceled_at?: number | undefined;
  /** Unix milliseconds. */
  completed_at?: number | undefined;
  /** filled, duration_elapsed, price_limit, canceled, rejected, account_closed. */
  completion_reason?: string | undefined;
}

/** A ladder of limit orders between two prices. */
export interface CreateScaledOrderRequest {
  /** The account that trades. */
  account_id: string;
  /** `<provider>|<SYMBOL>`. */
  market_id: string;
  side: 'buy' | 'sell';
  /** Total of all rungs, base asset. */
  size: number;
  /** Price of the first rung. */
  start_price: number;
  /** Price of the last rung. */
  end_price: number;
  rung_count: number;
  /** How the size is distributed from the first rung to the last. */
  distribution: 'flat' | 'ascending' | 'descending';
  /** A whole number up to the market's max_leverage. */
  leverage: number;
  margin_mode: 'cross' | 'isolated';
  /** Never increases or flips a position. */
  reduce_only?: boolean | undefined;
  /** Lets rungs that would cross fill as taker. */
  marketable_limit_acknowledged?: boolean | undefined;
}

/** A scaled parent and its rungs. */
export interface ScaledOrder {
  id: string;
  account_id: string;
  market_id: string;
  provider?: string | undefined;
  symbol?: string | undefined;
  coin?: string | undefined;
  side: 'buy' | 'sell';
  /** Base asset. */
  total_size: number;
  size_decimals?: number | undefined;
  leverage?: number | undefined;
  margin_mode?: 'cross' | 'isolated' | undefined;
  reduce_only?: boolean | undefined;
  /** How the size is distributed from the first rung to the last. */
  distribution?: 'flat' | 'ascending' | 'descending' | undefined;
  /** Price of the first rung. */
  start_price?: number | undefined;
  /** Price of the last rung. */
  end_price?: number | undefined;
  rung_count: number;
  placed_count?: number | undefined;
  rejected_count?: number | undefined;
  rungs: {
    price: number;
    /** Base asset. */
    size: number;
    liquidity_role?: 'maker' | 'taker' | undefined;
    /** Absent when the rung was rejected. */
    order_id?: string | undefined;
    /** Why it was rejected, as a code such as `insufficient_margin`. */
    reject_reason?: string | undefined;
    /** The same, as a sentence. */
    reject_message?: string | undefined;
  }[];
  /** working, completed, canceled, rejected. */
  status: string;
  /** Unix milliseconds. */
  started_at: number;
  /** Unix milliseconds. */
  completed_at?: number | undefined;
  /** Unix milliseconds. */
  canceled_at?: number | undefined;
}
