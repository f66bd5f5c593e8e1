import { dayMs, hourMs, nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { divideRounded } from '../../base/terms/decimal.ts';
import { firstPlace } from '../../base/terms/sorted.ts';
import { type Booking, changeOf, type Money, type Ms, openResultAt, type Trip, type TripFill } from './records.ts';

/** Equity at one moment. */
export interface EquityPoint {
  readonly time: Ms;
  readonly balance: Money;
  /** Balance plus unrealized profit. */
  readonly equity: Money;
}

/** The range of a market's price from one time to another, and its last price. */
export interface Bar {
  readonly from: Ms;
  /** Exclusive. */
  readonly to: Ms;
  readonly high: number;
  readonly low: number;
  readonly close?: number;
}

/** Bars by market id, in order of time. */
export type Bars = ReadonlyMap<string, readonly Bar[]>;

/** The largest drawdown: equity's fall from its highest value so far. */
export interface KnownDrawdown {
  readonly amount: Money;
  /** In percent of the highest value so far. */
  readonly percent: number;
  readonly peak: EquityPoint;
  readonly trough: EquityPoint;
  /** How well it is known: exactly, at most, or from samples only. */
  readonly precision: 'exact' | 'upper_bound' | 'approximate';
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

/** Round trips, in the order in which they were opened, and bookings, in order of time. */
type Recorded = { readonly trips: readonly Trip[]; readonly bookings: readonly Booking[] };

/**
 * At each of these moments, in order: the balance with all bookings up to and including it, and the open trips, each
 * with its latest fill.
 */
export function* openAlong({ trips, bookings }: Recorded, moments: Iterable<Ms>, base = 0n) {
  const fillOf = latestIn(({ fill }: TripFill) => fill.time);
  let balance = base;
  let [booked, opened] = [0, 0];
  let open: Trip[] = [];
  for (const time of moments) {
    for (; booked < bookings.length && bookings[booked]!.time <= time; booked++) balance += changeOf(bookings[booked]!);
    for (; opened < trips.length && trips[opened]!.openedAt <= time; opened++) open.push(trips[opened]!);
    open = open.filter(({ closedAt }) => closedAt === null || closedAt > time);
    yield { time, balance, open: open.map((trip) => ({ trip, filled: fillOf(trip, trip.fills, time)! })) };
  }
}

/** Finds the last of a list at or before a time, else the first; for each key, times come in order. */
function latestIn<Key, Item>(
  timeOf: (item: Item) => Ms,
): (key: Key, items: readonly Item[], time: Ms) => Item | undefined {
  const places = new Map<Key, number>();
  return (key, items, time) => {
    let place = places.get(key) ?? 0;
    while (place + 1 < items.length && timeOf(items[place + 1]!) <= time) place += 1;
    places.set(key, place);
    return items[place];
  };
}

/**
 * Equity at moments in order: the sum of all bookings up to and including the moment, plus unrealized profit. Where a
 * mark is missing, the position counts at cost.
 */
export function equityCurve(history: Recorded, moments: readonly Ms[], markAt: MarkAt): EquityPoint[] {
  return Array.from(openAlong(history, moments), ({ time, balance, open }) => {
    const unrealized = open.map(({ trip, filled }) => {
      const mark = markAt(trip.marketId, time);
      return mark === null ? 0n : openResultAt(trip, filled, mark);
    });
    return { time, balance, equity: unrealized.reduce((sum, one) => sum + one, balance) };
  });
}

/** A time, and the possible maximum and minimum of equity from then on until the next. */
interface Stretch extends Pick<EquityPoint, 'time' | 'balance'> {
  readonly high: Money;
  readonly low: Money;
  /** Whether equity has surely been both. */
  readonly isExact: boolean;
}

/** The largest drawdown of a curve; null if equity never fell. */
export function deepestDrawdown(points: readonly EquityPoint[]): KnownDrawdown | null {
  return deepestOf(points.map(({ equity, ...at }) => ({ ...at, high: equity, low: equity, isExact: true })));
}

/**
 * The largest drawdown in a range, from bookings, fills and bars. Where one market is open and a bar lies between two
 * events, equity has been at the values of its extremes, so the fall from one bar to another is exact. Within a bar,
 * around a fill, and with several markets open, the extremes are taken at their worst: the fall is an upper bound.
 * `base`: the balance before the first booking. Null if equity never fell, or there are no bars.
 */
export function drawdownFrom(
  history: Recorded,
  base: Money,
  range: { from: Ms; to: Ms },
  bars: Bars,
): KnownDrawdown | null {
  return deepestOf(stretchesOf(history, base, range, bars));
}

function deepestOf(stretches: Iterable<Stretch>): KnownDrawdown | null {
  let peak: Stretch | undefined;
  let deepest: KnownDrawdown | null = null;
  for (const stretch of stretches) {
    const isOwn = peak === undefined || stretch.high > peak.high;
    const top = isOwn ? stretch : peak!;
    const amount = top.high - stretch.low;
    if (amount > (deepest?.amount ?? 0n))
      deepest = {
        amount,
        percent: (Number(amount) / Number(top.high)) * 100,
        peak: { time: top.time, balance: top.balance, equity: top.high },
        trough: { time: stretch.time, balance: stretch.balance, equity: stretch.low },
        precision: top.isExact && stretch.isExact && !isOwn ? 'exact' : 'upper_bound',
      };
    if (isOwn) peak = stretch;
  }
  return deepest;
}

/** The range in stretches between events: a booking, a fill, the end of a bar of an open market. */
function* stretchesOf(history: Recorded, base: Money, range: { from: Ms; to: Ms }, bars: Bars): Generator<Stretch> {
  const times = timesOf(history, range, bars);
  const barAt = latestIn(({ from }: Bar) => from);
  let at = 0;
  for (const { time, balance, open } of openAlong(history, times, base)) {
    const until = times[++at] ?? range.to;
    let [high, low] = [balance, balance];
    let isExact = open.length <= 1;
    for (const { trip, filled } of open) {
      const bar = barAt(trip.marketId, bars.get(trip.marketId) ?? [], time);
      if (bar === undefined || bar.from < time || bar.to > until) isExact = false;
      if (bar === undefined) continue;
      const [best, worst] = trip.side === 'long' ? [bar.high, bar.low] : [bar.low, bar.high];
      high += openResultAt(trip, filled, best);
      low += openResultAt(trip, filled, worst);
    }
    yield { time, high, low, balance, isExact };
  }
}

function timesOf({ trips, bookings }: Recorded, { from, to }: { from: Ms; to: Ms }, bars: Bars): Ms[] {
  const all = [
    ...bookings.map(({ time }) => time),
    ...trips.flatMap(({ openedAt, closedAt, fills }) => [
      openedAt,
      closedAt ?? from,
      ...fills.map(({ fill }) => fill.time),
    ]),
    ...[...bars.values()].flatMap((some) => some.map((bar) => bar.from)),
  ];
  return [...new Set([from, ...all.filter((time) => time > from && time <= to)])].sort((one, other) => one - other);
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
