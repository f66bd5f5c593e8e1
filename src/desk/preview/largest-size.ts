import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { quantity, usd } from '../../base/text/format.ts';
import type { Market, Quote } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { openPositions } from '../resolve/holdings.ts';
import { limitFill, sizedQuote } from '../resolve/quote.ts';
import { type Fitting, fittingSize, type Judgment } from '../risk/fitting-size.ts';
import type { Session } from '../session/session.ts';
import { type Bound, exposureBounds, smallestOf, type Tried } from './bounds.ts';
import { checkPlaceable } from './conflicts.ts';
import { gapOf } from './gap.ts';
import { worstCaseOf } from './order-worst-case.ts';
import { estimateOrder, exitQuoteOf, floorOf, look, type Prospect } from './prospect.ts';

/** The stop of an order that trades at this price. */
export type StopAt = (entry: number) => Promise<number>;

/** An order whose largest size is wanted. */
export interface MaxOrder {
  account_id: string;
  market: Market;
  side: 'buy' | 'sell';
  limit: number | undefined;
  /** Mark of its own market that triggers it. */
  trigger: number | undefined;
  type: CreateOrderRequest['type'];
  leverage: number;
  margin_mode: 'cross' | 'isolated';
  /** Maximum distance from mid set by the order, bps. */
  slippage: number | undefined;
  /** The stop of an order that trades at this price; undefined without a stop. */
  stop: ((entry: number) => Promise<number>) | undefined;
  /** Whether it has a take-profit. */
  hasTarget: boolean;
  replaceExits: boolean;
  /** Its size is typed as `max` or a risk; else it is suggested in place of one that is refused. */
  isTyped: boolean;
  /** Floors do not limit the size. */
  force: boolean;
  /** The working order that it replaces. */
  amends?: string | undefined;
}

/** The largest size, and what limits it: the bound that one more lot would exceed. */
export interface Largest {
  /** Undefined if not even one lot fits. */
  readonly found: Tried | undefined;
  /** The order of one lot; undefined if the book can't fill it. */
  readonly lot: Tried | undefined;
  /** The smallest order that would be accepted, in words. */
  readonly smallest: string;
  /** Undefined: what the visible book can fill. */
  readonly limit: Bound | undefined;
}

/** What a size is limited by if no bound limits it. */
export const byBook = 'the size that the visible book can fill within the slippage tolerance';

/** The largest size that exceeds no bound, each size judged by its own quotes. `also`: a bound besides the usual ones. */
export async function largestWithin(
  session: Session,
  order: MaxOrder,
  also: (prospect: Prospect) => readonly Bound[] = () => [],
): Promise<Largest> {
  const { market } = order;
  const positions = await openPositions(session);
  const seen = await seenFor(session, order, positions);
  if (order.isTyped) checkStopped(session, order, seen);
  // A repeated request, which may have been placed under its key, is not judged again.
  const isNew = order.amends === undefined && session.settings.idempotencyKey === undefined;
  if (isNew) checkPlaceable(seen, { sl: order.stop !== undefined, tp: order.hasTarget });
  const bounds = [...also(seen), ...floorBounds(session, seen, order), ...(await exposureBounds(session, seen, order))];
  const smallest = smallestOf(seen);
  const fits = (tried: Tried) => smallest.isBelow(tried) || bounds.every((bound) => !bound.isBroken(tried));
  const judgment: Judgment<Tried> = { fits, largest: (tried) => largestOf(tried, fits, market.size_decimals) };
  const fitting = await fittingSize((size) => triedAt(session, order, seen, size), judgment, market.size_decimals);
  const limit = limitOf(fitting, bounds, market.size_decimals);
  const { order: found, lot } = fitting;
  return { found: found && smallest.isBelow(found) ? undefined : found, lot, smallest: smallest.says, limit };
}

function limitOf({ order, lot, isTooDeep }: Fitting<Tried>, bounds: readonly Bound[], decimals: number) {
  const step = 10 ** -decimals;
  const more = order === undefined ? lot : scaled(order, Number((order.size + step).toFixed(decimals)));
  return isTooDeep || more === undefined ? undefined : bounds.find((bound) => bound.isBroken(more));
}

/** What every size has in common. */
async function seenFor(session: Session, order: MaxOrder, positions: readonly Position[]): Promise<Prospect> {
  const { market, amends } = order;
  const lot = 10 ** -market.size_decimals;
  const [seen, gap] = await Promise.all([
    look(session, requestOf(order, lot, undefined), market, positions, amends),
    order.stop === undefined ? undefined : gapOf(session, market),
  ]);
  return gap === undefined ? seen : { ...seen, gap };
}

/** An order of one size; undefined if the visible book does not fill it, or not close it within the tolerance. */
async function triedAt(session: Session, order: MaxOrder, seen: Prospect, size: number): Promise<Tried | undefined> {
  const { market, side, account_id } = order;
  const quote = await sizedQuote(session, { market_id: market.market_id, account_id, side, size });
  const filled = fillOf(order, size, quote);
  if (filled === undefined || isBeyondTolerance(seen, order, quote.worst_price)) return undefined;
  const stop = await order.stop?.(filled.entry);
  if (stop !== undefined) checkSide(order, stop, filled.entry);
  const request = requestOf(order, size, stop);
  const exitQuote = await exitQuoteOf(session, request, seen);
  return { size, ...filled, prospect: { ...seen, quote, exitQuote, order: request } };
}

