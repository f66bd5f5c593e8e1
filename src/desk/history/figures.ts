import { netOf } from '../../base/margin/notional.ts';
import { divideRounded } from '../../base/terms/decimal.ts';
import { entryPriceOf, type Money, type Ms, type Trip } from './records.ts';

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

/**
 * 1R of a trip by the stop-loss of its first order: the loss of everything opened, with the fees of both ways. Null
 * without such a stop on the losing side.
 */
export function plannedRiskOf(trip: Trip): Money | null {
  const { stopPrice: stop, fills, side } = trip;
  if (stop === null) return null;
  const entry = entryPriceOf(trip);
  const distance = side === 'long' ? entry - stop : stop - entry;
  const { fee, notional } = fills[0]!.fill;
  const rate = notional === 0n ? 0 : Number(fee) / Number(notional);
  return distance > 0 ? openedTimes(trip, distance + (entry + stop) * rate) : null;
}

/** An amount per unit for everything that a trip has opened. */
export function openedTimes({ openedLots, lotsPerUnit }: Trip, perUnit: number): Money {
  return BigInt(Math.round(perUnit * (openedLots / lotsPerUnit) * 1e8));
}

/** A trip's net result as a multiple of its risk; null if that is unknown. */
export function rMultipleOf(trip: Trip, risk: Money | null): number | null {
  return risk === null || risk <= 0n ? null : Number(netOf(trip)) / Number(risk);
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
