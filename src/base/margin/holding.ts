import {
  type Direction,
  type Grid,
  gain,
  type HalfPrice,
  type Lots,
  type Money,
  notionalAtMark,
  type Side,
  shareOf,
} from './notional.ts';

const leverageScale = 1_000_000;

/** The part of an open position that determines its margin and its result. */
export interface Holding {
  readonly direction: Direction;
  readonly size: Lots;
  /** Entry notional of what is open. */
  readonly cost: Money;
  readonly leverage: number;
  readonly marginMode: 'cross' | 'isolated';
  /** Margin of an isolated position beyond its initial margin; negative if a close used some of that. */
  readonly isolatedMarginExtra: Money;
}

/** The direction of a position that an order on this side opens. */
export function directionOf(side: Side): Direction {
  return side === 'buy' ? 'long' : 'short';
}

/** Initial margin of an open position: entry notional / leverage (simulation 5.1). */
export function initialMargin({ cost, leverage }: Pick<Holding, 'cost' | 'leverage'>): Money {
  if (Number.isInteger(leverage)) return shareOf(cost, 1, leverage);
  // The simulation has whole leverages only; a host may have others.
  return shareOf(cost, leverageScale, Math.max(1, Math.round(leverage * leverageScale)));
}

/** The margin that a position uses; an isolated one can't lose more than this. */
export function boundMargin(position: Pick<Holding, 'cost' | 'leverage' | 'isolatedMarginExtra'>): Money {
  return initialMargin(position) + position.isolatedMarginExtra;
}

/** Profit that a position would realize at a mark, rounded as a posting would be. */
export function unrealizedPnl(grid: Grid, { direction, size, cost }: Holding, mark: HalfPrice): Money {
  return gain(direction, notionalAtMark(grid, mark, size), cost);
}

/**
 * A position's contribution to equity at a mark: its unrealized profit. The loss of an isolated one is limited to its
 * margin.
 */
export function paperResult(grid: Grid, position: Holding, mark: HalfPrice): Money {
  const pnl = unrealizedPnl(grid, position, mark);
  if (position.marginMode === 'cross') return pnl;
  const least = -boundMargin(position);
  return pnl < least ? least : pnl;
}

/**
 * The cost of lots that a position closes, and the profit that they realize; the last ones take the rest of the cost.
 */
export function resultOfClose(
  { direction, size, cost }: Holding,
  lots: Lots,
  notional: Money,
): { cost: Money; realized: Money } {
  const closed = lots === size ? cost : shareOf(cost, lots, size);
  return { cost: closed, realized: gain(direction, notional, closed) };
}

/**
 * An isolated position's extra margin after a close with this result (profit minus fees), and the part of the loss that
 * its margin does not cover. The released margin pays first, then extra margin, then the margin of the remaining lots.
 * Extra margin then turns negative: it is what the remaining lots lack of their initial margin, until a later close
 * releases more than it loses or the owner adds margin (simulation 5.4).
 */
export function chargeClose(
  marginBefore: Money,
  extraBefore: Money,
  result: Money,
  marginAfter: Money,
): { extra: Money; shortfall: Money } {
  const left = marginBefore + extraBefore + result;
  if (left < 0n) return { extra: -marginAfter, shortfall: -left };
  const bound = marginAfter + (extraBefore > 0n ? extraBefore : 0n);
  return { extra: (left < bound ? left : bound) - marginAfter, shortfall: 0n };
}
