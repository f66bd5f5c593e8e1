import type { Answer as ApiAnswer, Client as ApiClient } from '../../../wire/client/client.ts';
import { OutcomeUnknownError } from '../../../wire/client/client-errors.ts';
import type { Intent } from '../../../wire/client/intent.ts';
import { answerOf, outcome } from '../../../wire/client/outcome.ts';
import { isPaged, items, pageOf } from '../../../wire/client/pages.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { type KnownOperationId, operations, type RequestOf } from '../../../wire/contract/operations.ts';
import { pathNames } from '../../../wire/contract/target.ts';
import type { CallOptions } from './call-options.ts';
import type { Answer, Channel, Client, PendingWrite, SettledWrite, StreamOptions } from './client-types.ts';
import { closedError, ownError, perpErrorOf } from './errors.ts';
import { aText, attemptMs, checkOptions, type OptionCheck } from './options.ts';
import { followAccount, followMarkets, type StreamAccess } from './streams.ts';

/** Calls one operation over any transport; rejects as the client of the contract does. */
export type Call = <Id extends KnownOperationId>(
  id: Id,
  request: RequestOf<Id> & CallOptions,
) => Promise<Pick<ApiAnswer<Id>, 'data' | 'body' | 'status' | 'requestId' | 'idempotencyKey'>>;

/** Dependencies of a client. */
export interface ClientParts extends StreamAccess {
  readonly call: Call;
  /** Runs cancel-all or close-all to its end. */
  readonly runBulk: Call;
  /** Finds and completes an unanswered write; absent: it is left unknown. */
  readonly finish?: ((unanswered: OutcomeUnknownError, options: CallOptions) => Promise<ApiAnswer>) | undefined;
  /** Called when the answer of a call goes to its caller. */
  readonly shown?: (() => void) | undefined;
  pending(): Promise<readonly PendingWrite[]>;
  /** The writes in progress of all clients that share a store; absent if the client shares none. */
  readonly underWay?: Set<Promise<unknown>> | undefined;
  /** `idle` resolves when all writes in progress at the time of the call are done: they may still be answered. */
  settle(idle: Promise<unknown>): Promise<readonly SettledWrite[]>;
  close(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;
type Answered = Awaited<ReturnType<Call>> & { readonly operation: Operation };
type Answering = (operation: Operation, request?: Fields, options?: CallOptions) => Promise<Answered>;
type AnyRequest = { path?: Fields; query?: Fields; body?: Fields };

/** Makes the client for users of the library. */
export function makeClient(parts: ClientParts): Client {
  const over = new AbortController();
  const { underWay = new Set<Promise<unknown>>() } = parts;
  const checkOpen = () => {
    if (over.signal.aborted) throw closedError('client');
  };
  const answer: Answering = async (operation, request, options = {}) => {
    checkOpen();
    checkOptions('The call is invalid:', options, callOptions);
    const call = called(parts, operation, request, options);
    if (operation.method === 'GET') return await call;
    underWay.add(call);
    return await call.finally(() => underWay.delete(call));
  };
  const known: Readonly<Record<string, Operation>> = operations;
  const methods = Object.entries(known).map(([id, operation]) => [
    id,
    (request?: Fields, options?: CallOptions) => dataOf(answer, operation, request, options),
  ]);
  const close = async () => {
    if (over.signal.aborted) return;
    over.abort();
    await parts.close();
  };
  const until = (options: StreamOptions = {}): StreamOptions => ({
    ...options,
    signal: options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]),
  });
  const own = {
    call: async (id: string, request?: Fields, options?: CallOptions) =>
      shown(await answer(operationNamed(known, id), request, options)),
    stream: (channel: Channel, subscription: Parameters<Client['stream']>[1], options?: StreamOptions) =>
      followMarkets(parts, channel, subscription, until(options)),
    accountStream: (options?: StreamOptions) => followAccount(parts, until(options)),
    pending: async () => {
      checkOpen();
      return await parts.pending();
    },
    settle: async () => {
      checkOpen();
      return await parts.settle(Promise.allSettled(underWay));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.freeze({ ...Object.fromEntries(methods), ...own }) as unknown as Client;
}

const callOptions: Readonly<Record<keyof CallOptions, OptionCheck>> = {
  idempotencyKey: aText,
  signal: (value) => (value instanceof AbortSignal ? null : 'must be an AbortSignal'),
  timeoutMs: attemptMs,
};

/** The data of an operation's answer. A list also gives all its rows: those of this page and of the next ones. */
function dataOf(answer: Answering, operation: Operation, request?: Fields, options?: CallOptions) {
  const first = answer(operation, request, options);
  const data = first.then((one) => shown(one).data);
  if (!isPaged(operation)) return data;
  const fetchPage = async (cursor: string | undefined) =>
    (await (cursor === undefined ? first : answer(operation, { ...request, cursor }, options))).body;
  const rows = () => {
    // Readers of the rows get the error from them.
    data.catch(() => {});
    return rowsOf(fetchPage);
  };
  return Object.assign(data, { [Symbol.asyncIterator]: rows });
}

async function* rowsOf(fetchPage: (cursor: string | undefined) => Promise<unknown>): AsyncGenerator<unknown, void> {
  try {
    yield* items(fetchPage);
  } catch (error) {
    throw perpErrorOf(error);
  }
}

/** An answer as users see it: the data of a list is its page, and an answer without an envelope is its own data. */
function shown({ operation, data, body, status, requestId, idempotencyKey }: Answered): Answer<unknown> {
  const { queued } = body as { queued?: boolean };
  try {
    const all = isPaged(operation) ? pageOf(body as never) : (data ?? body);
    return { data: all, queued, status, requestId, idempotencyKey };
  } catch (error) {
    throw perpErrorOf(error);
  }
}

async function called(
  parts: ClientParts,
  operation: Operation,
  request: Fields | undefined,
  options: CallOptions,
): Promise<Answered> {
  const id = operation.id as KnownOperationId;
  try {
    const fields = await withoutAccount(parts, operation, request, options);
    return { operation, ...(await sent(parts, id, { ...requestOf(operation, fields), ...options })) };
  } catch (error) {
    throw perpErrorOf(error);
  } finally {
    parts.shown?.();
  }
}

/** The resource that an id in the path names, and the operation that reads it. */
const readsById: Readonly<Record<string, KnownOperationId>> = {
  order_id: 'getOrder',
  position_id: 'getPosition',
  scaled_order_id: 'getScaledOrder',
  twap_order_id: 'getTwapOrder',
};

/** Other clients of the API also name the account of an order or position. It is compared, and not sent. */
async function withoutAccount(
  parts: ClientParts,
  operation: Operation,
  request: Fields | undefined,
  { signal, timeoutMs }: CallOptions,
): Promise<Fields | undefined> {
  const name = pathNames(operation).find((one) => Object.hasOwn(readsById, one));
  if (name === undefined || request?.account_id === undefined) return request;
  const { account_id: account, ...rest } = request;
  const read = { path: { [name]: rest[name] }, signal, timeoutMs };
  const { data } = await parts.call(readsById[name]!, read as never);
  if ((data as { account_id?: unknown }).account_id === account) return rest;
  const issue = `must be the account of this ${name.slice(0, -'_id'.length).replaceAll('_', ' ')}`;
  throw ownError({
    code: 'invalid_request',
    message: 'The request is invalid:',
    issues: [{ field: 'account_id', issue }],
  });
}

async function sent(parts: ClientParts, id: KnownOperationId, request: AnyRequest) {
  try {
    return await (bulk.has(id) ? parts.runBulk : parts.call)(id, request as never);
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || parts.finish === undefined) throw error;
    return await parts.finish(error, request as CallOptions);
  }
}

const bulk: ReadonlySet<string> = new Set<KnownOperationId>(['cancelAllAccountOrders', 'closeAllAccountPositions']);

/** The fields of one request as path, query and body. */
function requestOf(operation: Operation, request: Fields = {}): AnyRequest {
  const names = pathNames(operation);
  const path = Object.fromEntries(names.map((name) => [name, request[name]]));
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)));
  const parts: AnyRequest = names.length === 0 ? {} : { path };
  if (operation.body !== null) parts.body = rest;
  else if (operation.query !== null || Object.keys(rest).length > 0) parts.query = rest;
  return parts;
}

