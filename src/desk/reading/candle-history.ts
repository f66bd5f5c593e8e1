import { Failure, usageFailure } from '../../base/failure/failure.ts';
import type { MarketFollower } from '../../wire/client/streams/market-follower.ts';
import type { Market } from '../../wire/contract/markets.ts';
import { type CandleEvent, type Interval, maxHistoryPage } from '../../wire/contract/streams.ts';
import { pastMoment } from '../resolve/time.ts';
import type { Session } from '../session/session.ts';
import type { PastTime } from '../values/times.ts';
import { aborted, readMarketStream } from './streams.ts';

const defaultLimit = 100;

const lengths = {
  '1s': 1_000,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** The shortest of these intervals, in order, of which a span has at most `most`, with its length; else the longest. */
export function shortestInterval(
  intervals: readonly (keyof typeof lengths)[],
  spanMs: number,
  most: number,
): { interval: Interval; length: number } {
  const interval = intervals.find((one) => spanMs / lengths[one] <= most) ?? intervals.at(-1)!;
  return { interval, length: lengths[interval] };
}

/** Which candles to read. */
interface CandleRange {
  interval?: Interval | undefined;
  /** Bounds of the opening time. */
  from?: PastTime | undefined;
  to?: PastTime | undefined;
  /** Only the newest ones; default: 100, or all if `from` is given. */
  limit?: number | undefined;
}

/**
 * Past candles of a market, oldest first; the last one may still be forming. Reads pages backward until there are
 * enough, or no older ones. Quiet: says nothing about the stream.
 */
export async function readCandles(
  session: Session,
  { provider, coin }: Market,
  { interval = '1m', from, to, limit = from === undefined ? defaultLimit : Number.POSITIVE_INFINITY }: CandleRange,
  isQuiet = false,
): Promise<CandleEvent[]> {
  const read = async (follower: MarketFollower, stopped: Promise<never>) => {
    const ask = <T>(...asked: Parameters<MarketFollower['request']>) =>
      Promise.race([follower.request(...asked), stopped, tooLate(session)]) as Promise<T>;
    const now = await ask<number>('ping');
    const startTime = from === undefined ? undefined : pastMoment(from, now, 'from');
    let endTime = to === undefined ? now : pastMoment(to, now, 'to');
    if (startTime !== undefined && startTime > endTime) throw usageFailure('--from is after --to.');
    let candles: CandleEvent[] = [];
    while (candles.length < limit) {
      const wanted = Math.min(maxHistoryPage, limit - candles.length);
      const payload = { provider, symbol: coin, interval, limit: wanted, startTime, endTime };
      const page = await ask<CandleEvent[]>('candles.history', payload);
      const older = page.filter(({ openTime }) => openTime <= endTime).sort((a, b) => a.openTime - b.openTime);
      if (older.length === 0) break;
      candles = [...older, ...candles];
      endTime = older[0]!.openTime - 1;
    }
    return candles;
  };
  return readMarketStream(session, read, isQuiet);
}

/** Rejects when an answer has taken too long. */
function tooLate({ settings }: Session): Promise<never> {
  return aborted(AbortSignal.timeout(settings.timeoutMs)).catch(() => {
    throw new Failure({
      code: 'unavailable',
      message: 'The market-data stream did not answer in time.',
      hint: 'Use --timeout to wait longer.',
      retryable: true,
    });
  });
}
