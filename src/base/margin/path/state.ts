import { basisPointsOf, type HalfPrice, type Lots, type Money, notionalAtMark } from '../notional.ts';
import { PathOrders } from './orders.ts';
import { PathPositions } from './positions.ts';
import type { Depth, Pace, PathAccount, PathMarket, PathOrder, PathTrigger } from './terms.ts';

/** How an uncertainty of a path is tried. */
interface Manner {
  /** Of two stops of which one is left, the one that fires first stays. */
  readonly stopsSoon: boolean;
  /** A resting order fills only when the book is at its price; otherwise as soon as the mark is. */
  readonly fillsLate: boolean;
}

/** An account on its way along a path: its holdings, and the marks at the distance reached. */
export class PathState {
  readonly account: PathAccount;
  readonly pace: Pace;
  readonly stopsSoon: boolean;
  readonly fillsLate: boolean;
  balance: Money;
  /** The distance that has been reached. */
  distance = 0;
  readonly positions: PathPositions;
  readonly orders: PathOrders;
  /** The orders that have filled. */
  readonly filled = new Set<string>();

  /** `positions`: those of the account at these paces; `orders`: those of its orders that count. */
  constructor(positions: PathPositions, orders: readonly PathOrder[], { stopsSoon, fillsLate }: Manner) {
    const { account, pace } = positions;
    this.account = account;
    this.pace = pace;
    this.stopsSoon = stopsSoon;
    this.fillsLate = fillsLate;
    this.balance = account.balance;
    this.positions = new PathPositions(account, pace, positions);
    this.orders = new PathOrders((order) => this.#eventOf(order), orders);
  }

  marketOf(marketId: string): PathMarket {
    return this.account.markets.get(marketId)!;
  }

  markAt(marketId: string, distance = this.distance): HalfPrice {
    return this.marketOf(marketId).mark + (this.pace.get(marketId) ?? 0) * distance;
  }

  /** Balance plus every position's realized profit at the marks of a distance (simulation 5.2). */
  equityAt(distance: number): Money {
    return this.balance + this.positions.resultAt(distance);
  }

  /** The margin available to new exposure at a fill: the balance minus every margin (simulation 3.4). */
  marginLeft(): Money {
    return this.balance - this.positions.margin;
  }

  /** A triggered order rests, behind the others. */
  restLast(order: PathOrder): void {
    this.orders.delete(order.id);
    this.orders.set({ ...order, trigger: null });
  }

  /** The mark at which a taker of these lots trades on average now. */
  takenAt(marketId: string, side: 'buy' | 'sell', lots: Lots): HalfPrice {
    const away = this.distanceOf(marketId, side, lots);
    return Math.max(1, this.markAt(marketId) + (side === 'buy' ? away : -away));
  }

  /** Its distance from the mark: as quoted, rounded up. */
  distanceOf(marketId: string, side: 'buy' | 'sell', lots: Lots): HalfPrice {
    const { lots: seen, average } = depthOf(this.marketOf(marketId), side);
    const impact = seen > 0 && lots > seen ? lots / seen : 1;
    return Math.ceil(average * impact - noise);
  }

  /**
   * The size that the displayed book surely gives a taker now, within the tolerance, and the mark of its worst level.
   */
  surelyTaken(marketId: string, side: 'buy' | 'sell'): { lots: Lots; worst: HalfPrice } {
    const market = this.marketOf(marketId);
    const { lots, worst } = depthOf(market, side);
    const mark = this.markAt(marketId);
    const isWithin = worst * 10_000 <= market.toleranceBps * mark;
    return { lots: isWithin ? lots : 0, worst: side === 'buy' ? mark + worst : mark - worst };
  }

  feeOf(marketId: string, notional: Money): Money {
    return basisPointsOf(notional, this.marketOf(marketId).feeBps);
  }

  /** Value of a position at its mark now. */
  valueOf(marketId: string): Money {
    const holding = this.positions.get(marketId);
    return holding === undefined
      ? 0n
      : notionalAtMark(this.marketOf(marketId).grid, this.markAt(marketId), holding.size);
  }

  /** The distance of an order's event, now at the earliest; null if there is none on this path. */
  #eventOf({ trigger, marketId, side, size, limit, isUncertain }: PathOrder): number | null {
    if (trigger !== null) return this.#triggeredAt(trigger);
    const move = this.pace.get(marketId);
    if (move === undefined || (side === 'buy') !== move < 0) return null;
    if (limit === null) return isUncertain ? this.distance : null;
    const sign = side === 'buy' ? 1 : -1;
    // At this mark, the other side of the book has reached the limit with all of the size.
    if (this.fillsLate) {
      const reached = limit - sign * this.distanceOf(marketId, side, size);
      return this.#distanceTo(marketId, side === 'buy' ? Math.max(1, reached) : reached, move);
    }
    // From this mark on, a fill has costs: the fee and, beyond the limit, the move.
    const fee = (limit * this.marketOf(marketId).feeBps) / 10_000;
    return this.#distanceTo(marketId, sign * Math.floor(sign * limit + fee), move);
  }

  #triggeredAt({ marketId, at, above }: PathTrigger): number | null {
    const mark = this.markAt(marketId);
    if (above ? mark >= at : mark <= at) return this.distance;
    const move = this.pace.get(marketId);
    if (move === undefined || above !== move > 0) return null;
    return this.#distanceTo(marketId, at, move);
  }

  #distanceTo(marketId: string, mark: HalfPrice, move: number): number {
    return Math.max(this.distance, Math.ceil((mark - this.marketOf(marketId).mark) / move));
  }
}

/** Half prices: quoted values are doubles. */
const noise = 1e-6;

const noDepth: Depth = { lots: Number.POSITIVE_INFINITY, average: 0, worst: 0 };

function depthOf({ depth }: PathMarket, side: 'buy' | 'sell'): Depth {
  return depth[side] ?? depth[side === 'buy' ? 'sell' : 'buy'] ?? noDepth;
}
