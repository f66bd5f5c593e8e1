import { operationsOf } from './operation.ts';
import { OrderPage } from './orders.ts';
import { accountFilter, pageFields } from './page.ts';
import { ok, refusals } from './responses.ts';
import { object } from './schema.ts';

/** Fill operations. */
export const fillOperations = operationsOf({
  /** GET /v1/fills (API 4.6): the order records of fills, in settlement order, newest first. */
  listFills: {
    method: 'GET',
    path: '/v1/fills',
    summary: 'Executions of an account, newest first.',
    query: object({ account_id: accountFilter, ...pageFields }),
    responses: { 200: ok(OrderPage), ...refusals(400, 401, 404, 429) },
  },
});
