/** Integer multiple of 1e-8 USD. */
export type Money = bigint;
/** Unix milliseconds. */
export type Ms = number;

/** An execution, as an account's history has it. */
export interface Fill {
  /** Its order record. */
  readonly orderId: string;
  readonly time: Ms;
  readonly marketId: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** Average, in the quote currency. */
  readonly price: number;
  readonly notional: Money;
  /** Positive: paid. */
  readonly fee: Money;
  /** Without fees; null if nothing was closed. */
  readonly realizedPnl: Money | null;
  /** Stop-loss that the order was placed with. */
  readonly stopPrice: number | null;
}

/** A change of the balance that is neither a fill's fee nor its realized profit. */
export interface Payment {
  readonly kind: 'deposit' | 'withdrawal' | 'funding' | 'liquidation_fee' | 'bankruptcy';
  /** Negative: paid. */
  readonly amount: Money;
  readonly time: Ms;
  /** The fill that caused it. */
  readonly orderId: string | null;
  readonly marketId: string | null;
}

/** A fill of a position, and what was open after it. */
export interface Step {
  readonly fill: Fill;
  readonly lots: number;
  /** Entry notional of what was open. */
  readonly cost: Money;
  /** Realized so far. */
  readonly realizedPnl: Money;
}

/** One position from flat to flat, or still open: what was opened, closed, paid and earned. */
export interface Trip {
  readonly marketId: string;
  readonly side: 'long' | 'short';
  readonly openedAt: Ms;
  closedAt: Ms | null;
  /** Oldest first. A fill that turns the position around belongs to two trips. */
  readonly steps: Step[];
  /** What is open now; 0 once closed. In lots of 1 / `lotsPerUnit`. */
  lots: number;
  readonly lotsPerUnit: number;
  /** Entry notional of what is open. */
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

/** What one fill or payment changed, and where it belongs. */
export interface Booking {
  readonly time: Ms;
  /** null: it belongs to no position. */
  readonly trip: Trip | null;
  readonly realizedPnl: Money;
  /** Positive: paid. */
  readonly fees: Money;
  /** Positive: paid. */
  readonly funding: Money;
  /** Positive: received. */
  readonly bankruptcy: Money;
  /** Deposits and withdrawals, which are neither profit nor loss. */
  readonly transfer: Money;
  /** Traded value; 0 for a payment. */
  readonly volume: Money;
}

/** What a trip or a booking brought: realized profit minus fees and carry. */
export function netOf({
  realizedPnl,
  fees,
  funding,
  bankruptcy,
}: Pick<Trip, 'realizedPnl' | 'fees' | 'funding' | 'bankruptcy'>): Money {
  return realizedPnl - fees - funding + bankruptcy;
}

/** Average price of what was opened. */
export function entryPriceOf({ openedNotional, openedLots, lotsPerUnit }: Trip): number {
  return averagePrice(openedNotional, openedLots, lotsPerUnit);
}

/** Average price of what was closed; null before that. */
export function exitPriceOf({ closedNotional, closedLots, lotsPerUnit }: Trip): number | null {
  return closedLots === 0 ? null : averagePrice(closedNotional, closedLots, lotsPerUnit);
}

function averagePrice(notional: Money, lots: number, lotsPerUnit: number): number {
  return Number(((Number(notional) / 1e8 / lots) * lotsPerUnit).toPrecision(15));
}
