import { shareOf } from '../../base/margin/notional.ts';
import type { Booking, Fill, Money, Payment, Trip } from './records.ts';

/** Round trips, in the order in which they were opened, and all changes of the balance, in order of time. */
export interface Folded {
  readonly trips: readonly Trip[];
  readonly bookings: readonly Booking[];
}

/**
 * Folds fills and payments, both oldest first, into positions: one per market, netted. A fill against the position
 * closes it; any excess opens the next one (simulation 5.1). Sums are exact: a part's share is rounded once, and the
 * last part takes the rest.
 */
export function foldHistory(fills: readonly Fill[], payments: readonly Payment[]): Folded {
  const fold = new Fold(lotsPerUnitOf(fills));
  let at = 0;
  for (const fill of fills) {
    for (; at < payments.length && payments[at]!.time < fill.time; at++) fold.pay(payments[at]!);
    fold.fill(fill);
  }
  for (; at < payments.length; at++) fold.pay(payments[at]!);
  return { trips: fold.trips, bookings: fold.bookings };
}

/** Lots per unit of the base asset, by market: as fine as the traded sizes. */
function lotsPerUnitOf(fills: readonly Fill[]): Map<string, number> {
  const scales = new Map<string, number>();
  for (const { marketId, size } of fills) {
    let scale = scales.get(marketId) ?? 1;
    while (Math.round(size * scale) / scale !== size && scale < 1e12) scale *= 10;
    scales.set(marketId, scale);
  }
  return scales;
}

class Fold {
  readonly trips: Trip[] = [];
  readonly bookings: Booking[] = [];
  readonly #scales: ReadonlyMap<string, number>;
  /** The last trip of each market, and the one before it if it ended less than a payment ago. */
  readonly #last = new Map<string, Trip>();
  readonly #before = new Map<string, Trip>();
  /** The trips partly closed by the fills of the last moment, by order record. */
  readonly #closedBy = new Map<string, Trip>();
  #moment = Number.NEGATIVE_INFINITY;

  constructor(scales: ReadonlyMap<string, number>) {
    this.#scales = scales;
  }

  fill(fill: Fill): void {
    const scale = this.#scales.get(fill.marketId)!;
    const lots = Math.round(fill.size * scale);
    const open = this.#open(fill.marketId);
    const opens = fill.side === 'buy' ? 'long' : 'short';
    if (open === undefined && fill.realizedPnl !== null) {
      // It closed a position that was opened before the history starts.
      this.#book(null, fill, fill.realizedPnl, fill.fee, fill.notional);
      return;
    }
    if (open === undefined || open.side === opens) {
      this.#add(open ?? this.#begin(fill, opens, scale), fill, lots, fill.notional, fill.fee);
      return;
    }
    const closed = Math.min(lots, open.lots);
    const isAll = closed === lots;
    const notional = isAll ? fill.notional : shareOf(fill.notional, closed, lots);
    const fee = isAll ? fill.fee : shareOf(fill.fee, closed, lots);
    this.#reduce(open, fill, closed, notional, fee);
    if (isAll) return;
    this.#add(this.#begin(fill, opens, scale), fill, lots - closed, fill.notional - notional, fill.fee - fee);
  }

  pay({ kind, amount, time, orderId, marketId }: Payment): void {
    const isTransfer = kind === 'deposit' || kind === 'withdrawal';
    const trip = isTransfer ? null : this.#tripOf(orderId, marketId, time);
    const fees = kind === 'liquidation_fee' ? -amount : 0n;
    const funding = kind === 'funding' ? -amount : 0n;
    const bankruptcy = kind === 'bankruptcy' ? amount : 0n;
    if (trip !== null) {
      trip.fees += fees;
      trip.funding += funding;
      trip.bankruptcy += bankruptcy;
    }
    const transfer = isTransfer ? amount : 0n;
    this.bookings.push({ time, trip, realizedPnl: 0n, fees, funding, bankruptcy, transfer, volume: 0n });
  }

  /** Carry at a moment is paid by positions open before it, even if a later fill of that moment closed them. */
  #tripOf(orderId: string | null, marketId: string | null, time: number): Trip | null {
    if (orderId !== null) return this.#closedBy.get(orderId) ?? null;
    if (marketId === null) return null;
    const last = this.#last.get(marketId);
    if (last !== undefined && (last.openedAt < time || !this.#before.has(marketId))) return last;
    return this.#before.get(marketId) ?? null;
  }

  #open(marketId: string): Trip | undefined {
    const last = this.#last.get(marketId);
    return last === undefined || last.closedAt !== null ? undefined : last;
  }

  #begin({ marketId, time, stopPrice }: Fill, side: Trip['side'], lotsPerUnit: number): Trip {
    const trip: Trip = {
      marketId,
      side,
      openedAt: time,
      closedAt: null,
      fills: [],
      lots: 0,
      lotsPerUnit,
      cost: 0n,
      openedLots: 0,
      openedNotional: 0n,
      closedLots: 0,
      closedNotional: 0n,
      largestLots: 0,
      realizedPnl: 0n,
      fees: 0n,
      funding: 0n,
      bankruptcy: 0n,
      stopPrice,
    };
    const last = this.#last.get(marketId);
    // With several trips at the same moment, carry is due from the one that was open before it.
    if (last !== undefined && last.openedAt < time) this.#before.set(marketId, last);
    this.#last.set(marketId, trip);
    this.trips.push(trip);
    return trip;
  }

  #add(trip: Trip, fill: Fill, lots: number, notional: Money, fee: Money): void {
    trip.lots += lots;
    trip.cost += notional;
    trip.fills.push({ fill, lots: trip.lots, cost: trip.cost, realizedPnl: trip.realizedPnl });
    trip.openedLots += lots;
    trip.openedNotional += notional;
    trip.largestLots = Math.max(trip.largestLots, trip.lots);
    trip.fees += fee;
    this.#book(trip, fill, 0n, fee, notional);
  }

  #reduce(trip: Trip, fill: Fill, lots: number, notional: Money, fee: Money): void {
    const cost = lots === trip.lots ? trip.cost : shareOf(trip.cost, lots, trip.lots);
    const realized = fill.realizedPnl ?? (trip.side === 'long' ? notional - cost : cost - notional);
    trip.lots -= lots;
    trip.cost -= cost;
    trip.closedLots += lots;
    trip.closedNotional += notional;
    trip.realizedPnl += realized;
    trip.fills.push({ fill, lots: trip.lots, cost: trip.cost, realizedPnl: trip.realizedPnl });
    trip.fees += fee;
    if (trip.lots === 0) trip.closedAt = fill.time;
    if (fill.time !== this.#moment) this.#closedBy.clear();
    this.#moment = fill.time;
    this.#closedBy.set(fill.orderId, trip);
    this.#book(trip, fill, realized, fee, notional);
  }

  #book(trip: Trip | null, { time }: Fill, realizedPnl: Money, fees: Money, volume: Money): void {
    this.bookings.push({ time, trip, realizedPnl, fees, funding: 0n, bankruptcy: 0n, transfer: 0n, volume });
  }
}
