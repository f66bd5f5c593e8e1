import type { History, Missing, Trade } from '../venue.ts';

/**
 * What of a venue's last trades, in whatever order, was made in the time asked for. It is whole when the list reaches back
 * before that time or to a trade known from before it, or is shorter than a full answer of `page` trades.
 */
export function pastOf(all: readonly Trade[], missing: Missing, page: number): History {
  const trades = all.filter(({ id, time }) => time >= missing.from && time <= missing.to && !missing.known.has(id));
  trades.sort((one, other) => one.time - other.time);
  const isWhole = all.length < page || all.some(({ id, time }) => time < missing.from || missing.known.has(id));
  return { trades, isWhole };
}
