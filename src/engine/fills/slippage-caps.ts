import { moneyToNumber } from '../../terms/decimal.ts';
import type { MarketDefinition, Money } from '../model.ts';

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
