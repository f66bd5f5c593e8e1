import { basisPointsOf, type HalfPrice, type Lots, type Money, notionalAtMark } from '../notional.ts';
import { PathOrders } from './orders.ts';
import { PathPositions } from './positions.ts';
import type { Depth, Pace, PathAccount, PathMarket, PathOrder } from './terms.ts';

/** The start of a path, and the orders and positions on it. */
interface Manner {
  /** The holdings where it begins. */
  readonly from: { readonly positions: PathPositions; readonly orders: readonly PathOrder[] };
  /** Of two stops of which one is left, the one that fires first stays. */
  readonly stopsSoon: boolean;
  /** A resting order fills only when the book is at its price; otherwise as soon as the mark is. */
  readonly fillsLate: boolean;
  /** The distance of an event of an order that is new or changed now; null if there is none. */
  distanceOf(state: PathState, order: PathOrder): number | null;
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

  constructor(account: PathAccount, pace: Pace, { stopsSoon, fillsLate, distanceOf, from }: Manner) {
    this.account = account;
    this.pace = pace;
    this.stopsSoon = stopsSoon;
    this.fillsLate = fillsLate;
    this.balance = account.balance;
    this.positions = new PathPositions(account, pace, from.positions);
    this.orders = new PathOrders((order) => distanceOf(this, order), from.orders);
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
}

/** Half prices: quoted values are doubles. */
const noise = 1e-6;

const noDepth: Depth = { lots: Number.POSITIVE_INFINITY, average: 0, worst: 0 };

function depthOf({ depth }: PathMarket, side: 'buy' | 'sell'): Depth {
  return depth[side] ?? depth[side === 'buy' ? 'sell' : 'buy'] ?? noDepth;
}
