/** An order with a size, judged by a quote of that size. */
export interface Trial {
  /** Base asset. */
  readonly size: number;
}

/** How an order is judged. */
export interface Judgment<Order extends Trial> {
  fits(order: Order): boolean;
  /** The largest size that would fit if every size filled at this order's average price; at or below its own if that does not fit. */
  largest(order: Order): number;
}

/** A size that fits, in whole lots, and how it was judged. */
export interface Fitting<Order extends Trial> {
  /** The order with the largest size that fits; undefined if not even one lot does. */
  readonly order: Order | undefined;
  /** The order of one lot; undefined if the visible book does not fill even that. */
  readonly lot: Order | undefined;
  /** The visible book does not fill one lot more. */
  readonly isTooDeep: boolean;
}

/** Maximum number of quotes to read on the way down, and on the way up. */
const maxTrials = 12;
/** More than any book holds. */
const maxLots = 1e14;

/**
 * Finds the largest size that fits. Each size is judged by a quote of its own: a larger order walks further into the
 * book, and its stop may depend on its fill. `trial` is undefined for a size that the visible book does not fill.
 */
export async function fittingSize<Order extends Trial>(
  trial: (size: number) => Promise<Order | undefined>,
  judgment: Judgment<Order>,
  sizeDecimals: number,
): Promise<Fitting<Order>> {
  const lot = Number(`1e-${sizeDecimals}`);
  const smallest = await trial(lot);
  if (smallest === undefined) return { order: undefined, lot: undefined, isTooDeep: true };
  const search: Search<Order> = { trial, judgment, sizeDecimals, lot, unfilled: Number.POSITIVE_INFINITY };
  const found = await shrink(search, Math.min(judgment.largest(smallest), maxLots * lot));
  if (found === undefined) {
    return { order: undefined, lot: smallest, isTooDeep: search.unfilled < Number.POSITIVE_INFINITY };
  }
  const order = await grow(search, found);
  return { order, lot: smallest, isTooDeep: search.unfilled <= lots(order.size + lot, sizeDecimals) };
}

interface Search<Order extends Trial> {
  readonly trial: (size: number) => Promise<Order | undefined>;
  readonly judgment: Judgment<Order>;
  readonly sizeDecimals: number;
  readonly lot: number;
  /** The smallest size that the visible book was seen not to fill. */
  unfilled: number;
}

/** Goes down from a size that may be too large until one fits. */
async function shrink<Order extends Trial>(search: Search<Order>, from: number): Promise<Order | undefined> {
  const { judgment, sizeDecimals, lot } = search;
  let size = from;
  for (let left = maxTrials; left > 0 && size > 0; left--) {
    const order = await tried(search, size);
    if (order !== undefined && judgment.fits(order)) return order;
    const next = order === undefined ? size / 2 : judgment.largest(order);
    size = Math.min(lots(next, sizeDecimals), lots(size - lot, sizeDecimals));
  }
  return undefined;
}

async function tried<Order extends Trial>(search: Search<Order>, size: number): Promise<Order | undefined> {
  const order = await search.trial(size);
  if (order === undefined) search.unfilled = Math.min(search.unfilled, size);
  return order;
}

/**
 * Goes up from a size that fits: a smaller order fills better than the larger one it was judged by. The estimate from
 * an order that fits is too large, the estimate from one that does not fit is too small; the answer is in between.
 */
async function grow<Order extends Trial>(search: Search<Order>, from: Order): Promise<Order> {
  const { judgment, sizeDecimals, lot } = search;
  let best = from;
  let tooLarge = search.unfilled;
  for (let left = maxTrials; left > 0; left--) {
    const wanted = judgment.largest(best);
    const isBeyondBook = wanted >= search.unfilled;
    const size = isBeyondBook
      ? lots((best.size + search.unfilled) / 2, sizeDecimals)
      : Math.min(wanted, lots(tooLarge - lot, sizeDecimals));
    if (size <= best.size) break;
    const order = await tried(search, size);
    if (order !== undefined && judgment.fits(order)) {
      best = order;
      continue;
    }
    tooLarge = size;
    const safe = order === undefined ? 0 : judgment.largest(order);
    const smaller = safe > best.size && safe < size ? await tried(search, safe) : undefined;
    if (smaller !== undefined && judgment.fits(smaller)) best = smaller;
  }
  return best;
}

function lots(size: number, sizeDecimals: number): number {
  return size === Number.POSITIVE_INFINITY ? size : Math.max(0, Number(size.toFixed(sizeDecimals)));
}
