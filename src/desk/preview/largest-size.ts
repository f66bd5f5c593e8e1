import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { takesAtOnce } from '../../base/terms/order-types.ts';
import { quantity, usd, word } from '../../base/text/format.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import { openPositions } from '../resolve/holdings.ts';
import { sizedQuote } from '../resolve/quote.ts';
import type { Session } from '../session/session.ts';
import { type Bound, exposureBounds, smallestOf } from './bounds.ts';
import { checkPlaceable } from './conflicts.ts';
import { type Judged, judged } from './judged.ts';
import {
  type Drafted,
  exitQuoteOf,
  floorOf,
  gapOf,
  type Judging,
  look,
  moveUntilTyped,
  type Prospect,
  priceOf,
} from './prospect.ts';
import { idleStop } from './protection.ts';

/** An order whose largest size is wanted. */
export interface Unsized extends Drafted {
  /** Whether it has a take-profit. */
  readonly hasTarget: boolean;
  /** Its size is typed as `max` or a risk; otherwise it is suggested in place of a refused one. */
  readonly isTyped: boolean;
}

/** The largest size, and its limit: the bound that one more lot would exceed. */
export interface Largest {
  /** Undefined if not even one lot fits. */
  readonly found: Judged | undefined;
  /** The order of one lot; undefined if the book can't fill it. */
  readonly lot: Judged | undefined;
  /** The smallest order that would be accepted, in words. */
  readonly smallest: string;
  readonly limit: Bound;
}

const byBook: Bound = {
  says: 'the size that the visible book can fill within the slippage tolerance',
  isBroken: () => false,
};

/**
 * The largest size that exceeds no bound, each size judged by its own quotes; one that is suggested leaves room for the
 * move of the marks until it is typed. `also`: a bound besides the usual ones.
 */
export async function largestWithin(session: Session, unsized: Unsized, also: readonly Bound[] = []): Promise<Largest> {
  const { market, judging, hasTarget, isTyped } = unsized;
  const { size_decimals: decimals } = market;
  // One that is typed is sent at once.
  const [seen, move] = await Promise.all([seenFor(session, unsized), isTyped ? 0 : moveUntilTyped(session, market)]);
  if (isTyped) checkStopped(session, unsized, seen);
  // A repeated request, which may have been placed under its key, is not judged again.
  const isNew = judging.amends === undefined && !(isTyped && session.settings.idempotencyKey !== undefined);
  if (isNew) checkPlaceable(seen, { sl: judging.stopAt !== undefined, tp: hasTarget });
  const bounds = [
    ...also,
    ...stopBounds(session, seen, judging),
    ...(await exposureBounds(session, seen, { amends: judging.amends, move })),
  ];
  const smallest = smallestOf(seen);
  const fits = (tried: Judged) => smallest.isBelow(tried) || bounds.every((bound) => !bound.isBroken(tried));
  const fitting = await fittingSize(
    (size) => triedAt(session, unsized, seen, size),
    { fits, largest: (tried) => largestOf(tried, fits, decimals) },
    decimals,
  );
  const { order: found, lot, over } = fitting;
  const limit = bounds.find((bound) => over !== undefined && bound.isBroken(over)) ?? byBook;
  return { found: found && smallest.isBelow(found) ? undefined : found, lot, smallest: smallest.says, limit };
}

/** Values that all sizes share. */
async function seenFor(session: Session, { order, market, judging }: Unsized): Promise<Prospect> {
  const one = { ...order, size: 10 ** -market.size_decimals, stop_loss_price: undefined };
  const [seen, gap] = await Promise.all([
    look(session, one, market, openPositions(session), judging.amends),
    judging.stopAt === undefined ? undefined : gapOf(session, market),
  ]);
  return gap === undefined ? seen : { ...seen, gap };
}

/** An order of one size; undefined if the visible book does not fill it, or not close it within the tolerance. */
async function triedAt(
  session: Session,
  { judging: { stopAt } }: Unsized,
  seen: Prospect,
  size: number,
): Promise<Judged | undefined> {
  const order = { ...seen.order, size };
  const quote = await sizedQuote(session, order);
  const entry = priceOf(order, quote);
  if (entry === undefined || !isFilled(order, quote) || isBeyondTolerance({ ...seen, order, quote })) return undefined;
  const stop = await stopAt?.(entry);
  if (stop !== undefined) checkSide(order, stop, entry);
  const stopped = { ...order, stop_loss_price: stop };
  return judged({ ...seen, quote, exitQuote: await exitQuoteOf(session, stopped, seen), order: stopped });
}

/** Whether the visible book fills an order without a limit price. */
function isFilled(order: CreateOrderRequest, quote: Quote): boolean {
  return order.limit_price !== undefined || (quote.estimated_fill_price !== undefined && quote.fillable !== false);
}

/** Without a stop, a cross position of any size can lose all of the room, so there is no largest size. */
function checkStopped(session: Session, { order, judging }: Unsized, { account }: Prospect): void {
  const floor = floorOf(account);
  if (judging.stopAt !== undefined || order.margin_mode === 'isolated' || floor === undefined) return;
  if (judging.force || session.settings.floorCheck === 'off') return;
  throw usageFailure(
    `max needs a stop: a cross position without one can lose all of the ${usd(floor.room)} USD above the ${floor.name} floor, at any size.`,
    'Add --stop-loss, such as --stop-loss 1%, or use --margin isolated; --force sizes by margin and limits alone.',
  );
}

