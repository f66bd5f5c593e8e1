import { listed, ok, operationsOf, paged, refusals } from './operation.ts';
import { choice, defaulted, integer, nullable, number, object, optional, type Sent, string } from './schema.ts';
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

/** Reads of a state's past: not part of the API, and with pages of thousands. */
export const simulationHistoryOperations = operationsOf({
  simListFills: {
    method: 'GET',
    path: '/sim/fills',
    summary: 'Fills of an account in brief, newest first.',
    query: object({ account_id: accountFilter, ...largePageFields }),
    responses: { 200: ok(paged(SimulationFill)), ...refusals(400, 401, 403, 404) },
  },
  simListPayments: {
    method: 'GET',
    path: '/sim/payments',
    summary: 'Balance changes other than fills, newest first.',
    query: object({ account_id: accountFilter, ...largePageFields }),
    responses: { 200: ok(paged(SimulationPayment)), ...refusals(400, 401, 403, 404) },
  },
  simMarks: {
    method: 'GET',
    path: '/sim/marks',
    summary: 'Marks of a market at past moments.',
    query: object({
      market_id: string('The market.'),
      times: string(`Unix milliseconds, separated by commas; at most ${maxMarks}.`, { minLength: 1 }),
    }),
    responses: {
      200: ok(listed(object({ time: instant, mark: nullable(number('The midpoint; null: the market had none.')) }))),
      ...refusals(400, 401, 403, 404),
    },
  },
});
