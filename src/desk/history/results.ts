import { netOf } from '../../base/margin/notional.ts';
import { nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { divideRounded, toMoney } from '../../base/terms/decimal.ts';
import {
  type Bars,
  deepestDrawdown,
  drawdownFrom,
  type EquityPoint,
  equityCurve,
  floorsAlong,
  type KnownDrawdown,
  type MarkAt,
  momentsBetween,
} from './equity.ts';
import type { History } from './read-history.ts';
import { type Booking, type Money, type Ms, rMultipleOf, type Trip } from './records.ts';

/** The part of a history to evaluate. */
export interface Selection {
  readonly from: Ms;
  readonly to: Ms;
  /** Only these trips; default: all trips, and bookings that belong to no trip. */
  readonly includes?: ((trip: Trip) => boolean) | undefined;
}

/** The results of a part of a history. */
export type Results = ReturnType<typeof resultsOf>;

/** Adds up a range: fees, carry and realized PnL count on the day they were booked, a trip on the day it ended. */
export function resultsOf(
  { trips, bookings }: Pick<History, 'trips' | 'bookings'>,
  { from, to, includes }: Selection,
  riskOf: (trip: Trip) => Money | null,
) {
  const isWhole = includes === undefined;
  const chosen = isWhole ? trips : trips.filter(includes);
  const inRange = ({ time, trip }: Booking) =>
    time >= from && time <= to && (isWhole || (trip !== null && includes(trip)));
  const booked = bookings.filter(inRange);
  const ended = chosen
    .filter(({ closedAt }) => closedAt !== null && closedAt >= from && closedAt <= to)
    .sort((one, other) => one.closedAt! - other.closedAt!);
  const dayOf = dayFinder();
  const days = sumsBy(booked, ended, (_, time) => [dayOf(time)]);
  const markets = sumsBy(booked, ended, (trip) => [trip?.marketId ?? null]);
  const sides = sumsBy(booked, ended, (trip) => [trip?.side ?? null]);
  const [total = emptySum(null)] = sumsBy(booked, ended, () => [null]);
  return {
    from,
    to,
    total,
    /** Oldest first; the key is the start of the day. */
    days: days.sort((one, other) => one.key - other.key),
    /** Best first. */
    markets: markets.sort(byNet),
    sides: sides.sort(byNet),
    /** Bookings in the range, in order of time. */
    booked,
    /** Trips that ended in the range, in the order in which they ended. */
    ended,
    figures: figuresOf(ended, riskOf),
    /** How long any position was open, ms. */
    inMarketMs: timeInMarket(chosen, from, to),
  };
}

/** The same by tag, best first; a trip with several tags counts for each, and one without for null. */
export function sumsByTag({ booked, ended }: Results, tagsOf: (trip: Trip) => readonly string[]): Sum<string | null>[] {
  return sumsBy(booked, ended, (trip) => {
    const tags = trip === null ? [] : tagsOf(trip);
    return tags.length === 0 ? [null] : tags;
  }).sort(byNet);
}

function byNet(one: Sum<unknown>, other: Sum<unknown>): number {
  return Number(netOf(other) - netOf(one));
}

/** Equity over a range, with both floors. */
export type EquityHistory = ReturnType<typeof equityHistory>;

/** Moments of a curve; the same for every view, so that all find the same drawdown. */
const curvePoints = 500;

/** The moments for a curve over a range. It starts with the day, from which the daily floor is measured. */
export function curveMoments(history: History, { from, to }: Selection): Ms[] {
  return momentsBetween(Math.max(history.from, tradingDayStart(from)), to, curvePoints);
}

/** Equity at these moments; if the last one is now, it is the account's own equity. */
export function equityHistory(history: History, moments: readonly Ms[], markAt: MarkAt, bars: Bars | undefined) {
  const { account, openingBalance, unexplained } = history;
  const points = equityCurve(history, moments, markAt).map(({ time, balance, equity }) => ({
    time,
    balance: balance + openingBalance + unexplained,
    equity: equity + openingBalance + unexplained,
  }));
  const { risk } = account;
  if (points.at(-1)?.time === history.to && risk?.equity !== undefined && risk.equity !== null)
    points[points.length - 1] = {
      time: history.to,
      balance: toMoney(account.balance),
      equity: toMoney(risk.equity),
    };
  const floors = floorsAlong(points, {
    startingBalance: toMoney(account.starting_balance),
    startedAt: account.created_at,
    dailyLossPct: risk?.requirements.daily_loss_pct ?? null,
    maxDrawdownPct: risk?.requirements.max_drawdown_pct ?? null,
  });
  return { points, floors, drawdown: knownDrawdown(history, points, bars) };
}

/** The drawdown from bars; never below that of the curve. Without bars, that is all there is. */
function knownDrawdown(history: History, points: readonly EquityPoint[], bars: Bars | undefined): KnownDrawdown | null {
  const sampled = deepestDrawdown(points);
  const [first, last] = [points[0], points.at(-1)];
  if (bars === undefined || first === undefined || last === undefined)
    return sampled && { ...sampled, precision: 'approximate' };
  const base = history.openingBalance + history.unexplained;
  const found = drawdownFrom(history, base, { from: first.time, to: last.time }, bars);
  if (sampled === null || (found !== null && found.amount >= sampled.amount)) return found;
  return { ...sampled, precision: found === null ? 'exact' : 'upper_bound' };
}

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

/**
 * Adds up bookings and ended trips by their keys (of a trip at a time), in the order in which the keys first occur;
 * excludes transfers.
 */
function sumsBy<Key>(
  bookings: readonly Booking[],
  ended: readonly Trip[],
  keysOf: (trip: Trip | null, time: Ms) => readonly Key[],
): Sum<Key>[] {
  const sums = new Map<Key, Sum<Key>>();
  const sumOf = (key: Key) => {
    const sum = sums.get(key) ?? emptySum(key);
    sums.set(key, sum);
    return sum;
  };
  for (const booking of bookings)
    if (booking.transfer === 0n) for (const key of keysOf(booking.trip, booking.time)) addBooking(sumOf(key), booking);
  for (const trip of ended) for (const key of keysOf(trip, trip.closedAt!)) countTrip(sumOf(key), trip);
  return [...sums.values()];
}

function addBooking(sum: Sum<unknown>, { realizedPnl, fees, funding, bankruptcy, volume }: Booking): void {
  sum.realizedPnl += realizedPnl;
  sum.fees += fees;
  sum.funding += funding;
  sum.bankruptcy += bankruptcy;
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

/** Figures of a set of ended round trips. An average is null if there is nothing to average. */
export type Figures = ReturnType<typeof figuresOf>;

/** Figures of ended trips; `riskOf` returns a trip's risk, null if unknown. */
export function figuresOf(trips: readonly Trip[], riskOf: (trip: Trip) => Money | null) {
  const nets = trips.map(netOf);
  const wins = nets.filter((net) => net > 0n);
  const losses = nets.filter((net) => net < 0n);
  const multiples = trips.flatMap((trip) => rMultipleOf(trip, riskOf(trip)) ?? []);
  const totalR = multiples.length === 0 ? null : multiples.reduce((sum, one) => sum + one, 0);
  const held = trips.reduce((sum, { openedAt, closedAt }) => sum + closedAt! - openedAt, 0);
  return {
    trips: trips.length,
    won: wins.length,
    lost: losses.length,
    /** Share of winning trips, 0 to 1. */
    winRate: trips.length === 0 ? null : wins.length / trips.length,
    /** Average net result of a trip. */
    expectancy: average(nets),
    averageWin: average(wins),
    averageLoss: average(losses),
    largestWin: wins.length === 0 ? null : wins.reduce((most, one) => (one > most ? one : most)),
    largestLoss: losses.length === 0 ? null : losses.reduce((most, one) => (one < most ? one : most)),
    /** Sum of wins / sum of losses; null without losses. */
    profitFactor: losses.length === 0 ? null : Number(sumOf(wins)) / -Number(sumOf(losses)),
    /** Trips with a known risk, and the average and sum of their results as multiples of it. */
    tripsWithR: multiples.length,
    averageR: totalR === null ? null : totalR / multiples.length,
    totalR,
    /** Average time from the first fill to the last, ms. */
    averageHeldMs: trips.length === 0 ? null : held / trips.length,
  };
}

/** How long at least one position was open within a range, ms. */
export function timeInMarket(trips: readonly Trip[], from: Ms, to: Ms): number {
  let total = 0;
  let covered = from;
  // Trips come in the order in which they were opened.
  for (const { openedAt, closedAt } of trips) {
    const start = Math.max(openedAt, covered);
    const end = Math.min(closedAt ?? to, to);
    if (end <= start) continue;
    total += end - start;
    covered = end;
  }
  return total;
}

function average(amounts: readonly Money[]): Money | null {
  return amounts.length === 0 ? null : divideRounded(sumOf(amounts), BigInt(amounts.length));
}

function sumOf(amounts: readonly Money[]): Money {
  return amounts.reduce((sum, one) => sum + one, 0n);
}
