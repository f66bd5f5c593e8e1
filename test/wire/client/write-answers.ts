import type { Client } from '../../../src/wire/client/client.ts';

/** A write, the answer of a correct service, the fields of it that identify the write, and how it is judged. */
export interface WriteAnswer {
  /** A command for it; the logout needs a session. */
  command?: string;
  call(client: Client): Promise<unknown>;
  data: Record<string, unknown>;
  /** A value that the answer to another request would have. */
  identifies: Record<string, unknown>;
  /** The field with the requested size, if it is compared on a 201. */
  size?: string;
  /**
   * When a mandate lets it pass although nothing is known of its account: because it surely reduces, or if no term asks
   * for stops or room. Absent: never.
   */
  passesUnknown?: 'always' | 'without stops';
}

const account_id = 'acc_1';
const market_id = 'binance|BTCUSDT';
const terms = { account_id, market_id, side: 'buy', leverage: 2, margin_mode: 'cross' } as const;

/** An order with every field shown in a table. */
export const anOrder = {
  id: 'ord_1',
  client_order_id: 'mine',
  account_id,
  market_id,
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  type: 'limit',
  mode: 'limit',
  side: 'buy',
  size: 0.5,
  initial_size: 0.5,
  filled_size: 0,
  expected_price: 60_000,
  fill_price: 60_000,
  trigger_price: 59_000,
  limit_price: 60_000,
  notional: 30_000,
  fee: 9,
  realized_pnl: 1,
  leverage: 2,
  margin_mode: 'cross',
  reduce_only: false,
  time_in_force: 'gtd',
  gtd_expires_at: 1_763_000_000_000,
  attached_take_profit_price: 70_000,
  attached_stop_loss_price: 50_000,
  chase_offset: 1,
  chase_cap_price: 60_000,
  trigger_market_id: market_id,
  trigger_direction: 'above',
  triggered_at: 1_763_000_000_000,
  cancel_requested_at: 1_763_000_000_000,
  oco_sibling_order_id: 'ord_2',
  target_position_id: 'pos_1',
  liquidity_role: 'maker',
  partial_of_order_id: 'ord_0',
  status: 'resting',
  reject_reason: 'none',
  reject_rule_id: 'none',
  requested_at: 1_763_000_000_000,
  settled_at: 1_763_000_000_000,
  canceled_at: 1_763_000_000_000,
};

export const aPosition = {
  id: 'pos_1',
  account_id,
  market_id,
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  side: 'long',
  size: 1,
  entry_price: 60_000,
  leverage: 2,
  margin_mode: 'isolated',
  liquidation_price: 31_000,
  isolated_margin_extra: 50,
  status: 'open',
  opened_at: 1_763_000_000_000,
  closed_at: 1_763_000_000_000,
  size_decimals: 3,
  exit_price: 61_000,
  realized_pnl: 12,
  realized_margin_basis: 12,
  fees: 9,
  funding: 1,
};

export const aTwap = {
  id: 'twap_1',
  account_id,
  market_id,
  symbol: 'BTC',
  strategy: 'twap',
  side: 'buy',
  total_size: 5,
  filled_size: 1,
  size_decimals: 3,
  average_price: 60_000,
  leverage: 2,
  margin_mode: 'cross',
  reduce_only: false,
  duration_minutes: 30,
  slice_interval_seconds: 30,
  slice_count: 60,
  slices_attempted: 3,
  randomize: true,
  trigger_price: 61_000,
  max_price: 62_000,
  min_price: 50_000,
  status: 'running',
  current_child_order_id: 'ord_5',
  activated_at: 1_763_000_000_000,
  started_at: 1_763_000_000_000,
  end_at: 1_763_000_000_000,
  next_run_at: 1_763_000_000_000,
  canceled_at: 1_763_000_000_000,
  completed_at: 1_763_000_000_000,
  completion_reason: 'none',
};

