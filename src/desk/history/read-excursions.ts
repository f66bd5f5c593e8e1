import type { Interval } from '../../contract/streams.ts';
import { readCandles } from '../reading/candle-history.ts';
import { resolveMarket } from '../resolve/market.ts';
import type { Session } from '../session/session.ts';
import { type Excursions, excursionsOf } from './excursions.ts';
import type { Ms, Trip } from './records.ts';

const lengths: readonly (readonly [Interval, Ms])[] = [
  ['1s', 1_000],
  ['1m', 60_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
];
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
    const [interval, length] = lengths.find(([, ms]) => (end - openedAt) / ms <= maxCandles) ?? lengths.at(-1)!;
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
