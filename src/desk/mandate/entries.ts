import { isReduction, orderKindOf, takesAtOnce } from '../../base/terms/order-types.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { exitRole } from '../account/means.ts';
import type { Exposed } from './mandate.ts';
import type { Entry, Stop } from './stake.ts';

/** The order fields that its worst price depends on. */
interface Priced {
  readonly market_id: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
  /** The kind that was requested; undefined: slices of a TWAP, or copies. */
  readonly kind?: string | undefined;
  readonly limit_price?: number | undefined;
  readonly trigger_price?: number | undefined;
  readonly trigger_market_id?: string | undefined;
  readonly chase_cap_price?: number | undefined;
  readonly chase_offset?: number | undefined;
  readonly slippage_tolerance_bps?: number | undefined;
}

/** A tolerance that no account's ceiling exceeds by default, bps (simulation 6.2). */
const usualToleranceBps = 250;

/**
 * The prices at which an order counts, USD. A purchase with a limit never pays more, and a sale never gets less.
 * Without a limit, the displayed book shows how far from the mark it may fill, twice as far for one that waits; where
 * the book is unknown, the tolerance does. NaN: the mark is unknown.
 */
export function pricesOf({ marks, policy }: Exposed, order: Priced): Pick<Entry, 'price' | 'from' | 'at'> {
  const { market_id, side, size, kind, trigger_price, chase_cap_price: cap, chase_offset: offset = 0 } = order;
  const { meets } = orderKindOf(kind) ?? {};
  // A chase shows the price that it has now.
  const limit = meets === 'follows' ? undefined : order.limit_price;
  const mark = marks.get(market_id);
  const now = mark?.price ?? Number.NaN;
  const isOwnTrigger = order.trigger_market_id === undefined || order.trigger_market_id === market_id;
  const trigger = isOwnTrigger ? trigger_price : undefined;
  const reached = Math.max(now, trigger ?? now);
  const tolerance = (reached * toleranceBps(policy, order)) / 1e4;
  const seen = mark?.depth?.[side];
  const isSeen = seen !== undefined && seen.size >= size;
  const slack = isSeen ? Math.min(tolerance, seen.worst * (takesAtOnce(kind) ? 1 : 2)) : tolerance;
  // Its price follows its market, or it waits for another one: only its own bound says how far.
  const isLoose = meets === 'follows' || kind === undefined || !isOwnTrigger;
  if (side === 'buy') {
    const bound = limit ?? cap;
    const price = bound ?? reached + slack;
    const from = bound ?? (isLoose ? Number.POSITIVE_INFINITY : price);
    return { price, from, at: limit ?? (isLoose ? from : (trigger ?? now)) };
  }
  const price = Math.max(now + offset, trigger ?? 0, limit ?? 0, cap ?? 0);
  const from = limit ?? cap ?? (isLoose ? 0 : Math.min(now, trigger ?? now) - slack);
  return { price, from, at: limit ?? (isLoose ? from : (trigger ?? now)) };
}

function toleranceBps(policy: Exposed['policy'], { market_id, slippage_tolerance_bps: own }: Priced): number {
  const { max, market_order_maximum_by_provider: ofProvider } = policy?.slippage_tolerance_bps ?? {};
  const most = Math.min(max ?? usualToleranceBps, ofProvider?.[market_id.split('|')[0]!] ?? usualToleranceBps);
  return Math.min(own ?? most, most);
}

/** The fields of an order that its entry repeats. */
type Terms = Pick<Order, 'market_id' | 'side' | 'size' | 'leverage' | 'margin_mode'>;

/** An order as an entry at these prices; unless `more` says otherwise, without a stop, and before any of it fills. */
export function entryOf(
  { market_id: market, side, size, leverage, margin_mode }: Terms,
  prices: Pick<Entry, 'price' | 'from' | 'at'>,
  more: Partial<Entry> = {},
): Entry {
  const isIsolated = margin_mode === 'isolated';
  const usual = { id: '', stop: undefined, replaces: false, isBegun: false };
  return { ...usual, market, side, size, ...prices, leverage, isIsolated, ...more };
}

/** A working order that may add exposure, by its worst case. */
export function workingEntry(exposed: Exposed, order: Order): Entry {
  const { id, attached_stop_loss_price: stop, filled_size = 0 } = order;
  const prices = pricesOf(exposed, { ...order, kind: order.mode });
  return entryOf(order, prices, { id, stop, replaces: undefined, isBegun: filled_size > 0 });
}

/** A TWAP of this size, or the rest of one, as an entry. */
export function twapEntry(
  exposed: Exposed,
  twap: Terms & Pick<TwapOrder, 'max_price' | 'min_price'>,
  more?: Partial<Entry>,
): Entry {
  const { market_id, side, size, max_price, min_price } = twap;
  const chase_cap_price = side === 'buy' ? max_price : min_price;
  return entryOf(twap, pricesOf(exposed, { market_id, side, size, chase_cap_price }), more);
}

/** All entries in a market that may add exposure, from the account's own lists. */
export function entriesIn(exposed: Exposed, market: string): Entry[] {
  const { working = [], twaps = [] } = exposed;
  const parents = new Set(twaps.map(({ id }) => id));
  const orders = working.filter((order) => order.market_id === market && !isReduction(order));
  return [
    // The rest of a slice is part of the rest of its TWAP.
    ...orders
      .filter(({ twap_order_id: parent }) => parent === undefined || !parents.has(parent))
      .map((order) => workingEntry(exposed, order)),
    ...twaps
      .map((twap) => ({ ...twap, size: twap.total_size - twap.filled_size }))
      .filter(({ market_id, reduce_only, size }) => market_id === market && !reduce_only && !(size <= 0))
      .map((twap) => twapEntry(exposed, twap, { id: twap.id, isBegun: true })),
  ];
}

/** A working order as a stop of a position; undefined if it isn't one. */
export function stopsOf(orders: readonly Order[], held: Position): Stop[] {
  return orders.flatMap((order) => {
    const { id, size, market_id, side, reduce_only, trigger_price: price } = order;
    const isAgainst = side === (held.side === 'long' ? 'sell' : 'buy');
    if (market_id !== held.market_id || !isAgainst || !reduce_only || price === undefined) return [];
    if (exitRole(order, held) !== 'stop') return [];
    const isSure = order.limit_price === undefined && orderKindOf(order.type)?.meets === 'takes';
    return [{ id, size, price, isExit: order.target_position_id === held.id, isSure }];
  });
}
