import type { Account } from '../../contract/accounts.ts';
import type { Position } from '../../contract/positions.ts';
import { breachPrice, commonMove, type Floor, nearestFloor, roomAt } from './breach.ts';
import { isSound, unrealizedPnl } from './profit.ts';

/** A market's mark, and the time of its book, Unix ms. */
export interface Mark {
  readonly price: number;
  readonly at: number;
  /** The market's tick, if known. */
  readonly tick?: number | undefined;
}

/** Marks by market id; a market without a fresh book has none. */
export type Marks = ReadonlyMap<string, Mark>;

/** What ends an account if marks move. */
export interface Outlook {
  /** The floor that is touched first; undefined if there is none, or the account no longer trades. */
  readonly floor: Floor | undefined;
  /** How far equity is above that floor at these marks, USD; undefined if unknown. */
  readonly room: number | undefined;
  /** By market id: the mark at which that floor is touched if only this market moves. */
  readonly breachPrices: ReadonlyMap<string, number>;
  /** The common move of all marks, percent, that touches it. */
  readonly move: number | undefined;
}

/** The result without an account, or without floors. */
export const noOutlook: Outlook = { floor: undefined, room: undefined, breachPrices: new Map(), move: undefined };

/** What ends an account with these positions. Empty while any of its markets has no mark. */
export function outlookOf(account: Account | undefined, positions: readonly Position[], marks: Marks): Outlook {
  const floor = account?.status === 'active' ? nearestFloor(account.risk) : undefined;
  const marked = positions.flatMap((position) => {
    const mark = marks.get(position.market_id);
    return mark === undefined || !isSound(position) ? [] : [{ position, mark: mark.price, tick: mark.tick }];
  });
  if (floor === undefined || marked.length < positions.length) return { ...noOutlook, floor };
  const room = roomAt(marked, floor.room, account?.risk?.unrealized_pnl ?? null);
  const prices = marked.flatMap((one) => {
    const price = breachPrice(one, room);
    return price === undefined ? [] : [[one.position.market_id, price] as const];
  });
  return { floor, room, breachPrices: new Map(prices), move: commonMove(marked, room) };
}

/** What ends a position first when its market moves against it. */
export interface End {
  readonly by: 'floor' | 'liquidation';
  readonly price: number;
}

/** The nearer of the breach price and the liquidation price; undefined if both are out of reach. */
export function firstEnd(
  side: 'long' | 'short',
  breach: number | undefined,
  liquidation: number | undefined,
): End | undefined {
  if (breach === undefined) return liquidation === undefined ? undefined : { by: 'liquidation', price: liquidation };
  const isLater = liquidation !== undefined && (side === 'long' ? liquidation > breach : liquidation < breach);
  return isLater ? { by: 'liquidation', price: liquidation } : { by: 'floor', price: breach };
}

/** Figures that perp computes in addition to the API's own resource; null if unknown or out of reach. */
export interface Computed {
  readonly mark: number | null;
  readonly unrealized_pnl: number | null;
  readonly breach_price: number | null;
  /** Time of the mark, Unix ms. */
  readonly as_of: number | null;
}

/** The names of {@link Computed}, as CSV columns. */
export const computedFields = ['computed.mark', 'computed.unrealized_pnl', 'computed.breach_price', 'computed.as_of'];

/** The computed figures of an open position. */
export function computedOf(position: Position, mark: Mark | undefined, outlook: Outlook): Computed {
  return {
    mark: mark?.price ?? null,
    unrealized_pnl: unrealizedPnl(position, mark?.price) ?? null,
    breach_price: outlook.breachPrices.get(position.market_id) ?? null,
    as_of: mark?.at ?? null,
  };
}

/** Figures that perp computes for an account; null if out of reach or unknown. */
export interface AccountComputed {
  readonly floor: Floor['name'] | null;
  /** The common move of all marks that touches the floor, percent. */
  readonly breach_move_pct: number | null;
  /** By market id: the mark that touches it if only this market moves. */
  readonly breach_prices: Readonly<Record<string, number>>;
  /** Time of the oldest mark, Unix ms. */
  readonly as_of: number | null;
}

/** The computed figures of an account that holds these positions. */
export function accountComputed(positions: readonly Position[], marks: Marks, outlook: Outlook): AccountComputed {
  const times = positions.flatMap(({ market_id }) => marks.get(market_id)?.at ?? []);
  return {
    floor: outlook.floor?.name ?? null,
    breach_move_pct: outlook.move ?? null,
    breach_prices: Object.fromEntries(outlook.breachPrices),
    as_of: times.length === 0 ? null : Math.min(...times),
  };
}