/** Without a stop, a cross position of any size can lose all of the room, so there is no largest size. */
function checkStopped(session: Session, order: MaxOrder, { account }: Prospect): void {
  const floor = floorOf(account);
  if (order.stop !== undefined || order.margin_mode === 'isolated' || floor === undefined) return;
  if (order.force || session.settings.floorCheck === 'off') return;
  throw usageFailure(
    `max needs a stop: a cross position without one can lose all of the ${usd(floor.room)} USD above the ${floor.name} floor, whatever its size.`,
    'Add --stop-loss, such as --stop-loss 1%, or use --margin isolated; --force sizes by margin and limits alone.',
  );
}

function requestOf(order: MaxOrder, size: number, stop: number | undefined): CreateOrderRequest {
  const { type, account_id, market, side, leverage, margin_mode, limit, trigger } = order;
  return {
    type,
    account_id,
    market_id: market.market_id,
    side,
    size,
    leverage,
    margin_mode,
    limit_price: limit,
    trigger_price: trigger,
    stop_loss_price: stop,
    replace_overlapping_exits: order.replaceExits || undefined,
  };
}

function floorBounds({ settings }: Session, { account }: Prospect, { force }: MaxOrder): Bound[] {
  const floor = floorOf(account);
  if (floor === undefined || force || settings.floorCheck === 'off') return [];
  const says = `the room of ${usd(floor.room)} USD above the ${floor.name} floor in the worst case`;
  return [{ says, isBroken: ({ prospect: tried }) => worstCaseOf(tried, estimateOrder(tried)) !== undefined }];
}

/** The worst case of an order; endless if nothing closes all of it. */
export function lossOf(prospect: Prospect): number {
  const { worst, end } = estimateOrder(prospect);
  if (worst !== undefined) return worst.loss;
  const isStopped = prospect.order.stop_loss_price !== undefined;
  return isStopped && end !== undefined ? Number.POSITIVE_INFINITY : 0;
}

/** Whether a market order's slippage would exceed its tolerance. */
function isBeyondTolerance({ policy, quote, market }: Prospect, order: MaxOrder, worst: number | undefined): boolean {
  if (order.limit !== undefined || policy === undefined || worst === undefined || quote.mid === null) return false;
  const { max, market_order_maximum_by_provider: byProvider } = policy.slippage_tolerance_bps;
  const tolerance = Math.min(order.slippage ?? max, max, byProvider[market.provider] ?? max);
  return (Math.abs(worst - quote.mid) / quote.mid) * 1e4 > tolerance;
}

/** The same order with another size, if every size filled, and was closed, at its average price. */
function scaled({ size, entry, notional, prospect }: Tried, to: number): Tried {
  const share = to / size;
  const { quote, exitQuote, order } = prospect;
  return {
    size: to,
    entry,
    notional: notional * share,
    prospect: {
      ...prospect,
      order: { ...order, size: to },
      quote: scaledQuote(quote, share),
      // It holds what else is closed, too, which does not shrink with the order.
      exitQuote: exitQuote && scaledQuote(exitQuote, Math.max(1, share)),
    },
  };
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

/** The largest size that fits, in whole lots. If a size does not fit, no larger one does. */
function largestOf(tried: Tried, fitsSized: (tried: Tried) => boolean, sizeDecimals: number): number {
  const at = (lots: number) => Number(`${lots}e-${sizeDecimals}`);
  const fits = (lots: number) => fitsSized(scaled(tried, at(lots)));
  let below = 0;
  let above = 1;
  while (above < maxLots && fits(above)) {
    below = above;
    above *= 2;
  }
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (fits(middle)) below = middle;
    else above = middle;
  }
  return at(below);
}

const maxLots = 2 ** 50;

/** The notional and price of a size, from walking the visible book; undefined if the book does not fill it. */
function fillOf({ side, limit, trigger }: Pick<MaxOrder, 'side' | 'limit' | 'trigger'>, size: number, quote: Quote) {
  const { estimated_fill_price: fill, estimated_notional: notional, mid } = quote;
  if (limit !== undefined) {
    const entry = trigger === undefined ? limitFill(side, limit, quote) : limit;
    return { entry, notional: entry === fill && notional !== undefined ? notional : entry * size };
  }
  if (fill === undefined || notional === undefined || quote.fillable === false) return undefined;
  if (trigger === undefined) return { entry: fill, notional };
  // Once triggered, its slippage is assumed to be that of walking the book now.
  const entry = trigger + fill - (mid ?? fill);
  return { entry: trigger, notional: entry * size };
}

/** A stop at or beyond the entry would trigger at once. */
function checkSide({ side }: Pick<MaxOrder, 'side'>, stop: number, entry: number): void {
  if (side === 'buy' ? stop < entry : stop > entry) return;
  throw new Failure({
    code: 'exit_side',
    ruleId: 'exit-side',
    message: `The stop-loss ${quantity(stop)} of a ${side} at ${quantity(entry)} must be ${side === 'buy' ? 'below' : 'above'} it. Nothing was sent.`,
    hint: 'Choose a --stop-loss on the losing side of the entry; --stop-loss 1% is 1% away, on that side.',
  });
}