export const aLadder = {
  id: 'scl_1',
  account_id,
  market_id,
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.2,
  size_decimals: 3,
  leverage: 2,
  margin_mode: 'cross',
  reduce_only: false,
  distribution: 'flat',
  start_price: 20_000,
  end_price: 21_000,
  rung_count: 2,
  placed_count: 1,
  rejected_count: 1,
  rungs: [
    { price: 20_000, size: 0.1, liquidity_role: 'maker', order_id: 'ord_8' },
    { price: 21_000, size: 0.1, reject_reason: 'max_resting_orders', reject_message: 'too many' },
  ],
  status: 'working',
  started_at: 1_763_000_000_000,
  completed_at: 1_763_000_000_000,
  canceled_at: 1_763_000_000_000,
};

const ofOrder = { account_id: 'acc_2', market_id: 'bybit|XRPUSDT', side: 'sell', mode: 'market' };
const ofStrategy = { account_id: 'acc_2', market_id: 'bybit|XRPUSDT', side: 'sell' };
const orderPath = { order_id: 'ord_1' };
const positionPath = { position_id: 'pos_1' };
const accountPath = { account_id };
const bulk = { id: 'op_1', account_id, status: 'completed', total_count: 1, succeeded_count: 1, failed_count: 0 };
const group = { config_id: 'copy_1', enabled: false, source_account_id: account_id, targets: [] };

