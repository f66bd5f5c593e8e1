import type { Market, Quote } from '../../contract/markets.ts';
import type { CreateOrderRequest, Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { exitCodes, Failure, usageFailure } from '../../ground/failure/failure.ts';
import { quantity, usd } from '../../ground/text/format.ts';
import { openPositions, workingOrders } from '../resolve/holdings.ts';
import { limitFill, quoteOnce, sizedQuote } from '../resolve/quote.ts';
import { type Fitting, fittingSize, type Judgment } from '../risk/fitting-size.ts';
import type { Session } from '../session/session.ts';
import { checkHeldTerms } from './conflicts.ts';
import { gapOf } from './gap.ts';
import {
  estimateOrder,
  exitQuoteOf,
  feeBpsOf,
  floorOf,
  isAgainst,
  look,
  ownPriceOf,
  type Prospect,
} from './prospect.ts';

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
  replaceExits: boolean;
  /** Floors do not limit the size. */
  force: boolean;
  /** The working order that it replaces. */
  amends?: string | undefined;
}

/** The size, and its expected price. */
export interface Sized {
  size: number;
  entry: number;
}

/** An order of one size, with the quotes of that size. */
export interface Tried extends Sized {
  readonly prospect: Prospect;
  readonly notional: number;
}

/** Something that limits a size. */
export interface Bound {
  /** `the available balance of 1,000.00 USD`. */
  readonly says: string;
  isBroken(tried: Tried): boolean;
}

/** The largest size, and what limits it: the bound that one more lot would exceed. */
export interface Largest {
  /** Undefined if not even one lot fits. */
  readonly found: Tried | undefined;
  /** The order of one lot; undefined if the book can't fill it. */
  readonly lot: Tried | undefined;
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
  checkStopped(session, order, seen);
  // A repeated request, which may have been placed under its key, is not judged again.
  const isNew = order.amends === undefined && session.settings.idempotencyKey === undefined;
  if (isNew) checkHeldTerms(seen, order.stop !== undefined);
  const bounds = [...also(seen), ...(await boundsOf(session, seen, order))];
  const judgment: Judgment<Tried> = {
    fits: (tried) => bounds.every((bound) => !bound.isBroken(tried)),
    largest: (tried) => largestOf(tried, bounds, market.size_decimals),
  };
  const fitting = await fittingSize((size) => triedAt(session, order, seen, size), judgment, market.size_decimals);
  return { found: fitting.order, lot: fitting.lot, limit: limitOf(fitting, bounds, market.size_decimals) };
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
  const exitQuote = await exitQuoteOf(session, request, { ...seen, twaps: undefined });
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

async function boundsOf(session: Session, prospect: Prospect, order: MaxOrder): Promise<Bound[]> {
  const { account, policy, positions, quote } = prospect;
  const { risk } = account;
  const bounds: Bound[] = [];
  const held = positions.find(({ market_id }) => market_id === order.market.market_id);
  // What an order frees by closing a position first is left to the service.
  const isFlip = held !== undefined && isAgainst(order, held);
  if (risk !== undefined && !isFlip) {
    const reserved = await reservedByOrders(session, prospect, order.amends);
    const available = Math.max(0, risk.available_balance - reserved);
    const of = reserved > 0 ? `, with ${usd(reserved)} USD reserved by orders` : '';
    bounds.push({
      says: `the available balance of ${usd(available)} USD${of}`,
      isBroken: ({ notional, prospect: { order: tried, quote: now } }) =>
        notional / tried.leverage + (notional * (feeBpsOf({ policy, quote: now }) ?? 0)) / 1e4 > available - rounding,
    });
  }
  const floor = floorOf(account);
  if (floor !== undefined && !order.force && session.settings.floorCheck !== 'off') {
    bounds.push({
      says: `the room of ${usd(floor.room)} USD above the ${floor.name} floor in the worst case`,
      isBroken: ({ prospect: tried }) => lossOf(tried) >= floor.room,
    });
  }
  if (policy === undefined || isFlip) return bounds;
  const value = held === undefined ? 0 : held.size * (quote.mid ?? held.entry_price);
  const most = policy.limits.max_position_value_usd;
  bounds.push({
    says: `the maximum value of a position, ${usd(most)} USD`,
    isBroken: ({ notional }) => value + notional > most - rounding,
  });
  const total = policy.maximum_total_notional_usd;
  if (total !== null) {
    const open = risk?.gross_exposure ?? 0;
    bounds.push({
      says: `the maximum value of all positions, ${usd(total)} USD`,
      isBroken: ({ notional }) => open + notional > total - rounding,
    });
  }
  return bounds;
}

/** USD: sums of doubles are as exact. */
const rounding = 1e-6;

/** The worst case of an order; endless if nothing closes all of it. */
export function lossOf(prospect: Prospect): number {
  const { worst, end } = estimateOrder(prospect);
  if (worst !== undefined) return worst.loss;
  const isStopped = prospect.order.stop_loss_price !== undefined;
  return isStopped && end !== undefined ? Number.POSITIVE_INFINITY : 0;
}

/** The reservations of the account's working orders: margin and fee of each that may add exposure, USD. */
async function reservedByOrders(
  session: Session,
  { order, quote, policy }: Prospect,
  amends: string | undefined,
): Promise<number> {
  const working = await workingOrders(session, order.account_id);
  const fee = (feeBpsOf({ policy, quote }) ?? 0) / 1e4;
  const entries = working.filter(({ reduce_only, id }) => !reduce_only && id !== amends);
  const notionals = await Promise.all(entries.map((entry) => notionalOf(session, entry)));
  return entries.reduce((sum, { leverage }, at) => sum + notionals[at]! * (1 / leverage + fee), 0);
}

/** The notional of a working order at its own price, else at the mark, USD. */
async function notionalOf(session: Session, order: Order): Promise<number> {
  return order.size * (ownPriceOf(order) ?? (await quoteOnce(session, order.market_id)).mid ?? 0);
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

/** The largest size that exceeds no bound, in whole lots. A larger size never exceeds fewer bounds. */
function largestOf(tried: Tried, bounds: readonly Bound[], sizeDecimals: number): number {
  const at = (lots: number) => Number(`${lots}e-${sizeDecimals}`);
  const fits = (lots: number) => bounds.every((bound) => !bound.isBroken(scaled(tried, at(lots))));
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
    exit: exitCodes.rejected,
    code: 'exit_side',
    ruleId: 'exit-side',
    message: `The stop-loss ${quantity(stop)} of a ${side} at ${quantity(entry)} must be ${side === 'buy' ? 'below' : 'above'} it. Nothing was sent.`,
    hint: 'Choose a --stop-loss on the losing side of the entry; --stop-loss 1% is 1% away, on that side.',
  });
}
