import { basisPointsOf, notionalAtMark } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import { type Walk, walkBook } from '../book/walk.ts';
import type { HalfPrice, Lots, MarketDefinition, Money, Price, Side } from '../model.ts';
import type { ObservedBehavior } from '../observed.ts';
import type { Market } from '../world/market.ts';

/** Basis points by an order's notional: up to and including this many USD. */
type Tiers = readonly (readonly [upToUsd: number, bps: number])[];

const { POSITIVE_INFINITY: more } = Number;

const fx: Tiers = [
  [100_000, 0.05],
  [200_000, 0.08],
  [1_000_000, 0.12],
  [more, 0.15],
];
const majors: Tiers = [
  [100_000, 0.25],
  [200_000, 0.5],
  [1_000_000, 0.75],
  [more, 1],
];

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

/** All other markets, by open interest in USD, largest first. */
const others: readonly { readonly fits: (openInterestUsd: number) => boolean; readonly tiers: Tiers }[] = [
  {
    fits: (usd) => usd > 500e6,
    tiers: [
      [100_000, 0.8],
      [500_000, 1.2],
      [more, 2],
    ],
  },
  {
    fits: (usd) => usd >= 100e6,
    tiers: [
      [100_000, 1.2],
      [500_000, 1.8],
      [more, 3],
    ],
  },
  {
    fits: (usd) => usd >= 25e6,
    tiers: [
      [100_000, 2],
      [500_000, 3],
      [more, 5],
    ],
  },
  {
    fits: (usd) => usd >= 10e6,
    tiers: [
      [100_000, 3.5],
      [500_000, 6],
      [more, 9],
    ],
  },
  {
    fits: () => true,
    tiers: [
      [100_000, 6],
      [500_000, 10],
      [more, 16],
    ],
  },
];

/**
 * How much worse than the mark a fill of this notional may be, in bps, by the class of the market (simulation 6.3).
 * Unknown open interest counts as zero.
 */
export function slippageCapBps(
  { category, symbol }: MarketDefinition,
  notional: Money,
  openInterestUsd: number | undefined,
): number {
  const tiers = category === 'fx' ? fx : majorSymbols.has(symbol) ? majors : tiersOf(openInterestUsd ?? 0);
  const usd = moneyToNumber(notional);
  return tiers.find(([upTo]) => usd <= upTo)![1];
}

function tiersOf(openInterestUsd: number): Tiers {
  return others.find(({ fits }) => fits(openInterestUsd))!.tiers;
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
