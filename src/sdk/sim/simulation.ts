import { createClient } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { httpTransport } from '../../client/http-transport.ts';
import { checkedIdempotencyKey, newIdempotencyKey } from '../../client/identifiers.ts';
import { type Arguments, formRequest } from '../../client/request.ts';
import { webSocketTransport } from '../../client/streams/web-socket.ts';
import type { Operation } from '../../contract/operation.ts';
import { type KnownOperationId, operations, type RequestOf } from '../../contract/operations.ts';
import { simulationOperations } from '../../contract/simulation.ts';
import { streamPaths } from '../../contract/streams.ts';
import type { Transport } from '../../contract/wire.ts';
import { parseDuration } from '../../desk/values/times.ts';
import { stateFolder } from '../../ground/files/folders.ts';
import { inProcessTransport } from '../../service/public.ts';
import type { CallOptions } from '../client/call-options.ts';
import { type Call, makeClient } from '../client/client.ts';
import { perpErrorOf } from '../client/errors.ts';
import type { Client } from '../client/types.ts';
import type { ServedSimulation, Simulation, SimulationBook, SimulationOptions } from './types.ts';

/**
 * Opens a simulation in this process, in memory or in a folder. Rejects with a {@link PerpError} if its books can't be
 * read or it is in use.
 */
export async function open(options: SimulationOptions = {}): Promise<Simulation> {
  const { books, clock = 'manual', speed, plan, balance, accounts, seed, start, folder, name } = options;
  try {
    const stateDir = folder ?? stateFolder(process.env);
    const startTime = start === undefined ? undefined : momentOf(start);
    const opened = await inProcessTransport({
      stateDir,
      inMemory: folder === undefined,
      state: name ?? 'default',
      books,
      clock,
      speed,
      plan,
      startingBalance: balance,
      accounts,
      seed,
      ...(books === undefined ? { startTime } : { from: startTime === undefined ? undefined : String(startTime) }),
    });
    const streams = { market: opened.stream, account: { transport: opened.stream, path: streamPaths.live } };
    const api = createClient({ transport: opened.transport, keepsKeys: true, retry: { attempts: 1, arrivalMs: 0 } });
    const call = directly(opened.transport);
    const client = makeClient({
      ...nothingKept,
      call,
      runBulk: api.runBulk.bind(api) as Call,
      streams: async () => streams,
      close: async () => {},
    });
    return simulationOf(client, call, async () => opened.close());
  } catch (error) {
    throw perpErrorOf(error);
  }
}

/** Connects to a simulation that another process serves. Nothing is sent before the first call. */
export function connectSimulation({ baseUrl, key }: ServedSimulation): Simulation {
  const transport = httpTransport(baseUrl);
  const origin = baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '');
  const credential = async () => key;
  const api = createClient({ transport, credential, keepsKeys: true });
  const call = api.call.bind(api);
  const market = webSocketTransport(origin);
  const account = { transport: webSocketTransport(origin, { credential }), path: streamPaths.live };
  const client = makeClient({
    ...nothingKept,
    call,
    runBulk: api.runBulk.bind(api) as Call,
    streams: async () => ({ market, account }),
    close: () => transport.close(),
  });
  return simulationOf(client, call, async () => {});
}

const nothingKept = { pending: async () => [], settle: async () => [] };

function simulationOf(client: Client, call: Call, release: () => Promise<void>): Simulation {
  const ask = async <Id extends KnownOperationId>(id: Id, request: RequestOf<Id>) => {
    try {
      return (await call(id, request as RequestOf<Id> & CallOptions)).data;
    } catch (error) {
      throw perpErrorOf(error);
    }
  };
  const close = async () => {
    await client.close();
    await release();
  };
  return {
    client,
    now: async () => (await ask('simStatus', {})).time,
    async advance(by) {
      const body = by instanceof Date ? { to: by.getTime() } : { duration_ms: durationOf(by) };
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

/** Calls the simulation of this process: nothing can be lost on the way, so nothing is kept, checked or repeated. */
function directly(transport: Transport): Call {
  return async (id, request) => {
    const operation: Operation = all[id];
    const { idempotencyKey, signal } = request as CallOptions;
    signal?.throwIfAborted();
    const { target, body } = formRequest(operation, request as Arguments);
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['content-type'] = 'application/json';
    const key = operation.idempotent ? checkedIdempotencyKey(idempotencyKey ?? newIdempotencyKey()) : undefined;
    if (key !== undefined) headers['idempotency-key'] = key;
    const answer = await transport({ method: operation.method, target, headers, body }, { timeoutMs: 0 });
    if (answer.status >= 300) throw new ApiError(answer, { idempotencyKey: key });
    const whole = answer.body as { data: never };
    const requestId = answer.headers['x-request-id'];
    return { data: whole.data, body: whole as never, status: answer.status, requestId, idempotencyKey: key };
  };
}

const all = { ...operations, ...simulationOperations };

function durationOf(by: string | number): number {
  return typeof by === 'number' ? by : parseDuration(by, 'the duration');
}

function momentOf(start: number | Date): number {
  return start instanceof Date ? start.getTime() : start;
}
