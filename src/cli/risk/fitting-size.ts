import { fits, largestSize, lossAtStop, type RiskLimit, type StoppedOrder } from './worst-case.ts';

/** The order with a size, as a quote of that size shows it now; undefined if the visible book does not fill it. */
export type Trial = (size: number) => Promise<StoppedOrder | undefined>;

/** A size within a limit, in whole lots, and how it was judged. */
export interface Fitting {
  /** The order with the largest size that fits; undefined if not even one lot does. */
  readonly order: StoppedOrder | undefined;
  /** What the order loses; without one, what a single lot would lose. USD. */
  readonly loss: number;
  /** The visible book does not fill one lot more. */
  readonly isTooDeep: boolean;
}

/** Quotes read on the way down, and on the way up. */
const mostTrials = 12;
/** More than any book holds. */
const mostLots = 1e14;

/**
 * Finds the largest size whose loss at the stop stays within the limit, walk and commissions included. Each size is
 * judged by a quote of its own: a larger order walks further into the book, and its stop may depend on its fill.
 */
export async function fittingSize(trial: Trial, limit: RiskLimit, sizeDecimals: number): Promise<Fitting> {
  const lot = Number(`1e-${sizeDecimals}`);
  const smallest = await trial(lot);
  if (smallest === undefined) return { order: undefined, loss: 0, isTooDeep: true };
  const search: Search = { trial, limit, sizeDecimals, lot, unfilled: Number.POSITIVE_INFINITY };
  const found = await shrink(search, Math.min(largestSize(smallest, limit, sizeDecimals), mostLots * lot));
  if (found === undefined) {
    return { order: undefined, loss: lossAtStop(smallest), isTooDeep: search.unfilled < Number.POSITIVE_INFINITY };
  }
  const order = await grow(search, found);
  return { order, loss: lossAtStop(order), isTooDeep: search.unfilled <= lots(order.size + lot, sizeDecimals) };
}

interface Search {
  readonly trial: Trial;
  readonly limit: RiskLimit;
  readonly sizeDecimals: number;
  readonly lot: number;
  /** The smallest size that the visible book was seen not to fill. */
  unfilled: number;
}

/** Goes down from a size that may be too large until one fits. */
async function shrink(search: Search, from: number): Promise<StoppedOrder | undefined> {
  const { limit, sizeDecimals, lot } = search;
  let size = from;
  for (let left = mostTrials; left > 0 && size > 0; left--) {
    const order = await tried(search, size);
    if (order !== undefined && fits(lossAtStop(order), limit)) return order;
    const next = order === undefined ? size / 2 : largestSize(order, limit, sizeDecimals);
    size = Math.min(lots(next, sizeDecimals), lots(size - lot, sizeDecimals));
  }
  return undefined;
}

async function tried(search: Search, size: number): Promise<StoppedOrder | undefined> {
  const order = await search.trial(size);
  if (order === undefined) search.unfilled = Math.min(search.unfilled, size);
  return order;
}

/**
 * Goes up from a size that fits: a smaller order fills better than the larger one by which it was judged. What an order
 * that fits lets expect is too much, what one that does not fit lets expect is too little; the answer is in between.
 */
async function grow(search: Search, from: StoppedOrder): Promise<StoppedOrder> {
  const { limit, sizeDecimals, lot } = search;
  let best = from;
  let tooLarge = search.unfilled;
  for (let left = mostTrials; left > 0; left--) {
    const wanted = largestSize(best, limit, sizeDecimals);
    const isBeyondBook = wanted >= search.unfilled;
    const size = isBeyondBook
      ? lots((best.size + search.unfilled) / 2, sizeDecimals)
      : Math.min(wanted, lots(tooLarge - lot, sizeDecimals));
    if (size <= best.size) break;
    const order = await tried(search, size);
    if (order !== undefined && fits(lossAtStop(order), limit)) {
      best = order;
      continue;
    }
    tooLarge = size;
    const safe = order === undefined ? 0 : largestSize(order, limit, sizeDecimals);
    const smaller = safe > best.size && safe < size ? await tried(search, safe) : undefined;
    if (smaller !== undefined && fits(lossAtStop(smaller), limit)) best = smaller;
  }
  return best;
}

function lots(size: number, sizeDecimals: number): number {
  return size === Number.POSITIVE_INFINITY ? size : Math.max(0, Number(size.toFixed(sizeDecimals)));
}
