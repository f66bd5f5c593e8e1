import type { WasSent } from '../../base/terms/sent.ts';
import type { Access, Session } from '../../desk/session/session.ts';
import { answerMismatch } from '../../wire/client/belonging.ts';
import { type Client, createClient } from '../../wire/client/client.ts';
import {
  ApiError,
  ConnectionError,
  frontOf,
  NoAnswerError,
  OutcomeUnknownError,
} from '../../wire/client/client-errors.ts';
import { authorization } from '../../wire/client/form-request.ts';
import { type Intent, intentOf } from '../../wire/client/intent.ts';
import { answerOf, listedWithin, outcome, stateBefore } from '../../wire/client/outcome.ts';
import { isWithdrawn, type Prove } from '../../wire/client/proven-send.ts';
import { makesStrategy } from '../../wire/client/read-back-made.ts';
import { RetrySchedule } from '../../wire/client/retry.ts';
import { type RenewableTransport, sendUntilKnown } from '../../wire/client/send.ts';
import { sentIn, sentIssue } from '../../wire/contract/errors.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import type { WireRequest, WireResponse } from '../../wire/contract/wire.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { type Named, readOf, targetOf } from './asked.ts';

/** A read as it goes to the service; `target`: path and query. */
type ForwardedRead = Pick<Named, 'operation' | 'path'> & { readonly target: string };

/** A write as it goes to the service, with the ids that the service knows. */
export interface ForwardedWrite {
  readonly operation: Operation;
  /** In the client's form, for looking it up and repeating it. */
  readonly intent: Intent;
  /**
   * The resource as it was before, or the earlier listing: it shows the effect of a write that has no key or no id of
   * ours.
   */
  readonly before?: unknown;
  /** When it was first sent, Unix ms. */
  readonly sentAt: number;
}

/** The maximum duration of a read, and the signal that ends it earlier. */
export interface ReadLimits {
  /** On the clock of `performance.now`, ms. */
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of a write. */
export type Outcome =
  /** The service answered; a status of 400 and more means that nothing was done. */
  | { readonly kind: 'answered'; readonly answer: WireResponse }
  /** Nothing was done, and nothing can be anymore. `isWithdrawn`: it wasn't sent, because it must no longer be. */
  | { readonly kind: 'not_done'; readonly failure: Failure; readonly isWithdrawn?: boolean }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly unanswered: OutcomeUnknownError };

/** Listeners for the service's view of the gate. */
interface UpstreamListener {
  /** The service does not accept the gate's own credential. */
  distrusted(message: string): void;
  /** The gate has sent too many requests. */
  rateLimited(): void;
}

const notSentAgain = 'This was not done, because the gate stopped first. Send it again.';

/** Headers of the service's answers that a bot gets. The number of ended accounts isn't for it. */
const passedOn = ['x-request-id', 'x-market-source', 'x-sim-run', 'retry-after', 'allow', 'cache-control'] as const;

/** The simulation facts in every answer. */
const ownOfSimulation = ['x-market-source', 'x-sim-run'] as const;

/** Sends requests to the service with the gate's own credential. */
export class Upstream {
  readonly #session: Session;
  readonly #told: UpstreamListener;
  /** A simulation's price facts, in every answer; a host sends none. */
  #source: Record<string, string> = {};

  constructor(session: Session, told: UpstreamListener) {
    this.#session = session;
    this.#told = told;
  }

  /** Headers of the gate's own answers, as in those of the service. */
  get sharedHeaders(): Readonly<Record<string, string>> {
    return this.#source;
  }

  /** The run of the simulation that has answered last. */
  get run(): string | undefined {
    return this.#source['x-sim-run'];
  }

