import type { CandleInterval } from '../client/client-types.ts';
import type { CreateOrderRequest } from '../client/operations.generated.ts';

/** A value of a parameter: the default decides its type. */
export type ParameterValue = number | string | boolean;
/** A strategy's parameters by name. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

/** The parameters that a run has: names and types of the defaults, any values. */
export type ValuesOf<P extends Parameters> = { readonly [Name in keyof P]: AnyOf<P[Name]> };
type AnyOf<V extends ParameterValue> = V extends number ? number : V extends string ? string : boolean;

/** Called at an interval. Declared as a method, so that a strategy with parameters is a `Strategy`, too. */
export type IntervalCallback<P extends Parameters = Parameters> = { call(bot: Bot<ValuesOf<P>>): void }['call'];

/**
 * A strategy: what it trades, and what it does when something happens. Callbacks are synchronous, read snapshots of one
 * moment of the market, and see the effect of their requests only in a later callback. The same strategy runs on the
 * engine, in a served simulation and live.
 */
export interface Strategy<P extends Parameters = Parameters> {
  /** Shown with its results. */
  readonly name?: string;
  /** The markets that it may read and trade: symbols, coins or ids. */
  readonly markets: readonly string[];
  /** The parameters with their defaults; a run may change values, but not add names. */
  readonly parameters?: P;
  /**
   * How often it looks at the market, as a duration of market time: `1s`. Everything that happened since the last look
   * is then delivered in this order: fills, orders, funding, trades, quotes, books. Default `100ms`.
   */
  readonly pace?: string;
  /** The number and length of past candles it needs: `bot.candles` has them from `start` on. */
  readonly history?: { readonly candles: CandleInterval; readonly length: number };
  /** Once, before anything else. */
  start?(bot: Bot<ValuesOf<P>>): void;
  /** The best prices of a market have changed. */
  onTick?(bot: Bot<ValuesOf<P>>, quote: Quote): void;
  /** The book of a market has changed. */
  onBook?(bot: Bot<ValuesOf<P>>, book: Book): void;
  /** An order of the account was executed, all of it or a part. */
  onFill?(bot: Bot<ValuesOf<P>>, fill: Fill): void;
  /** An order of the account has changed: accepted, rejected, filled, canceled. */
  onOrder?(bot: Bot<ValuesOf<P>>, order: Order): void;
  /** A request of the strategy was refused; a refused new order is also passed to `onOrder`, as rejected. */
  onRefusal?(bot: Bot<ValuesOf<P>>, refusal: Refusal): void;
  /** An open position has paid or received funding; in a simulation its carry. */
  onFunding?(bot: Bot<ValuesOf<P>>, funding: Funding): void;
  /** The market has traded. */
  onTrade?(bot: Bot<ValuesOf<P>>, trade: Trade): void;
  /** Callbacks for every full interval of market time, by duration: `{ '1m'(bot) { … } }`. */
  readonly every?: Readonly<Record<string, IntervalCallback<P>>>;
  /** Once, after everything else: the run is over, or the account has ended. Its requests are still sent. */
  end?(bot: Bot<ValuesOf<P>>): void;
}

/** A running strategy: its current view, and its actions. Every read is a snapshot; nothing returns a promise. */
export interface Bot<P extends Parameters = Parameters> {
  /** The values of this run. */
  readonly parameters: P;
  /** The ids of the strategy's markets, in the order in which it names them. */
  readonly markets: readonly string[];
  /** Market time, Unix ms. */
  readonly now: number;
  /** A random number from 0 to below 1. The seed of the run decides the sequence. */
  random(): number;
  /** Fixed properties of a market, and the rounding of its sizes and prices. */
  market(market: string): MarketFacts;
  /** The best prices now. */
  quote(market: string): Quote;
  /** The book now: the levels that the stream of books shows. */
  book(market: string): Book;
  /** The market's own mark, index and funding rate, as last told. */
  marks(market: string): Marks;
  /** The last closed candles, oldest first: as many as `history` requests, or as exist. */
  candles(market: string): readonly Candle[];
  /** The account's open position in a market; size 0 if there is none. */
  position(market: string): Position;
  /** Balance, equity, and the distance to both floors. */
  account(): AccountState;
  /** Working orders, oldest first, those of exits and those not yet answered included. */
  orders(market?: string): readonly Order[];
  /** Places an order and returns its client order id. */
  place(order: OrderRequest): string;
  /** Moves the price of a working order (for a waiting trigger: its trigger price), and its size if given. */
  amend(id: string, change: { readonly price: number; readonly size?: number }): void;
  /** Cancels a working order, by its client order id or its id. */
  cancel(id: string): void;
  /** Cancels all working orders, or those of one market; returns how many. */
  cancelAll(market?: string): number;
  /** Closes a position, or a part of it, at the market; returns the client order id, or null if nothing is open. */
  close(market: string, size?: number): string | null;
  /** Calls back once, after a duration of market time. */
  after(duration: string | number, callback: () => void): void;
  /** Calls back once, at a time of the market, Unix ms. */
  at(time: number, callback: () => void): void;
  /** Adds a line to the log of the run. */
  log(text: string): void;
}

