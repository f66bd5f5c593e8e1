import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';

/** An open or planned position: signed size (long above zero), average entry, leverage and margin mode. */
export interface Exposure {
  size: number;
  entry: number;
  leverage: number;
  marginMode: 'cross' | 'isolated';
  /** Extra isolated margin, USD. */
  extraMargin: number;
}

/** The exposure after a trade of `size` (signed) at `price`; null: flat. */
export function afterTrade(
  before: Exposure | null,
  trade: { size: number; price: number; leverage: number; marginMode: 'cross' | 'isolated' },
): Exposure | null {
  const { size, price, leverage, marginMode } = trade;
  if (before === null) return { size, entry: price, leverage, marginMode, extraMargin: 0 };
  const total = rounded(before.size + size);
  if (total === 0) return null;
  if (Math.sign(total) !== Math.sign(before.size))
    return { size: total, entry: price, leverage, marginMode, extraMargin: 0 };
  if (Math.sign(size) !== Math.sign(before.size)) return { ...before, size: total };
  return { ...before, size: total, entry: (before.entry * before.size + price * size) / total };
}

/** Removes binary rounding noise; a billionth of a lot is flat. */
function rounded(size: number): number {
  return Math.abs(size) < 1e-12 ? 0 : Number(size.toPrecision(14));
}

/** An order as it is expected to trade, or as it has traded. */
export type Trade = Pick<
  Order,
  | 'account_id'
  | 'market_id'
  | 'provider'
  | 'symbol'
  | 'coin'
  | 'side'
  | 'size'
  | 'filled_size'
  | 'status'
  | 'leverage'
  | 'margin_mode'
  | 'fill_price'
  | 'requested_at'
>;

/** Open positions after a fill; undefined if the order does not say at which price. */
export function positionsAfter(positions: readonly Position[], order: Trade): readonly Position[] | undefined {
  if (filledSizeOf(order) === 0) return positions;
  if (order.fill_price === undefined) return undefined;
  return traded(
    positions,
    positions.find(({ market_id }) => market_id === order.market_id),
    order,
  );
}

/** How much of an order has filled, base asset. */
export function filledSizeOf({
  status,
  filled_size: filled,
  size,
}: Pick<Order, 'status' | 'filled_size' | 'size'>): number {
  return filled ?? (status === 'filled' ? size : 0);
}

/** A position as an exposure. */
export function exposureOf(position: Position | undefined): Exposure | null {
  if (position === undefined) return null;
  const {
    size,
    side,
    entry_price: entry,
    leverage,
    margin_mode: marginMode,
    isolated_margin_extra: extraMargin,
  } = position;
  return { size: side === 'long' ? size : -size, entry, leverage, marginMode, extraMargin };
}

/** Open positions after a fill of the one that is held in its market. */
export function traded(positions: readonly Position[], held: Position | undefined, order: Trade): Position[] {
  const { account_id, market_id, provider, symbol, coin, leverage, margin_mode: marginMode, fill_price: price } = order;
  const size = order.side === 'buy' ? filledSizeOf(order) : -filledSizeOf(order);
  const after = afterTrade(exposureOf(held), { size, price: price!, leverage, marginMode });
  const others = positions.filter((position) => position !== held);
  if (after === null) return others;
  const isSame = held !== undefined && after.size > 0 === (held.side === 'long');
  const fresh = {
    id: '',
    account_id,
    market_id,
    provider,
    symbol,
    coin,
    status: 'open',
    opened_at: order.requested_at,
  } as const;
  const { liquidation_price: _, ...kept }: Omit<Position, PositionShape> = isSame ? held : fresh;
  return [
    ...others,
    {
      ...kept,
      side: after.size > 0 ? 'long' : 'short',
      size: Math.abs(after.size),
      entry_price: Number(after.entry.toPrecision(15)),
      leverage: after.leverage,
      margin_mode: after.marginMode,
      isolated_margin_extra: after.extraMargin,
    },
  ];
}

/** What a fill determines. */
type PositionShape = 'side' | 'size' | 'entry_price' | 'leverage' | 'margin_mode' | 'isolated_margin_extra';
