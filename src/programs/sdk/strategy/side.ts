import type { Market } from '../../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../../wire/contract/orders.ts';
import type { AccountState, Book, Candle, Fill, Marks, Order, Position, Quote, Trade } from './define-strategy.ts';

/** The view that a strategy's host provides: snapshots of the moment at which it looks. */
export interface View {
  /** Market time, Unix ms. */
  readonly now: number;
  quote(market: Market): Quote;
  book(market: Market): Book;
  marks(market: Market): Marks;
  candles(market: Market): readonly Candle[];
  /** The market's trades since the last request; only read for a strategy with `onTrade`. */
  takeTrades(market: Market): readonly Trade[];
  /** A market's open position, without its profit. */
  holding(market: Market): Omit<Position, 'pnl'>;
  account(): AccountState;
}

/** A strategy's request; the host sends them in this order. */
export type Asked =
  | { readonly kind: 'place'; readonly clientId: string; readonly body: Omit<CreateOrderRequest, 'account_id'> }
  | {
      readonly kind: 'amend';
      readonly order: string;
      readonly change: { readonly price: number; readonly size?: number };
    }
  | { readonly kind: 'cancel'; readonly order: string };

/** Account events since the last look. */
export interface AccountNews {
  readonly fills: readonly Fill[];
  /** The orders that changed, oldest first, as they are now. */
  readonly orders: readonly Order[];
  /** Requests and refusals, in that order. */
  readonly refused: readonly Refused[];
}

/** A refusal; `hasRecord`: the exchange keeps the rejected order, which is among the events. */
export interface Refused {
  readonly asked: Asked;
  readonly code: string;
  readonly message: string;
  readonly hasRecord: boolean;
}

/** The exchange's ids of orders, as an actor knows them. */
export interface OrderIds {
  idOf(order: string): string | undefined;
  accept(clientId: string, id: string): void;
}
