import { providers } from '../../base/terms/venues.ts';
import { enveloped, type FieldRule, get, listed, operationsOf } from './operation.ts';
import {
  boolean,
  choice,
  integer,
  literal,
  nullable,
  number,
  object,
  optional,
  positive,
  type Sent,
  string,
} from './schema.ts';
import type { SimulationBook } from './simulation-history.ts';
import { instant, side } from './terms.ts';

/** One tradable instrument on its venue (API 2.2). */
export const Market = object({
  market_id: string('`<provider>|<SYMBOL>`.'),
  provider: choice(providers, 'The venue whose book executes.'),
  symbol: string('Short name, e.g. BTC.'),
  coin: string("The venue's name, e.g. BTCUSDT."),
  size_decimals: integer('A lot is 10^-size_decimals of the base asset.', { minimum: 0 }),
  max_leverage: number(undefined, { minimum: 1 }),
  size_step: optional(number('Sizes are multiples of it, base asset.')),
  min_size: optional(number('Smallest size of an order, base asset.')),
  min_notional: optional(number('Smallest notional of an order that adds exposure, USD.')),
  tick_size: optional(
    number('Limit prices are multiples of it. On hyperliquid, a price also has at most five significant figures.'),
  ),
  market_type: optional(string()),
  category: optional(string('crypto, tradfi or fx.')),
  trading_enabled: optional(boolean()),
  reduce_only: optional(boolean('Only reducing orders are accepted.')),
});
export type Market = Sent<typeof Market>;

/** Best prices of a fresh book and, for a side and size, what an order would fill at (API 2.3). */
export const Quote = object({
  status: literal('ok'),
  market_id: string(),
  provider: string(),
  symbol: string(),
  coin: string(),
  bid: nullable(number('Best bid, quote currency; null: no bids.')),
  ask: nullable(number('Best ask, quote currency; null: no asks.')),
  mid: nullable(number('Midpoint, quote currency.')),
  time: number('Time of the book, Unix milliseconds.'),
  fillable: optional(boolean('Whether the displayed book fills the whole size.')),
  unfillable_reason: optional(
    choice(['empty_book', 'insufficient_depth', 'size_precision_mismatch'], 'Why the size does not fill.'),
  ),
  requested_side: optional(side),
  requested_size: optional(number('Base asset.')),
  reference_price: optional(nullable(number('Price that slippage is measured from.'))),
  reference_kind: optional(choice(['venue_mark', 'book_mid'])),
  reference_time: optional(instant),
  estimated_fill_price: optional(number('Average price over the levels used.')),
  worst_price: optional(number('Price of the last level used.')),
  estimated_notional: optional(number('USD.')),
  estimated_fee: optional(number('USD, taker.')),
  fee_bps: optional(number('Of the notional.')),
  slippage_bps: optional(number('How much worse than mid the estimated fill price is, bps; below zero: better.')),
  levels_consumed: optional(integer('Levels used.')),
  depth: optional(choice(['standard', 'deep'], 'Whether a deeper book was asked for.')),
});
export type Quote = Sent<typeof Quote>;

/** The venue's own prices and its funding; null where the venue does not say. The account pays carry instead. */
export type VenueFigures = NonNullable<SimulationBook['marks']>;

/** Additional quote fields of a simulation on live books or on their tape. */
export type SimulatedQuote = Quote & { venue?: VenueFigures };

/** A quote needs both side and size to estimate a fill (API 4.3). */
const sideAndSizeTogether: FieldRule = ({ side, size }) => {
  if ((side === undefined) === (size === undefined)) return [];
  return side === undefined
    ? [{ field: 'side', issue: 'is required with size' }]
    : [{ field: 'size', issue: 'is required with side' }];
};

/** Market operations. */
export const marketOperations = operationsOf({
  /** GET /v1/markets (API 4.3). */
  listMarkets: get('/v1/markets', 'Every tradable market.', listed(Market), { auth: 'optional', isUnlimited: true }),
  /** GET /v1/markets/{market_id} (API 4.3). */
  getMarket: get('/v1/markets/{market_id}', 'One market.', enveloped(Market), { auth: 'optional' }),
  /** GET /v1/markets/{market_id}/quote (API 4.3). Side and size are given together. */
  getMarketQuote: get(
    '/v1/markets/{market_id}/quote',
    'Best prices now and, for a side and size, what an order would fill at.',
    enveloped(Quote),
    {
      query: object({
        side: optional(side),
        size: optional(positive('Base asset; given together with side.')),
        account_id: optional(string('The account whose earlier fills the estimate considers (simulation 3.2).')),
      }),
      simulationQuery: ['account_id'],
      queryRule: sideAndSizeTogether,
      refuses: [503],
    },
  ),
});
