import { nextTradingDayStart } from '../../base/terms/day.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Market } from '../../wire/contract/markets.ts';
import { coverOf } from '../account/means.ts';
import { allMarkets } from '../resolve/market.ts';
import { accountLater } from '../risk/within.ts';
import { noted, type Session } from '../session/session.ts';
import { type HeldLock, lockOf } from './locks.ts';
import { type Prospect, prospectOf } from './prospects.ts';

/** A floor now, and what may still be lost above it. USD; null: unknown. */
export interface FloorAhead {
  readonly rule: 'daily loss' | 'drawdown';
  readonly floor: number;
  readonly room: number | null;
}

/** A held market, and when it trades. */
export interface HeldMarket {
  readonly market_id: string;
  readonly symbol: string;
  /** Base asset that no stop covers. */
  readonly uncovered: number;
  /** Whether it takes orders now: yes, only reductions, or no. */
  readonly trading: 'open' | 'reduce_only' | 'halted';
  /** The usual hours of its underlying, in words; null: the API does not tell, and perp does not know. */
  readonly session: string | null;
}

/** What the rest of a trading day allows and brings, at unchanged marks. */
export interface DayAhead {
  readonly time: number;
  /** When the next trading day starts, Unix ms. */
  readonly ends_at: number;
  readonly status: Account['status'];
  readonly equity: number | null;
  readonly floors: readonly FloorAhead[];
  /** The daily floor of the next day, if equity stays, after the carry until then; null: no such rule, or unknown. */
  readonly next_daily_floor: number | null;
  readonly remaining_profit: number | null;
  /** USD that open positions pay until the day ends; null: a mark is missing. */
  readonly carry: number | null;
  readonly lock: HeldLock | null;
  readonly limits: Partial<AccountTradingPolicy['limits']>;
  readonly held: readonly HeldMarket[];
}

/** Reads what the rest of the trading day allows. */
export async function dayAhead(session: Session, account: Account): Promise<DayAhead> {
  const query = { account_id: account.id };
  const open = session.call('listOpenPositions', { query }).then(({ data }) => data);
  const [prospect, lock, markets] = await Promise.all([
    prospectOf(session, account.id, { account, positions: open }),
    lockOf(session, account),
    noted(session, 'The markets', allMarkets(session), [] as Market[]),
  ]);
  const { positions, marks, policy } = prospect;
  const { risk } = account;
  const time = risk?.observed_at ?? session.machine.now();
  const ends = nextTradingDayStart(time);
  const later = accountLater(account, positions, marks, ends - time);
  const isMarked = positions.every(({ market_id }) => marks.has(market_id));
  const carry = later === undefined || !isMarked ? null : later.ahead.carry;
  return {
    time,
    ends_at: ends,
    status: account.status,
    equity: risk?.equity ?? null,
    floors: floorsOf(account),
    next_daily_floor: nextFloor(account, carry),
    remaining_profit: risk?.remaining_profit ?? null,
    carry,
    lock: lock ?? null,
    limits: policy?.limits ?? {},
    held: heldMarkets(prospect, markets, policy),
  };
}

function floorsOf({ status, risk }: Account): FloorAhead[] {
  if (status !== 'active' || risk === undefined) return [];
  const floor = (rule: FloorAhead['rule'], at: number | null, room: number | null): FloorAhead[] =>
    at === null ? [] : [{ rule, floor: at, room }];
  return [
    ...floor('daily loss', risk.daily_loss_floor, risk.daily_loss_room),
    ...floor('drawdown', risk.max_drawdown_floor, risk.max_drawdown_room),
  ];
}

function nextFloor({ starting_balance, risk }: Account, carry: number | null): number | null {
  const pct = risk?.requirements.daily_loss_pct;
  if (!pct || carry === null || typeof risk?.equity !== 'number' || risk.daily_loss_floor === null) return null;
  return Number((risk.equity - carry - (starting_balance * pct) / 100).toFixed(8));
}

function heldMarkets(
  { positions, working = [], outlook }: Prospect,
  markets: readonly Market[],
  policy: AccountTradingPolicy | undefined,
): HeldMarket[] {
  return positions.map((position) => {
    const market = markets.find(({ market_id }) => market_id === position.market_id);
    const { platform = false, categories = [] } = policy?.trading_halt ?? {};
    const isHalted = platform || (market?.category !== undefined && categories.includes(market.category));
    return {
      market_id: position.market_id,
      symbol: position.symbol,
      uncovered: coverOf(position, working, outlook).uncovered,
      trading: isHalted || market?.trading_enabled === false ? 'halted' : market?.reduce_only ? 'reduce_only' : 'open',
      session: sessions[market?.category ?? ''] ?? null,
    };
  });
}

/** What is true of every market of a category. */
const sessions: Readonly<Record<string, string>> = {
  crypto: 'around the clock',
  fx: 'its underlying trades from Sunday 17:00 to Friday 17:00 in New York',
};