/** The limits on a size due to the order's stop and the floors. */
function stopBounds({ settings }: Session, { account }: Prospect, { force }: Judging): Bound[] {
  const isIdle = (tried: Judged) => idleStop({ settings }, tried) !== undefined;
  const bounds: Bound[] = [
    { says: 'the size whose stop, so far from its average price, is beyond the mark', isBroken: isStopAtMark },
    { says: 'the size whose stop still protects it (trade.require_stop)', isBroken: isIdle },
  ];
  const floor = floorOf(account);
  if (floor === undefined || force || settings.floorCheck === 'off') return bounds;
  const says = `the room of ${usd(floor.room)} USD above the ${floor.name} floor in the worst case`;
  return [{ says, isBroken: ({ breach }) => breach !== undefined }, ...bounds];
}

/**
 * The stop of an order that takes from the book must be on its side of the mark (simulation 4.3), not only of the fill.
 */
function isStopAtMark({ order: { type, side, stop_loss_price: stop }, quote: { mid } }: Judged): boolean {
  if (stop === undefined || mid === null || !takesAtOnce(type)) return false;
  return side === 'buy' ? stop >= mid : stop <= mid;
}

/** The worst case of an order; endless if nothing closes all of it. */
export function lossOf({ worst, end, order }: Judged): number {
  if (worst !== undefined) return worst.loss;
  return order.stop_loss_price !== undefined && end !== undefined ? Number.POSITIVE_INFINITY : 0;
}

/** Whether a market order's slippage would exceed its tolerance. */
function isBeyondTolerance({ policy, quote, market, order }: Prospect): boolean {
  const { worst_price: worst, mid } = quote;
  if (order.limit_price !== undefined || policy === undefined || worst === undefined || mid === null) return false;
  const { max, market_order_maximum_by_provider: byProvider } = policy.slippage_tolerance_bps;
  const tolerance = Math.min(order.slippage_tolerance_bps ?? max, max, byProvider[market.provider] ?? max);
  return (Math.abs(worst - mid) / mid) * 1e4 > tolerance;
}

/** The same order with another size, if every size filled, and was closed, at its average price. */
function scaled(tried: Judged, size: number): Judged {
  const share = size / tried.order.size;
  return judged({
    ...tried,
    order: { ...tried.order, size },
    quote: scaledQuote(tried.quote, share),
    // It includes other closed sizes, which don't shrink with the order.
    exitQuote: tried.exitQuote && scaledQuote(tried.exitQuote, Math.max(1, share)),
  });
}

function scaledQuote(quote: Quote, share: number): Quote {
  const times = (value: number | undefined) => (value === undefined ? undefined : value * share);
  return {
    ...quote,
    requested_size: times(quote.requested_size),
    estimated_notional: times(quote.estimated_notional),
    estimated_fee: times(quote.estimated_fee),
  };
}

/** The largest size that fits, in whole lots, if every size traded at the average price of this one. */
function largestOf(tried: Judged, fitsSized: (tried: Judged) => boolean, sizeDecimals: number): number {
  const at = (lots: number) => Number(`${lots}e-${sizeDecimals}`);
  const lots = Math.round(tried.order.size * 10 ** sizeDecimals);
  return at(largestLots((tries) => fitsSized(scaled(tried, at(tries))), lots));
}

/** A stop at or beyond the entry would trigger at once. */
function checkSide({ side }: Pick<CreateOrderRequest, 'side'>, stop: number, entry: number): void {
  if (side === 'buy' ? stop < entry : stop > entry) return;
  throw new Failure({
    code: 'exit_side',
    ruleId: 'exit-side',
    message: `The stop-loss ${quantity(stop)} of a ${side} at ${quantity(entry)} must be ${side === 'buy' ? 'below' : 'above'} it. Nothing was sent.`,
    hint: 'Choose a --stop-loss on the losing side of the entry; --stop-loss 1% is 1% away, on that side.',
  });
}

/** How an order is judged. */
interface Judgment<Order> {
  fits(order: Order): boolean;
  /**
   * The largest size that would fit if every size filled at this order's average price; at or below its own if that
   * does not fit.
   */
  largest(order: Order): number;
}

/** A size that fits, in whole lots, and how it was judged. */
interface Fitting<Order> {
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

/** Says which size fits in place of a refused one, base asset. */
export function fittingText(size: number, { symbol }: Pick<Market, 'symbol'>): string {
  return `The largest size that fits is ${quantity(size)} ${word(symbol)}.`;
}

/**
 * The largest number of lots that fits, 0 if none does, assuming that nothing larger than a misfit fits; tries `about`
 * first.
 */
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
 * halved. It is found when one more lot is known not to fit.
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
  // The largest size known to fit, and the smallest known not to.
  let below = order === undefined ? 0 : 1;
  let above = order === undefined ? 1 : Number.POSITIVE_INFINITY;
  let estimate = lotsIn(largest(lot));
  const rooms: number[] = [];
  for (let left = maxTrials; left > 0 && above - below > 1; left -= 1) {
    const room = above - below;
    // Two trials should halve the range; estimates that took this many don't help, for example where a stop has a step.
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
