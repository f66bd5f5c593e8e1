import type { MarketDefinition } from '../../engine/model.ts';

/**
 * What a market looks like: level, liveliness, depth and prints. Sizes are in USD at the base price.
 *
 * Measured on recordings of the venues, and what the figures below are shaped after:
 * - Binance USD-M BTCUSDT, 8 August 2024, 345 s: spread one tick in 99.2 % of 6 545 books; median touch 2.97 BTC, levels
 *   below it median 0.03 and mean 0.3 BTC, 3.3 ticks apart on average; bids within 1 / 5 / 10 / 25 bp of mid worth
 *   0.42 / 2.9 / 7.9 / 26 million USD; mid unchanged over 67 % of 450 ms intervals, moves of 9e-5 (standard deviation)
 *   with kurtosis 55 there and 7 at 5 s; trades of one millisecond and side together: median 0.03, mean 0.45, 99 % 7.2 BTC.
 * - Bybit XRPUSDT, 1 December 2024, 4.8 s: spread always one tick, every tick holds a level; touch about 10 000 XRP, 20 000
 *   to 30 000 from the tenth level on; bids within 10 / 25 / 100 bp worth 0.59 / 2.4 / 7.8 million USD.
 */
export interface Profile {
  /** Price in the quote currency around which the market moves. */
  base: number;
  /** Standard deviation of a day's relative move. */
  dailyVolatility: number;
  /** Share of books whose spread is wider than one step. */
  wideShare: number;
  touchUsd: number;
  /**
   * Steps behind the touch that may hold a level, the share that does, such a level's mean size, and its fatness: from 0,
   * sizes close to the mean, to 1, most of them small and few very large.
   */
  near: { steps: number; share: number; usd: number; fatness: number };
  /** Behind those, `count` levels at the next multiples of each `step` (in grid steps), with mean sizes: round prices gather orders. */
  round: readonly { step: number; count: number; usd: number }[];
  /** Prints per slot at activity 1, and their mean size. */
  prints: { perSlot: number; usd: number };
}

/** The profile of a market; one whose symbol the catalog does not have gets a plain one at a price its grid suits. */
export function profileOf(definition: MarketDefinition): Profile {
  return profiles[definition.symbol] ?? plainProfile(definition);
}

/** Price units between two prices of the book: the tick, or provider hyperliquid's five significant figures at the base. */
export function gridStepOf(definition: MarketDefinition, base: number): number {
  if (definition.tick !== null) return definition.tick;
  let decimals = 4;
  for (let rest = base; rest >= 10; rest /= 10) decimals -= 1;
  for (let rest = base; rest < 1; rest *= 10) decimals += 1;
  return 10 ** Math.max(0, definition.priceDecimals - Math.max(0, decimals));
}

const profiles: Record<string, Profile> = {
  BTC: {
    base: 95_000,
    dailyVolatility: 0.024,
    wideShare: 0.008,
    touchUsd: 260_000,
    near: { steps: 24, share: 0.35, usd: 14_000, fatness: 0.9 },
    round: [
      { step: 10, count: 6, usd: 24_000 },
      { step: 100, count: 6, usd: 420_000 },
      { step: 500, count: 2, usd: 2_400_000 },
    ],
    prints: { perSlot: 0.6, usd: 14_000 },
  },
  ETH: {
    base: 3_300,
    dailyVolatility: 0.032,
    wideShare: 0.01,
    touchUsd: 160_000,
    near: { steps: 24, share: 0.4, usd: 10_000, fatness: 0.85 },
    round: [
      { step: 10, count: 6, usd: 22_000 },
      { step: 50, count: 6, usd: 240_000 },
      { step: 200, count: 3, usd: 1_000_000 },
    ],
    prints: { perSlot: 0.5, usd: 9_000 },
  },
  SOL: {
    base: 190,
    dailyVolatility: 0.038,
    wideShare: 0.01,
    touchUsd: 70_000,
    near: { steps: 14, share: 1, usd: 70_000, fatness: 0.5 },
    round: [{ step: 5, count: 6, usd: 220_000 }],
    prints: { perSlot: 0.4, usd: 5_000 },
  },
  XRP: {
    base: 2.2,
    dailyVolatility: 0.038,
    wideShare: 0.01,
    touchUsd: 22_000,
    near: { steps: 16, share: 1, usd: 42_000, fatness: 0.4 },
    round: [{ step: 10, count: 6, usd: 290_000 }],
    prints: { perSlot: 0.35, usd: 3_000 },
  },
  DOGE: {
    base: 0.35,
    dailyVolatility: 0.042,
    wideShare: 0.02,
    touchUsd: 25_000,
    near: { steps: 16, share: 1, usd: 18_000, fatness: 0.5 },
    round: [{ step: 10, count: 8, usd: 120_000 }],
    prints: { perSlot: 0.3, usd: 2_500 },
  },
  BNB: {
    base: 650,
    dailyVolatility: 0.026,
    wideShare: 0.03,
    touchUsd: 25_000,
    near: { steps: 20, share: 0.7, usd: 8_000, fatness: 0.6 },
    round: [
      { step: 10, count: 6, usd: 50_000 },
      { step: 50, count: 3, usd: 300_000 },
    ],
    prints: { perSlot: 0.3, usd: 2_000 },
  },
  HYPE: {
    base: 35,
    dailyVolatility: 0.04,
    wideShare: 0.25,
    touchUsd: 9_000,
    near: { steps: 18, share: 0.6, usd: 6_000, fatness: 0.7 },
    round: [{ step: 10, count: 8, usd: 40_000 }],
    prints: { perSlot: 0.25, usd: 1_800 },
  },
  GOLD: {
    base: 4_100,
    dailyVolatility: 0.011,
    wideShare: 0.2,
    touchUsd: 20_000,
    near: { steps: 18, share: 0.6, usd: 11_000, fatness: 0.6 },
    round: [{ step: 10, count: 8, usd: 50_000 }],
    prints: { perSlot: 0.2, usd: 3_000 },
  },
  SP500: {
    base: 6_800,
    dailyVolatility: 0.01,
    wideShare: 0.25,
    touchUsd: 35_000,
    near: { steps: 18, share: 0.6, usd: 14_000, fatness: 0.6 },
    round: [{ step: 10, count: 8, usd: 70_000 }],
    prints: { perSlot: 0.2, usd: 4_000 },
  },
  EUR: {
    base: 1.16,
    dailyVolatility: 0.004,
    wideShare: 0.1,
    touchUsd: 45_000,
    near: { steps: 15, share: 1, usd: 32_000, fatness: 0.4 },
    round: [{ step: 5, count: 4, usd: 50_000 }],
    prints: { perSlot: 0.15, usd: 4_000 },
  },
};

/** A quiet market at a price of about 50 000 grid steps, whatever the grid. */
function plainProfile(definition: MarketDefinition): Profile {
  const step = (definition.tick ?? 1) / 10 ** definition.priceDecimals;
  return {
    base: definition.tick === null ? 50 : step * 50_000,
    dailyVolatility: 0.03,
    wideShare: 0.05,
    touchUsd: 25_000,
    near: { steps: 16, share: 1, usd: 15_000, fatness: 0.5 },
    round: [{ step: 10, count: 6, usd: 80_000 }],
    prints: { perSlot: 0.25, usd: 2_000 },
  };
}
