import type { CallOptions } from './call-options.ts';
import type { Account, Operations, Order, Position } from './operations.generated.ts';

/** The address and identity of a client. */
export interface ConnectOptions {
  /** Address of the API: `https://…`, or `http://` on this machine. */
  readonly baseUrl: string;
  /**
   * The API key, or a function that returns it when it is first needed. It is sent to `baseUrl` and the account stream
   * only.
   */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** The kind of host: decides the account stream, and the name under which writes are stored. Default `live`. */
  readonly environment?: 'live' | 'sandbox' | undefined;
  /** Address of the market stream, `wss://…`. */
  readonly marketStreamUrl?: string | undefined;
  /** Address of the account stream, `wss://…`. */
  readonly accountStreamUrl?: string | undefined;
  /**
   * The folder in which writes are stored before they are sent. Default: perp's own, so that `perp pending` shows them,
   * and a lock of the guard applies. `null`: they aren't stored, and no lock is checked.
   */
  readonly journal?: string | null | undefined;
  /** Time for one attempt, ms. Default 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Receives remarks about the client's own actions: a write looked up, a damaged journal. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** A success, with the fields beside its data. */
export interface Answer<Data> {
  readonly data: Data;
  /** The order is armed: the change is queued. Undefined if the operation does not say. */
  readonly queued: boolean | undefined;
  readonly status: number;
  readonly requestId: string | undefined;
  /** The key that the write was sent under, if the operation takes one. */
  readonly idempotencyKey: string | undefined;
}

/** The ids of all operations. */
export type OperationId = keyof Operations;

/**
 * A client of the API. Each operation is a method of its name: it resolves with the data of the answer, and rejects
 * with a {@link PerpError}. A write that gets no answer is looked up, and sent again only if it did not happen.
 */
export interface Client extends Operations, AsyncDisposable {
  /** Calls an operation by name, and returns everything about the answer. */
  call<Id extends OperationId>(
    id: Id,
    request: Parameters<Operations[Id]>[0],
    options?: CallOptions,
  ): Promise<Answer<Awaited<ReturnType<Operations[Id]>>>>;
  /** Follows market data: reconnects automatically, repeats nothing, and reports gaps. Ends with its signal. */
  stream<C extends Channel>(
    channel: C,
    subscription: Subscription<C>,
    options?: StreamOptions,
  ): AsyncIterableIterator<MarketEvents[C]>;
  /** Follows the account: first the current state, then every change. Ends with its signal. */
  accountStream(options?: StreamOptions): AsyncIterableIterator<AccountEvent>;
  /** Writes that were sent and have no known outcome, of this journal and place. */
  pending(): Promise<readonly PendingWrite[]>;
  /** Finds their outcome: looks first, and repeats a write only if it did not happen. */
  settle(): Promise<readonly SettledWrite[]>;
  /** Ends streams and connections. */
  close(): Promise<void>;
}

/** A write without a known outcome. */
export interface PendingWrite {
  /** Its idempotency key, or a name for it. */
  readonly key: string;
  readonly operation: string;
  readonly accountId: string | undefined;
  readonly clientOrderId: string | undefined;
  /** Unix ms. */
  readonly sentAt: number;
}

/** The outcome of such a write. */
export interface SettledWrite extends PendingWrite {
  readonly outcome: 'done' | 'not_done' | 'unknown';
  readonly reason: string;
}

/** The channels of the market stream. */
export type Channel = keyof MarketEvents;

/** Which markets a subscription is for, as `{ provider, symbol }` or market ids; candles also have intervals. */
export type Subscription<C extends Channel = Channel> = {
  /** Ids of markets: `binance|BTCUSDT`. */
  readonly markets: readonly string[];
} & (C extends 'candles'
  ? {
      readonly intervals: readonly CandleInterval[];
      /** Closed candles to send first; at most 1,499. */
      readonly history?: number;
    }
  : unknown);

/** The length of a candle. */
export type CandleInterval =
  | '1s'
  | '1m'
  | '3m'
  | '5m'
  | '15m'
  | '30m'
  | '1h'
  | '2h'
  | '4h'
  | '8h'
  | '12h'
  | '1d'
  | '3d'
  | '1w'
  | '1M';

/** Options of a stream. */
export interface StreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Receives every change of the connection. */
  readonly onState?: ((state: StreamState) => void) | undefined;
}

/** The state of a stream's connection. */
export type StreamState =
  | { readonly kind: 'live' }
  | { readonly kind: 'stale'; readonly silentMs: number }
  | { readonly kind: 'reconnecting'; readonly reason: string; readonly inMs: number };

/** The events of each channel. Prices and sizes are decimal text, times Unix ms. */
export interface MarketEvents {
  ticks: Tick;
  books: BookUpdate;
  trades: Trade | GapEvent;
  candles: Candle | GapEvent;
  marketStats: MarketStats;
}

/** The market of an event: its id, and provider and coin as the stream has them. */
export interface OfMarket {
  readonly market_id: string;
  readonly provider: string;
  /** The coin, such as BTCUSDT; REST calls the market BTC. */
  readonly symbol: string;
}

/** A price of a market: of its last trade, its midpoint or its mark. */
export interface Tick extends OfMarket {
  readonly type: 'tick';
  readonly kind: 'last' | 'mid' | 'mark';
  readonly price: string;
  readonly time: number;
}

/** The best levels of a book, all of them each time. */
export interface BookUpdate extends OfMarket {
  readonly type: 'book';
  readonly bids: readonly { readonly px: string; readonly sz: string }[];
  readonly asks: readonly { readonly px: string; readonly sz: string }[];
  readonly time: number;
}

/** A trade that the venue published. */
export interface Trade extends OfMarket {
  readonly type: 'trade';
  /** Unique in its market. */
  readonly tradeId: string;
  /** The aggressor's. */
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly time: number;
}

/** A candle, as it is now; `isFinal` once it no longer changes. */
export interface Candle extends OfMarket {
  readonly type: 'candle';
  readonly interval: CandleInterval;
  readonly openTime: number;
  readonly closeTime: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string | null;
  readonly trades: number | null;
  readonly isFinal: boolean;
}

/** Figures of a market; an absent one keeps its value, null clears it. */
export interface MarketStats extends OfMarket {
  readonly type: 'marketStats';
  readonly markPx?: number | null;
  readonly change24hPct?: number | null;
  readonly fundingRate?: number | null;
  readonly fundingIntervalHours?: number | null;
  readonly openInterestUsd?: number | null;
  readonly dayNtlVlm?: number | null;
  readonly time: number;
}

/** Trades or candles between these times, Unix ms, are missing and can't be recovered. */
export interface GapEvent extends OfMarket {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
}

/**
 * The events of the account stream: first a snapshot of each account, then changes, with the whole resource each time.
 */
export type AccountEvent = { readonly account_id: string; readonly time: number } & (
  | {
      readonly type: 'snapshot';
      readonly account: Account;
      readonly positions: Position[];
      readonly orders: Order[];
    }
  | { readonly type: 'account'; readonly event: 'opened' | 'updated' | 'removed'; readonly account: Account }
  | { readonly type: 'position'; readonly event: 'opened' | 'updated' | 'closed'; readonly position: Position }
  | {
      readonly type: 'order';
      readonly event: 'placed' | 'updated' | 'filled' | 'canceled' | 'rejected' | 'expired';
      readonly order: Order;
    }
  | { readonly type: 'fill'; readonly fill: Order }
);
