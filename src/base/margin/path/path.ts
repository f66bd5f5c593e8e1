import { basisPointsOf, gain, type HalfPrice, type Lots, type Money, notionalAtMark } from '../notional.ts';
import { admittedLots, clippedLots, closeLots, fillOrder } from './fills.ts';
import { isResting } from './orders.ts';
import { PathPositions } from './positions.ts';
import { PathState } from './state.ts';
import type { Pace, PathAccount, PathOrder } from './terms.ts';

/** The end of an account on its path, or of one isolated position, and its distance. */
export interface PathEnd {
  readonly by: 'floor' | 'liquidation';
  readonly distance: number;
}

/** Where a path leads. */
export interface Path {
  /** The cause; null if there is none. */
  readonly end: PathEnd | null;
  /** Isolated positions liquidated before that, by market, with the distance. */
  readonly liquidated: ReadonlyMap<string, number>;
  /** The lowest equity on the way, the end included. */
  readonly lowest: Money;
  /** The distance at which the order in question had filled and its market was flat; null: something stays open. */
  readonly flatAfter: number | null;
  /** The lowest until the distance that closed or flipped the position of the first moving market; null if none did. */
  readonly lowestHeld: Money | null;
  /** The orders that filled on the way. */
  readonly filled: ReadonlySet<string>;
}

/**
 * Moves marks unit by unit, at one moment, until the account touches its floor or its cross positions are liquidated.
 * On the way, own resting orders fill at their prices, triggers fire and walk the displayed depth, and isolated
 * positions end alone. Every uncertainty is tried both ways, and the first end counts: whether uncertain orders fill,
 * whether a resting order fills as soon as the mark is at its price or only when the book is, and which of two stops an
 * entry leaves.
 */
export function walkPath(account: PathAccount, pace: Pace, most: number): Path {
  const isOpen = account.orders.some(({ isUncertain }) => isUncertain);
  const rests = account.orders.some(({ limit }) => limit !== null);
  const hasLegs = account.orders.some(({ replacesExits, stopLoss }) => replacesExits === null && stopLoss !== null);
  const positions = new PathPositions(account, pace);
  let worst: Path | null = null;
  for (const fillsLate of rests ? [false, true] : [false]) {
    for (const fillsUncertain of isOpen ? [false, true] : [false]) {
      const orders = account.orders.filter(({ isUncertain }) => fillsUncertain || !isUncertain);
      for (const stopsSoon of hasLegs ? [false, true] : [false]) {
        const state = new PathState(positions, orders, { fillsLate, stopsSoon });
        const path = walk(state, worst?.end?.distance ?? most);
        worst = worst === null ? path : worse(worst, path);
      }
    }
  }
  return worst!;
}

/** The worse fields of two paths; an end of the other comes no later, because it was walked no further. */
function worse(one: Path, other: Path): Path {
  const liquidated = new Map(one.liquidated);
  for (const [id, distance] of other.liquidated) liquidated.set(id, Math.min(distance, liquidated.get(id) ?? distance));
  const staysOpen = one.flatAfter === null || other.flatAfter === null;
  return {
    end: other.end ?? one.end,
    liquidated,
    lowest: lower(one.lowest, other.lowest),
    flatAfter: staysOpen ? null : Math.max(one.flatAfter, other.flatAfter),
    lowestHeld: one.lowestHeld === null || other.lowestHeld === null ? null : lower(one.lowestHeld, other.lowestHeld),
    filled: other.lowest < one.lowest ? other.filled : one.filled,
  };
}

