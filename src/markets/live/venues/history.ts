import type { History, Missing, Trade } from '../venue.ts';

/**
 * The trades of a requested time, from a venue's last trades in any order. They are complete if the list reaches back
 * to before that time or to an already known trade, or if it is shorter than a full page of `page` trades.
 */
export function pastOf(all: readonly Trade[], missing: Missing, page: number): History {
  const trades = all.filter(({ id, time }) => time >= missing.from && time <= missing.to && !missing.known.has(id));
  trades.sort((one, other) => one.time - other.time);
  const isWhole = all.length < page || all.some(({ id, time }) => time < missing.from || missing.known.has(id));
  return { trades, isWhole };
}
