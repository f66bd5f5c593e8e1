import { gain, netOf, shareOf } from '../../base/margin/notional.ts';
import { divideRounded, toMoney } from '../../base/terms/decimal.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { SimulationFill } from '../../wire/contract/simulation-history.ts';

/** Integer multiple of 1e-8 USD. */
export type Money = bigint;
/** Unix milliseconds. */
export type Ms = number;

/** An execution in an account's history. */
export interface Fill {
  /** Its order record. */
  readonly orderId: string;
  readonly time: Ms;
  readonly marketId: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** Average price, in the quote currency. */
  readonly price: number;
  readonly notional: Money;
  /** Positive if paid. */
  readonly fee: Money;
  /** Without fees; null if nothing was closed. */
  readonly realizedPnl: Money | null;
  /** Stop-loss with which the order was placed. */
  readonly stopPrice: number | null;
}

/** A change of the balance that is neither a fill's fee nor its realized profit. */
export interface Payment {
  readonly kind: 'deposit' | 'withdrawal' | 'funding' | 'liquidation_fee' | 'bankruptcy';
  /** Negative if paid. */
  readonly amount: Money;
  readonly time: Ms;
  /** The fill that caused it. */
  readonly orderId: string | null;
  readonly marketId: string | null;
}

/** A fill of a position, and the open size after it. */
export interface TripFill {
  readonly fill: Fill;
  readonly lots: number;
  /** Entry notional of the open size. */
  readonly cost: Money;
  /** Profit realized so far. */
  readonly realizedPnl: Money;
}

/** One position from flat to flat, or still open, with its sizes, costs and results. */
export interface Trip {
  readonly marketId: string;
  readonly side: 'long' | 'short';
  readonly openedAt: Ms;
  closedAt: Ms | null;
  /** Oldest first. A fill that flips the position belongs to two trips. */
  readonly fills: TripFill[];
  /** Open size now; 0 once closed. In lots of 1 / `lotsPerUnit`. */
  lots: number;
  readonly lotsPerUnit: number;
  /** Entry notional of the open size. */
  cost: Money;
  openedLots: number;
  openedNotional: Money;
  closedLots: number;
  closedNotional: Money;
  largestLots: number;
  realizedPnl: Money;
  /** Trading and liquidation fees. Positive: paid. */
  fees: Money;
  /** Carry. Positive: paid. */
  funding: Money;
  /** Losses beyond the margin, which the account did not have to pay. Positive. */
  bankruptcy: Money;
  /** Stop-loss of its first fill. */
  readonly stopPrice: number | null;
}

/** The changes from one fill or payment, and what they belong to. */
export interface Booking {
  readonly time: Ms;
  /** Null if it belongs to no position. */
  readonly trip: Trip | null;
  readonly realizedPnl: Money;
  /** Positive if paid. */
  readonly fees: Money;
  /** Positive if paid. */
  readonly funding: Money;
  /** Positive if received. */
  readonly bankruptcy: Money;
  /** Deposits and withdrawals, which are neither profit nor loss. */
  readonly transfer: Money;
  /** Traded value; 0 for a payment. */
  readonly volume: Money;
}

/** Average entry price. */
export function entryPriceOf({ openedNotional, openedLots, lotsPerUnit }: Trip): number {
  return averagePrice(openedNotional, openedLots, lotsPerUnit);
}

/** Average exit price; null before the first exit. */
export function exitPriceOf({ closedNotional, closedLots, lotsPerUnit }: Trip): number | null {
  return closedLots === 0 ? null : averagePrice(closedNotional, closedLots, lotsPerUnit);
}

/** The average price of so many lots. */
export function averagePrice(notional: Money, lots: number, lotsPerUnit: number): number {
  return Number(((Number(notional) / 1e8 / lots) * lotsPerUnit).toPrecision(15));
}

/** The change of the balance. */
export function changeOf(booking: Booking): Money {
  return netOf(booking) + booking.transfer;
}

/** The result of a trip's open size at a price, after one of its fills; before fees and carry. */
export function openResultAt({ side, lotsPerUnit }: Trip, { lots, cost }: TripFill, price: number): Money {
  return gain(side, divideRounded(toMoney(price) * BigInt(lots), BigInt(lotsPerUnit)), cost);
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

/** Fills and payments, oldest first, and the account after them. */
export interface AccountRecords {
  readonly account: Account;
  readonly fills: readonly Fill[];
  readonly payments: readonly Payment[];
  readonly approximations: readonly string[];
}

/** A fill as the simulation sends it, and as the local copy of a host's fills keeps it. */
export function fillOf(fill: SimulationFill): Fill {
  return {
    orderId: fill.order_id,
    time: fill.settled_at,
    marketId: fill.market_id,
    side: fill.side,
    size: fill.size,
    price: fill.fill_price,
    notional: toMoney(fill.notional),
    fee: toMoney(fill.fee),
    realizedPnl: fill.realized_pnl === undefined ? null : toMoney(fill.realized_pnl),
    stopPrice: fill.attached_stop_loss_price ?? null,
  };
}

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
