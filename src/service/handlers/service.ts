import { assert, InvariantBroken } from '../../base/terms/invariants.ts';
import type { Environment } from '../../exchange/engine/model.ts';
import { isInDoubt, StoreError, type StoreErrorKind, storeError } from '../../exchange/store/errors.ts';
import type { Operation } from '../../wire/contract/operation.ts';
import { type KnownOperationId, operations } from '../../wire/contract/operations.ts';
import { simulationOperations } from '../../wire/contract/simulation.ts';
import { type Route, Router } from '../../wire/contract/target.ts';
import { largestNumber } from '../../wire/contract/validate.ts';
import type { WireRequest, WireResponse } from '../../wire/contract/wire.ts';
import { Failure, refusalResponse } from '../../wire/hosting/failure.ts';
import {
  bearerKey,
  environmentNamedBy,
  hashSecret,
  noCredential,
  unauthorized,
  wrongHost,
} from '../../wire/hosting/keys.ts';
import type { RateLimit } from '../../wire/hosting/rate-limit.ts';
import { type BodyProblems, newRequestId, readRequest, routeOf, searchOf } from '../../wire/hosting/read-request.ts';
import type { ServedMarkets } from '../live/open-markets.ts';
import { observedFor } from '../present/presenters.ts';
import { anonymous, localPrincipal, type Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { exposedTo } from './exposed.ts';
import { handlers } from './handlers.ts';
import type { Answer, CallContext, HostUrls } from './operations.ts';

/** How a request came in. */
interface RequestContext extends BodyProblems {
  /** The host that received it. */
  environment: Environment;
  /** In process: who makes the request, without a key. */
  principal?: Principal;
  /** Over HTTP: the address that the rate limit counts. */
  remoteAddress?: string;
}

/** Dependencies that the code opening a service provides. */
interface ServiceOptions {
  urls: HostUrls;
  /** Null: no limit. */
  rateLimit: RateLimit | null;
  /** Hash of the service file's key; null in process. */
  localKeyHash: string | null;
  /** The owner of the key that is valid as long as the service runs. */
  passing?: Principal | undefined;
  /** Writes that arrive together share a commit; in process each has its own. */
  groupsCommits: boolean;
  /** Called for every bug that a request encounters. */
  onBug: (error: unknown, requestId: string) => void;
  /** Called when the state's file fails, once until it fails differently. */
  onTrouble?: ((error: StoreError) => void) | undefined;
}

const router = new Router<Operation>([...Object.values(operations), ...Object.values(simulationOperations)]);
/** How long a request waits for the first book of a live market. */
const firstBookMs = 5_000;
/** Failures of a state's file that waiting does not fix. */
const lastingKinds: ReadonlySet<StoreErrorKind> = new Set(['corrupt', 'foreign', 'newer', 'outdated']);

/** The API in front of a simulation: one request in, one answer out, over any transport. */
export class Service {
  readonly simulation: Simulation;
  readonly #options: ServiceOptions;
  readonly #marketSource: string;
  #lastTrouble = '';

  constructor(simulation: Simulation, options: ServiceOptions) {
    this.simulation = simulation;
    this.#options = options;
    this.#marketSource = simulation.facts.source.name;
  }

  /** The simulation's facts in every answer, including those that open a stream. */
  get ownHeaders(): Record<string, string> {
    return { 'x-market-source': this.#marketSource, 'x-sim-run': this.simulation.run };
  }

  /**
   * Answers a request. Checks come in the order of simulation 8.1. A write rejects with a StoreError `in_doubt` if it
   * is unknown whether it was done: no answer would be truthful, so the transport must not give one.
   */
  async handle(request: WireRequest, context: RequestContext): Promise<WireResponse> {
    const requestId = newRequestId();
    let route: Route | null = null;
    try {
      route = routeOf(router, request);
      const answer = await this.#answer(request, context, route);
      const unsynced = this.simulation.store.unsynced();
      if (unsynced !== null) await unsynced;
      if (answer.isLost) return badGateway(requestId);
      return {
        status: answer.status,
        headers: { 'x-request-id': requestId, ...answer.headers },
        body: answer.body,
      };
    } catch (error) {
      return this.#refuse(error, requestId, route?.operation ?? null, request.method === 'GET');
    }
  }

  /** The answer to an error. A write in doubt gets none; the client of a read is only told to retry. */
  async #refuse(
    error: unknown,
    requestId: string,
    operation: Operation | null,
    isRead: boolean,
  ): Promise<WireResponse> {
    try {
      if (isInDoubt(error)) throw error;
      // A refusal includes the state's facts, too.
      if (error instanceof Failure) await this.simulation.store.unsynced();
      return this.#refusal(this.failureOf(error, requestId), requestId, operation);
    } catch (doubt) {
      if (!isRead) throw doubt;
      return this.#refusal(this.failureOf(doubt, requestId), requestId, null);
    }
  }

  async #answer(request: WireRequest, context: RequestContext, { operation, path }: Route): Promise<Answer> {
    const { rateLimit } = this.#options;
    if (rateLimit !== null) admit(rateLimit, operation, context, this.simulation.weather);
    const principal = this.#principal(operation, request, context);
    authorize(operation, principal);
    const search = searchOf(request.target);
    const isSideAlone = operation.id === 'getMarketQuote' && search.has('side') && !search.has('size');
    if (isSideAlone) this.#allowSideAlone(search, principal);
    const { query, body, idempotencyKey } = readRequest(operation, request, context, search);
    const call = {
      operationId: operation.id,
      path,
      query,
      body,
      principal,
      environment: context.environment,
      idempotencyKey,
      search,
      simulation: this.simulation,
      urls: this.#options.urls,
    } satisfies CallContext & Record<'path' | 'query' | 'body', unknown>;
    const exposed = this.simulation.weather === null ? null : exposedTo(call, operation);
    // The table is typed by operation, and readRequest has just read the request of this operation.
    const { live } = this.simulation.facts;
    const book = live === undefined ? null : this.#bookOf(live, path, body);
    if (book !== null) await book;
    const { passage } = this.simulation;
    const late = passage?.catchUp() ?? null;
    if (late !== null) await late;
    const handler = handlers[operation.id as KnownOperationId] as (call: never, turn: Turn) => Answer;
    // An answer that can't be sent must fail before anything is committed: afterwards, an error would deny what was
    // done.
    const work = (turn: Turn) => this.#told(soundAnswer(handler(call as never, turn)), turn, context.environment);
    if (operation.method === 'GET') return this.simulation.read(work);
    const write = () => (this.#options.groupsCommits ? this.simulation.submit(work) : this.simulation.write(work));
    if (operation.id === 'simAdvance' && passage !== null) return passage.inOrder(async () => finished(await write()));
    const written = await write();
    const answer = written.after === undefined ? written : await finished(written);
    return exposed?.losesAnswer() === true ? { ...answer, isLost: true } : answer;
  }

  /**
   * Adds the simulation's facts to every answer, and a header with the number of ended accounts and the last one's
   * time, so that a client learns it from any answer (simulation 6.1).
   */
  #told(answer: Answer, { exchange }: Turn, environment: Environment): Answer {
    const ended = exchange.endedAccounts(environment);
    const last = Math.max(...ended.map(({ endedAt }) => endedAt ?? 0));
    const endings = ended.length > 0 && { 'x-sim-endings': `${ended.length};${last}` };
    return { ...answer, headers: { ...this.ownHeaders, ...endings, ...answer.headers } };
  }

  /** Where that was observed, a quote with a side and no size is one without both (simulation 6.3). */
  #allowSideAlone(search: URLSearchParams, principal: Principal): void {
    const named = search.get('account_id') ?? undefined;
    const observed = this.simulation.read((turn) => observedFor(principal, turn, named));
    if (observed.sideAloneIsPlainQuote) search.delete('side');
  }

  /** The book of a live market that a request names for the first time; null if there is nothing to wait for. */
  #bookOf(live: ServedMarkets, path: object, body: unknown): Promise<unknown> | null {
    const named = (path as { market_id?: unknown }).market_id ?? (body as { market_id?: unknown } | null)?.market_id;
    return typeof named === 'string' && this.simulation.markets.has(named) ? live.ready(named, firstBookMs) : null;
  }

  #principal(operation: Operation, { headers }: WireRequest, context: RequestContext): Principal {
    const isOpen = operation.auth === 'optional' && headers.authorization === undefined;
    if (isOpen || operation.auth === 'none') return anonymous(context.environment);
    if (operation.auth === 'optional') return this.principal(headers.authorization, context.environment);
    if (context.principal !== undefined) return context.principal;
    return this.principal(headers.authorization, context.environment);
  }

  /**
   * The principal of an `Authorization` header on the host of an environment (API 5). Throws 401, always with
   * WWW-Authenticate.
   */
  principal(authorization: string | undefined, environment: Environment): Principal {
    if (authorization === undefined) throw noCredential();
    const { urls, localKeyHash, passing } = this.#options;
    const key = bearerKey(authorization);
    const hash = hashSecret(key);
    if (hash === localKeyHash) return localPrincipal(environment);
    const isPassing = passing !== undefined && hash === passing.credentialHash;
    if (isPassing && passing.environment === environment) return passing;
    const known = this.simulation.store.credentials.key(hash);
    const belongsTo = isPassing ? passing.environment : (known?.environment ?? environmentNamedBy(key));
    if (belongsTo !== null && belongsTo !== environment) throw wrongEnvironment(belongsTo, urls);
    if (known === null) throw unauthorized('This credential is unknown.');
    if (known.revokedAt !== null) throw unauthorized('This credential was revoked.');
    if (known.expiresAt !== null && known.expiresAt <= this.simulation.wallTime())
      throw unauthorized('This credential has expired. Log in again.');
    return { owner: known.owner, environment, scope: known.scope, kind: known.kind, credentialHash: hash };
  }

  /** Reports that the state's file fails; a lock held by another process is not such a failure. */
  reportTrouble(error: StoreError): void {
    if (error.kind === 'busy' || error.message === this.#lastTrouble) return;
    this.#lastTrouble = error.message;
    this.#options.onTrouble?.(error);
  }

  /** Reports a bug; `during` is the request's id, or names the work outside of requests. */
  reportBug(error: unknown, during: string): void {
    this.#options.onBug(error, during);
  }

  /** The answer to an error; a bug is also reported. */
  failureOf(error: unknown, requestId: string): Failure {
    if (error instanceof Failure) return error;
    if (error instanceof StoreError && !lastingKinds.has(error.kind)) {
      this.reportTrouble(error);
      return new Failure('unavailable', error.message, { retryAfterSeconds: 1 });
    }
    this.reportBug(error, requestId);
    if (error instanceof StoreError) return new Failure('internal', `${error.message} Nothing was changed.`);
    const what = error instanceof InvariantBroken ? `broke its own rule ${error.invariant}` : 'met an unexpected error';
    return new Failure('internal', `The simulation ${what}; nothing was changed. This is a bug.`);
  }

  #refusal(failure: Failure, requestId: string, operation: Operation | null): WireResponse {
    return refusalResponse(failure, { requestId, operation, headers: this.#headersOfRefusal() });
  }

  /** An unreadable file doesn't identify its run. */
  #headersOfRefusal(): Record<string, string> {
    try {
      return this.ownHeaders;
    } catch {
      return { 'x-market-source': this.#marketSource };
    }
  }
}

function wrongEnvironment(belongsTo: Environment, urls: HostUrls): Failure {
  const host = belongsTo === 'live' ? 'live' : 'sandbox';
  return wrongHost(`This is a ${belongsTo} key: use it on the ${host} host, ${urls[belongsTo]}.`);
}

/** 429, if the operation has it: reads without a credential and the simulation's own operations have no limit. */
function admit(
  rateLimit: RateLimit,
  { responses }: Operation,
  { remoteAddress }: RequestContext,
  weather: Simulation['weather'],
): void {
  if (remoteAddress === undefined || responses[429] === undefined) return;
  const retryAfterSeconds = rateLimit.admit(remoteAddress, performance.now());
  if (retryAfterSeconds === 0) return;
  weather?.survival.ordinarilyLimited();
  throw new Failure('rate_limited', 'Too many requests from this address.', { retryAfterSeconds });
}

/** An answer with slow work. If the state's file fails meanwhile, some of it was done. */
async function finished(answer: Answer): Promise<Answer> {
  try {
    return answer.after === undefined ? answer : { ...answer, body: await answer.after() };
  } catch (error) {
    throw error instanceof StoreError ? storeError('in_doubt', error.file, error) : error;
  }
}

/** As a proxy answers whose own connection broke: it doesn't show whether the request was done. */
function badGateway(requestId: string): WireResponse {
  return { status: 502, headers: { 'x-request-id': requestId }, body: 'Bad Gateway' };
}

/** 403: wrong scope, or an operation that only the local user may call. */
function authorize(operation: Operation, principal: Principal): void {
  if (operation.path.startsWith('/sim/') && principal.kind !== 'local')
    throw new Failure('forbidden', "The simulation's own operations accept only the key in its service file.");
  if (operation.scope === 'trade' && principal.scope !== 'trade')
    throw new Failure('forbidden', 'This credential can only read.');
}

/**
 * Makes sure that JSON can carry an answer. Throws if a number is missing, which is a bug: NaN and infinities would
 * silently become null. States of older versions may have numbers from before there were bounds; they are shown as the
 * bound.
 */
export function soundAnswer(answer: Answer): Answer {
  const { body } = answer;
  const field = bound({ body });
  assert(field === null, 'answer-numbers', field?.slice(1) ?? '');
  return answer;
}

/** Bounds every number in an object or list; returns the path of the first that is not a number. */
function bound(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Record<string | number, unknown>;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const member = members[name];
    const found = typeof member === 'number' && !Number.isFinite(member) ? '' : bound(member);
    if (found !== null) return `.${name}${found}`;
    if (typeof member === 'number' && Math.abs(member) > largestNumber)
      members[name] = Math.sign(member) * largestNumber;
  }
  return null;
}