  /** The service's answer to a read. Throws a 503 if there is none in time. */
  async read(read: ForwardedRead, { until, signal }: ReadLimits): Promise<WireResponse> {
    const headers = { 'cache-control': 'no-cache' };
    const intent = intentOf(
      read.operation,
      { target: read.target, path: { ...read.path }, body: undefined },
      undefined,
    );
    for (let attempt = 1; ; attempt += 1) {
      const leftMs = until - performance.now();
      if (leftMs < 1) throw unanswered();
      const access = await this.#session.access();
      const { transport } = access.carrier;
      const request = await requestOf(access, read.operation, { target: read.target, headers });
      const timeoutMs = Math.min(this.#session.settings.timeoutMs, Math.ceil(leftMs));
      try {
        const answer = await transport(request, { timeoutMs, signal });
        this.#hears(answer);
        if (attempt === 1 && this.#isReset(answer)) {
          await this.#session.access('again');
          continue;
        }
        // A connection that delivered one answer twice gives every later request the wrong answer.
        const isStrange = answer.status < 500 && answerMismatch(read.operation, intent, answer) !== undefined;
        if (!isStrange) return this.#passed(answer);
        transport.renew?.();
        if (attempt > 1) throw unavailable('The service answered another request.');
      } catch (error) {
        if (error instanceof Failure) throw error;
        if (signal?.aborted || attempt > 1 || !isTransient(error)) throw unreachable(error);
      }
    }
  }

  /**
   * A write that makes a strategy, with the earlier listing, so that no older twin is mistaken for it. A simulation
   * in this process is asked for its run, because no frame has told yet that another process has reset it. Throws a
   * 503.
   */
  async withBefore(write: ForwardedWrite, account_id: string): Promise<ForwardedWrite> {
    const { isInProcess } = await this.#session.access();
    const own = readOf('getAccount', { account_id });
    const until = performance.now() + this.#session.settings.timeoutMs;
    if (isInProcess) await this.read({ ...own, target: targetOf(own, new URLSearchParams()) }, { until });
    if (!makesStrategy(write.operation.id)) return write;
    const { client } = await this.#session.access();
    const before = await stateBefore(client, write.intent).catch((error: unknown) => {
      throw unreachable(error);
    });
    return { ...write, before };
  }

  /** Sends a write once, and no byte of it before `synced`: if that fails, nothing was done. */
  async send(write: ForwardedWrite, prove: Prove, signal?: AbortSignal, synced?: Promise<void>): Promise<Outcome> {
    try {
      await synced;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: 'not_done', failure: unavailable(message, 5) };
    }
    const { intent } = write;
    const headers: Record<string, string> = {};
    if (intent.body !== undefined) headers['content-type'] = 'application/json';
    if (intent.idempotencyKey !== undefined) headers['idempotency-key'] = intent.idempotencyKey;
    return await this.#outcome(async (access, transport) => {
      const request = await requestOf(access, write.operation, { target: intent.target, body: intent.body, headers });
      const { carrier, client, arrivalMs } = access;
      const schedule = new RetrySchedule({ attempts: 1, arrivalMs });
      const { timeoutMs } = this.#session.settings;
      if (signal?.aborted) throw signal.reason;
      return await sendUntilKnown(
        { ...carrier, transport, schedule, timeoutMs, keepsKeys: client.keepsKeys },
        { operation: write.operation, intent, request, signal, prove },
      );
    });
  }

  /** Finds the outcome of an unanswered write, and repeats it under its key if that is safe and it is absent. */
  async settle(
    write: ForwardedWrite,
    unanswered: OutcomeUnknownError,
    prove: Prove,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const { arrivalMs } = await this.#session.access();
    const options = { before: write.before, sentAt: write.sentAt, arrivalMs, maxWaitMs: arrivalMs, signal };
    return await this.#outcome(async (access, transport) => {
      const found = await outcome(this.#client(access, transport, prove), unanswered, options);
      const { status, headers, body } = answerOf(found, undefined).answer;
      return { status, headers, body };
    }, true);
  }

  /** Finds the outcome of a write sent long ago, without ever sending it again. */
  async found(write: ForwardedWrite, { intent }: OutcomeUnknownError, signal?: AbortSignal): Promise<Outcome> {
    const { before, sentAt } = write;
    return await this.#outcome(async (access, transport) => {
      const leftMs = sentAt + access.arrivalMs * listedWithin - this.#session.machine.now();
      const arrivalMs = Math.max(0, leftMs / listedWithin);
      const options = { before, sentAt, arrivalMs, isOnlyRead: true, signal };
      const found = await outcome(this.#client(access, transport), intent, options);
      if (found.verdict === 'not_applied') throw unavailable(notSentAgain, 1, 'unknown');
      if (found.verdict === 'unknown') throw new OutcomeUnknownError(intent, found.error ?? new Error(found.reason));
      return { status: 200, headers: {}, body: { data: found.data } };
    });
  }

  /**
   * The id of the result of a write answered long ago, if it is listed; `older`: results that aren't its own. Throws a
   * 503.
   */
  async listed(write: ForwardedWrite, older: readonly string[]): Promise<string | undefined> {
    const access = await this.#session.access();
    const { ids = [], ...before } = (write.before ?? {}) as { ids?: readonly string[] };
    const options = {
      before: { ...before, ids: [...ids, ...older] },
      sentAt: write.sentAt,
      arrivalMs: 0,
      isOnlyRead: true,
    };
    const found = await outcome(this.#client(access, access.carrier.transport), write.intent, options);
    if (found.verdict === 'applied') return (found.data as { id: string }).id;
    if (found.verdict === 'not_applied') return undefined;
    throw found.error === undefined
      ? unavailable(`It is not known whether this was already done: ${found.reason}.`, 5, 'unknown')
      : unreachable(found.error);
  }

  /**
   * The service's answer, or the rejection of `act`; a refusal is passed on unchanged. `isSecond`: it was sent before.
   */
  async #outcome(
    act: (access: Access, transport: RenewableTransport) => Promise<WireResponse>,
    isSecond = false,
  ): Promise<Outcome> {
    const access = await this.#session.access();
    const { transport } = access.carrier;
    const heard: RenewableTransport = async (request, limits) => {
      const answer = await transport(request, limits);
      this.#hears(answer);
      return answer;
    };
    heard.renew = () => transport.renew?.();
    try {
      return this.#answered(await act(access, heard));
    } catch (error) {
      if (error instanceof ApiError && this.#isReset(error.answer)) {
        await this.#session.access('again');
        const failure = unavailable('The simulation was reset. Send the request again: it is judged in the new run.');
        return { kind: 'not_done', failure: isSecond ? sentBefore(failure) : failure };
      }
      if (error instanceof OutcomeUnknownError) return { kind: 'unknown', unanswered: error };
      if (error instanceof Failure && !isWithdrawn(error)) return { kind: 'not_done', failure: error };
      if (isWithdrawn(error)) {
        const failure = isSecond ? sentBefore(withdrawal(error)) : withdrawal(error);
        return { kind: 'not_done', failure, isWithdrawn: true };
      }
      if (error instanceof ApiError) return this.#answered(error.answer);
      if (error instanceof ConnectionError || error instanceof NoAnswerError)
        return { kind: 'not_done', failure: isSecond ? sentBefore(unreachable(error)) : unreachable(error) };
      throw error;
    }
  }

  #client({ carrier, client, arrivalMs }: Access, transport: RenewableTransport, prove?: Prove): Client {
    return createClient({
      ...carrier,
      transport,
      keepsKeys: client.keepsKeys,
      ...(prove !== undefined && { prove: () => prove }),
      timeoutMs: this.#session.settings.timeoutMs,
      retry: { attempts: 1, arrivalMs, sleep: this.#session.machine.sleep },
    });
  }

  /** A write that the service refuses for its own reason was not done. */
  #answered(answer: WireResponse): Outcome {
    try {
      return { kind: 'answered', answer: this.#passed(answer) };
    } catch (error) {
      if (error instanceof Failure) return { kind: 'not_done', failure: sentBefore(error) };
      throw error;
    }
  }

  /** Whether an answer refuses everything because the simulation was reset: it has another key, or other markets. */
  #isReset({ status, body }: WireResponse): boolean {
    const { error } = (body ?? {}) as { error?: { details?: unknown } };
    const isOther = status === 401 || (status === 409 && sentIn(error?.details) === 'no');
    return isOther && this.#session.settings.environment === 'sim';
  }

  #hears({ headers }: WireResponse): void {
    this.#source = chosen(headers, ownOfSimulation);
  }

  /** An answer for a bot: its key is fine, no matter what the service says about the gate's. */
  #passed(answer: WireResponse): WireResponse {
    const front = frontOf(answer);
    if (front !== undefined) throw unavailable(`${front.says}.`);
    if (answer.status === 401) {
      this.#told.distrusted('The service does not accept the credential of the gate.');
      throw unavailable('The service does not accept the credential of the gate. The owner must renew it.', 60);
    }
    if (answer.status === 429) this.#told.rateLimited();
    const body = answer.body;
    const isOfApi = typeof body === 'object' && body !== null;
    if (!isOfApi && answer.status < 500) throw unavailable("The service's answer does not match its API.");
    if (!isOfApi) throw unavailable(`The service answered ${answer.status}, without a reason.`);
    return { status: answer.status, headers: chosen(answer.headers, passedOn), body };
  }
}

