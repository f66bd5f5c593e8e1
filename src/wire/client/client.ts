import { retryAfterMs } from '../../base/sockets/front.ts';
import { isJsonObject } from '../../base/terms/json-object.ts';
import type { Operation } from '../contract/operation.ts';
import {
  type DataOf,
  type KnownOperationId,
  operations,
  type RequestOf,
  type ResponseOf,
} from '../contract/operations.ts';
import { simulationOperations } from '../contract/simulation.ts';
import type { WireRequest } from '../contract/wire.ts';
import { BulkIncompleteError, NoAnswerError, OutcomeUnknownError, RequestError } from './client-errors.ts';
import {
  type Arguments,
  authorization,
  checkedIdempotencyKey,
  formRequest,
  newIdempotencyKey,
} from './form-request.ts';
import { type Intent, type IntentKeeper, type IntentOutcome, intentOf } from './intent.ts';
import { type ItemOf, items, type PagedOperationId } from './pages.ts';
import { isWithdrawn, type Prove, unforbidden, withdrawnBy } from './proven-send.ts';
import { makesStrategy } from './read-back-made.ts';
import { mayRepeatBlindly, type RetryOptions, RetrySchedule } from './retry.ts';
import { type Attempt, type Carrier, type ReadAnswer, type RenewableTransport, sendUntilKnown } from './send.ts';
import { writeOf } from './writes.ts';

/** The operations that work in bounded parts (API 4.2.1, 4.2.2). */
export type BulkOperationId = Extract<KnownOperationId, 'cancelAllAccountOrders' | 'closeAllAccountPositions'>;

/** The operation as last reported: its number of targets, how many are done, and the result of each. */
type BulkProgress<Id extends BulkOperationId> = DataOf<Id>;

/** Number of parts in a row that may finish no target. */
const idleSlicesAllowed = 60;

