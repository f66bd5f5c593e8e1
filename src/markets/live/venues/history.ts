import type { Missing, Trade } from '../venue.ts';

/**
 * Whether trades reach back to what is known: to a known trade, to a number that is known, or to before the time from
 * which trades are missing. Venues ask for older ones until then.
 */
export function hasReached(trades: readonly Trade[], { from, after, known }: Missing): boolean {
  return trades.some(
    ({ id, number, time }) => time < from || known.has(id) || (number !== null && number <= (after ?? -1)),
  );
}