function chosen(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

/** A request with the gate's own credential. */
async function requestOf(
  { carrier }: Access,
  { method, auth }: Operation,
  { target, body, headers: own }: Pick<WireRequest, 'target' | 'body' | 'headers'>,
): Promise<WireRequest> {
  const headers: Record<string, string> = { accept: 'application/json', ...own };
  if (carrier.userAgent !== undefined) headers['user-agent'] = carrier.userAgent;
  const credential = auth === 'required' ? await carrier.credential?.() : undefined;
  if (credential !== undefined) headers.authorization = authorization(credential);
  return { method, target, headers, body };
}

function isTransient(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ConnectionError && error.retryable);
}

/** Why a write was withdrawn, in the terms of the gate. */
function withdrawal(error: unknown): Failure {
  return error instanceof Failure ? error : unavailable(error instanceof Error ? error.message : String(error));
}

/** 503 for a service that did not answer in time. */
function unanswered(): Failure {
  return unavailable('The service did not answer the gate.');
}

/** 503: the service has certainly done nothing; `sent`: whether it received the request. */
export function unavailable(message: string, retryAfterSeconds = 1, sent: WasSent = 'no'): Failure {
  return new Failure('unavailable', message, { retryAfterSeconds, details: [sentIssue(sent)] });
}

