import { gain, netOf } from '../../base/margin/notional.ts';
import { dayMs, hourMs, nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { divideRounded, firstPlace, toMoney } from '../../base/terms/decimal.ts';
import type { Booking, Money, Ms, Trip } from './records.ts';

/** Equity at one moment. */
export interface EquityPoint {
  readonly time: Ms;
  readonly balance: Money;
  /** Balance plus unrealized profit. */
  readonly equity: Money;
}

/** The largest drawdown: equity's fall from its highest value so far. */
export interface Drawdown {
  readonly amount: Money;
  /** In percent of the highest value so far. */
  readonly percent: number;
  readonly peak: EquityPoint;
  readonly trough: EquityPoint;
}

/** A market's mark at a time; null if there is none. */
export type MarkAt = (marketId: string, time: Ms) => number | null;

/**
 * Moments for a curve: about `count`, at equal intervals of whole hours or fractions of one, plus every start of a day.
 */
export function momentsBetween(from: Ms, to: Ms, count: number): Ms[] {
  const spacing = spacings.find((one) => (to - from) / one <= count) ?? Math.ceil((to - from) / count / dayMs) * dayMs;
  const moments = new Set<Ms>([from]);
  for (let time = Math.ceil(from / spacing) * spacing; time < to; time += spacing) moments.add(time);
  if (spacing <= dayMs)
    for (let day = nextTradingDayStart(from); day < to; day = nextTradingDayStart(day)) moments.add(day);
  return [...moments.add(to)].sort((a, b) => a - b);
}

const minuteMs = 60_000;
const spacings = [
  ...[1_000, 5_000, 15_000],
  ...[1, 5, 15, 30].map((n) => n * minuteMs),
  ...[1, 2, 4, 6, 12, 24].map((n) => n * hourMs),
];

/** The marks needed for equity at these moments: for each market, the moments at which it has an open position. */
export function neededMarks(trips: readonly Trip[], moments: readonly Ms[]): Map<string, Ms[]> {
  const needed = new Map<string, Set<Ms>>();
  for (const { marketId, openedAt, closedAt } of trips) {
    for (let at = firstFrom(moments, openedAt); at < moments.length; at++) {
      const time = moments[at]!;
      if (closedAt !== null && time >= closedAt) break;
      needed.set(marketId, (needed.get(marketId) ?? new Set()).add(time));
    }
  }
  return new Map([...needed].map(([marketId, times]) => [marketId, [...times].sort((a, b) => a - b)]));
}

/**
 * Equity at moments in order: the sum of all bookings up to and including the moment, plus unrealized profit. Where a
 * mark is missing, the position counts at cost.
 */
export function equityCurve(
  { trips, bookings }: { trips: readonly Trip[]; bookings: readonly Booking[] },
  moments: readonly Ms[],
  markAt: MarkAt,
): EquityPoint[] {
  let balance = 0n;
  let at = 0;
  let open: Trip[] = [];
  let next = 0;
  return moments.map((time) => {
    for (; at < bookings.length && bookings[at]!.time <= time; at++)
      balance += netOf(bookings[at]!) + bookings[at]!.transfer;
    for (; next < trips.length && trips[next]!.openedAt <= time; next++) open.push(trips[next]!);
    open = open.filter(({ closedAt }) => closedAt === null || closedAt > time);
    const unrealized = open.reduce((sum, trip) => sum + unrealizedOf(trip, time, markAt), 0n);
    return { time, balance, equity: balance + unrealized };
  });
}

/** The unrealized profit of a trip at a time, after its last fill at or before that time. */
function unrealizedOf({ marketId, side, fills, lotsPerUnit }: Trip, time: Ms, markAt: MarkAt): Money {
  const mark = markAt(marketId, time);
  const filled = fills.findLast(({ fill }) => fill.time <= time);
  if (mark === null || filled === undefined) return 0n;
  const value = divideRounded(toMoney(mark) * BigInt(filled.lots), BigInt(lotsPerUnit));
  return gain(side, value, filled.cost);
}

/** The largest drawdown of a curve; null if equity never fell. */
export function deepestDrawdown(points: readonly EquityPoint[]): Drawdown | null {
  let peak = points[0];
  let deepest: Drawdown | null = null;
  for (const point of points) {
    if (peak === undefined || point.equity > peak.equity) peak = point;
    const amount = peak.equity - point.equity;
    if (amount <= (deepest?.amount ?? 0n)) continue;
    deepest = { amount, percent: (Number(amount) / Number(peak.equity)) * 100, peak, trough: point };
  }
  return deepest;
}

/** The floors that equity must stay above; null if the plan has no such rule. */
export interface FloorsAt {
  readonly dailyLoss: Money | null;
  readonly maximumDrawdown: Money | null;
}

/**
 * Both floors at each point of a curve: the daily one starts from the equity at the start of the point's day, and on
 * the account's first day from its starting balance.
 */
export function floorsAlong(
  points: readonly EquityPoint[],
  { startingBalance, startedAt, dailyLossPct, maxDrawdownPct }: Plan,
): FloorsAt[] {
  const share = (percent: number) => divideRounded(startingBalance * BigInt(Math.round(percent * 1e6)), 100_000_000n);
  const drawdown = maxDrawdownPct ? startingBalance - share(maxDrawdownPct) : null;
  const firstDay = tradingDayStart(startedAt);
  let day = Number.NaN;
  let dayStart = points[0]?.equity ?? startingBalance;
  return points.map(({ time, equity }) => {
    const its = tradingDayStart(time);
    if (its !== day) {
      day = its;
      dayStart = its === firstDay ? startingBalance : equity;
    }
    return { dailyLoss: dailyLossPct ? dayStart - share(dailyLossPct) : null, maximumDrawdown: drawdown };
  });
}

/** The rules of a plan that determine floors. */
interface Plan {
  readonly startingBalance: Money;
  readonly startedAt: Ms;
  readonly dailyLossPct: number | null;
  readonly maxDrawdownPct: number | null;
}

/** Index of the first moment at or after a time. */
function firstFrom(moments: readonly Ms[], time: Ms): number {
  return firstPlace(moments.length, (place) => moments[place]! < time);
}