function operationNamed(known: Readonly<Record<string, Operation>>, id: string): Operation {
  const operation = Object.hasOwn(known, id) ? known[id] : undefined;
  if (operation === undefined) {
    const near = nearest(String(id), Object.keys(known));
    const hint = near === undefined ? undefined : `Did you mean ${near}?`;
    throw ownError({ code: 'usage', message: `There is no operation ${JSON.stringify(id)}.`, hint });
  }
  return operation;
}

/** Dependencies of finishing a write besides its client. */
interface FinisherOptions {
  readonly timeoutMs?: number | undefined;
  readonly note?: ((text: string) => void) | undefined;
  /** The resource as it was before the write. */
  readonly beforeOf?: ((intent: Intent) => unknown) | undefined;
}

/** Looks up the outcome of a write that got no answer, and sends it again if it did not happen. */
export function finisher(client: ApiClient, options: FinisherOptions = {}): NonNullable<ClientParts['finish']> {
  return async (unanswered, { signal, timeoutMs = options.timeoutMs }) => {
    const { intent, idempotencyKey } = unanswered;
    // Under a key that the host keeps, everything safe has been tried.
    if (idempotencyKey !== undefined && client.keepsKeys) throw unanswered;
    const before = options.beforeOf?.(intent);
    const found = await outcome(client, unanswered, { before, signal, timeoutMs, maxWaitMs: timeoutMs });
    const { answer, seen } = answerOf(found, idempotencyKey);
    const how = seen === undefined ? 'it was sent again' : `it had arrived: ${seen}`;
    options.note?.(`${intent.operationId} got no answer; ${how}.`);
    return answer;
  };
}
