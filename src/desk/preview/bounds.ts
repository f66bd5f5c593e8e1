import { takesAtOnce } from '../../base/terms/order-types.ts';
import { quantity, usd, word } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { quoteOnce } from '../resolve/quote.ts';
import type { Session } from '../session/session.ts';
import type { Judged } from './judged.ts';
import { feeBpsOf, isAgainst, ownPriceOf, type Prospect } from './prospect.ts';

/** Something that limits a size. */
export interface Bound {
  /** `the available balance of 1,000.00 USD`. */
  readonly says: string;
  isBroken(tried: Judged): boolean;
}

/** USD: sums of doubles are as exact. */
const rounding = 1e-6;

/**
 * The limits on the exposure that an order adds (simulation 3.4), as far as answers show them: margin, and the policy's
 * limits. `move`: the share by which every mark may be worse when the order is placed.
 */
export async function exposureBounds(
  session: Session,
  seen: Prospect,
  { amends, move }: { amends: string | undefined; move: number },
): Promise<Bound[]> {
  const { account, policy, positions, quote, order, market } = seen;
  const { risk } = account;
  const bounds: Bound[] = [];
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const closes = held !== undefined && isAgainst(order, held);
  const open = risk?.gross_exposure ?? 0;
  if (risk !== undefined) {
    const reserved = await reservedByOrders(session, seen, amends);
    const available = Math.max(0, risk.available_balance - reserved);
    const of = reserved > 0 ? `, with ${usd(reserved)} USD reserved by orders` : '';
    bounds.push({
      says: closes
        ? `the available balance once the ${held.side} ${quantity(held.size)} ${word(market.symbol)} is closed`
        : `the available balance of ${usd(available)} USD${of}`,
      isBroken: (tried) => {
        const added = addedNotional(tried, held);
        if (added === 0) return false;
        const fee = added * feeShareOf(tried);
        const left = closes ? availableAfter(tried, held) - reserved : available;
        return (added / tried.order.leverage + fee) * (1 + move) > left - open * move - rounding;
      },
    });
  }
  if (policy === undefined) return bounds;
  const value = held === undefined ? 0 : held.size * (quote.mid ?? held.entry_price);
  const most = policy.limits.max_position_value_usd;
  bounds.push({
    says: `the maximum value of a position, ${usd(most)} USD`,
    isBroken: (tried) => ((closes ? 0 : value) + addedNotional(tried, held)) * (1 + move) > most - rounding,
  });
  const total = policy.maximum_total_notional_usd;
  if (total === null) return bounds;
  bounds.push({
    says: `the maximum value of all positions, ${usd(total)} USD`,
    isBroken: (tried) => {
      const closed = closes ? (value * closedSize(tried, held)) / held.size : 0;
      return (open - closed + addedNotional(tried, held)) * (1 + move) > total - rounding;
    },
  });
  return bounds;
}

/** An order's value where it is placed: at its own price, else at the mark, USD. */
function referenceOf({ order, quote, market }: Judged): number {
  const { size, limit_price: limit, trigger_price: trigger } = order;
  // A trigger counts to the nearest price of the grid.
  const own = limit ?? (trigger === undefined ? undefined : trigger + (market.tick_size ?? 0) / 2);
  return size * (own ?? quote.mid ?? 0);
}

/**
 * The notional of the exposure that an order adds: of its fill, if it surely fills at once; else the larger one of that
 * and where it is placed.
 */
function addedNotional(tried: Judged, held: Position | undefined): number {
  const { order, policy, notional = 0 } = tried;
  const share = (order.size - closedSize(tried, held)) / order.size;
  const isAtOnce = takesAtOnce(order.type) && policy?.limits.execution_delay_max_ms === 0;
  return share * (isAtOnce ? notional : Math.max(notional, referenceOf(tried)));
}

/** The part of an order that closes a position, after earlier orders of its side. */
function closedSize({ order, working = [] }: Judged, held: Position | undefined): number {
  if (held === undefined || !isAgainst(order, held)) return 0;
  const earlier = working.filter(
    (one) => one.market_id === order.market_id && one.side === order.side && !one.reduce_only,
  );
  const left = earlier.reduce((rest, one) => rest - one.size, held.size);
  return Math.min(order.size, Math.max(0, Number(left.toPrecision(15))));
}

/** The available balance after an order's closing part: its margin is released, its result is booked. */
function availableAfter(tried: Judged, held: Position): number {
  const { account, order, quote, notional = 0 } = tried;
  const { balance, risk } = account;
  const { side, entry_price: entry, leverage, margin_mode: mode, isolated_margin_extra: extra } = held;
  const closed = closedSize(tried, held);
  const sign = side === 'long' ? 1 : -1;
  const values = [notional, referenceOf(tried)].map((whole) => (whole * closed) / order.size);
  const value = side === 'long' ? Math.min(...values) : Math.max(...values);
  const margin = (held.size * entry) / leverage + extra;
  const charged = sign * (value - closed * entry) - value * feeShareOf(tried);
  const result = mode === 'isolated' ? Math.max(charged, -margin) : charged;
  const onPaper = sign * closed * ((quote.mid ?? entry) - entry);
  const equity = (risk?.equity ?? balance) + result - onPaper;
  const used = (risk?.margin_used ?? 0) - (margin * closed) / held.size;
  return Math.max(0, Math.min(balance + result, equity) - used);
}

function feeShareOf(prospect: Prospect): number {
  return (feeBpsOf(prospect) ?? 0) / 1e4;
}

/** The reservations of the account's working orders: margin and fee of each that may add exposure, USD. */
async function reservedByOrders(session: Session, seen: Prospect, amends: string | undefined): Promise<number> {
  const working = await workingOrders(session, seen.order.account_id);
  const fee = feeShareOf(seen);
  const entries = working.filter(({ reduce_only, id }) => !reduce_only && id !== amends);
  const notionals = await Promise.all(entries.map((entry) => notionalOf(session, entry)));
  return entries.reduce((sum, { leverage }, at) => sum + notionals[at]! * (1 / leverage + fee), 0);
}

/** The notional of a working order at its own price, else at the mark, USD. */
async function notionalOf(session: Session, order: Order): Promise<number> {
  return order.size * (ownPriceOf(order) ?? (await quoteOnce(session, order.market_id)).mid ?? 0);
}

/** A bound in words: the smallest order that adds exposure exceeds it. */
export function smallestOf(prospect: Prospect): { readonly says: string; isBelow(tried: Judged): boolean } {
  const { order, market, policy, positions } = prospect;
  const symbol = word(market.symbol);
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const minimum = policy?.limits.min_order_notional_usd ?? 0;
  if (held !== undefined && isAgainst(order, held)) {
    const says = `more than the ${held.side} ${quantity(held.size)} ${symbol}`;
    return { says, isBelow: (tried) => tried.order.size <= held.size };
  }
  const lot = 10 ** -market.size_decimals;
  const isLot = lot * (prospect.quote.mid ?? 0) >= minimum;
  return {
    says: isLot ? `one lot of ${symbol}` : `an order of the minimum, ${usd(minimum)} USD,`,
    isBelow: (tried) => Math.min(tried.notional ?? 0, referenceOf(tried)) < minimum,
  };
}
