import type { Market } from '../../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../../wire/contract/orders.ts';
import type { AccountState, Book, Candle, Fill, Marks, Order, Position, Quote, Trade } from './define-strategy.ts';
import type { Running, RunResult } from './results.ts';

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

const mostLines = 1_000;

/** Collects what a run did. */
export class RunRecord {
  readonly #start: number;
  readonly #log: Running['log'];
  readonly #orders = new Map<string, Order>();
  readonly #fills: Fill[] = [];
  readonly #lines: { time: number; text: string }[] = [];

  constructor(start: number, log: Running['log']) {
    this.#start = start;
    this.#log = log;
  }

  /** Adds news, and returns them. */
  took(news: AccountNews): AccountNews {
    for (const order of news.orders) if (order.id !== null) this.#orders.set(order.id, order);
    this.#fills.push(...news.fills);
    return news;
  }

  /** Adds a line of the strategy's log. */
  logged(text: string, time: number): void {
    if (this.#lines.length >= mostLines) this.#lines.shift();
    this.#lines.push({ time, text });
    this.#log?.(text, time);
  }

  /** Everything so far. */
  result(end: Pick<RunResult, 'account' | 'end' | 'looks'>): RunResult {
    const orders = [...this.#orders].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, order]) => order);
    return { start: this.#start, ...end, orders, fills: this.#fills, log: this.#lines };
  }
}

const workingStatuses: ReadonlySet<Order['status']> = new Set(['sent', 'pending', 'resting']);

/** The orders of a run, as the exchange last showed them. */
export class KnownOrders {
  /** By id, or by client order id until there is one; oldest first. */
  readonly working = new Map<string, Order>();
  readonly #ended = new Set<string>();
  /** The exchange's id of each order by its client order id; null: not answered, or refused. */
  readonly #ids = new Map<string, string | null>();

  /** Remembers an order as it is now; whether the strategy has not seen it like this. */
  note(order: Order): boolean {
    const { id, clientId } = order;
    const key = id ?? clientId!;
    if (clientId !== null) {
      this.#ids.set(clientId, id);
      if (key !== clientId) this.working.delete(clientId);
    }
    const known = this.working.get(key);
    if (this.#ended.has(key) || (known !== undefined && isSame(known, order))) return false;
    if (workingStatuses.has(order.status)) this.working.set(key, Object.freeze(order));
    else {
      this.working.delete(key);
      this.#ended.add(key);
    }
    return true;
  }

  /** The exchange's id of a new order, before its record is known. */
  accept(clientId: string, id: string): void {
    this.#ids.set(clientId, id);
  }

  /** The exchange's id of an order, by either id; undefined if it never got one. */
  idOf(order: string): string | undefined {
    return this.#ids.has(order) ? (this.#ids.get(order) ?? undefined) : order;
  }

  /** Whether an order of the run has this client order id. */
  hasName(clientId: string): boolean {
    return this.#ids.has(clientId);
  }
}

function isSame(one: Order, other: Order): boolean {
  return (
    one.status === other.status &&
    one.filled === other.filled &&
    one.size === other.size &&
    one.price === other.price &&
    one.triggerPrice === other.triggerPrice
  );
}
