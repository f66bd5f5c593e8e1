import { divideRounded, toMoney } from '../../base/terms/decimal.ts';
import { readCandles, shortestInterval } from '../reading/candle-history.ts';
import { resolveMarket } from '../resolve/market.ts';
import type { Session } from '../session/session.ts';
import type { Money, Ms, Trip, TripFill } from './records.ts';

const intervals = ['1s', '1m', '15m', '1h', '1d'] as const;
/** Maximum number of candles read for one trip, unless it lasted more days than that. */
const maxCandles = 1_500;

/** Reads candles of each trip's time, as fine as that limit allows, and computes the trip's excursions. */
export async function readExcursions(
  session: Session,
  trips: readonly Trip[],
  now: Ms,
): Promise<ReadonlyMap<Trip, Excursions>> {
  const found = new Map<Trip, Excursions>();
  for (const trip of trips) {
    const { openedAt, closedAt } = trip;
    const end = closedAt ?? now;
    const { interval, length } = shortestInterval(intervals, end - openedAt, maxCandles);
    const market = await resolveMarket(session, trip.marketId);
    const range = { interval, from: { at: openedAt }, to: { at: end } };
    const candles = end - openedAt < length ? [] : await readCandles(session, market, range);
    found.set(
      trip,
      excursionsOf(
        trip,
        candles.map(({ openTime, high, low }) => ({
          from: openTime,
          to: openTime + length,
          high: Number(high),
          low: Number(low),
        })),
      ),
    );
  }
  return found;
}

/** The parts of a candle that excursions need; `to` is its end, exclusive. */
export interface PriceRange {
  readonly from: Ms;
  readonly to: Ms;
  readonly high: number;
  readonly low: number;
}

/** A trip's maximum adverse and favorable excursion: its lowest and highest result, before fees and carry. */
export interface Excursions {
  /** Zero or below. */
  readonly against: Money;
  /** Zero or above. */
  readonly favor: Money;
}

/**
 * The excursions of a trip, from its own fills and the candles in between, in order. Skips candles in which the trip
 * traded, because their prices may be from before the trade: excursions are never overstated.
 */
export function excursionsOf(trip: Trip, candles: readonly PriceRange[]): Excursions {
  let against = 0n;
  let favor = 0n;
  const see = (filled: TripFill, price: number) => {
    const result = resultAt(trip, filled, price);
    if (result < against) against = result;
    if (result > favor) favor = result;
  };
  let at = 0;
  for (const [index, filled] of trip.fills.entries()) {
    see(filled, filled.fill.price);
    const next = trip.fills[index + 1]?.fill;
    if (next !== undefined) see(filled, next.price);
    const end = next?.time ?? (trip.closedAt === null ? Number.POSITIVE_INFINITY : filled.fill.time);
    while (at < candles.length && candles[at]!.from < filled.fill.time) at += 1;
    for (; at < candles.length && candles[at]!.to <= end; at++) {
      see(filled, candles[at]!.low);
      see(filled, candles[at]!.high);
    }
  }
  return { against, favor };
}

function resultAt({ side, lotsPerUnit }: Trip, { lots, cost, realizedPnl }: TripFill, price: number): Money {
  const value = divideRounded(toMoney(price) * BigInt(lots), BigInt(lotsPerUnit));
  return realizedPnl + (side === 'long' ? value - cost : cost - value);
}