/** The writes of an account, by operation. */
export const writeAnswers: Readonly<Record<string, WriteAnswer>> = {
  createOrder: {
    command: 'order place BTC buy 0.5 --limit-price 60000',
    call: (client) =>
      client.call('createOrder', {
        body: { ...terms, type: 'limit', size: 0.5, limit_price: 60_000, client_order_id: 'mine' },
      }),
    data: anOrder,
    identifies: { id: 7, ...ofOrder, client_order_id: 'theirs' },
    size: 'initial_size',
  },
  closePosition: {
    command: 'positions close pos_1 --size 0.5',
    call: (client) =>
      client.call('closePosition', {
        path: positionPath,
        body: { type: 'limit', size: 0.5, limit_price: 60_000, client_order_id: 'mine' },
      }),
    data: { ...anOrder, reduce_only: true },
    identifies: { id: 7, mode: 'market', client_order_id: 'theirs' },
    size: 'initial_size',
    passesUnknown: 'always',
  },
  createTwapOrder: {
    command: 'twap place BTC buy 5 --duration 30m',
    call: (client) =>
      client.call('createTwapOrder', { body: { ...terms, size: 5, expected_price: 60_000, duration_minutes: 30 } }),
    data: aTwap,
    identifies: { id: 7, ...ofStrategy },
    size: 'total_size',
  },
  createScaledOrder: {
    command: 'scaled place BTC buy 0.2 --from 20000 --to 21000 --rungs 2',
    call: (client) =>
      client.call('createScaledOrder', {
        body: { ...terms, size: 0.2, start_price: 20_000, end_price: 21_000, rung_count: 2, distribution: 'flat' },
      }),
    data: aLadder,
    identifies: { id: 7, ...ofStrategy },
    size: 'total_size',
  },
  modifyOrder: {
    command: 'order amend ord_1 --price 60500 --force',
    call: (client) => client.call('modifyOrder', { path: orderPath, body: { price: 60_000 } }),
    data: anOrder,
    identifies: { id: 'ord_9' },
  },
  cancelOrder: {
    command: 'order cancel ord_1',
    call: (client) => client.call('cancelOrder', { path: orderPath }),
    data: { id: 'ord_1', canceled: true, queued: false },
    identifies: { id: 'ord_9' },
    passesUnknown: 'without stops',
  },
  updateAttachedExits: {
    command: 'order exits ord_1 --stop-loss 51000',
    call: (client) => client.call('updateAttachedExits', { path: orderPath, body: { stop_loss_price: 50_000 } }),
    data: anOrder,
    identifies: { id: 'ord_9' },
    passesUnknown: 'without stops',
  },
  replacePositionExitOrders: {
    command: 'positions exits pos_1 --stop-loss 51000',
    call: (client) =>
      client.call('replacePositionExitOrders', {
        path: positionPath,
        body: {
          expected_position_size: 1,
          expected_orders: [],
          operations: [{ kind: 'place', group: 'sl', price: 50_000, size: 1 }],
        },
      }),
    data: aPosition,
    identifies: { id: 'pos_9' },
    passesUnknown: 'without stops',
  },
  setPositionIsolatedMargin: {
    command: 'positions margin pos_1 60',
    call: (client) => client.call('setPositionIsolatedMargin', { path: positionPath, body: { extra_margin: 50 } }),
    data: aPosition,
    identifies: { id: 'pos_9' },
    passesUnknown: 'without stops',
  },
  cancelTwapOrder: {
    command: 'twap cancel twap_1',
    call: (client) => client.call('cancelTwapOrder', { path: { twap_order_id: 'twap_1' } }),
    data: { ...aTwap, status: 'canceled' },
    identifies: { id: 'twap_9' },
    passesUnknown: 'always',
  },
  cancelScaledOrder: {
    command: 'scaled cancel scl_1',
    call: (client) => client.call('cancelScaledOrder', { path: { scaled_order_id: 'scl_1' } }),
    data: { ...aLadder, status: 'canceled' },
    identifies: { id: 'scl_9' },
    passesUnknown: 'always',
  },
  cancelAllAccountOrders: {
    command: 'cancel-all --yes',
    call: (client) => client.runBulk('cancelAllAccountOrders', { path: accountPath }),
    data: { ...bulk, operation: 'cancel_all_orders', results: [{ order_id: 'ord_1', status: 'canceled' }] },
    identifies: { id: 7, account_id: 'acc_2' },
    passesUnknown: 'without stops',
  },
  closeAllAccountPositions: {
    command: 'close-all --yes',
    call: (client) => client.runBulk('closeAllAccountPositions', { path: accountPath }),
    data: {
      ...bulk,
      operation: 'close_all_positions',
      results: [{ position_id: 'pos_1', status: 'submitted', order: anOrder }],
    },
    identifies: { id: 7, account_id: 'acc_2' },
    passesUnknown: 'always',
  },
  saveCopyTradingConfigurations: {
    command: 'copy save --lead acc_1 --follower acc_2',
    call: (client) =>
      client.call('saveCopyTradingConfigurations', { body: { groups: [group], deleted_config_ids: [] } }),
    data: { ok: true, config_ids: ['copy_1'] },
    identifies: { ok: 7 },
  },
  disableCopyTradingConfiguration: {
    command: 'copy disable copy_1',
    call: (client) => client.call('disableCopyTradingConfiguration', { path: { config_id: 'copy_1' } }),
    data: { ok: true, config_ids: ['copy_1'] },
    identifies: { ok: 7 },
  },
  acknowledgeCopyTradingStop: {
    command: 'accounts acknowledge-copy-stop acc_1',
    call: (client) => client.call('acknowledgeCopyTradingStop', { path: accountPath, body: { stopped_at: 7 } }),
    data: { ok: true },
    identifies: { ok: 7 },
  },
  revokeCliSession: {
    call: (client) => client.call('revokeCliSession', {}),
    data: { revoked: true },
    identifies: { revoked: 7 },
  },
};

/** A command for every write of an account, by operation. */
export const writeCommands: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(writeAnswers).flatMap(([id, { command }]) => (command === undefined ? [] : [[id, command]])),
);

/** Bodies of successful answers that fit no write. */
export const hostileBodies: readonly unknown[] = [
  undefined,
  null,
  5,
  'x',
  [],
  {},
  { data: null },
  { data: 5 },
  { data: 'x' },
  { data: [] },
  { data: {} },
  { data: { id: null } },
  { data: { id: 'other' } },
  { error: { code: 'none' } },
];
