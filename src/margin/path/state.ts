import { boundMargin, type Holding, paperResult } from '../holding.ts';
import { isLiquidatable, type MarginPool } from '../liquidation-price.ts';
import { basisPointsOf, notionalAtMark } from '../notional.ts';
import type { HalfPrice, Lots, Money } from '../units.ts';
import type { Depth, PathAccount, PathMarket, PathOrder } from './terms.ts';

/** Half prices per unit of distance, by market; a market that is not in it does not move. */
export type Pace = ReadonlyMap<string, number>;

/** An account on its way along a path: what it holds, and the marks at the distance that it has reached. */
export class PathState {
  readonly account: PathAccount;
  readonly pace: Pace;
  /** Of two stops of which one is left, the one that fires first stays. */
  readonly stopsSoon: boolean;
  balance: Money;
  /** The distance that has been reached. */
  distance = 0;
  readonly positions: Map<string, Holding>;
  readonly orders: Map<string, PathOrder>;
  /** The orders that have filled. */
  readonly filled = new Set<string>();
  readonly #still = new Map<string, { holding: Holding; result: Money }>();

  constructor(account: PathAccount, pace: Pace, orders: readonly PathOrder[], stopsSoon = false) {
    this.account = account;
    this.stopsSoon = stopsSoon;
    this.pace = pace;
    this.balance = account.balance;
    this.positions = new Map(account.positions);
    this.orders = new Map(orders.map((order) => [order.id, order]));
  }

  marketOf(marketId: string): PathMarket {
    return this.account.markets.get(marketId)!;
  }

  markAt(marketId: string, distance = this.distance): HalfPrice {
    return this.marketOf(marketId).mark + (this.pace.get(marketId) ?? 0) * distance;
  }

  /** Balance plus what every position would realize at the marks of a distance (simulation 5.2). */
  equityAt(distance: number): Money {
    let equity = this.balance;
    for (const [marketId, holding] of this.positions) equity += this.#resultAt(marketId, holding, distance);
    return equity;
  }

  /** Whether an isolated position, or with `null` all cross ones together, would be liquidated at a distance. */
  isLiquidatedAt(marketId: string | null, distance: number): boolean {
    const { maintenanceRatioBps } = this.account;
    if (maintenanceRatioBps === null) return false;
    const members = marketId === null ? this.crossMarkets() : [marketId];
    if (members.length === 0) return false;
    const cash = marketId === null ? this.#crossCash() : boundMargin(this.positions.get(marketId)!);
    const positions: MarginPool['positions'] = members.map((id) => {
      const { direction, size, cost } = this.positions.get(id)!;
      const { priceDecimals, sizeDecimals } = this.marketOf(id).grid;
      return { direction, size, cost, mark: this.markAt(id, distance), decimals: priceDecimals + sizeDecimals };
    });
    return isLiquidatable({ cash, positions, maintenanceRatioBps });
  }

  crossMarkets(): string[] {
    return [...this.positions].filter(([, { marginMode }]) => marginMode === 'cross').map(([id]) => id);
  }

  /** Isolated positions whose marks move. */
  isolatedMarkets(): string[] {
    return [...this.positions]
      .filter(([id, { marginMode }]) => marginMode === 'isolated' && this.pace.has(id))
      .map(([id]) => id);
  }

  /** What new exposure may use at a fill: the balance minus every margin (simulation 3.4). */
  marginLeft(): Money {
    let left = this.balance;
    for (const holding of this.positions.values()) left -= boundMargin(holding);
    return left;
  }

  /** A triggered order rests, behind the others. */
  restLast(order: PathOrder): void {
    this.orders.delete(order.id);
    this.orders.set(order.id, { ...order, trigger: null });
  }

  /** The mark at which a taker of these lots trades on average now. */
  takenAt(marketId: string, side: 'buy' | 'sell', lots: Lots): HalfPrice {
    const away = this.distanceOf(marketId, side, lots);
    return Math.max(1, this.markAt(marketId) + (side === 'buy' ? away : -away));
  }

  /** How far from the mark that is: as it was seen, rounded up. */
  distanceOf(marketId: string, side: 'buy' | 'sell', lots: Lots): HalfPrice {
    const { lots: seen, average } = depthOf(this.marketOf(marketId), side);
    const impact = seen > 0 && lots > seen ? lots / seen : 1;
    return Math.ceil(average * impact - noise);
  }

  /** What the displayed book surely gives a taker now, within the tolerance, and the mark of the worst level of that. */
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

  #crossCash(): Money {
    let cash = this.balance;
    for (const holding of this.positions.values()) if (holding.marginMode === 'isolated') cash -= boundMargin(holding);
    return cash;
  }

  #resultAt(marketId: string, holding: Holding, distance: number): Money {
    const { grid, mark } = this.marketOf(marketId);
    if (this.pace.has(marketId)) return paperResult(grid, holding, this.markAt(marketId, distance));
    const known = this.#still.get(marketId);
    if (known?.holding === holding) return known.result;
    const result = paperResult(grid, holding, mark);
    this.#still.set(marketId, { holding, result });
    return result;
  }
}

/** Half prices: what was seen are doubles. */
const noise = 1e-6;

const noDepth: Depth = { lots: Number.POSITIVE_INFINITY, average: 0, worst: 0 };

function depthOf({ depth }: PathMarket, side: 'buy' | 'sell'): Depth {
  return depth[side] ?? depth[side === 'buy' ? 'sell' : 'buy'] ?? noDepth;
}
