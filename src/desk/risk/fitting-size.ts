/** How an order is judged. */
export interface Judgment<Order> {
  fits(order: Order): boolean;
  /** The largest size that would fit if every size filled at this order's average price; at or below its own if that does not fit. */
  largest(order: Order): number;
}

/** A size that fits, in whole lots, and how it was judged. */
export interface Fitting<Order> {
  /** The order with the largest size that fits; undefined if not even one lot does. */
  readonly order: Order | undefined;
  /** The order of one lot; undefined if the visible book does not fill even that. */
  readonly lot: Order | undefined;
  /** The smallest that was seen not to fit, usually one lot more; undefined if the visible book does not fill it. */
  readonly over: Order | undefined;
}

/** Maximum number of sizes to try. */
const maxTrials = 60;
/** More than any book holds. */
const maxLots = 1e14;

/** The largest number of lots that fits, 0 if none does, where nothing larger fits than what does not; tries `about` first. */
export function largestLots(fits: (lots: number) => boolean, about: number): number {
  let [below, above] = [0, maxLots];
  let lots = Math.max(1, Math.min(about, maxLots - 1));
  for (let step = 1; above - below > 1; step *= 2) {
    if (fits(lots)) below = lots;
    else above = lots;
    const [isNone, isAll] = [below === 0, above === maxLots];
    if (isNone === isAll) lots = Math.floor((below + above) / 2);
    else lots = isNone ? Math.max(1, above - step) : Math.min(above - 1, below + step);
  }
  return below;
}

/**
 * Finds the largest size that fits. Each size is judged by its own quote: a larger order walks further into the
 * book, and its stop may depend on its fill. `trial` is undefined for a size that the visible book does not fill.
 *
 * The estimate from an order that fits is rather too large, since a larger one fills worse; the estimate from one that
 * does not fit is too small. So both sides close in on the answer, and where a book has a step, what is between them is
 * halved. It is found when one lot more was seen not to fit.
 */
export async function fittingSize<Order>(
  trial: (size: number) => Promise<Order | undefined>,
  { fits, largest }: Judgment<Order>,
  sizeDecimals: number,
): Promise<Fitting<Order>> {
  const sizeOf = (lots: number) => Number(`${lots}e-${sizeDecimals}`);
  const lotsIn = (size: number) => Math.min(maxLots, Math.round(size * 10 ** sizeDecimals));
  const lot = await trial(sizeOf(1));
  if (lot === undefined) return { order: undefined, lot, over: undefined };
  let order = fits(lot) ? lot : undefined;
  let over: Awaited<Order> | undefined = order === undefined ? lot : undefined;
  // The largest size that was seen to fit, and the smallest that was seen not to.
  let below = order === undefined ? 0 : 1;
  let above = order === undefined ? 1 : Number.POSITIVE_INFINITY;
  let estimate = lotsIn(largest(lot));
  const rooms: number[] = [];
  for (let left = maxTrials; left > 0 && above - below > 1; left -= 1) {
    const room = above - below;
    // Two trials should halve the room; estimates that took this many don't help, as where a stop has a step.
    const isLate = rooms.length >= maxTrials / 5;
    const isSlow = room < Number.POSITIVE_INFINITY && (isLate || room > (rooms.at(-2) ?? room * 2) / 2);
    rooms.push(room);
    const size = isSlow ? below + Math.floor(room / 2) : Math.max(below + 1, Math.min(estimate, above - 1));
    const tried = await trial(sizeOf(size));
    if (tried !== undefined && fits(tried)) {
      order = tried;
      below = size;
    } else {
      over = tried;
      above = size;
    }
    estimate = tried === undefined ? below + Math.floor((above - below) / 2) : lotsIn(largest(tried));
  }
  return { order, lot, over };
}
