import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';

/** An open or planned position: its size, base asset, negative if it is short, and its average entry. */
export interface Exposure {
  readonly size: number;
  readonly entry: number;
}

/** The exposure after a trade of `size` (signed) at `price`; null: flat. */
export function afterTrade(
  before: Exposure | null,
  { size, price }: { readonly size: number; readonly price: number },
): Exposure | null {
  if (before === null) return { size, entry: price };
  const total = rounded(before.size + size);
  if (total === 0) return null;
  if (Math.sign(total) !== Math.sign(before.size)) return { size: total, entry: price };
  if (Math.sign(size) !== Math.sign(before.size)) return { ...before, size: total };
  return { size: total, entry: (before.entry * before.size + price * size) / total };
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
  const { account_id, market_id, provider, symbol, coin, side, leverage, margin_mode, fill_price: price } = order;
  const filled = filledSizeOf(order);
  if (filled === 0) return positions;
  if (price === undefined) return undefined;
  const held = positions.find((position) => position.market_id === market_id);
  const after = afterTrade(exposureOf(held), { size: side === 'buy' ? filled : -filled, price });
  const others = positions.filter((position) => position !== held);
  if (after === null) return others;
  const direction = after.size > 0 ? 'long' : 'short';
  const fresh = {
    id: '',
    account_id,
    market_id,
    provider,
    symbol,
    coin,
    status: 'open',
    leverage,
    margin_mode,
  } as const;
  const { liquidation_price: _, ...kept }: Omit<Position, 'side' | 'size' | 'entry_price'> =
    held?.side === direction ? held : { ...fresh, opened_at: order.requested_at, isolated_margin_extra: 0 };
  const size = Math.abs(after.size);
  return [...others, { ...kept, side: direction, size, entry_price: Number(after.entry.toPrecision(15)) }];
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
  const { size, side, entry_price: entry } = position;
  return { size: side === 'long' ? size : -size, entry };
}

/** When an order was filled, Unix ms. */
export function filledAt(fill: Order): number {
  return fill.settled_at ?? fill.requested_at;
}