function walk(state: PathState, most: number): Path {
  const { floor, first, closedBy } = state.account;
  const liquidated = new Map<string, number>();
  let lowest = state.equityAt(0);
  if (first !== null) fillOrder(state, first.order, first.order.size, first.notional);
  const [followed = ''] = state.pace.keys();
  const direction = state.positions.get(followed)?.direction;
  let isHeld = true;
  let lowestHeld: Money | null = null;
  let flatAfter: number | null = null;
  const path = (end: PathEnd | null): Path => ({
    end,
    liquidated,
    lowest,
    flatAfter,
    lowestHeld: isHeld ? null : (lowestHeld ?? lowest),
    filled: state.filled,
  });
  for (;;) {
    lowest = lower(lowest, state.equityAt(state.distance));
    if (state.positions.get(followed)?.direction !== direction) isHeld = false;
    // It has filled, or no longer can, and nothing is open in its market.
    if (closedBy !== null && !state.positions.get(closedBy.marketId) && !state.orders.get(closedBy.id))
      flatAfter ??= state.distance;
    const event = state.orders.next(most);
    // Other events at the distance that closes a position belong to the same moment.
    if (flatAfter !== null && event?.distance !== flatAfter) return path(null);
    const end = firstEnd(state, floor, event === null ? most : event.distance - 1);
    const reached = end?.distance ?? event?.distance ?? most;
    if (!isHeld && reached > state.distance) lowestHeld ??= lowest;
    state.distance = reached;
    lowest = lower(lowest, state.equityAt(reached));
    if (end === null) {
      if (event === null) return path(null);
      happen(state, event.order);
    } else if (end.marketId === null) {
      if (end.by === 'liquidation') lowest = lower(lowest, state.equityAt(state.distance) - costsOfEnd(state));
      return path({ by: end.by, distance: end.distance });
    } else {
      liquidated.set(end.marketId, end.distance);
      liquidate(state, end.marketId);
    }
  }
}

function lower(one: Money, other: Money): Money {
  return one < other ? one : other;
}

interface StateEnd extends PathEnd {
  /** The isolated position that is liquidated; null: the account's end. */
  readonly marketId: string | null;
}

/** The first end between two distances while nothing fills; at one distance, in the order of simulation 2.4. */
function firstEnd(state: PathState, floor: bigint | null, until: number): StateEnd | null {
  let first: StateEnd | null = null;
  const consider = (by: PathEnd['by'], marketId: string | null, isOver: (distance: number) => boolean) => {
    const distance = firstTrue(isOver, state.distance, first === null ? until : first.distance - 1);
    if (distance !== null) first = { by, distance, marketId };
  };
  for (const id of state.positions.isolatedMoving())
    consider('liquidation', id, (distance) => state.positions.isLiquidatedAt(id, distance, state.balance));
  if (floor !== null) consider('floor', null, (distance) => state.equityAt(distance) <= floor);
  consider('liquidation', null, (distance) => state.positions.isLiquidatedAt(null, distance, state.balance));
  return first;
}

/**
 * The first distance of a range at which a monotonic condition holds: once true, it stays true until the end of the
 * range.
 */
