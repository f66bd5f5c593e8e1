import { netOf } from '../../margin/profit.ts';
import { nextTradingDayStart, tradingDayStart } from '../../terms/day.ts';
import type { Booking, Money, Ms, Trip } from './records.ts';

/** The sums of a day, a market or a side. */
export interface Sum<Key> {
  readonly key: Key;
  realizedPnl: Money;
  /** Positive if paid. */
  fees: Money;
  /** Positive if paid. */
  funding: Money;
  bankruptcy: Money;
  volume: Money;
  /** Number of fills; one that flipped a position counts for both. */
  fills: number;
  /** Number of round trips that ended. */
  trips: number;
  won: number;
  lost: number;
}

/** An empty sum. */
export function emptySum<Key>(key: Key): Sum<Key> {
  const money = { realizedPnl: 0n, fees: 0n, funding: 0n, bankruptcy: 0n, volume: 0n };
  return { key, ...money, fills: 0, trips: 0, won: 0, lost: 0 };
}

/** Adds up bookings and ended trips by key, in the order in which the keys first occur; excludes transfers. */
export function sumsBy<Key>(
  bookings: readonly Booking[],
  ended: readonly Trip[],
  { ofBooking, ofTrip }: { ofBooking: (booking: Booking) => Key; ofTrip: (trip: Trip) => Key },
): Sum<Key>[] {
  const sums = new Map<Key, Sum<Key>>();
  const sumOf = (key: Key) => {
    const sum = sums.get(key) ?? emptySum(key);
    sums.set(key, sum);
    return sum;
  };
  for (const booking of bookings) {
    if (booking.transfer !== 0n) continue;
    addBooking(sumOf(ofBooking(booking)), booking);
  }
  for (const trip of ended) countTrip(sumOf(ofTrip(trip)), trip);
  return [...sums.values()];
}

function addBooking(sum: Sum<unknown>, { realizedPnl, fees, funding, bankruptcy, volume }: Booking): void {
  sum.realizedPnl += realizedPnl;
  sum.fees += fees;
  if (funding !== 0n) sum.funding += funding;
  if (bankruptcy !== 0n) sum.bankruptcy += bankruptcy;
  if (volume === 0n) return;
  sum.volume += volume;
  sum.fills += 1;
}

function countTrip(sum: Sum<unknown>, trip: Trip): void {
  const net = netOf(trip);
  sum.trips += 1;
  if (net > 0n) sum.won += 1;
  if (net < 0n) sum.lost += 1;
}

/**
 * The days of the challenge, which start at midnight in New York and have 23, 24 or 25 hours. Fast for times in order.
 */
export function dayFinder(): (time: Ms) => Ms {
  let start = Number.NaN;
  let next = Number.NaN;
  return (time) => {
    if (time >= start && time < next) return start;
    start = tradingDayStart(time);
    next = nextTradingDayStart(time);
    return start;
  };
}

/** The calendar date of a day of the challenge, from its start: `2026-11-21`. */
export function dateOfDay(start: Ms): string {
  return new Date(start - 4 * 3_600_000).toISOString().slice(0, 10);
}
