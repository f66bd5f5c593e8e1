import type { Figure } from './figures.ts';

/**
 * What the gates measured of a real market: 345 s of Binance USD-M BTCUSDT, its depth updates, best prices and trades
 * as received, imported with `perp sim books import` and played with `perp sim markets stats --gates --books`. Best
 * prices and trades come over different streams, whose times differ by some milliseconds: a part of what seems to
 * trade outside the neighboring books, or through a touch, is due to that. Figures for which 345 s are too
 * few are missing.
 */
export const recordedBitcoin: { marketId: string; from: number; to: number; figures: readonly Figure[] } = {
  marketId: 'binance|BTCUSDT',
  from: Date.UTC(2024, 7, 8, 23, 54, 16, 492),
  to: Date.UTC(2024, 7, 9, 0, 0, 1, 54),
  figures: [
    ['volume printed outside the neighboring books', '%', 1.96],
    ['wick of a minute beyond its best prices, largest', 'bps', 0],
    ['prints through the displayed touch', '%', 4.23],
    ['volume that the book did not display', '%', 9.24],
    ['maker at the back of both touches, share of volume', 'x', 0.115],
    ['maker at their front, share of volume', 'x', 0.507],
    ['markout from the mid before, 1 s', 'bps', 0.979],
    ['markout from the mid before, 30 s', 'bps', 0.518],
    ['markout after 30 s, relative to 1 s', 'x', 0.529],
    ['resting orders, mean result', 'bps', -5.87],
    ['resting orders, mean + 3 standard errors', 'bps', -4.58],
    ['books', '/s', 246],
    ['spread, mean', 'bps', 0.0179],
    ['spread of one tick', '%', 99],
    ['touch, median', 'USD', 190_847],
    ['depth within 10 bps, one side', 'USD', 13_759_668],
    ['depth within 25 bps, one side', 'USD', 39_136_783],
    ['move in 1 s', 'bps', 1.21],
    ['mid unchanged after 450 ms', '%', 66.7],
    ['kurtosis of 1 s moves, without the 5 largest', '', 3.28],
    ['autocorrelation of 1 s moves, largest of lags 1 to 10', '', -0.111],
    ['prints', '/s', 61.9],
    ['prints per second, variance / mean', '', 377],
    ['traded', 'USD/s', 434_775],
    ["takers' sides, autocorrelation at lag 1", '', 0.794],
    ["takers' sides, autocorrelation at lag 10", '', 0.581],
    ['flow and move in 1 s, correlation', '', 0.598],
    ['touch before it gives way / other side', '', 0.4],
    ['imbalance and next move (450 ms), correlation', '', 0.385],
    ['markout against makers after 1 s', 'bps', 0.409],
  ].map(([name, unit, value]) => ({ name, unit, value }) as Figure),
};

/** What a figure must be at least and at most. */
export interface Limits {
  least: number | null;
  most: number | null;
}

const noMemory: Limits = { least: -0.02, most: 0.02 };
const upTo = (most: number): Limits => ({ least: null, most });

/** By figure, or by the first words of its name. */
const ofEveryMarket: readonly (readonly [string, Limits])[] = [
  ['volume printed outside the neighboring books', upTo(0.1)],
  ['wick of a minute beyond its best prices', upTo(1)],
  ['prints through the displayed touch', upTo(5)],
  ['volume that the book did not display', upTo(0)],
  ['maker at the back of both touches', upTo(0.5)],
  ['autocorrelation of 10 s moves', noMemory],
  ['autocorrelation of 20 s moves', noMemory],
  ['resting orders, mean + 3 standard errors', upTo(0)],
  ['resting orders in', upTo(0)],
  ['best cell of resting orders', upTo(4.5)],
  ['best bot', upTo(4)],
];

/** A figure of BTC is within this factor of the recording's. */
const factor = 1.5;
const likeTheRecording = [
  'touch, median',
  'depth within 10 bps, one side',
  'depth within 25 bps, one side',
  'prints',
  'traded',
  "takers' sides, autocorrelation at lag 1",
  "takers' sides, autocorrelation at lag 10",
  'flow and move in 1 s, correlation',
  'imbalance and next move (450 ms), correlation',
];

/** Best bid and best ask change this often in BTC and ETH. */
const books: Limits = { least: 10, most: 20 };
const ofMarket: Record<string, Record<string, Limits>> = {
  BTC: {
    books,
    'markout from the mid before, 1 s': { least: 0.5, most: 1 },
    'markout after 30 s, relative to 1 s': upTo(1),
    ...Object.fromEntries(
      recordedBitcoin.figures
        .filter(({ name }) => likeTheRecording.includes(name))
        .map(({ name, value }) => [name, near(value)]),
    ),
  },
  // A real day of ETH: 71,000 USD a second, and a markout of 0.4 bps.
  ETH: { books, traded: near(71_000), 'markout from the mid before, 1 s': near(0.4) },
};

/** What a figure of a synthetic market must be; null if nothing is required. */
export function limitsOf(name: string, symbol: string): Limits | null {
  return ofMarket[symbol]?.[name] ?? ofEveryMarket.find(([start]) => name.startsWith(start))?.[1] ?? null;
}

function near(value: number): Limits {
  return { least: value / factor, most: value * factor };
}
