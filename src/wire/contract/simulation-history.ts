import { enveloped, get, listed, operationsOf, paged } from './operation.ts';
import { array, choice, defaulted, integer, nullable, number, object, optional, type Sent, string } from './schema.ts';
import { intervals, maxHistoryPage } from './streams.ts';
import { accountFilter, instant, pageFields, side } from './terms.ts';

/** Maximum number of moments in one request for marks. */
export const maxMarks = 500;

const largePageFields = {
  ...pageFields,
  limit: defaulted(integer('Rows per page.', { minimum: 1, maximum: 10_000 }), 1_000),
} as const;

/** A fill with only the fields that a history needs: a tenth of its order record. */
export const SimulationFill = object({
  order_id: string('The order record of the fill.'),
  market_id: string(),
  side,
  size: number('Base asset.'),
  fill_price: number('Average.'),
  notional: number('USD.'),
  fee: number('USD.'),
  realized_pnl: optional(number('USD, without fees; absent if nothing was closed.')),
  settled_at: instant,
  attached_stop_loss_price: optional(number('As the order was placed, quote currency.')),
});
export type SimulationFill = Sent<typeof SimulationFill>;

/** A change of a balance that is neither the fee nor the realized profit of a fill. */
export const SimulationPayment = object({
  kind: choice(['deposit', 'withdrawal', 'funding', 'liquidation_fee', 'bankruptcy']),
  amount: number('USD; negative: paid.'),
  time: instant,
  order_id: optional(string('The order record of the fill that caused it.')),
  position_id: optional(string()),
  market_id: optional(string("The position's market.")),
});
export type SimulationPayment = Sent<typeof SimulationPayment>;

/** The levels of a book now, best first; empty while they are unknown. */
export const SimulationBook = object({
  market_id: string(),
  time: nullable(number('When the market last published it, Unix milliseconds; null: never.')),
  bids: array(array(number(), 'Price and size.')),
  asks: array(array(number(), 'Price and size.')),
  marks: nullable(
    object({
      mark: number("The venue's own mark, else the midpoint."),
      index: nullable(number()),
      funding_rate: nullable(number('A fraction per `funding_hours`; on synthetic markets the carry.')),
      funding_hours: nullable(number()),
      next_funding_at: nullable(instant),
      time: instant,
    }),
  ),
});
export type SimulationBook = Sent<typeof SimulationBook>;

/** A market's history up to now: closed candles, oldest first, and trades. */
export const SimulationPast = object({
  market_id: string(),
  candles: array(
    object({
      time: number('When it opens, Unix milliseconds.'),
      open: number(),
      high: number(),
      low: number(),
      close: number(),
      volume: number('Base asset.'),
      trades: integer(),
    }),
  ),
  trades: array(
    object({ time: instant, side: choice(['buy', 'sell'], "The taker's."), price: number(), size: number() }),
  ),
});
export type SimulationPast = Sent<typeof SimulationPast>;

const SimulationMark = object({ time: instant, mark: nullable(number('The midpoint; null: the market had none.')) });

/** Reads of a state's history and of its markets: outside the API, with pages of thousands of rows. */
export const simulationHistoryOperations = operationsOf({
  simGetBook: get('/sim/book', 'The best 50 levels of a book at this moment of the clock.', enveloped(SimulationBook), {
    query: object({ market_id: string('The market.') }),
  }),
  simGetPast: get(
    '/sim/past',
    'The last closed candles of a market, and its trades after a time, until this moment of the clock.',
    enveloped(SimulationPast),
    {
      query: object({
        market_id: string('The market.'),
        interval: optional(choice(intervals, 'The length of the candles; without it, there are none.')),
        length: optional(integer('How many candles. Default 1.', { minimum: 1, maximum: maxHistoryPage - 1 })),
        after: optional(integer('Unix ms, exclusive, at most an hour ago; without it, there are no trades.')),
      }),
    },
  ),
  simListFills: get('/sim/fills', 'Fills of an account in brief, newest first.', paged(SimulationFill), {
    query: object({ account_id: accountFilter, ...largePageFields }),
  }),
  simListPayments: get('/sim/payments', 'Balance changes other than fills, newest first.', paged(SimulationPayment), {
    query: object({ account_id: accountFilter, ...largePageFields }),
  }),
  simMarks: get('/sim/marks', 'Marks of a market at past moments.', listed(SimulationMark), {
    query: object({
      market_id: string('The market.'),
      times: string(`Unix milliseconds, separated by commas; at most ${maxMarks}.`, { minLength: 1 }),
    }),
  }),
});