function firstTrue(holds: (distance: number) => boolean, from: number, to: number): number | null {
  if (to < from) return null;
  if (holds(from)) return from;
  if (!holds(to)) return null;
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** A resting order fills at its price; a triggered one meets its book. */
function happen(state: PathState, order: PathOrder): void {
  const { marketId, side, limit } = order;
  const lots = clippedLots(state, order);
  if (lots === 0) {
    state.orders.delete(order.id);
    return;
  }
  if (isResting(order)) {
    endOrder(state, order, admittedLots(state, order, lots, limit!), limit!);
    return;
  }
  if ((side === 'buy') === (state.pace.get(marketId) ?? 0) < 0) takeAll(state, order, lots);
  else if (order.limit !== null && !state.fillsLate && isReached(state, order)) takeAtLimit(state, order, lots);
  else takeSurely(state, order, lots);
}

/** An order on the losing side takes everything that the rules admit: a market order all of it, or nothing. */
function takeAll(state: PathState, order: PathOrder, lots: Lots): void {
  const { marketId, side, limit } = order;
  const price = state.takenAt(marketId, side, lots);
  if (limit !== null && (side === 'buy' ? price > limit : price < limit)) {
    state.restLast(order);
    return;
  }
  const admitted = admittedLots(state, order, lots, price);
  const isInParts = order.isUncertain || limit !== null;
  endOrder(state, order, isInParts || admitted === lots ? admitted : 0, price);
}

/** Whether its mark has not passed the limit of a triggered order. */
function isReached(state: PathState, { marketId, side, limit }: PathOrder): boolean {
  return side === 'buy' ? state.markAt(marketId) < limit! : state.markAt(marketId) > limit!;
}

/** It may fill before the mark passes its limit: soon after, that costs more than it helps. */
function takeAtLimit(state: PathState, order: PathOrder, lots: Lots): void {
  const { side, limit } = order;
  const taken = gapped(state, order, lots);
  const price = side === 'buy' ? Math.min(taken, limit!) : Math.max(taken, limit!);
  endOrder(state, order, admittedLots(state, order, lots, price), price);
}

/**
 * An order that helps takes only the size that the displayed book surely gives; the rest of an exit is treated as
 * unfilled.
 */
function takeSurely(state: PathState, order: PathOrder, lots: Lots): void {
  const { marketId, side, limit, reduceOnly } = order;
  const { lots: sure, worst } = state.surelyTaken(marketId, side);
  const isWithin = limit === null || (side === 'buy' ? worst <= limit : worst >= limit);
  const filled = isWithin ? Math.min(lots, sure) : 0;
  const isWhole = filled === lots;
  if (filled > 0 && reduceOnly) {
    fillOrder(state, order, filled, valueAt(state, marketId, filled, gapped(state, order, filled)));
    const left = state.orders.get(order.id);
    if (left !== undefined) state.orders.set({ ...left, trigger: null, limit: null });
    return;
  }
  const price = gapped(state, order, lots);
  if (isWhole && admittedLots(state, order, lots, price) === lots) endOrder(state, order, lots, price);
  else if (limit !== null || reduceOnly) state.restLast(order);
  else state.orders.delete(order.id);
}

/** The price of a triggered order that helps: beyond the possible gap of the market at its trigger. */
function gapped(state: PathState, { marketId, side }: PathOrder, lots: Lots): HalfPrice {
  const gap = Math.ceil((state.markAt(marketId) * state.marketOf(marketId).gapBps) / 10_000);
  const price = state.takenAt(marketId, side, lots);
  return Math.max(1, side === 'buy' ? price + gap : price - gap);
}

function valueAt(state: PathState, marketId: string, lots: Lots, price: HalfPrice): Money {
  return notionalAtMark(state.marketOf(marketId).grid, price, lots);
}

/** Fills lots; those that the rules don't admit are rejected. */
function endOrder(state: PathState, order: PathOrder, lots: number, price: HalfPrice): void {
  if (lots > 0) fillOrder(state, order, lots, valueAt(state, order.marketId, lots, price));
  state.orders.delete(order.id);
}

/**
 * The cost of liquidating all cross positions beyond their marks: fees, the liquidation fee, and the walk of each book.
 */
function costsOfEnd(state: PathState): Money {
  let costs = 0n;
  for (const id of state.positions.marketIds()) {
    const { direction, size, marginMode } = state.positions.get(id)!;
    if (marginMode === 'isolated') continue;
    const notional = valueAt(state, id, size, state.takenAt(id, direction === 'long' ? 'sell' : 'buy', size));
    costs += gain(direction, state.valueOf(id), notional);
    costs += state.feeOf(id, notional) + basisPointsOf(notional, state.account.liquidationFeeBps);
  }
  return lower(costs, state.equityAt(state.distance));
}

/** An isolated position ends alone: its market's orders are canceled, and it is sold into its book (simulation 5.3). */
function liquidate(state: PathState, marketId: string): void {
  const { direction, size } = state.positions.get(marketId)!;
  for (const { id } of state.orders.inMarket(marketId)) state.orders.delete(id);
  const price = state.takenAt(marketId, direction === 'long' ? 'sell' : 'buy', size);
  const notional = valueAt(state, marketId, size, price);
  closeLots(state, marketId, { lots: size, notional, liquidationFeeBps: state.account.liquidationFeeBps });
  if (state.balance < 0n) state.balance = 0n;
}
