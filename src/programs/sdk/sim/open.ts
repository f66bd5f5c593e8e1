import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../../../base/files/folders.ts';
import { isStateName } from '../../../base/terms/state-names.ts';
import { inProcessTransport, runningService } from '../../../service/public.ts';
import { createClient } from '../../../wire/client/client.ts';
import { ApiError } from '../../../wire/client/client-errors.ts';
import {
  type Arguments,
  checkedIdempotencyKey,
  formRequest,
  newIdempotencyKey,
} from '../../../wire/client/form-request.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { operations } from '../../../wire/contract/operations.ts';
import { simulationOperations } from '../../../wire/contract/simulation.ts';
import { streamPaths } from '../../../wire/contract/streams.ts';
import type { Transport } from '../../../wire/contract/wire.ts';
import type { CallOptions } from '../client/call-options.ts';
import { ownError, type PerpError, perpErrorOf } from '../client/errors.ts';
import { type Call, makeClient } from '../client/make-client.ts';
import { aMoment, anything, aSeed, aText, checkOptions, isDate, type OptionCheck, oneOf } from '../client/options.ts';
import { nothingKept, simulationOf } from './simulation.ts';
import type { OpenedSimulation, SimulationOptions } from './simulation-types.ts';

/**
 * Opens a simulation in this process, in memory or in a folder. Rejects with a {@link PerpError} if its books can't be
 * read or it is in use.
 */
export async function open(options: SimulationOptions = {}): Promise<OpenedSimulation> {
  checkOptions("The simulation can't be opened:", options, simulationOptions);
  const { books, speed, plan, balance, accounts, seed, start, folder, name: state = 'default' } = options;
  try {
    if (folder !== undefined && (await runningService(folder, state)) !== null)
      throw ownError({
        code: 'conflict',
        message: `The simulation ${state} is being served.`,
        hint: 'Connect to it with Simulation.connect.',
      });
    const stateDir = folder ?? stateFolder(process.env);
    const isNew = folder === undefined || !existsSync(join(folder, `${state}.db`));
    const { clock = isNew ? 'manual' : undefined } = options;
    const startTime = start === undefined ? undefined : isDate(start) ? start.getTime() : start;
    const opened = await inProcessTransport({
      stateDir,
      inMemory: folder === undefined,
      state,
      books,
      clock,
      speed,
      plan: typeof plan === 'string' ? plan : plan?.join(','),
      startingBalance: balance,
      accounts,
      seed,
      ...(books === undefined ? { startTime } : { from: startTime === undefined ? undefined : String(startTime) }),
    });
    const streams = { market: opened.stream, account: { transport: opened.stream, path: streamPaths.live } };
    const { transport } = opened;
    const api = createClient({ transport, isInProcess: true, keepsKeys: true, retry: { attempts: 1, arrivalMs: 0 } });
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

const simulationOptions: Readonly<Record<keyof SimulationOptions, OptionCheck>> = {
  books: aText,
  clock: oneOf('manual', 'real'),
  speed: anything,
  plan: (value) => (typeof value === 'string' || Array.isArray(value) ? null : 'must be a plan, or a list of them'),
  balance: anything,
  accounts: anything,
  seed: aSeed,
  start: aMoment,
  folder: aText,
  name: (value) =>
    isStateName(String(value)) ? null : 'must be up to 64 letters, digits, dots, dashes and underscores',
};

/** Calls the simulation of this process: nothing can be lost on the way, so nothing is stored, checked or repeated. */
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