/** Options of a client. */
export interface ClientOptions {
  transport: RenewableTransport;
  /**
   * Called once, before the first request that needs a credential. Without one, requests are sent without a credential.
   */
  credential?: (() => string | undefined | Promise<string | undefined>) | undefined;
  retry?: RetryOptions | undefined;
  /** Time for one attempt, from queuing to the last byte of its answer, ms. Default 15,000. */
  timeoutMs?: number | undefined;
  userAgent?: string | undefined;
  /**
   * The service keeps idempotency keys as long as their results, as the simulation does. Then a write under a key is
   * repeated without looking first. Default false: a host may forget a key at any time.
   */
  keepsKeys?: boolean | undefined;
  /**
   * The service runs in this process: its answers match their requests and the contract, so they aren't checked.
   * Default false.
   */
  isInProcess?: boolean | undefined;
  /** Where writes are kept before they are sent; without one, they are not. */
  intents?: IntentKeeper | undefined;
  /** Proves that a write may be sent; by default, nothing forbids one. Throws if it must not. */
  prove?: ((intent: Intent) => Prove | Promise<Prove>) | undefined;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Options of one call, besides the request itself. */
export interface CallOptions {
  /** For operations that take a key; default: a new one. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Time for one attempt, ms; default: the client's. */
  timeoutMs?: number | undefined;
  /** The result of `intend` for the same request. */
  intent?: Intent | undefined;
}

/** A success: the body as received, and the `data` in its envelope. */
export interface Answer<Id extends KnownOperationId = KnownOperationId> {
  data: DataOf<Id>;
  body: ResponseOf<Id>;
  status: number;
  requestId: string | undefined;
  /** Names are lower case. */
  headers: Record<string, string>;
  /** The key that the write was sent under, if the operation takes one. */
  idempotencyKey: string | undefined;
  /** The first field of a write's answer that can't be read as the number it has to be. */
  flaw?: string | undefined;
}

/** Makes a client. It opens no connections; closing the transport ends everything. */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/**
 * A client of the contract over a transport: forms requests, retries those that are safe to retry, and reads answers
 * (API 4 to 7).
 */
export class Client {
  readonly #options: ClientOptions;
  readonly #carrier: Carrier;
  #credential: Promise<string | undefined> | undefined;
  /** Ids of the strategies in answers to its writes. */
  readonly #made = new Set<string>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#carrier = {
      transport: options.transport,
      schedule: new RetrySchedule(options.retry),
      timeoutMs: options.timeoutMs ?? 15_000,
      keepsKeys: options.keepsKeys ?? false,
      isInProcess: options.isInProcess,
      onAttempt: options.onAttempt,
    };
  }

  /** Whether a write under a key may be repeated without looking first. */
  get keepsKeys(): boolean {
    return this.#carrier.keepsKeys;
  }

  /** The time of its retries, Unix ms. */
  now(): number {
    return this.#carrier.schedule.now();
  }

  /** Whether a strategy was the answer to another write of this client, so this write didn't make it. */
  isOfAnother(id: string): boolean {
    return this.#made.has(id);
  }

  /** Reads over a new connection from now on: data left on an old one may be the answer to an earlier request. */
  renew(): void {
    this.#carrier.transport.renew?.();
  }

  /**
   * Calls one operation. Rejects with ApiError (refused), ConnectionError (nothing was sent), NoAnswerError or
   * ProtocolError (of reads), OutcomeUnknownError (of writes), RequestError (can't be formed), CredentialError.
   */
  async call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    const intent = request.intent ?? this.intend(id, request);
    return toAnswer<Id>(await this.#open(intent, () => this.#send(intent, request)), intent);
  }

  /** All items of a list; each page is fetched when it is needed. */
  pages<Id extends PagedOperationId>(id: Id, request: RequestOf<Id> & CallOptions): AsyncGenerator<ItemOf<Id>, void> {
    const { query, ...rest } = request as Arguments & CallOptions;
    const fetchPage = async (cursor: string | undefined) => {
      const page = { ...rest, query: cursor === undefined ? query : { ...query, cursor } } as typeof request;
      return (await this.call(id, page)).body;
    };
    return items<Id>(fetchPage);
  }

  /**
   * Runs cancel-all or close-all to its end: the same key again after each Retry-After. Rejects with
   * BulkIncompleteError when it stops before that; another call with the same key continues.
   */
  async runBulk<Id extends BulkOperationId>(
    id: Id,
    request: RequestOf<Id> & CallOptions,
    onProgress?: (progress: BulkProgress<Id>) => void,
  ): Promise<Answer<Id>> {
    const intent = this.intend(id, request);
    return toAnswer<Id>(await this.#open(intent, () => this.#runSlices(intent, request, onProgress)), intent);
  }

  /**
   * Sends an intent of this or another process again, the same bytes under the same key, and reports the outcome to the
   * keeper. Only for writes that are safe to retry, or that were just looked up and had not happened (`isAbsent`); use
   * `outcome` for anything else. Bulk operations run to their end.
   */
  async repeat<Id extends KnownOperationId = KnownOperationId>(
    intent: Intent,
    options: CallOptions & { isAbsent?: boolean } = {},
  ): Promise<Answer<Id>> {
    const operation = operationOf(intent.operationId);
    if (!mayRepeatBlindly(operation, this.keepsKeys) && options.isAbsent !== true) {
      throw new RequestError([{ field: intent.operationId, issue: "can't be retried safely: read back its outcome" }]);
    }
    const unclear = new Error('an earlier attempt got no answer');
    const send = () =>
      operation.responses[202] === undefined
        ? this.#send(intent, options, unclear)
        : this.#runSlices(intent, options, undefined, unclear);
    return toAnswer<Id>(await this.#conclude(intent, send), intent);
  }

  /** The intent that a call would send: its exact request, key and hash. Sends nothing (for a dry run). */
  intend<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Intent {
    const operation = operationOf(id);
    const key = operation.idempotent ? checkedIdempotencyKey(request.idempotencyKey ?? newIdempotencyKey()) : undefined;
    return intentOf(operation, formRequest(operation, request as Arguments), key);
  }

  /** Waits as it does between attempts; resolves at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#carrier.schedule.sleep(ms, signal);
  }

  /** Reports the outcome of an intent to the keeper, including one that was settled by reading back. */
  async settled(intent: Intent, outcome: IntentOutcome): Promise<void> {
    const { intents } = this.#options;
    if (intents === undefined || writeOf(intent.operationId) === undefined) return;
    try {
      await intents.afterAnswer(intent, outcome);
    } catch {
      // The answer matters more than recording it: an intent left open is settled later, with the same result.
    }
  }

  /** Tells the keeper whether the caller of a write still waits for its outcome. */
  waits(intent: Intent, isWaiting: boolean): void {
    this.#options.intents?.waits?.(intent, isWaiting);
  }

  /**
   * Sends parts under one key until the operation has ended. After the first part the operation is in progress: anything
   * that stops it from then on is a BulkIncompleteError.
   */
  async #runSlices<Id extends BulkOperationId>(
    intent: Intent,
    options: CallOptions,
    onProgress?: (progress: BulkProgress<Id>) => void,
    unclear?: Error,
  ): Promise<ReadAnswer> {
    const { schedule } = this.#carrier;
    const incomplete = (why: string, cause: unknown) =>
      new BulkIncompleteError(`the operation is not complete: ${why}`, intent.idempotencyKey!, cause);
    let reported: BulkProgress<Id> | undefined;
    let done = 0;
    for (let idleSlices = 0; idleSlices < idleSlicesAllowed; ) {
      const question = reported === undefined ? unclear : undefined;
      const answer = await this.#send(intent, options, question).catch((cause: unknown) => {
        if (reported === undefined) throw cause;
        throw incomplete(cause instanceof Error ? cause.message : String(cause), cause);
      });
      reported = (answer.body as { data: BulkProgress<Id> }).data;
      onProgress?.(reported);
      if (answer.status !== 202) return answer;
      const doneNow = doneTargets(reported);
      idleSlices = doneNow > done ? 0 : idleSlices + 1;
      done = doneNow;
      await schedule.sleep(retryAfterMs(answer.headers, schedule.now()) ?? 1_000, options.signal);
      if (options.signal?.aborted) throw incomplete('it was stopped', options.signal.reason);
    }
    const why = `its last ${idleSlicesAllowed} parts made no progress`;
    throw incomplete(why, new NoAnswerError(why));
  }

  async #send(intent: Intent, options: CallOptions & { isAbsent?: boolean }, unclear?: Error): Promise<ReadAnswer> {
    const operation = operationOf(intent.operationId);
    const { signal, timeoutMs, isAbsent } = options;
    const stopped = (error: unknown) => {
      // An error that stops a retry before it is sent says nothing about the earlier attempt.
      const isUnsent = unclear === undefined || (isAbsent === true && isWithdrawn(error));
      throw isUnsent ? error : new OutcomeUnknownError(intent, error);
    };
    const request = await this.#wireRequest(operation, intent).catch(stopped);
    const prove = await this.#proofOf(intent).catch(stopped);
    if (signal?.aborted && unclear === undefined) throw signal.reason;
    const sending = { operation, intent, request, signal, timeoutMs, unclear, isAbsent, prove };
    return await sendUntilKnown(this.#carrier, sending);
  }

  async #proofOf(intent: Intent): Promise<Prove> {
    const { prove } = this.#options;
    if (prove === undefined || intent.method === 'GET') return unforbidden;
    try {
      return await prove(intent);
    } catch (error) {
      throw withdrawnBy(error);
    }
  }

  async #wireRequest(operation: Operation, intent: Intent): Promise<WireRequest> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (this.#options.userAgent !== undefined) headers['user-agent'] = this.#options.userAgent;
    // A cached price or order would be taken for a current one.
    if (intent.method === 'GET') headers['cache-control'] = 'no-cache';
    if (intent.body !== undefined) headers['content-type'] = 'application/json';
    if (intent.idempotencyKey !== undefined) headers['idempotency-key'] = intent.idempotencyKey;
    if (operation.auth === 'required' && this.#options.credential !== undefined) {
      const credential = await this.#askedCredential(this.#options.credential);
      if (credential !== undefined) headers.authorization = authorization(credential);
    }
    return { method: intent.method, target: intent.target, headers, body: intent.body };
  }

  #askedCredential(ask: NonNullable<ClientOptions['credential']>): Promise<string | undefined> {
    this.#credential ??= Promise.resolve()
      .then(ask)
      .catch((error: unknown) => {
        this.#credential = undefined;
        throw error;
      });
    return this.#credential;
  }

  async #open(intent: Intent, send: () => Promise<ReadAnswer>): Promise<ReadAnswer> {
    // The token exchange carries secrets: it is not a write, and never kept.
    const isWrite = writeOf(intent.operationId) !== undefined;
    const kept = isWrite ? await this.#options.intents?.beforeSend(intent) : undefined;
    if (kept?.isRepetition === true && !mayRepeatBlindly(operationOf(intent.operationId), this.keepsKeys))
      throw new OutcomeUnknownError(intent, new NoAnswerError('an earlier attempt under this key got no answer'));
    return await this.#conclude(intent, send);
  }

  async #conclude(intent: Intent, send: () => Promise<ReadAnswer>): Promise<ReadAnswer> {
    let answer: ReadAnswer;
    try {
      answer = await send();
    } catch (error) {
      const isOpen = error instanceof OutcomeUnknownError || error instanceof BulkIncompleteError;
      if (!isOpen) await this.settled(intent, { kind: 'not_done', error: error as Error });
      else this.waits(intent, false);
      throw error;
    }
    // A bulk operation that answers 202 continues: its intent stays open until the last part.
    const continues = answer.status === 202 && operationOf(intent.operationId).responses[202] !== undefined;
    const { id } = (answer.body as { data: { id?: unknown } }).data ?? {};
    if (typeof id === 'string' && makesStrategy(intent.operationId)) this.#made.add(id);
    if (!continues) await this.settled(intent, { kind: 'done', status: answer.status, body: answer.body });
    return answer;
  }
}

const known: Readonly<Record<string, Operation>> = { ...operations, ...simulationOperations };

function operationOf(id: string): Operation {
  const operation = known[id];
  if (operation === undefined)
    throw new RequestError([{ field: 'operation', issue: `must be an API operation, not ${JSON.stringify(id)}` }]);
  return operation;
}

function toAnswer<Id extends KnownOperationId>(answer: ReadAnswer, intent: Intent): Answer<Id> {
  const body = answer.body as ResponseOf<Id>;
  return {
    data: (body as { data: DataOf<Id> }).data,
    body,
    status: answer.status,
    requestId: answer.headers['x-request-id'],
    headers: answer.headers,
    idempotencyKey: intent.idempotencyKey,
    flaw: answer.flaw,
  };
}

function doneTargets(reported: unknown): number {
  if (!isJsonObject(reported)) return 0;
  return (Number(reported.succeeded_count) || 0) + (Number(reported.failed_count) || 0);
}
