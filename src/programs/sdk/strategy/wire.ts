import type { Account } from '../../../wire/contract/accounts.ts';
import type { Quote as WireQuote } from '../../../wire/contract/markets.ts';
import type { Order as WireOrder } from '../../../wire/contract/orders.ts';
import type { Position as WirePosition } from '../../../wire/contract/positions.ts';
import type { SimulationBook } from '../../../wire/contract/simulation-history.ts';
import type { BookUpdate, Candle as CandleEvent } from '../client/client-types.ts';
import type { AccountState, Book, Candle, Fill, Marks, Order, Position, Quote } from './define-strategy.ts';

/** An order of the API as a strategy sees it. */
export function orderOf(order: WireOrder): Order {
  return {
    id: order.id,
    clientId: order.client_order_id ?? null,
    market: order.market_id,
    side: order.side,
    type: order.mode,
    size: order.initial_size ?? order.size,
    filled: order.filled_size ?? 0,
    price: order.limit_price ?? null,
    triggerPrice: order.trigger_price ?? null,
    reduceOnly: order.reduce_only,
    status: order.status,
    reason: order.reject_reason ?? null,
    message: order.reject_message ?? null,
  };
}

/** Whether a record is only a part of an order's execution. */
export function isPart({ partial_of_order_id }: Pick<WireOrder, 'partial_of_order_id'>): boolean {
  return partial_of_order_id !== undefined && partial_of_order_id !== null;
}

/** A fill of the API as a strategy sees it; `clientId` is that of the order that was executed. */
export function fillOf(fill: WireOrder, clientId: string | null): Fill {
  return {
    id: fill.id,
    orderId: orderIdOf(fill),
    clientId,
    market: fill.market_id,
    side: fill.side,
    size: fill.size,
    price: fill.fill_price ?? 0,
    notional: fill.notional ?? 0,
    fee: fill.fee ?? 0,
    pnl: fill.realized_pnl ?? null,
    role: fill.liquidity_role ?? 'taker',
    time: fill.settled_at ?? fill.requested_at,
  };
}

/** The order that a fill belongs to. */
export function orderIdOf(fill: WireOrder): string {
  return fill.partial_fill_root_order_id ?? fill.partial_of_order_id ?? fill.id;
}

/** A quote of the API as a strategy sees it; null if there is no fresh one. */
export function quoteOf(market: string, quote: WireQuote | null): Quote {
  if (quote === null) return { market, bid: null, ask: null, mid: null, time: null };
  const { bid, ask, mid, time } = quote;
  return { market, bid, ask, mid, time };
}

/** A market's own prices of a simulation as a strategy sees them; null: there are none. */
export function marksOf(market: string, marks: SimulationBook['marks']): Marks {
  if (marks === null)
    return { market, mark: null, index: null, fundingRate: null, fundingHours: null, nextFundingAt: null, time: null };
  const { mark, index, funding_rate, funding_hours, next_funding_at, time } = marks;
  const funding = { fundingRate: funding_rate, fundingHours: funding_hours, nextFundingAt: next_funding_at };
  return { market, mark, index, ...funding, time };
}

/** A market without an open position. */
export function nothingOpen(market: string): Omit<Position, 'pnl'> {
  return { market, size: 0, entryPrice: null, leverage: null, marginMode: null, openedAt: null, funding: 0 };
}

/** An open position of the API as a strategy sees it, without its profit. */
export function holdingOf(position: WirePosition): Omit<Position, 'pnl'> {
  const { market_id, side, size, entry_price, leverage, margin_mode, opened_at, funding } = position;
  return {
    market: market_id,
    size: side === 'long' ? size : -size,
    entryPrice: entry_price,
    leverage,
    marginMode: margin_mode,
    openedAt: opened_at,
    funding: funding ?? 0,
  };
}

/** An account of the API as a strategy sees it. */
export function accountOf({ status, balance, risk }: Account): AccountState {
  return {
    status,
    balance,
    equity: risk?.equity ?? null,
    available: risk?.available_balance ?? null,
    dailyLossRoom: risk?.daily_loss_room ?? null,
    drawdownRoom: risk?.max_drawdown_room ?? null,
    targetRoom: risk?.remaining_profit ?? null,
  };
}

/** A book that nobody else holds. */
export function copyOfBook(book: Book): Book {
  return {
    ...book,
    bids: book.bids.map(([price, size]) => [price, size]),
    asks: book.asks.map(([price, size]) => [price, size]),
  };
}

/** Whether two books are equal: several changes can have the same time. */
export function isSameBook(one: Book, other: Book): boolean {
  return one === other || (one.time === other.time && hasSame(one.bids, other.bids) && hasSame(one.asks, other.asks));
}

function hasSame(one: Book['bids'], other: Book['bids']): boolean {
  const isSame = ([price, size]: Book['bids'][number], at: number) => price === other[at]![0] && size === other[at]![1];
  return one.length === other.length && one.every(isSame);
}

/** A book of the stream as a strategy sees it. */
export function bookOf(market: string, { bids, asks, time }: BookUpdate): Book {
  const levels = (side: BookUpdate['bids']) => side.map(({ px, sz }) => [Number(px), Number(sz)] as const);
  return { market, bids: levels(bids), asks: levels(asks), time };
}

/** A candle of the stream as a strategy sees it. */
export function candleOf({ openTime, open, high, low, close, volume, trades }: CandleEvent): Candle {
  const prices = { open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
  return { time: openTime, ...prices, volume: Number(volume), trades };
}
