import { type Direction, type HalfPrice, type Lots, type Money, powerOfTen } from './notional.ts';

/** A position as margin sees it: its size, its cost, and its market's mark. */
export interface PoolPosition {
  readonly direction: Direction;
  readonly size: Lots;
  readonly cost: Money;
  readonly mark: HalfPrice;
  /** Price decimals and size decimals of its market, added up. */
  readonly decimals: number;
}

/**
 * Positions that share margin (simulation 5.2): all cross positions of an account on its free balance, or one isolated
 * position on its own margin.
 */
export interface MarginPool {
  /** Cross: balance minus every isolated margin; isolated: margin and extra margin. */
  readonly cash: Money;
  readonly positions: readonly PoolPosition[];
  readonly maintenanceRatioBps: number;
}

/** Where a position is liquidated if all other marks are unchanged. */
interface LiquidationPoint {
  /** The first half price that liquidates: a long at or below it, a short at or above it. */
  readonly mark: HalfPrice;
  /** The same point before rounding to a half price, in price units of the market (the wire's `liquidation_price`). */
  readonly price: number;
}

/** Maintenance ratios are exact to a hundredth of a basis point. */
const ratioScale = 1_000_000n;
const doubledRatioScale = 2n * ratioScale;

/** Whether a pool's equity is at or below its maintenance: the exchange's only liquidation test. Exact. */
export function isLiquidatable(pool: MarginPool): boolean {
  return liquidationSurplus(pool).surplus <= 0n;
}

/**
 * The mark at which position `index` of the pool is liquidated: exactly where {@link isLiquidatable} becomes true if
 * only this position's mark moves. null if no mark above zero liquidates it.
 */
export function liquidationPoint(pool: MarginPool, index: number): LiquidationPoint | null {
  const position = pool.positions[index]!;
  const { surplus, slopes } = liquidationSurplus(pool);
  // The surplus is linear in this mark: slope x mark + rest. The position is liquidated where it is <= 0.
  const slope = slopes[index]!;
  if (slope === 0n || slope > 0n !== (position.direction === 'long')) return null;
  const rest = surplus - slope * BigInt(position.mark);
  const mark = slope > 0n ? floorDivide(-rest, slope) : ceilDivide(rest, -slope);
  if (mark <= 0n || mark > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { mark: Number(mark), price: quotient(-rest, 2n * slope) };
}

/**
 * Equity minus maintenance, in 2 x ratioScale x 10^scale-ths of a dollar, which {@link isLiquidatable} tests, and how
 * much one half price of each position's mark changes it.
 */
export function liquidationSurplus(pool: MarginPool): { surplus: bigint; slopes: bigint[] } {
  const { cash, positions, maintenanceRatioBps } = pool;
  // Money is scaled to the finest unit of the pool, so nothing is rounded.
  const scale = Math.max(8, ...positions.map((position) => position.decimals));
  const slopes: bigint[] = [];
  let surplus = cashSurplus(cash, scale);
  for (const position of positions) {
    const { slope, rest } = surplusLine(position, maintenanceRatioBps, scale);
    surplus += slope * BigInt(position.mark) + rest;
    slopes.push(slope);
  }
  return { surplus, slopes };
}

/** One position's contribution to a surplus: slope x mark + rest. */
interface SurplusLine {
  readonly slope: bigint;
  readonly rest: bigint;
}

/** The contribution of cash to a surplus at a scale of at least 8. */
export function cashSurplus(cash: Money, scale: number): bigint {
  return cash * doubledRatioScale * powerOfTen(scale - 8);
}

/** A position's contribution to a surplus at a scale of at least its decimals. */
export function surplusLine(position: Omit<PoolPosition, 'mark'>, ratioBps: number, scale: number): SurplusLine {
  const isLong = position.direction === 'long';
  const paid = cashSurplus(position.cost, scale);
  const ratio = BigInt(Math.round(ratioBps * 100));
  const perHalfPrice = BigInt(position.size) * powerOfTen(scale - position.decimals);
  return { slope: perHalfPrice * (isLong ? ratioScale - ratio : -ratioScale - ratio), rest: isLong ? -paid : paid };
}

function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const result = numerator / denominator;
  return numerator % denominator < 0n ? result - 1n : result;
}

function ceilDivide(numerator: bigint, denominator: bigint): bigint {
  return -floorDivide(-numerator, denominator);
}

/** The double nearest to a positive fraction, except possibly for its last bit. */
function quotient(numerator: bigint, denominator: bigint): number {
  return Number((numerator << 64n) / denominator) / 2 ** 64;
}
