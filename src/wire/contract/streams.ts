/**
 * The two streams as their clients see them: market data for everyone, and the changes of the accounts that a key can
 * reach. Frames are JSON text, one object each. On the market stream, prices and sizes are decimal text and times are
 * Unix milliseconds; the account stream carries the resources of the API as REST answers them.
 */
import type { Account } from './accounts.ts';
import type { Order } from './orders.ts';
import type { Position } from './positions.ts';
import { array, choice, integer, object, optional, type Sent, string } from './schema.ts';

/** Paths of the streams on a stream host. */
export const streamPaths = {
  marketData: '/v1/market-data',
  live: '/v1/stream',
  test: '/v1/sandbox/stream',
} as const;

/** The channels of the market stream. */
export const channels = ['ticks', 'books', 'trades', 'candles', 'marketStats', 'status'] as const;
/** One channel of the market stream. */
export type Channel = (typeof channels)[number];

/** Candle intervals, shortest first. */
export const intervals = [
  '1s',
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '8h',
  '12h',
  '1d',
  '3d',
  '1w',
  '1M',
] as const;
/** The length of a candle. */
export type Interval = (typeof intervals)[number];

/** Maximum number of markets in one subscription. */
export const maxSymbols = 32;
/** Maximum number of candles in one answer to `candles.history`. */
export const maxHistoryPage = 1500;
/** Maximum number of unanswered `candles.history` requests on one connection. */
export const maxHistoryInFlight = 4;
/** A client that sends nothing for this long is disconnected, ms. */
export const clientSilenceMs = 75_000;
/** How long a disconnected account stream can be resumed without a gap, ms. */
export const resumeWindowMs = 100_000;

const symbols = array(string("The market's `coin`: BTCUSDT, xyz:GOLD."), undefined, {
  minItems: 1,
  maxItems: maxSymbols,
});
/** All symbols are looked up at the first provider; without providers, at every one. */
const providers = optional(array(string(), undefined, { minItems: 1 }));

/** The fields of a subscription to any channel except `candles` and `status`. */
export const MarketsPayload = object({ symbols, providers });
/** Which markets' candles to subscribe to, and at which interval. */
export const CandlesPayload = object({
  symbols,
  providers,
  intervals: array(choice(intervals), undefined, { minItems: 1 }),
  historyLimit: optional(integer('Closed candles to send first, for each market and interval.', { minimum: 0 })),
});
/** Without symbols: one event for each provider. */
export const StatusPayload = object({
  symbols: optional(array(string(), undefined, { maxItems: maxSymbols })),
  providers,
});
/** Which candles of one market to fetch. */
export const HistoryPayload = object({
  provider: string(),
  symbol: string(),
  interval: choice(intervals),
  limit: optional(integer(undefined, { minimum: 1 })),
  startTime: optional(integer('First opening time, Unix ms.')),
  endTime: optional(integer('Last opening time, Unix ms.')),
  priceKind: optional(choice(['last'])),
});
/** Which markets to subscribe to. */
export type MarketsPayload = Sent<typeof MarketsPayload>;
export type CandlesPayload = Sent<typeof CandlesPayload>;
/** Which venues' status to subscribe to. */
export type StatusPayload = Sent<typeof StatusPayload>;
export type HistoryPayload = Sent<typeof HistoryPayload>;

/** A frame from a client of the market stream. Subscriptions and requests share one set of ids. */
export type ClientFrame =
  | { op: 'sub'; id: number; channel: Channel; payload: object }
  | { op: 'unsub'; id: number }
  | { op: 'req'; id: number; method: string; payload?: object };

/** Why a subscription, a request or a connection was refused. */
export interface StreamError {
  code: string;
  message: string;
}

/** A frame from the market stream. */
export type ServerFrame =
  | { op: 'sub_ok'; id: number; sub: string; snapshotBoundary: boolean }
  | { op: 'sub_err'; id: number; error: StreamError }
  | { op: 'events'; sub: string; events: MarketStreamEvent[] }
  | { op: 'snapshot_end'; id: number }
  | { op: 'res'; id: number; result: unknown }
  | { op: 'err'; id?: number; error: StreamError }
  | { op: 'end'; id: number }
  | { op: 'draining' };