/** The same refusal for a write of which an attempt was sent before. */
function sentBefore({ code, message, facts }: Failure): Failure {
  const { details } = facts;
  if (sentIn(details) !== 'no') return new Failure(code, message, facts);
  const told = Array.isArray(details)
    ? details.map((one) => (one.field === 'sent' ? sentIssue('yes') : one))
    : { ...details, sent: 'yes' };
  return new Failure(code, message, { ...facts, details: told });
}

function unreachable(error: unknown): Failure {
  if (error instanceof ConnectionError) return unavailable('The gate has no connection to the service.');
  if (error instanceof NoAnswerError) return unanswered();
  if (error instanceof ApiError) return unavailable(error.message);
  throw error;
}

/** A write with the ids that the service knows, in the client's form. */
export function intentFor(
  operation: Operation,
  {
    path,
    body,
    idempotencyKey,
  }: Pick<Intent, 'path'> & { readonly body: unknown; readonly idempotencyKey: string | undefined },
): Intent {
  const clientOrderId = (body as { client_order_id?: unknown } | undefined)?.client_order_id;
  return {
    operationId: operation.id,
    method: operation.method,
    target: targetOf({ operation, path }, new URLSearchParams()),
    path: { ...path },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    payloadHash: '',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(typeof clientOrderId === 'string' && { clientOrderId }),
  };
}
