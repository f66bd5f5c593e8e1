import { netOf } from '../../base/margin/notional.ts';
import { toMoney } from '../../base/terms/decimal.ts';
import type { Drawdown, EquityPoint } from './equity.ts';
import type { Booking, Money, Ms, Trip } from './records.ts';

/** The range of a market's price from one time to another. */
export interface Bar {
  readonly from: Ms;
  readonly to: Ms;
  readonly high: number;
  readonly low: number;
}

/** Bars by market id, in order of time. */
export type Bars = ReadonlyMap<string, readonly Bar[]>;

/** A drawdown, and how well it is known: exactly, at most, or from samples only. */
export interface KnownDrawdown extends Drawdown {
  readonly precision: 'exact' | 'upper_bound' | 'approximate';
}

interface Stretch {
  readonly time: Ms;
  /** USD: equity's possible maximum and minimum. */
  readonly high: number;
  readonly low: number;
  readonly balance: number;
  /** Whether equity has surely been both. */
  readonly isExact: boolean;
}

/**
 * The largest drawdown in a range, from bookings, fills and bars. Where one market is open and a bar lies between two
 * events, equity has been at the values of its extremes, so the fall from one bar to another is exact. Within a bar,
 * around a fill, and with several markets open, the extremes are taken at their worst: the fall is an upper bound.
 * `base`: the balance before the first booking. Null if equity never fell, or there are no bars.
 */
export function drawdownFrom(
  history: { readonly trips: readonly Trip[]; readonly bookings: readonly Booking[] },
  base: Money,
  { from, to }: { from: Ms; to: Ms },
  bars: Bars,
): KnownDrawdown | null {
  let peak: Stretch | undefined;
  let deepest: KnownDrawdown | null = null;
  for (const stretch of stretchesOf(history, base, { from, to }, bars)) {
    const isOwn = peak === undefined || stretch.high > peak.high;
    const top = isOwn ? stretch : peak!;
    const fall = top.high - stretch.low;
    if (fall > 1e-9 && fall > Number(deepest?.amount ?? 0n) / 1e8) {
      deepest = {
        amount: toMoney(Number(fall.toFixed(8))),
        percent: (fall / top.high) * 100,
        peak: pointOf(top, top.high),
        trough: pointOf(stretch, stretch.low),
        precision: top.isExact && stretch.isExact && !isOwn ? 'exact' : 'upper_bound',
      };
    }
    if (isOwn) peak = stretch;
  }
  return deepest;
}

function pointOf({ time, balance }: Stretch, equity: number): EquityPoint {
  return { time, balance: toMoney(Number(balance.toFixed(8))), equity: toMoney(Number(equity.toFixed(8))) };
}

/** The range in stretches between events: a booking, a fill, the end of a bar of an open market. */
function* stretchesOf(
  { trips, bookings }: { readonly trips: readonly Trip[]; readonly bookings: readonly Booking[] },
  base: Money,
  { from, to }: { from: Ms; to: Ms },
  bars: Bars,
): Generator<Stretch> {
  const times = timesOf(trips, bookings, { from, to }, bars);
  const reached = new Map<Trip, number>();
  const places = new Map<string, number>();
  let balance = base;
  let booked = 0;
  let opened = 0;
  let open: Trip[] = [];
  for (const [at, time] of times.entries()) {
    for (; booked < bookings.length && bookings[booked]!.time <= time; booked++)
      balance += netOf(bookings[booked]!) + bookings[booked]!.transfer;
    for (; opened < trips.length && trips[opened]!.openedAt <= time; opened++) open.push(trips[opened]!);
    open = open.filter(({ closedAt }) => closedAt === null || closedAt > time);
    const until = times[at + 1] ?? to;
    const usd = Number(balance) / 1e8;
    let [high, low] = [usd, usd];
    let isExact = open.length <= 1;
    for (const trip of open) {
      const bar = barAt(bars.get(trip.marketId) ?? [], time, places, trip.marketId);
      if (bar === undefined) isExact = false;
      else if (bar.from < time || bar.to > until) isExact = false;
      if (bar === undefined) continue;
      const [best, worst] = trip.side === 'long' ? [bar.high, bar.low] : [bar.low, bar.high];
      high += resultAt(trip, fillAt(trip, time, reached), best);
      low += resultAt(trip, fillAt(trip, time, reached), worst);
    }
    yield { time, high, low, balance: usd, isExact };
  }
}

function timesOf(
  trips: readonly Trip[],
  bookings: readonly Booking[],
  { from, to }: { from: Ms; to: Ms },
  bars: Bars,
): Ms[] {
  const times = new Set<Ms>([from]);
  const add = (time: Ms) => {
    if (time > from && time <= to) times.add(time);
  };
  for (const { time } of bookings) add(time);
  for (const { openedAt, closedAt, fills } of trips) {
    add(openedAt);
    if (closedAt !== null) add(closedAt);
    for (const { fill } of fills) add(fill.time);
  }
  for (const of of bars.values()) for (const bar of of) add(bar.from);
  return [...times].sort((one, other) => one - other);
}

/** The bar of a time, or the last one before it; times come in order. */
function barAt(bars: readonly Bar[], time: Ms, places: Map<string, number>, marketId: string): Bar | undefined {
  let place = places.get(marketId) ?? 0;
  while (place + 1 < bars.length && bars[place + 1]!.from <= time) place += 1;
  places.set(marketId, place);
  return bars[place];
}

/** The trip's latest fill at a time; times come in order. */
function fillAt(trip: Trip, time: Ms, places: Map<Trip, number>): number {
  const { fills } = trip;
  let place = places.get(trip) ?? 0;
  while (place + 1 < fills.length && fills[place + 1]!.fill.time <= time) place += 1;
  places.set(trip, place);
  return place;
}

function resultAt({ side, fills, lotsPerUnit }: Trip, place: number, mark: number): number {
  const { lots, cost } = fills[place]!;
  const value = (mark * lots) / lotsPerUnit;
  const paid = Number(cost) / 1e8;
  return side === 'long' ? value - paid : paid - value;
}
