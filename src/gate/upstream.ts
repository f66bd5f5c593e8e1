import { misfit } from '../client/belonging.ts';
import { createClient } from '../client/client.ts';
import { ApiError, ConnectionError, NoAnswerError, OutcomeUnknownError } from '../client/errors.ts';
import { finish, listedWithin } from '../client/finish.ts';
import { type Intent, intentOf } from '../client/intent.ts';
import { look, type Settlement } from '../client/look.ts';
import { authorization } from '../client/request.ts';
import type { RenewableTransport } from '../client/send.ts';
import type { Operation } from '../contract/operation.ts';
import type { KnownOperationId, RequestOf } from '../contract/operations.ts';
import type { WireRequest, WireResponse } from '../contract/wire.ts';
import type { Access, Session } from '../desk/session/session.ts';
import { Failure } from '../hosting/failure.ts';
import { targetOf } from './asked.ts';

/** A read as it goes to the service. */
export interface ForwardedRead {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  /** Path and query. */
  readonly target: string;
}

/** A write as it goes to the service, with the ids that the service knows. */
export interface ForwardedWrite {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** The resource as it was before: what tells the effect of a write that has no key. */
  readonly before?: unknown;
  /** When it was first sent, Unix ms. */
  readonly sentAt: number;
}

/** How long a read may take, and who ends it before. */
export interface ReadLimits {
  /** On the clock of `performance.now`, ms. */
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** What became of a write. */
export type Outcome =
  /** The service answered; a status of 400 and more means that nothing was done. */
  | { readonly kind: 'answered'; readonly answer: WireResponse }
  /** Nothing was done, and nothing can be any more. */
  | { readonly kind: 'not_done'; readonly failure: Failure }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly unanswered: OutcomeUnknownError };

/** Who is told what the service thinks of the gate. */
export interface UpstreamListener {
  /** The service does not accept the gate's own credential. */
  distrusted(message: string): void;
  /** Too many requests came from the gate. */
  rateLimited(): void;
}

const notSentAgain = 'This was not done: the gate ended before it arrived. Send it again.';

/** Headers of the service's answers that a bot gets. How many accounts have ended is not for it. */
const passedOn = ['x-request-id', 'x-market-source', 'retry-after', 'allow', 'cache-control'] as const;

/** Sends requests to the service with the gate's own credential. */
export class Upstream {
  readonly #session: Session;
  readonly #told: UpstreamListener;
  /** What a simulation says of its prices, in every answer; a host says nothing. */
  #source: Record<string, string> = {};

  constructor(session: Session, told: UpstreamListener) {
    this.#session = session;
    this.#told = told;
  }

  /** What the gate's own answers say as those of the service do. */
  get sharedHeaders(): Readonly<Record<string, string>> {
    return this.#source;
  }

