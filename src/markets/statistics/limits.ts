import { recordedBitcoin } from './recorded-bitcoin.ts';

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
