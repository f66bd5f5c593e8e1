import { parseDuration } from '../../../desk/values/times.ts';
import type { KnownOperationId, RequestOf } from '../../../wire/contract/operations.ts';
import type { CallOptions } from '../client/call-options.ts';
import type { Client } from '../client/client-types.ts';
import { closedError, perpErrorOf } from '../client/errors.ts';
import type { Call } from '../client/make-client.ts';
import { isDate } from '../client/options.ts';
import type { OpenedSimulation, SimulationBook } from './simulation-types.ts';

/** A simulation either does what is asked or reports that it didn't, so nothing has to be looked up later. */
export const nothingKept = { pending: async () => [], settle: async () => [] };

/** The simulation that users of the library see; `release` is called after its client is closed. */
export function simulationOf(client: Client, call: Call, release: () => Promise<void>): OpenedSimulation {
  let isClosed = false;
  const ask = async <Id extends KnownOperationId>(id: Id, request: RequestOf<Id>) => {
    if (isClosed) throw closedError('simulation');
    try {
      return (await call(id, request as RequestOf<Id> & CallOptions)).data;
    } catch (error) {
      throw perpErrorOf(error);
    }
  };
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await client.close();
    await release();
  };
  return {
    client,
    now: async () => (await ask('simStatus', {})).time,
    async advance(by) {
      const body = isDate(by) ? { to: by.getTime() } : { duration_ms: durationOf(by) };
      return (await ask('simAdvance', { body })).to;
    },
    async status() {
      const status = await ask('simStatus', {});
      const { clock, time, source, seed, first_time, last_time, working_orders, open_positions } = status;
      return {
        clock,
        time,
        source,
        seed,
        firstTime: first_time,
        lastTime: last_time,
        workingOrders: working_orders,
        openPositions: open_positions,
      };
    },
    book: async (marketId) =>
      (await ask('simGetBook', { query: { market_id: marketId } })) as unknown as SimulationBook,
    past: async (marketId, { candles, tradesAfter }) => {
      const of = candles === undefined ? {} : { interval: candles.interval, length: candles.count };
      return ask('simGetPast', { query: { market_id: marketId, ...of, after: tradesAfter } });
    },
    async explain(orderId) {
      const { order_id, lines } = await ask('simExplainOrder', { path: { order_id: orderId } });
      return { orderId: order_id, lines };
    },
    async setPolicy(accountId, changes) {
      await ask('simSetPolicy', { body: { ...changes, account_id: accountId } as never });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function durationOf(by: string | number): number {
  if (typeof by === 'number') return by;
  try {
    return parseDuration(by, 'the duration');
  } catch (error) {
    throw perpErrorOf(error);
  }
}
