import type { OrderMode, OrderType } from '../../../src/base/terms/order-types.ts';
import type { Exposed, GateWrite } from '../../../src/desk/mandate/mandate.ts';
import type { Account, CopyTradingConfiguration } from '../../../src/wire/contract/accounts.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import type { TwapOrder } from '../../../src/wire/contract/strategies.ts';

/** The market of these accounts; its mark is 100. */
export const btc = 'binance|BTCUSDT';
const named = { market_id: btc, provider: 'binance', symbol: 'BTC', coin: 'BTCUSDT' } as const;

/** An account with an equity of 10,000, which is 1,000 above its floor while nothing is open. */
export const account = {
  id: 'acc_1',
  account_number: '1',
  name: 'one',
  stage: 'evaluation',
  status: 'active',
  starting_balance: 10_000,
  balance: 10_000,
  created_at: 0,
  risk: { daily_loss_floor: 9_000, max_drawdown_floor: 8_000 },
} as Account;

/** The same with nothing open; every size fills at the mark, for nothing. */
export const exposed: Exposed = {
  account,
  positions: [],
  working: [],
  twaps: [],
  copies: [],
  followers: new Map(),
  policy: undefined,
  marks: new Map([[btc, { price: 100, at: 0, tick: 0.1, feeBps: 0, depth: { buy: seen(1e6), sell: seen(1e6) } }]]),
  markets: new Map([[btc, { ...named, size_decimals: 3, max_leverage: 20, category: 'crypto' }]]),
  lostUsd: 0,
  sentAt: [],
  pending: [],
};

function seen(size: number) {
  return { size, average: 0, worst: 0 };
}

/** A long position from 100; below zero, a short one. */
export function position(size: number): Position {
  return {
    id: 'pos_1',
    account_id: 'acc_1',
    ...named,
    side: size > 0 ? 'long' : 'short',
    size: Math.abs(size),
    entry_price: 100,
    leverage: 1,
    margin_mode: 'cross',
    isolated_margin_extra: 0,
    status: 'open',
    opened_at: 0,
  };
}

/** A working order: a purchase at 100 unless told otherwise. */
export function order({
  target,
  type = 'limit',
  ...more
}: Partial<Omit<Order, 'type' | 'mode'>> & { size: number; target?: string; type?: OrderType & OrderMode }): Order {
  return {
    id: 'ord_1',
    account_id: 'acc_1',
    ...named,
    type,
    mode: type,
    side: 'buy',
    expected_price: 100,
    leverage: 1,
    margin_mode: 'cross',
    reduce_only: false,
    status: 'resting',
    requested_at: 0,
    ...(type === 'limit' && { limit_price: 100 }),
    ...(target !== undefined && { target_position_id: target }),
    ...more,
  };
}

/** A TWAP that buys. */
export function twap(total_size: number, filled_size: number): TwapOrder {
  return {
    id: 'twap_1',
    account_id: 'acc_1',
    ...named,
    strategy: 'twap',
    side: 'buy',
    total_size,
    filled_size,
    leverage: 1,
    margin_mode: 'cross',
    reduce_only: false,
    duration_minutes: 10,
    slice_interval_seconds: 30,
    status: 'running',
    started_at: 0,
    end_at: 600_000,
  };
}

/** A purchase at market unless told otherwise. */
export function place(body: Readonly<Record<string, unknown>>): GateWrite {
  const usual = { type: 'market', side: 'buy', leverage: 1, margin_mode: 'cross', reduce_only: false };
  return {
    operation: 'createOrder',
    account: 'acc_1',
    body: { ...usual, account_id: 'acc_1', market_id: btc, ...body },
  };
}

/** Closes the position. */
export function close(): GateWrite {
  return { operation: 'closePosition', account: 'acc_1', path: { position_id: 'pos_1' }, body: { type: 'market' } };
}

/** A follower that copies at the ratio of the starting balances. */
export function copyGroup(lead: string, follower: string): CopyTradingConfiguration {
  return {
    config_id: 'cpy_1',
    enabled: true,
    source_account_id: lead,
    targets: [{ account_id: follower, multiplier_bps: 10_000 }],
    policy_version: 1,
    updated_at: 0,
  };
}
