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
  for (const trip of trips) found.set(trip, excursionsOf(trip, await candlesOf(session, trip, now)));
  return found;
}

/** The candles of a trip's time; none if it was shorter than the shortest. */
export async function candlesOf(
  session: Session,
  { openedAt, closedAt, marketId }: Trip,
  now: Ms,
): Promise<PriceRange[]> {
  const end = closedAt ?? now;
  const { interval, length } = shortestInterval(intervals, end - openedAt, maxCandles);
  if (end - openedAt < length) return [];
  const market = await resolveMarket(session, marketId);
  const candles = await readCandles(session, market, { interval, from: { at: openedAt }, to: { at: end } });
  return candles.map(({ openTime, high, low, close }) => ({
    from: openTime,
    to: openTime + length,
    high: Number(high),
    low: Number(low),
    close: Number(close),
  }));
}

/** The parts of a candle that excursions need; `to` is its end, exclusive. */
export interface PriceRange {
  readonly from: Ms;
  readonly to: Ms;
  readonly high: number;
  readonly low: number;
  readonly close?: number;
}

/** A trip's maximum adverse and favorable excursion: its lowest and highest result, before fees and carry. */
export interface Excursions {
  /** Zero or below. */
  readonly against: Money;
  /** Zero or above. */
  readonly favor: Money;
}

/** The excursions of a trip, from its own fills and the candles in between, in order. */
export function excursionsOf(trip: Trip, candles: readonly PriceRange[]): Excursions {
  let against = 0n;
  let favor = 0n;
  for (const { result } of resultsIn(trip, candles)) {
    if (result < against) against = result;
    if (result > favor) favor = result;
  }
  return { against, favor };
}

/** A result of a trip at a time, or between that time and the previous one; before fees and carry. */
export interface TripResult {
  readonly time: Ms;
  readonly result: Money;
}

/**
 * The known results of a trip, in order. Skips candles in which the trip traded, because their prices may be from
 * before the trade: excursions are never overstated.
 */
export function* resultsIn(trip: Trip, candles: readonly PriceRange[]): Generator<TripResult> {
  let at = 0;
  for (const [index, filled] of trip.fills.entries()) {
    const { time } = filled.fill;
    yield { time, result: resultAt(trip, filled, filled.fill.price) };
    const next = trip.fills[index + 1]?.fill;
    const end = next?.time ?? (trip.closedAt === null ? Number.POSITIVE_INFINITY : time);
    while (at < candles.length && candles[at]!.from < time) at += 1;
    for (; at < candles.length && candles[at]!.to <= end; at++) {
      const { to, high, low, close = low } = candles[at]!;
      for (const price of [low, high, close]) yield { time: to, result: resultAt(trip, filled, price) };
    }
    if (next !== undefined) yield { time: next.time, result: resultAt(trip, filled, next.price) };
  }
}

function resultAt({ side, lotsPerUnit }: Trip, { lots, cost, realizedPnl }: TripFill, price: number): Money {
  const value = divideRounded(toMoney(price) * BigInt(lots), BigInt(lotsPerUnit));
  return realizedPnl + (side === 'long' ? value - cost : cost - value);
}
