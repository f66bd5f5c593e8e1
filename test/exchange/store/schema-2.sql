CREATE TABLE accounts (
  id TEXT NOT NULL,
  number TEXT NOT NULL,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  environment TEXT NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL,
  plan TEXT NOT NULL,
  policy TEXT NOT NULL,
  starting_balance INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  day_start_equity INTEGER NOT NULL,
  day_started_at INTEGER NOT NULL,
  trading_days INTEGER NOT NULL,
  last_trading_day INTEGER,
  trades TEXT NOT NULL,
  last_order_at INTEGER,
  copy_stop TEXT,
  breach_rule_id TEXT,
  successor_id TEXT,
  PRIMARY KEY (id)
) STRICT;

CREATE INDEX accounts_of_owner ON accounts (owner, environment, created_at, id);

CREATE TABLE consumption (
  account_id TEXT NOT NULL,
  market_id TEXT NOT NULL,
  book_side TEXT NOT NULL,
  price INTEGER NOT NULL,
  consumed INTEGER NOT NULL,
  PRIMARY KEY (account_id, market_id, book_side, price)
) STRICT, WITHOUT ROWID;

CREATE TABLE explanations (
  order_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  time INTEGER NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (order_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
  sequence INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  balance_after INTEGER NOT NULL,
  time INTEGER NOT NULL,
  order_id TEXT,
  position_id TEXT,
  PRIMARY KEY (account_id, sequence),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE orders (
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  market_id TEXT NOT NULL,
  type TEXT NOT NULL,
  mode TEXT NOT NULL,
  side TEXT NOT NULL,
  size REAL NOT NULL,
  initial_size REAL NOT NULL,
  filled_size INTEGER NOT NULL,
  expected_price REAL NOT NULL,
  leverage REAL NOT NULL,
  margin_mode TEXT NOT NULL,
  reduce_only INTEGER NOT NULL,
  status TEXT NOT NULL,
  replace_overlapping_exits INTEGER NOT NULL,
  marketable_limit_acknowledged INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  priced_at INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  settled_at INTEGER,
  settle_sequence INTEGER,
  liquidity_role TEXT,
  notional INTEGER,
  fee INTEGER,
  realized_pnl INTEGER,
  client_order_id TEXT,
  limit_price REAL,
  time_in_force TEXT,
  queue_ahead INTEGER,
  canceled_at INTEGER,
  trigger_price REAL,
  attached_take_profit_price REAL,
  attached_stop_loss_price REAL,
  slippage_tolerance_bps REAL,
  exit_group TEXT,
  target_position_id TEXT,
  oco_sibling_order_id TEXT,
  partial_of_order_id TEXT,
  partial_fill_root_order_id TEXT,
  twap_order_id TEXT,
  scaled_order_id TEXT,
  copy_config_id TEXT,
  reject_reason TEXT,
  reject_rule_id TEXT,
  gtd_expires_at REAL,
  trigger_market_id TEXT,
  trigger_direction TEXT,
  triggered_at INTEGER,
  stop_triggered_at INTEGER,
  cancel_requested_at INTEGER,
  chase_offset REAL,
  chase_cap_price REAL,
  execute_at INTEGER,
  environment TEXT NOT NULL,
  row INTEGER PRIMARY KEY,
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) STRICT;

CREATE UNIQUE INDEX orders_by_client_id ON orders (owner, environment, client_order_id) WHERE client_order_id IS NOT NULL;

CREATE INDEX orders_of_owner ON orders (owner, environment, requested_at, sequence);

CREATE INDEX orders_of_account ON orders (account_id, requested_at, sequence);

CREATE INDEX orders_working ON orders (owner, environment, requested_at, sequence) WHERE status IN ('pending', 'resting');

CREATE INDEX orders_filled ON orders (account_id, settle_sequence) WHERE settle_sequence IS NOT NULL;

CREATE INDEX orders_of_order ON orders (partial_of_order_id, sequence) WHERE partial_of_order_id IS NOT NULL;

CREATE INDEX orders_of_twap ON orders (twap_order_id, sequence) WHERE twap_order_id IS NOT NULL;

CREATE INDEX orders_of_scaled ON orders (scaled_order_id, sequence) WHERE scaled_order_id IS NOT NULL;

CREATE TABLE positions (
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  market_id TEXT NOT NULL,
  direction TEXT NOT NULL,
  size INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  leverage REAL NOT NULL,
  margin_mode TEXT NOT NULL,
  isolated_margin_extra INTEGER NOT NULL,
  status TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_size INTEGER NOT NULL,
  closed_notional INTEGER NOT NULL,
  closed_cost INTEGER NOT NULL,
  realized_pnl INTEGER NOT NULL,
  realized_margin_basis INTEGER NOT NULL,
  fees INTEGER NOT NULL,
  funding INTEGER NOT NULL,
  carried_until INTEGER NOT NULL,
  row INTEGER PRIMARY KEY,
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) STRICT;

CREATE INDEX positions_open ON positions (account_id, opened_at, sequence) WHERE status = 'open';

CREATE INDEX positions_closed ON positions (account_id, closed_at, sequence) WHERE status = 'closed';

CREATE TABLE twap_orders (
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  market_id TEXT NOT NULL,
  strategy TEXT NOT NULL,
  side TEXT NOT NULL,
  total_size INTEGER NOT NULL,
  filled_size INTEGER NOT NULL,
  filled_notional INTEGER NOT NULL,
  expected_price REAL NOT NULL,
  leverage REAL NOT NULL,
  margin_mode TEXT NOT NULL,
  reduce_only INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL,
  slice_interval_seconds INTEGER NOT NULL,
  randomize INTEGER NOT NULL,
  trigger_price REAL,
  trigger_from TEXT,
  max_price REAL,
  min_price REAL,
  status TEXT NOT NULL,
  completion_reason TEXT,
  started_at INTEGER NOT NULL,
  end_at INTEGER NOT NULL,
  activated_at INTEGER,
  canceled_at INTEGER,
  completed_at INTEGER,
  next_run_at INTEGER,
  current_child_order_id TEXT,
  slice_count INTEGER NOT NULL,
  slices_attempted INTEGER NOT NULL,
  planned_cumulative TEXT NOT NULL,
  slice_times TEXT NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) STRICT;

CREATE INDEX twap_orders_active ON twap_orders (account_id, started_at, sequence) WHERE status IN ('running', 'canceling');

CREATE INDEX twap_orders_of_account ON twap_orders (account_id, status, started_at, sequence);

CREATE TABLE scaled_orders (
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  market_id TEXT NOT NULL,
  side TEXT NOT NULL,
  total_size INTEGER NOT NULL,
  leverage REAL NOT NULL,
  margin_mode TEXT NOT NULL,
  reduce_only INTEGER NOT NULL,
  distribution TEXT NOT NULL,
  start_price REAL NOT NULL,
  end_price REAL NOT NULL,
  rungs TEXT NOT NULL,
  status TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  completed_at INTEGER,
  canceled_at INTEGER,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) STRICT;

CREATE INDEX scaled_orders_working ON scaled_orders (sequence) WHERE status = 'working';

CREATE INDEX scaled_orders_of_account ON scaled_orders (account_id, started_at, sequence);

CREATE TABLE copy_groups (
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  owner TEXT NOT NULL,
  environment TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  source_account_id TEXT NOT NULL,
  targets TEXT NOT NULL,
  policy_version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  stopped_at INTEGER,
  stop_reason TEXT,
  stopped_completed_at INTEGER,
  stop_cleanup_pending INTEGER NOT NULL,
  progress TEXT NOT NULL,
  PRIMARY KEY (id)
) STRICT;

CREATE INDEX copy_groups_of_owner ON copy_groups (owner, environment, sequence);

CREATE TABLE operations (
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  account_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  status TEXT NOT NULL,
  targets TEXT NOT NULL,
  results TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES accounts (id)
) STRICT;

CREATE INDEX operations_running ON operations (sequence) WHERE status = 'running';

CREATE TABLE head (
  row INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  settle_sequence INTEGER NOT NULL,
  ledger_sequence INTEGER NOT NULL,
  seed REAL NOT NULL,
  halt TEXT NOT NULL,
  CHECK (row = 1)
) STRICT;

CREATE TABLE journal (
  sequence INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  command TEXT NOT NULL
) STRICT;

CREATE TABLE idempotency (
  owner TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  payload_hash TEXT NOT NULL,
  resource_kind TEXT,
  resource_id TEXT,
  status INTEGER NOT NULL,
  outcome TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, operation, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
  hash TEXT NOT NULL,
  owner TEXT NOT NULL,
  environment TEXT NOT NULL,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE codes (
  hash TEXT NOT NULL,
  challenge TEXT NOT NULL,
  owner TEXT NOT NULL,
  device_name TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;
