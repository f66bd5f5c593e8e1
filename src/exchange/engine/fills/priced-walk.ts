import { basisPointsOf, notionalAtMark } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import { type Walk, walkBook } from '../book/walk.ts';
import type { HalfPrice, Lots, MarketDefinition, Money, Price, Side } from '../model.ts';
import type { ObservedBehavior } from '../observed.ts';
import type { Market } from '../world/market.ts';

/** Basis points by an order's notional: up to and including each of these USD, and beyond. */
const steps = [100_000, 200_000, 1_000_000];
const fx = [0.05, 0.08, 0.12, 0.15];
const majors = [0.25, 0.5, 0.75, 1];
const stepsOfOthers = [100_000, 500_000];

/** Symbols of Nasdaq-100, S&P 500, gold, silver, WTI and Brent markets. */
const majorSymbols: ReadonlySet<string> = new Set([
  'XYZ100',
  'QQQ',
  'SP500',
  'SPY',
  'GOLD',
  'XAU',
  'SILVER',
  'XAG',
  'CL',
  'WTI',
  'BRENTOIL',
]);

/** All other markets, by their least open interest in USD, largest first; it must be above the first of these. */
const others = [
  [500e6, 0.8, 1.2, 2],
  [100e6, 1.2, 1.8, 3],
  [25e6, 2, 3, 5],
  [10e6, 3.5, 6, 9],
  [Number.NEGATIVE_INFINITY, 6, 10, 16],
] as const;

/**
 * How much worse than the mark a fill of this notional may be, in bps, by the class of the market (simulation 6.3).
 * Unknown open interest counts as zero.
 */
export function slippageCapBps(
  { category, symbol }: MarketDefinition,
  notional: Money,
  openInterestUsd: number | undefined,
): number {
  const usd = moneyToNumber(notional);
  const of = (upTo: readonly number[], bps: readonly number[]) => bps.at(upTo.findIndex((step) => usd <= step))!;
  if (category === 'fx') return of(steps, fx);
  if (majorSymbols.has(symbol)) return of(steps, majors);
  const interest = openInterestUsd ?? 0;
  const [, ...bps] = others.find(([least], at) => (at === 0 ? interest > least : interest >= least))!;
  return of(stepsOfOthers, bps);
}

/** The account that takes, the amount, and the side. */
interface Taking {
  readonly side: Side;
  /** null: an account that has taken nothing. */
  readonly accountId: string | null;
  readonly lots: Lots;
  /** The worst price to walk to; null: any. */
  readonly limit: Price | null;
  /** Whether the order has no limit price. */
  readonly isAtMarket: boolean;
}

/** A walk over the side of the book to take from, priced as the account's policy says (simulation 6.3). */
export function pricedWalk(market: Market, observed: ObservedBehavior, taking: Taking): Walk {
  const { side, accountId, lots, limit, isAtMarket } = taking;
  if (isAtMarket && isQuotedAtMark(market, observed)) return walkAtMark(market, observed, side, lots);
  const walk = walkBook(market.definition, market.opposite(side), market.consumedBy(side), accountId, lots, limit);
  return observed.slippageCaps && walk.filled > 0 ? capped(market, observed, side, walk) : walk;
}

/** Whether the market trades at its mark plus or minus a spread, no matter what its book shows. */
export function isQuotedAtMark({ definition }: Market, { fxAtMark }: ObservedBehavior): boolean {
  return fxAtMark && definition.category === 'fx';
}

/** Fills all of it at the mark plus or minus its tier's spread; no level is touched. */
function walkAtMark(market: Market, observed: ObservedBehavior, side: Side, lots: Lots): Walk {
  const { reference, bps } = capOf(market, observed, lots);
  const sign = side === 'buy' ? 1 : -1;
  const price = (markFor(market, observed) / 2) * (1 + (sign * bps) / 10_000);
  const worstPrice = side === 'buy' ? Math.ceil(price) : Math.floor(price);
  return { filled: lots, notional: worseBy(reference, side, bps), worstPrice, levels: 0, boundBps: bps };
}

function capped(market: Market, observed: ObservedBehavior, side: Side, walk: Walk): Walk {
  const { reference, bps } = capOf(market, observed, walk.filled);
  const bound = worseBy(reference, side, bps);
  const isWorse = side === 'buy' ? walk.notional > bound : walk.notional < bound;
  return isWorse ? { ...walk, notional: bound, boundBps: bps } : walk;
}

function capOf(market: Market, observed: ObservedBehavior, lots: Lots): { reference: Money; bps: number } {
  const { definition } = market;
  const reference = notionalAtMark(definition, markFor(market, observed), lots);
  return { reference, bps: slippageCapBps(definition, reference, observed.openInterestUsd[market.id]) };
}

/** The mark of those caps and spreads. */
function markFor({ book }: Market, observed: ObservedBehavior): HalfPrice {
  return observed.marks === 'venue' && book.marks !== null ? book.marks.mark : book.mid;
}

function worseBy(reference: Money, side: Side, bps: number): Money {
  const spread = basisPointsOf(reference, bps);
  return side === 'buy' ? reference + spread : reference - spread;
}
