import { marketName } from '../../base/text/format.ts';
import { maxMarks } from '../../wire/contract/simulation-history.ts';
import { readCandles, shortestInterval } from '../reading/candle-history.ts';
import { resolveMarket } from '../resolve/market.ts';
import type { Session } from '../session/session.ts';
import { type Bar, type Bars, type MarkAt, neededMarks } from './equity.ts';
import type { History } from './read-history.ts';
import { type Money, type Ms, openResultAt, type Trip } from './records.ts';
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
async function readBars(session: Session, trips: readonly Trip[], { from, to }: Range): Promise<Bars | undefined> {
  const spans = new Map<string, Range>();
  for (const { marketId, openedAt, closedAt } of trips) {
    const [begin, end] = [Math.max(from, openedAt), Math.min(to, closedAt ?? to)];
    if (begin > end) continue;
    const span = spans.get(marketId) ?? { from: begin, to: end };
    spans.set(marketId, { from: Math.min(span.from, begin), to: Math.max(span.to, end) });
  }
  const widest = Math.max(0, ...[...spans.values()].map((span) => span.to - span.from));
  const { interval, length } = shortestInterval(intervals, widest, maxCandles);
  try {
    const read = [...spans].map(async ([marketId, span]) => {
      const range = { from: span.from - length, to: span.to };
      return [marketId, await barsOf(session, marketId, range, { interval, length }, true)] as const;
    });
    return new Map(await Promise.all(read));
  } catch {
    return undefined;
  }
}

type Range = { readonly from: Ms; readonly to: Ms };

/** The candles of a market in a range, as ranges of its price. */
async function barsOf(
  session: Session,
  marketId: string,
  { from, to }: Range,
  { interval, length }: ReturnType<typeof shortestInterval>,
  isQuiet = false,
): Promise<Bar[]> {
  const market = await resolveMarket(session, marketId);
  const candles = await readCandles(session, market, { interval, from: { at: from }, to: { at: to } }, isQuiet);
  return candles.map(({ openTime, high, low, close }) => ({
    from: openTime,
    to: openTime + length,
    high: Number(high),
    low: Number(low),
    close: Number(close),
  }));
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
  const size = shortestInterval(intervals, end - first, maxCandles);
  const bars = await barsOf(session, marketId, { from: first - 2 * size.length, to: end }, size);
  const found = new Map<Ms, number>();
  let at = 0;
  for (const time of moments) {
    while (at < bars.length && bars[at]!.to <= time) at += 1;
    const close = bars[at - 1]?.close;
    if (close !== undefined) found.set(time, close);
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

const intervalsOfTrips = ['1s', '1m', '15m', '1h', '1d'] as const;
/** Maximum number of candles read for one trip, unless it lasted more days than that. */
const mostOfTrip = 1_500;

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
export async function candlesOf(session: Session, { openedAt, closedAt, marketId }: Trip, now: Ms): Promise<Bar[]> {
  const range = { from: openedAt, to: closedAt ?? now };
  const size = shortestInterval(intervalsOfTrips, range.to - openedAt, mostOfTrip);
  return range.to - openedAt < size.length ? [] : barsOf(session, marketId, range, size);
}

/** A trip's maximum adverse and favorable excursion: its lowest and highest result, before fees and carry. */
export interface Excursions {
  /** Zero or below. */
  readonly against: Money;
  /** Zero or above. */
  readonly favor: Money;
}

/** The excursions of a trip, from its own fills and the candles in between, in order. */
export function excursionsOf(trip: Trip, candles: readonly Bar[]): Excursions {
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
export function* resultsIn(trip: Trip, candles: readonly Bar[]): Generator<TripResult> {
  let at = 0;
  for (const [index, filled] of trip.fills.entries()) {
    const { time } = filled.fill;
    const resultAt = (price: number) => filled.realizedPnl + openResultAt(trip, filled, price);
    yield { time, result: resultAt(filled.fill.price) };
    const next = trip.fills[index + 1]?.fill;
    const end = next?.time ?? (trip.closedAt === null ? Number.POSITIVE_INFINITY : time);
    while (at < candles.length && candles[at]!.from < time) at += 1;
    for (; at < candles.length && candles[at]!.to <= end; at++) {
      const { to, high, low, close = low } = candles[at]!;
      for (const price of [low, high, close]) yield { time: to, result: resultAt(price) };
    }
    if (next !== undefined) yield { time: next.time, result: resultAt(next.price) };
  }
}