/** Anything that a subscription of the market stream delivers. */
export type MarketStreamEvent = TickEvent | BookEvent | TradeEvent | CandleEvent | MarketStatsEvent | StatusEvent;

interface OfMarket {
  provider: string;
  symbol: string;
}

/** A price of a market: of its last trade, its midpoint or its mark. */
export interface TickEvent extends OfMarket {
  type: 'tick';
  kind: 'last' | 'mid' | 'mark';
  price: string;
  time: number;
}

/** One price level: price and size as decimal text. */
export interface BookLevel {
  px: string;
  sz: string;
}

/** The best levels of a book, all of them each time. */
export interface BookEvent extends OfMarket {
  type: 'book';
  bids: BookLevel[];
  asks: BookLevel[];
  time: number;
}

/** A trade that the venue published. */
export interface TradeEvent extends OfMarket {
  type: 'trade';
  /** Unique in its market. */
  tradeId: string;
  /** The aggressor's. */
  side: 'buy' | 'sell';
  price: string;
  size: string;
  time: number;
}

/** A candle, as it is now; `isFinal` once it no longer changes. */
export interface CandleEvent extends OfMarket {
  type: 'candle';
  interval: Interval;
  openTime: number;
  /** The last millisecond of the candle. */
  closeTime: number;
  open: string;
  high: string;
  low: string;
  close: string;
  /** In the base asset. */
  volume: string;
  quoteVolume: string | null;
  trades: number | null;
  isFinal: boolean;
  /** Of the simulation: the market showed other prices then, which can't be computed anymore. */
  otherPrices?: true;
}

/** A patch: an absent field keeps its value, null clears it. */
export interface MarketStatsEvent extends OfMarket {
  type: 'marketStats';
  markPx?: number | null;
  change24hPct?: number | null;
  fundingRate?: number | null;
  fundingIntervalHours?: number | null;
  openInterestUsd?: number | null;
  /** Notional of the last 24 hours, USD. */
  dayNtlVlm?: number | null;
  time: number;
}

/** Whether fresh books arrive: for one market or, without a symbol, for any market of the provider. */
interface StatusEvent {
  type: 'status';
  provider: string;
  symbol?: string;
  status: 'up' | 'down';
  time: number;
}

/**
 * The event of the resource in an account frame. After `removed`, `closed` and the final events of orders, it is no
 * longer open.
 */
type AccountEventWord = 'opened' | 'updated' | 'removed';
/** A change of a position. */
export type PositionEventWord = 'opened' | 'updated' | 'closed';
/** A change of an order. */
export type OrderEventWord = 'placed' | 'updated' | 'filled' | 'canceled' | 'rejected' | 'expired';

/** In every frame that reports a change: a number that rises by one, and exchange time, Unix ms. */
interface NumberedFrame {
  seq: number;
  time: number;
  account_id: string;
}

/** A frame from the account stream. */
export type AccountFrame =
  | { type: 'hello'; stream_id: string; resumed: boolean }
  | SnapshotFrame
  | { type: 'snapshot_end' }
  | AccountChange
  | { type: 'heartbeat' }
  | { type: 'reconnect' }
  | { type: 'error'; code: string; message: string };

/** Everything that is open in one account. */
interface SnapshotFrame extends NumberedFrame {
  type: 'snapshot';
  account: Account;
  positions: Position[];
  /** Pending and resting. */
  orders: Order[];
}

/** A change in an account, with the whole resource as REST now shows it. */
type AccountChange =
  | (NumberedFrame & { type: 'account'; event: AccountEventWord; account: Account })
  | (NumberedFrame & { type: 'position'; event: PositionEventWord; position: Position })
  | (NumberedFrame & { type: 'order'; event: OrderEventWord; order: Order })
  | (NumberedFrame & { type: 'fill'; fill: Order });

/** Our own close codes, in addition to the protocol's. */
export const closeCodes = {
  /** The service is stopping. */
  goingAway: 1001,
  binary: 1003,
  /** The client sent nothing, or nothing valid. */
  policy: 1008,
  /** A frame that can't be read; reported by perp's own followers. */
  malformed: 1007,
  tooLarge: 1009,
  /** The client reads more slowly than the stream sends. */
  tooSlow: 1013,
  /** Another connection has resumed the stream. */
  takenOver: 4001,
  /** The credential expired or was revoked. */
  unauthorized: 4003,
} as const;
