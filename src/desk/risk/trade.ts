import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';

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

/** Open positions after a fill; undefined if the order doesn't include its price. */
export function positionsAfter(positions: readonly Position[], order: Trade): readonly Position[] | undefined {
  const { market_id, side, leverage, margin_mode: marginMode, fill_price: price } = order;
  const filled = filledSizeOf(order);
  if (filled === 0) return positions;
  if (price === undefined) return undefined;
  const held = positions.find((position) => position.market_id === market_id);
  const size = side === 'buy' ? filled : -filled;
  const after = afterTrade(exposureOf(held), { size, price, leverage, marginMode });
  const others = positions.filter((position) => position !== held);
  if (after === null) return others;
  const isSame = held !== undefined && after.size > 0 === (held.side === 'long');
  return [...others, positionWith(after, isSame ? held : order)];
}

/** Open positions after successive trades; a trade without a price changes nothing. */
export function positionsAfterAll(positions: readonly Position[], trades: readonly Trade[]): readonly Position[] {
  return trades.reduce((open, trade) => positionsAfter(open, trade) ?? open, positions);
}

/** The filled size of an order, base asset. */
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
  const { size, side, entry_price: entry, leverage, margin_mode: marginMode } = position;
  const extraMargin = position.isolated_margin_extra;
  return { size: side === 'long' ? size : -size, entry, leverage, marginMode, extraMargin };
}

/** An exposure as the position that it changed, or as the one that an order has opened. */
function positionWith(exposure: Exposure, of: Position | Trade): Position {
  const { account_id, market_id, provider, symbol, coin } = of;
  const fresh = { id: '', account_id, market_id, provider, symbol, coin, status: 'open' } as const;
  const { liquidation_price: _, ...kept }: Omit<Position, PositionShape> =
    'entry_price' in of ? of : { ...fresh, opened_at: of.requested_at };
  return {
    ...kept,
    side: exposure.size > 0 ? 'long' : 'short',
    size: Math.abs(exposure.size),
    entry_price: Number(exposure.entry.toPrecision(15)),
    leverage: exposure.leverage,
    margin_mode: exposure.marginMode,
    isolated_margin_extra: exposure.extraMargin,
  };
}

/** The results of a fill. */
type PositionShape = 'side' | 'size' | 'entry_price' | 'leverage' | 'margin_mode' | 'isolated_margin_extra';

/** When an order was filled, Unix ms. */
export function filledAt(fill: Order): number {
  return fill.settled_at ?? fill.requested_at;
}
