import { freshState, type GuardState } from '../../../src/desk/guard/guard-state.ts';
import { judge } from '../../../src/desk/guard/judge.ts';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import type { GuardView } from '../../../src/desk/guard/view.ts';
import type { Account } from '../../../src/wire/contract/accounts.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';

export const btc = 'binance|BTCUSDT';
export const at = (iso: string) => Date.parse(iso);
/** Noon in New York. */
export const noon = at('2026-06-10T16:00:00Z');

export function account(more: Partial<Account> = {}, risk: object = {}): Account {
  return {
    id: 'acc_1',
    account_number: '1',
    name: 'one',
    stage: 'evaluation',
    status: 'active',
    starting_balance: 100_000,
    balance: 100_000,
    created_at: 0,
    risk: {
      observed_at: noon,
      marks_complete: true,
      missing_markets: [],
      equity: 100_000,
      unrealized_pnl: 0,
      margin_used: 0,
      available_balance: 100_000,
      gross_exposure: 0,
      daily_loss_floor: 97_000,
      max_drawdown_floor: 97_000,
      daily_loss_room: 3_000,
      max_drawdown_room: 3_000,
      remaining_profit: 6_000,
      requirements: {
        daily_loss_pct: 3,
        max_drawdown_pct: 3,
        profit_target_pct: 6,
        consistency_pct: null,
        minimum_trading_days: null,
      },
      ...risk,
    },
    ...more,
  };
}

export function position(more: Partial<Position> = {}): Position {
  return {
    id: 'pos_1',
    account_id: 'acc_1',
    market_id: btc,
    provider: 'binance',
    symbol: 'BTC',
    coin: 'BTCUSDT',
    side: 'long',
    size: 1,
    entry_price: 100,
    leverage: 1,
    margin_mode: 'cross',
    isolated_margin_extra: 0,
    status: 'open',
    opened_at: noon,
    ...more,
  };
}

/** A closed position with this result before fees. */
export function closed(id: string, pnl: number, more: Partial<Position> = {}): Position {
  return position({ id, status: 'closed', closed_at: noon, realized_pnl: pnl, fees: 1, funding: 0, ...more });
}

/** A stop-loss of `pos_1`. */
export function stop(price: number, more: Partial<Order> = {}): Order {
  return {
    id: 'ord_1',
    account_id: 'acc_1',
    market_id: btc,
    mode: 'stop_market',
    type: 'stop_market',
    trigger_price: price,
    size: 1,
    reduce_only: true,
    target_position_id: 'pos_1',
    status: 'resting',
    ...more,
  } as Order;
}

export function view(more: Partial<GuardView> = {}): GuardView {
  return {
    time: noon,
    account: account(),
    positions: [],
    working: [],
    twaps: [],
    policy: undefined,
    books: new Map(),
    closed: [],
    fills: [],
    marks: new Map([[btc, 100]]),
    markets: new Map([['BTC', btc]]),
    ticks: new Map([[btc, 0.1]]),
    silences: new Map(),
    plans: [],
    counts: { positions: true, closed: true, fills: true, marks: true, host: true },
    exposed: false,
    ...more,
  };
}

/** Judges views one after the other with rules given as text; returns the messages of the rules that fire. */
export function judged(text: string, ...views: readonly GuardView[]): { says: string[][]; state: GuardState } {
  const rules = parseRules(text, 'guard.toml');
  let state = freshState;
  const says = views.map((one) => {
    const known = state.tasks.length;
    state = judge(rules, one, state);
    return state.tasks.slice(known).map((task) => task.says);
  });
  return { says, state };
}
