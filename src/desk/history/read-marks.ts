import { marketName } from '../../base/text/format.ts';
import { maxMarks } from '../../wire/contract/simulation-history.ts';
import type { CandleEvent } from '../../wire/contract/streams.ts';
import { readCandles, shortestInterval } from '../reading/candle-history.ts';
import { resolveMarket } from '../resolve/market.ts';
import type { Session } from '../session/session.ts';
import type { Bar, Bars } from './drawdown.ts';
import { type MarkAt, neededMarks } from './equity.ts';
import type { History } from './read-history.ts';
import type { Ms, Trip } from './records.ts';
import { curveMoments, type EquityHistory, equityHistory, type Selection } from './results.ts';

/** Marks at past times, and which of them are approximate. */
interface Marks {
  readonly markAt: MarkAt;
  readonly approximations: readonly string[];
}

const intervals = ['1m', '5m', '15m', '1h'] as const;
/** Maximum number of candles read per market, unless the coarsest ones are more. */
const maxCandles = 2_000;

/** Reads the marks that equity needs: for each market, at these moments (in order, none in the future). */
async function readMarks(session: Session, needed: ReadonlyMap<string, readonly Ms[]>): Promise<Marks> {
  const marks = new Map<string, Map<Ms, number>>();
  const approximations: string[] = [];
  for (const [marketId, moments] of needed) {
    const isSimulation = session.settings.environment === 'sim';
    const read = isSimulation ? simulatedMarks(session, marketId, moments) : lastPrices(session, marketId, moments);
    try {
      marks.set(marketId, await read);
    } catch (error) {
      if (isSimulation) throw error;
      approximations.push(
        `No past prices for ${marketName(marketId)}; its open positions count at cost (${(error as Error).message}).`,
      );
    }
  }
  if (session.settings.environment !== 'sim' && marks.size > 0)
    approximations.push('Past equity is marked at the last traded price, not at the midpoint.');
  return { markAt: (marketId, time) => marks.get(marketId)?.get(time) ?? null, approximations };
}

/**
 * The bars of every market with an open position in a range, at most about 2,000 of each, as fine as that allows;
 * undefined if a host has none.
 */
async function readBars(
  session: Session,
  trips: readonly Trip[],
  { from, to }: { from: Ms; to: Ms },
): Promise<Bars | undefined> {
  const spans = new Map<string, [first: Ms, last: Ms]>();
  for (const { marketId, openedAt, closedAt } of trips) {
    const [begin, end] = [Math.max(from, openedAt), Math.min(to, closedAt ?? to)];
    if (begin > end) continue;
    const [first, last] = spans.get(marketId) ?? [begin, end];
    spans.set(marketId, [Math.min(first, begin), Math.max(last, end)]);
  }
  const widest = Math.max(0, ...[...spans.values()].map(([first, last]) => last - first));
  const { interval, length } = shortestInterval(intervals, widest, maxCandles);
  try {
    const read = [...spans].map(async ([marketId, [first, last]]): Promise<[string, Bar[]]> => {
      const market = await resolveMarket(session, marketId);
      const range = { interval, from: { at: first - length }, to: { at: last } };
      const candles = await readCandles(session, market, range, true);
      return [marketId, candles.map((one) => barOf(one, length))];
    });
    return new Map(await Promise.all(read));
  } catch {
    return undefined;
  }
}

function barOf({ openTime, high, low }: CandleEvent, length: Ms): Bar {
  return { from: openTime, to: openTime + length, high: Number(high), low: Number(low) };
}

async function simulatedMarks(session: Session, market_id: string, moments: readonly Ms[]): Promise<Map<Ms, number>> {
  const found = new Map<Ms, number>();
  let last: number | undefined;
  for (let from = 0; from < moments.length; from += maxMarks) {
    const times = moments.slice(from, from + maxMarks);
    const { data } = await session.call('simMarks', { query: { market_id, times: times.join(',') } });
    for (const { time, mark } of data) {
      last = mark ?? last;
      if (last !== undefined) found.set(time, last);
    }
  }
  return found;
}

/** The close of the last candle before each moment. */
async function lastPrices(session: Session, marketId: string, moments: readonly Ms[]): Promise<Map<Ms, number>> {
  const [first, end] = [moments[0]!, moments.at(-1)!];
  const { interval, length } = shortestInterval(intervals, end - first, maxCandles);
  const market = await resolveMarket(session, marketId);
  const candles = await readCandles(session, market, { interval, from: { at: first - 2 * length }, to: { at: end } });
  const found = new Map<Ms, number>();
  let at = 0;
  for (const time of moments) {
    while (at < candles.length && candles[at]!.openTime + length <= time) at += 1;
    const candle = candles[at - 1];
    if (candle !== undefined) found.set(time, Number(candle.close));
  }
  return found;
}

/** Equity over the range; null for a single market, which has none of its own. */
export async function equityIn(
  session: Session,
  history: History,
  selection: Selection,
): Promise<{ equity: EquityHistory | null; approximations: readonly string[] }> {
  const isNone = selection.includes !== undefined || selection.from === selection.to;
  return isNone ? { equity: null, approximations: [] } : equityOver(session, history, selection);
}

/** Equity over the range, and which of it is approximate. */
export async function equityOver(
  session: Session,
  history: History,
  range: Pick<Selection, 'from' | 'to'>,
): Promise<{ equity: EquityHistory; approximations: readonly string[] }> {
  const moments = curveMoments(history, range);
  const [{ markAt, approximations }, bars] = await Promise.all([
    readMarks(session, neededMarks(history.trips, moments)),
    readBars(session, history.trips, { from: moments[0]!, to: moments.at(-1)! }),
  ]);
  return { equity: equityHistory(history, moments, markAt, bars), approximations };
}
