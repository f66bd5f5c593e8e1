import { hourMs, nextTradingDayStart } from '../../base/terms/day.ts';
import { carryBpsPerDay } from '../../base/terms/plans.ts';
import type { Account, AccountRisk, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { commonMove, type End, endsOf, type Floor, isMarked, type MarketEnds, nearestFloor, roomAt } from './breach.ts';
import type { Mark, Marks, Sized } from './path-account.ts';
import { unrealizedPnl } from './profit.ts';

/** The ways an account ends if marks move. */
export interface Outlook {
  /** The floor that is touched first; undefined if there is none, or the account no longer trades. */
  readonly floor: Floor | undefined;
  /** How far equity is above that floor at these marks, USD; undefined if unknown. */
  readonly room: number | undefined;
  /** By market id: the first end if only this market moves. Empty if unknown. */
  readonly ends: ReadonlyMap<string, MarketEnds>;
  /** The common move of all marks, percent, that ends the account. */
  readonly move: () => number | undefined;
  /** The time that counts, and its effect; undefined if none counts. */
  readonly ahead?: Ahead | undefined;
  /** 1R of each position's open size, USD, by position id. */
  readonly oneR?: ReadonlyMap<string, number> | undefined;
}

/** The result without an account. */
export const noOutlook: Outlook = { floor: undefined, room: undefined, ends: new Map(), move: () => undefined };

/** Known facts about an account besides itself; without its working orders, its end is unknown. */
export interface Holdings {
  readonly positions: readonly Position[];
  readonly working: readonly Order[] | undefined;
  readonly twaps?: readonly TwapOrder[] | undefined;
  readonly policy?: AccountTradingPolicy | undefined;
  /** How much time counts, too, ms; undefined: the account ends at once or not at all. */
  readonly within?: number | undefined;
}

/** The end of an account with these positions and orders. Empty while any of its markets has no mark. */
export function outlookOf(now: Account | undefined, holdings: Holdings, marks: Marks): Outlook {
  const { positions, working, twaps, policy, within } = holdings;
  const later = now && within !== undefined ? accountLater(now, positions, marks, within) : undefined;
  const account = later?.account ?? now;
  const floor = account?.status === 'active' ? nearestFloor(account.risk) : undefined;
  if (account === undefined || working === undefined || !isMarked(positions, marks)) return { ...noOutlook, floor };
  const room = floor && roomAt(positions, marks, floor.room, account.risk?.unrealized_pnl ?? null);
  const standing = { account, positions, working, twaps, policy };
  return {
    floor,
    room,
    ends: endsOf(standing, room, marks),
    move: () => commonMove(standing, room, marks),
    ahead: later?.ahead,
  };
}

/** The first end of a position when its market moves against it; undefined if there is none, or it is unknown. */
export function endOf(
  { side, market_id, liquidation_price: liquidation }: Pick<Position, 'side' | 'market_id' | 'liquidation_price'>,
  { ends }: Outlook,
): End | undefined {
  const known = ends.get(market_id);
  if (known !== undefined) return side === 'long' ? known.falling : known.rising;
  return liquidation === undefined ? undefined : { by: 'liquidation', price: liquidation };
}

/** The mark at which the account touches its floor if only the market of a position moves against it. */
function breachPriceOf(position: Pick<Position, 'side' | 'market_id'>, outlook: Outlook): number | undefined {
  const end = endOf(position, outlook);
  return end?.by === 'floor' ? end.price : undefined;
}

/** Figures that perp computes in addition to the API's own resource; null if unknown or out of reach. */
export interface Computed {
  readonly mark: number | null;
  readonly unrealized_pnl: number | null;
  readonly breach_price: number | null;
  /** Time of the mark, Unix ms. */
  readonly as_of: number | null;
  /** Set if the breach price counts time. */
  readonly within?: Ahead;
}

/** The names of {@link Computed}, as CSV columns. */
export const computedFields = ['computed.mark', 'computed.unrealized_pnl', 'computed.breach_price', 'computed.as_of'];

/** The computed figures of an open position. */
export function computedOf(position: Position, mark: Mark | undefined, outlook: Outlook): Computed {
  return {
    mark: mark?.price ?? null,
    unrealized_pnl: unrealizedPnl(position, mark?.price) ?? null,
    breach_price: breachPriceOf(position, outlook) ?? null,
    as_of: mark?.at ?? null,
    ...(outlook.ahead && { within: outlook.ahead }),
  };
}

/** Figures that perp computes for an account that holds these positions; null if out of reach or unknown. */
export function accountComputed(positions: readonly Position[], marks: Marks, outlook: Outlook) {
  const times = positions.flatMap(({ market_id }) => marks.get(market_id)?.at ?? []);
  return {
    floor: outlook.floor?.name ?? null,
    // The common move of all marks that ends the account, percent.
    breach_move_pct: outlook.move() ?? null,
    // By market id: the mark that touches the floor if only this market moves; the nearer one, if it does both ways.
    breach_prices: Object.fromEntries(nearestBreaches(marks, outlook)),
    // Time of the oldest mark, Unix ms.
    as_of: times.length === 0 ? null : Math.min(...times),
    ...(outlook.ahead && { within: outlook.ahead }),
  };
}

/** For each market that can touch the floor alone: the nearer mark at which it does. */
export function nearestBreaches(marks: Marks, { ends }: Outlook): [marketId: string, price: number][] {
  return [...ends].flatMap(([id, { falling, rising }]) => {
    const prices = [falling, rising].flatMap((end) => (end?.by === 'floor' ? [end.price] : []));
    const mark = marks.get(id)!.price;
    const [nearest] = prices.sort((one, other) => Math.abs(one - mark) - Math.abs(other - mark));
    return nearest === undefined ? [] : [[id, nearest] as [string, number]];
  });
}

/** The effect of time alone on an account until a moment, at unchanged marks. */
export interface Ahead {
  /** Unix ms. */
  readonly until: number;
  /** USD that its positions pay. */
  readonly carry: number;
  /** When its next trading day starts, Unix ms; null: not until then. */
  readonly new_day_at: number | null;
}

/**
 * The account at the worst moment of the time ahead, at unchanged marks (simulation 5.7): every full hour its positions
 * pay carry, and each new day has its own daily floor. Undefined without its risk.
 */
export function accountLater(
  account: Account,
  positions: readonly Sized[],
  marks: Marks,
  forMs: number,
): { readonly account: Account; readonly ahead: Ahead } | undefined {
  const { risk } = account;
  if (risk === undefined) return undefined;
  const until = risk.observed_at + forMs;
  const hourly = positions.reduce((sum, { market_id, size }) => sum + size * hourlyOf(marks, market_id), 0);
  const paid = (from: number, to: number) => hourly * Math.max(0, Math.floor(to / hourMs) - Math.floor(from / hourMs));
  const carry = paid(risk.observed_at, until);
  const turn = nextTradingDayStart(risk.observed_at);
  const later: AccountRisk = {
    ...risk,
    ...dailyLater(account, risk, until, paid),
    equity: less(risk.equity, carry),
    available_balance: Math.max(0, risk.available_balance - carry),
    max_drawdown_room: less(risk.max_drawdown_room, carry),
  };
  return {
    account: { ...account, balance: rounded(account.balance - carry), risk: later },
    ahead: { until, carry: rounded(carry), new_day_at: turn <= until ? turn : null },
  };
}

/** USD that one unit of a market's base asset pays each hour. */
function hourlyOf(marks: Marks, marketId: string): number {
  const { price = 0, category } = marks.get(marketId) ?? {};
  return (price * (carryBpsPerDay[category ?? ''] ?? carryBpsPerDay.crypto!)) / 1e4 / 24;
}

type Daily = Pick<AccountRisk, 'daily_loss_floor' | 'daily_loss_room'>;

/** The daily floor that leaves the least room: the one of now at the end of today, or one of the days that follow. */
function dailyLater(
  { starting_balance }: Account,
  { observed_at: now, daily_loss_floor, daily_loss_room, equity, requirements }: AccountRisk,
  until: number,
  paid: (from: number, to: number) => number,
): Daily {
  const { daily_loss_pct: pct } = requirements;
  if (daily_loss_room === null || daily_loss_floor === null || equity === null || pct === null)
    return { daily_loss_floor, daily_loss_room };
  const allowance = (starting_balance * pct) / 100;
  let turn = nextTradingDayStart(now);
  // A day's floor is set after the carry of its first moment; until then, today's applies.
  let room = daily_loss_room - paid(now, Math.min(until, turn));
  let floor = daily_loss_floor;
  for (; turn <= until; turn = nextTradingDayStart(turn)) {
    const left = allowance - paid(turn, Math.min(until, nextTradingDayStart(turn)));
    if (left >= room) continue;
    room = left;
    floor = equity - paid(now, turn) - allowance;
  }
  return { daily_loss_floor: rounded(floor), daily_loss_room: rounded(room) };
}

function less(amount: number | null, by: number): number | null {
  return amount === null ? null : rounded(amount - by);
}

function rounded(value: number): number {
  return Number(value.toFixed(8));
}
