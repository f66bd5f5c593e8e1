import { gain, netOf } from '../../base/margin/notional.ts';
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
