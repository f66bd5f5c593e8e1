import type { Holding } from '../holding.ts';
import type { Grid, HalfPrice, Lots, Money } from '../notional.ts';

/** The known fill of a taker of one side in the displayed book. */
export interface Depth {
  /** The size that the book was seen to fill. */
  readonly lots: Lots;
  /** The distance of its fill from the mark on average and at its worst level, in half prices. */
  readonly average: number;
  readonly worst: number;
}

/** Half prices per unit of distance, by market; a market that isn't in it doesn't move. */
export type Pace = ReadonlyMap<string, number>;

/** A market on a path. */
export interface PathMarket {
  readonly grid: Grid;
  /** Where the path begins. */
  readonly mark: HalfPrice;
  readonly feeBps: number;
  /** By the side of the taker; null: unknown, so assumed equal to the other side. */
  readonly depth: { readonly buy: Depth | null; readonly sell: Depth | null };
  /** The maximum distance of a market order's worst level from the mark, bps. */
  readonly toleranceBps: number;
  /** The assumed slippage of a stop beyond its trigger, bps; 0: marks move without gaps. */
  readonly gapBps: number;
}

/** Fires once the mark of its market is at or beyond a mark. */
export interface PathTrigger {
  readonly marketId: string;
  readonly at: HalfPrice;
  readonly above: boolean;
}

/** A working order as a path sees it. */
export interface PathOrder {
  readonly id: string;
  readonly marketId: string;
  readonly side: 'buy' | 'sell';
  readonly size: Lots;
  readonly leverage: number;
  readonly marginMode: 'cross' | 'isolated';
  readonly reduceOnly: boolean;
  /** Null for a market order after its trigger. */
  readonly limit: HalfPrice | null;
  /** Null if it rests at its limit, or is on its way. */
  readonly trigger: PathTrigger | null;
  /** Set on an exit of the position in its market. */
  readonly exit: 'tp' | 'sl' | null;
  readonly siblingId: string | null;
  /** Marks of the exits that its first fill attaches. */
  readonly stopLoss: HalfPrice | null;
  readonly takeProfit: HalfPrice | null;
  /** Whether its legs replace other exits; null if unknown. */
  readonly replacesExits: boolean | null;
  /** It may fill now or never: a chase at its current price, or the unsent part of a TWAP. */
  readonly isUncertain: boolean;
}

/** An order without a price, a trigger and legs. */
export const plainOrder = {
  limit: null,
  trigger: null,
  exit: null,
  siblingId: null,
  stopLoss: null,
  takeProfit: null,
  replacesExits: false,
  isUncertain: false,
} as const satisfies Partial<PathOrder>;

/** An account on a path: everything that a move of marks can change. */
export interface PathAccount {
  readonly balance: Money;
  /** Equity at or below which it ends; null if there is no floor. */
  readonly floor: Money | null;
  /** Null: unknown, so nothing is liquidated on the path. */
  readonly maintenanceRatioBps: number | null;
  readonly liquidationFeeBps: number;
  /** Null: unknown or unlimited. */
  readonly maxOpenPositions: number | null;
  readonly maxPositionValue: Money | null;
  readonly maxTotalNotional: Money | null;
  readonly markets: ReadonlyMap<string, PathMarket>;
  /** By market id. */
  readonly positions: ReadonlyMap<string, Holding>;
  /** In order of placement. */
  readonly orders: readonly PathOrder[];
  /** An order that fills at the start of the path, and its notional; null if none does. */
  readonly first: { readonly order: PathOrder; readonly notional: Money } | null;
  /** The path ends once this order has filled and nothing is open in its market; null: it continues. */
  readonly closedBy: PathOrder | null;
}