/** Fixed properties of a market. Sizes and prices off its grid are refused, not rounded: rounding has a name. */
export interface MarketFacts {
  readonly market: string;
  readonly symbol: string;
  /** Smallest size, and the step between sizes, in base asset. */
  readonly sizeStep: number;
  /** Smallest step between prices; null if unknown. */
  readonly priceStep: number | null;
  readonly maxLeverage: number;
  /** The next whole size below or above. Default: below, so that it never costs more. */
  roundSize(size: number, toward?: 'down' | 'up'): number;
  /** The next price of the grid below or above. */
  roundPrice(price: number, toward: 'down' | 'up'): number;
}

/** The best prices of a market; null where there is none, or none that is fresh. */
export interface Quote {
  readonly market: string;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly mid: number | null;
  /** When the market last published its book, Unix ms; null if never. */
  readonly time: number | null;
}

/** A book: levels best first, as price and size in base asset. Empty if it is not known. */
export interface Book {
  readonly market: string;
  readonly bids: readonly (readonly [price: number, size: number])[];
  readonly asks: readonly (readonly [price: number, size: number])[];
  /** When the market last published it, Unix ms; null if never. */
  readonly time: number | null;
}

/** The account's open position in a market. */
export interface Position {
  readonly market: string;
  /** Base asset: above zero if long, below if short, 0 if nothing is open. */
  readonly size: number;
  /** Average price; null if nothing is open. */
  readonly entryPrice: number | null;
  /** Profit at the midpoint, USD, before costs; null if the midpoint is not known. */
  readonly pnl: number | null;
  readonly leverage: number | null;
  readonly marginMode: 'cross' | 'isolated' | null;
  readonly openedAt: number | null;
  /** The funding, or carry, that it has paid so far, USD; below zero: received. */
  readonly funding: number;
}

/** A candle of a market's trades that has closed. */
export interface Candle {
  /** When it opened, Unix ms. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base asset. */
  readonly volume: number;
  /** The number of trades; null if the host doesn't report it. */
  readonly trades: number | null;
}

/** A public trade of the market. */
export interface Trade {
  readonly market: string;
  /** The taker's. */
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** Base asset. */
  readonly size: number;
  /** Unix ms. */
  readonly time: number;
}

/** A venue's figures of its market; null if unknown. On synthetic markets, the carry is the funding. */
export interface Marks {
  readonly market: string;
  readonly mark: number | null;
  readonly index: number | null;
  /** A fraction per `fundingHours`. */
  readonly fundingRate: number | null;
  readonly fundingHours: number | null;
  /** Unix ms. */
  readonly nextFundingAt: number | null;
  /** When the market last reported its prices, Unix ms. */
  readonly time: number | null;
}

/** Payments of an open position since the last look. */
export interface Funding {
  readonly market: string;
  /** USD; below zero: received. */
  readonly amount: number;
  /** Market time of the look, Unix ms. */
  readonly time: number;
}

/** Balance, equity and floors of the account, USD. Null: not known now, or the plan has no such rule. */
export interface AccountState {
  readonly status: string;
  readonly balance: number;
  readonly equity: number | null;
  /** Margin available to new positions. */
  readonly available: number | null;
  readonly dailyLossRoom: number | null;
  readonly drawdownRoom: number | null;
  /** Profit still to be realized. */
  readonly targetRoom: number | null;
}

