import { Ratio } from './ratio.ts';

/**
 * An order that adds exposure and has a stop. Attached legs cover the whole resulting position (simulation 4.3), so the
 * position that is already open in the market ends at the same stop.
 */
export interface StoppedOrder {
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** The notional of that size including slippage, USD: a quote's `estimated_notional`, or limit x size. */
  readonly notional: number;
  /** Trigger price of the stop, assumed to be its fill: below the fill of a buy, above that of a sell. */
  readonly stop: number;
  /** The market's current mark. */
  readonly mark: number;
  /** Commission of each fill, bps of its notional; 0 for an exempt account. */
  readonly feeBps: number;
  /** Open position in this market, in the base asset: positive for long, negative for short, 0 for none. */
  readonly held: number;
}

/** A working order that has not filled yet and would open or add to the same position. */
export interface WaitingEntry {
  /** Unfilled size, in the base asset. */
  readonly size: number;
  /** Expected fill price. */
  readonly price: number;
  /** Its own stop; undefined if it has none. */
  readonly stop: number | undefined;
}

/** The loss that is allowed, USD. */
export interface RiskLimit {
  readonly amount: number;
  /** If false, the loss must stay below the amount, because touching a floor breaches it (simulation 6.1). */
  readonly isInclusive: boolean;
}

const moneyDecimals = 8;

/**
 * How much equity falls from now until the whole resulting position is closed at the order's stop, USD: the slippage
 * from the mark to the fill, the move from the mark to the stop, and the commissions of entry and exit. Every part is
 * rounded up to 0.00000001 USD. Other markets are assumed not to move. Negative if the stop secures a gain.
 */
export function lossAtStop(order: StoppedOrder): number {
  return lossOf(order, Ratio.of(order.size)).toNumber(moneyDecimals);
}

/**
 * The loss of working entries on the order's side if they fill, too: each from its price to its own stop or, without
 * one, to the order's stop, plus both commissions, USD. An entry beyond the stop that would close it has nothing to
 * lose.
 */
export function lossOfEntries(
  entries: readonly WaitingEntry[],
  { side, stop: orderStop, feeBps }: Pick<StoppedOrder, 'side' | 'stop' | 'feeBps'>,
): number {
  const losses = entries.map(({ size, price, stop = orderStop }) => {
    const lots = Ratio.of(size);
    const fall = Ratio.of(price).minus(Ratio.of(stop));
    const move = lots.times(side === 'buy' ? fall : fall.negated());
    if (move.sign <= 0) return Ratio.zero;
    const fees = lots.times(Ratio.of(price).plus(Ratio.of(stop))).times(feeRate({ feeBps }));
    return move.plus(fees);
  });
  return losses
    .reduce((sum, loss) => sum.plus(loss), Ratio.zero)
    .ceil(moneyDecimals)
    .toNumber(moneyDecimals);
}

/** Whether an order with this loss stays within the limit. */
export function fits(loss: number, { amount, isInclusive }: RiskLimit): boolean {
  return isInclusive ? loss <= amount : loss < amount;
}

/**
 * The largest size, in whole lots, with which the order stays within the limit; 0 if there is none. Assumes that every
 * size fills at the average price of the order's size, so it is exact up to that size: a smaller order fills at least
 * as well. If the result is larger, get a quote for it. Against an open position, a size that only reduces it always
 * fits.
 */
export function largestSize(order: StoppedOrder, limit: RiskLimit, sizeDecimals: number): number {
  const lot = Ratio.of(Number(`1e-${sizeDecimals}`));
  const held = heldAlong(order);
  const reduction = held.sign < 0 ? held.negated() : Ratio.zero;
  const perUnit = entryLoss(order, Ratio.of(1)).plus(exitLoss(order, Ratio.of(1)));
  if (perUnit.sign <= 0) return reduction.floor(sizeDecimals).toNumber(sizeDecimals);
  const amount = Ratio.of(limit.amount);
  let size = amount.minus(exitLoss(order, held)).over(perUnit).floor(sizeDecimals);
  // Commissions are rounded up, and an exclusive limit must not be reached.
  while (size.compare(reduction) > 0) {
    const room = lossOf(order, size).compare(amount);
    if (room < 0 || (room === 0 && limit.isInclusive)) break;
    size = size.minus(lot);
  }
  const most = size.compare(reduction) > 0 ? size : reduction;
  return most.floor(sizeDecimals).toNumber(sizeDecimals);
}

function lossOf(order: StoppedOrder, size: Ratio): Ratio {
  const resulting = size.plus(heldAlong(order));
  const exits = resulting.sign > 0 ? resulting : Ratio.zero;
  const entry = walkLoss(order, size)
    .ceil(moneyDecimals)
    .plus(feeOf(order, notionalOf(order, size)));
  return entry.plus(moveLoss(order, exits).ceil(moneyDecimals)).plus(feeOf(order, exits.times(Ratio.of(order.stop))));
}

/** Slippage and commission of the entry, not rounded. */
function entryLoss(order: StoppedOrder, size: Ratio): Ratio {
  return walkLoss(order, size).plus(notionalOf(order, size).times(feeRate(order)));
}

/** Move from mark to stop, and commission of the exit, not rounded. */
function exitLoss(order: StoppedOrder, size: Ratio): Ratio {
  return moveLoss(order, size).plus(size.times(Ratio.of(order.stop)).times(feeRate(order)));
}

/** How much worse than the mark a size fills. */
function walkLoss(order: StoppedOrder, size: Ratio): Ratio {
  const atMark = size.times(Ratio.of(order.mark));
  const filled = notionalOf(order, size);
  return order.side === 'buy' ? filled.minus(atMark) : atMark.minus(filled);
}

function moveLoss({ side, mark, stop }: StoppedOrder, size: Ratio): Ratio {
  const fall = Ratio.of(mark).minus(Ratio.of(stop));
  return size.times(side === 'buy' ? fall : fall.negated());
}

function notionalOf({ size, notional }: StoppedOrder, part: Ratio): Ratio {
  return Ratio.of(notional).times(part).over(Ratio.of(size));
}

/** The open position, positive in the order's direction. */
function heldAlong({ side, held }: StoppedOrder): Ratio {
  return Ratio.of(side === 'buy' ? held : -held);
}

function feeOf(order: StoppedOrder, notional: Ratio): Ratio {
  return notional.times(feeRate(order)).ceil(moneyDecimals);
}

function feeRate({ feeBps }: Pick<StoppedOrder, 'feeBps'>): Ratio {
  return Ratio.of(feeBps).over(Ratio.of(10_000));
}