  /** The service's answer to a read. Throws a 503 if there is none in time. */
  async read(read: ForwardedRead, { until, signal }: ReadLimits): Promise<WireResponse> {
    const access = await this.#session.access();
    const { transport } = access.carrier;
    const request = await this.#request(access, read);
    const intent = intentOf(
      read.operation,
      { target: read.target, path: { ...read.path }, body: undefined },
      undefined,
    );
    for (let attempt = 1; ; attempt += 1) {
      const leftMs = until - performance.now();
      if (leftMs < 1) throw unavailable('The service did not answer the gate.');
      const timeoutMs = Math.min(this.#session.settings.timeoutMs, Math.ceil(leftMs));
      try {
        const answer = await transport(request, { timeoutMs, signal });
        // A connection that delivered one answer twice gives every later request the answer to another one.
        const isStrange = answer.status < 500 && misfit(read.operation, intent, answer) !== undefined;
        if (!isStrange) return this.#passed(answer);
        transport.renew?.();
        if (attempt > 1) throw unavailable('The service gave an answer that belongs to another request.');
      } catch (error) {
        if (error instanceof Failure) throw error;
        if (signal?.aborted || attempt > 1 || !isTransient(error)) throw unreachable(error);
      }
    }
  }

  /** Sends a write once, and no byte of it before `logged`: if that fails, nothing was done. */
  async send(write: ForwardedWrite, signal?: AbortSignal, logged?: Promise<void>): Promise<Outcome> {
    // It is awaited further down, but not if the request can't be formed.
    logged?.catch(() => {});
    return await this.#outcome(write, async (call) => (await call(signal)).answer, logged);
  }

  /** Finds out what a write did that got no answer, and repeats it under its key if that is safe and it is absent. */
  async settle(write: ForwardedWrite, unanswered: OutcomeUnknownError, signal?: AbortSignal): Promise<Outcome> {
    const { arrivalMs } = await this.#session.access();
    const options = { before: write.before, sentAt: write.sentAt, arrivalMs, maxWaitMs: arrivalMs, signal };
    return await this.#outcome(write, async (_, client) => {
      const { status, headers, body } = (await finish(client, unanswered, options)).answer;
      return { status, headers, body };
    });
  }

  /** Finds out what a write did that was sent long ago, without ever sending it again. */
  async found(write: ForwardedWrite, unanswered: OutcomeUnknownError, signal?: AbortSignal): Promise<Outcome> {
    const { arrivalMs } = await this.#session.access();
    const { before, sentAt } = write;
    let settlement: Settlement | undefined;
    const outcome = await this.#outcome(write, async (_, client) => {
      settlement = await look(client, unanswered.intent, { before, sentAt, signal });
      const leftMs = sentAt + arrivalMs * listedWithin - this.#session.machine.now();
      if (settlement.verdict === 'not_applied' && leftMs > 0) {
        await client.sleep(leftMs, signal);
        settlement = await look(client, unanswered.intent, { before, sentAt, signal });
      }
      return { status: 200, headers: {}, body: { data: settlement.verdict === 'applied' ? settlement.data : null } };
    });
    if (settlement?.verdict === 'not_applied') return { kind: 'not_done', failure: unavailable(notSentAgain) };
    return settlement?.verdict === 'applied' ? outcome : { kind: 'unknown', unanswered };
  }

  /** The answer of a client of its own, or what it rejected with; a refusal is given as it came. */
  async #outcome(
    write: ForwardedWrite,
    act: (
      call: (signal: AbortSignal | undefined) => Promise<{ answer: WireResponse }>,
      client: ReturnType<typeof createClient>,
    ) => Promise<WireResponse>,
    logged?: Promise<void>,
  ): Promise<Outcome> {
    const access = await this.#session.access();
    let last: WireResponse | undefined;
    let notLogged: Failure | undefined;
    const { transport } = access.carrier;
    const heard: RenewableTransport = async (request, limits) => {
      await logged?.catch((error: unknown) => {
        notLogged = unavailable(error instanceof Error ? error.message : String(error), 5);
        throw notLogged;
      });
      last = await transport(request, limits);
      return last;
    };
    const client = createClient({
      ...access.carrier,
      transport: Object.assign(heard, { renew: () => transport.renew?.() }),
      keepsKeys: access.client.keepsKeys,
      timeoutMs: this.#session.settings.timeoutMs,
      retry: { attempts: 1, arrivalMs: access.arrivalMs, sleep: this.#session.machine.sleep },
    });
    try {
      const answer = await act(async (signal) => {
        const { operation, path, body, idempotencyKey } = write;
        const request = { path, body, idempotencyKey } as unknown as RequestOf<KnownOperationId>;
        const options = { intent: intentFor(write), signal };
        const answer = await client.call(operation.id as KnownOperationId, { ...request, ...options });
        return { answer: { status: answer.status, headers: answer.headers, body: answer.body } };
      }, client);
      return this.#answered(answer);
    } catch (error) {
      if (notLogged !== undefined) return { kind: 'not_done', failure: notLogged };
      if (error instanceof OutcomeUnknownError) return { kind: 'unknown', unanswered: error };
      if (error instanceof ApiError && last !== undefined && last.status === error.status) return this.#answered(last);
      if (error instanceof ConnectionError || error instanceof NoAnswerError || error instanceof ApiError)
        return { kind: 'not_done', failure: unreachable(error) };
      throw error;
    }
  }

  /** What the service refuses for a reason of its own was not done. */
  #answered(answer: WireResponse): Outcome {
    try {
      return { kind: 'answered', answer: this.#passed(answer) };
    } catch (error) {
      if (error instanceof Failure) return { kind: 'not_done', failure: error };
      throw error;
    }
  }

  async #request({ carrier }: Access, { operation, target }: ForwardedRead): Promise<WireRequest> {
    const headers: Record<string, string> = { accept: 'application/json', 'cache-control': 'no-cache' };
    if (carrier.userAgent !== undefined) headers['user-agent'] = carrier.userAgent;
    const credential = operation.auth === 'required' ? await carrier.credential?.() : undefined;
    if (credential !== undefined) headers.authorization = authorization(credential);
    return { method: 'GET', target, headers };
  }

  /** An answer as a bot gets it: its key is fine, whatever the service says about the gate's. */
  #passed(answer: WireResponse): WireResponse {
    if (answer.status === 401) {
      this.#told.distrusted('The service does not accept the credential of the gate.');
      throw unavailable('The service does not accept the credential of the gate. Its owner has to renew it.', 60);
    }
    if (answer.status === 429) this.#told.rateLimited();
    const body = answer.body;
    const isOfApi = typeof body === 'object' && body !== null;
    if (!isOfApi && answer.status < 500) throw unavailable('The service gave an answer that is not of its API.');
    if (!isOfApi) throw unavailable(`The service answered ${answer.status}, without a reason.`);
    const source = answer.headers['x-market-source'];
    this.#source = source === undefined ? {} : { 'x-market-source': source };
    const headers: Record<string, string> = {};
    for (const name of passedOn) {
      const value = answer.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    return { status: answer.status, headers, body };
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ConnectionError && error.retryable);
}

/** 503: the service was not reached, or gave no answer that can be believed. */
export function unavailable(message: string, retryAfterSeconds = 1): Failure {
  return new Failure('unavailable', message, { retryAfterSeconds });
}

function unreachable(error: unknown): Failure {
  if (error instanceof ConnectionError) return unavailable('The gate has no connection to the service.');
  if (error instanceof NoAnswerError) return unavailable('The service did not answer the gate.');
  if (error instanceof ApiError) return unavailable(error.message);
  throw error;
}

const intents = new WeakMap<ForwardedWrite, Intent>();

/** A write as the client looks it up and repeats it. */
export function intentFor(write: ForwardedWrite): Intent {
  const intent = intents.get(write) ?? newIntent(write);
  intents.set(write, intent);
  return intent;
}

function newIntent({ operation, path, body, idempotencyKey }: ForwardedWrite): Intent {
  const target = targetOf({ operation, path }, new URLSearchParams());
  const text = body === undefined ? undefined : JSON.stringify(body);
  return intentOf(operation, { target, path: { ...path }, body: text }, idempotencyKey);
}