/** The kinds of orders that can be placed. */
export type OrderType = NonNullable<CreateOrderRequest['type']>;

/** An order to place. Numbers must be on the market's grid; binary noise such as 0.1 + 0.2 counts as on it. */
export interface OrderRequest {
  readonly market: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** Default: `limit` with a price, else `market`. */
  readonly type?: OrderType;
  /** The limit price. */
  readonly price?: number;
  readonly triggerPrice?: number;
  /** Attached exits of the position that the order opens. */
  readonly takeProfit?: number;
  readonly stopLoss?: number;
  /** A limit order may not take from the book: it is rejected if it would. */
  readonly postOnly?: boolean;
  readonly reduceOnly?: boolean;
  /** Default 1. */
  readonly leverage?: number;
  /** Default `cross`. */
  readonly marginMode?: 'cross' | 'isolated';
  readonly timeInForce?: 'ioc' | 'fok' | 'gtd';
  /** When a `gtd` order expires, Unix ms. */
  readonly expiresAt?: number;
  /** The largest distance of the worst fill from the midpoint, in basis points. */
  readonly slippageBps?: number;
  /** For a `chase`: the distance from the best price on its side, and the price that it never passes. */
  readonly chaseOffset?: number;
  readonly chaseLimit?: number;
  /** For a `conditional`: the market whose mark triggers it, and the side from which the mark comes. */
  readonly triggerMarket?: string;
  readonly triggerDirection?: 'above' | 'below';
  /** Default: a new one. */
  readonly clientId?: string;
}

/** An order as the exchange last showed it. */
export interface Order {
  /** The exchange's id; null until it has answered, and for an order that it refused without a record. */
  readonly id: string | null;
  /** The client order id; null for an order that the exchange placed itself, such as an exit. */
  readonly clientId: string | null;
  readonly market: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  /** As placed, base asset. */
  readonly size: number;
  readonly filled: number;
  readonly price: number | null;
  readonly triggerPrice: number | null;
  readonly reduceOnly: boolean;
  /** `sent`: not answered yet. `pending` and `resting` are working, the others final. */
  readonly status: 'sent' | 'pending' | 'resting' | 'filled' | 'rejected' | 'expired' | 'canceled';
  /** Why it was rejected or canceled, as a code: `insufficient_margin`. */
  readonly reason: string | null;
  /** The same, as a sentence. */
  readonly message: string | null;
}

/** One execution. */
export interface Fill {
  readonly id: string;
  /** The order that was executed. */
  readonly orderId: string;
  readonly clientId: string | null;
  readonly market: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
  /** Average price. */
  readonly price: number;
  /** USD. */
  readonly notional: number;
  /** USD. */
  readonly fee: number;
  /** Profit of what it closed, USD, before costs; null if it closed nothing. */
  readonly pnl: number | null;
  readonly role: 'maker' | 'taker';
  /** Unix ms. */
  readonly time: number;
}

/** Why a strategy's request was not carried out. */
export interface Refusal {
  readonly asked: 'place' | 'amend' | 'cancel';
  /** The client order id or id that the strategy named. */
  readonly order: string;
  /** The service's code: `rule_violation`, `order_terminal`. */
  readonly code: string;
  readonly message: string;
}

/** A strategy's error, as a code. */
export type StrategyErrorCode = 'definition' | 'parameter' | 'callback' | 'request' | 'market' | 'flood' | 'ended';

/** A strategy can't run, or can't go on. `at` names the callback, `field` the value at fault. */
export class StrategyError extends Error {
  readonly code: StrategyErrorCode;
  /** The callback in which it happened: `onTick`, `every 1s`; undefined outside of one. */
  at: string | undefined;
  /** The field or parameter at fault; undefined if none is. */
  readonly field: string | undefined;

  static {
    Object.defineProperty(StrategyError, 'name', { value: 'StrategyError' });
  }

  constructor(code: StrategyErrorCode, message: string, facts: { field?: string; cause?: unknown } = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : {});
    this.name = 'StrategyError';
    this.code = code;
    this.at = undefined;
    this.field = facts.field;
  }

  /** All fields of the error, including its message. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** Defines a strategy: returns it unchanged, with the types of its parameters. A file of one exports it by default. */
export function defineStrategy<const P extends Parameters>(strategy: Strategy<P>): Strategy<P> {
  return strategy;
}
