import { setTimeout as delay } from 'node:timers/promises';
import { retryAfterMs } from '../../base/sockets/front.ts';
import { isJsonObject } from '../../base/terms/json-object.ts';
import { apiCodeOf, type ErrorCode, sentIn } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { WireResponse } from '../contract/wire.ts';
import { ApiError, ConnectionError, frontOf, isServiceError, NoAnswerError, ProtocolError } from './client-errors.ts';
import { clientOrderIdFor } from './form-request.ts';
import type { Intent } from './intent.ts';
import { writeOf } from './writes.ts';

/** How often requests are repeated, and how long to wait in between. */
export interface RetryOptions {
  /** Maximum number of attempts at one request. Default 5. */
  attempts?: number;
  /** The first wait is a random part of this, ms; the limit doubles for each later one. Default 200. */
  baseDelayMs?: number;
  /** The longest backoff, ms. Default 5,000. */
  maxDelayMs?: number;
  /** Time for all attempts and waits of one request together, ms. Default 60,000. */
  deadlineMs?: number;
  /**
   * How long an earlier attempt may still arrive after the service answers again. Default `defaultArrivalMs`; 0 in
   * process.
   */
  arrivalMs?: number;
  /** Unix milliseconds. */
  now?: () => number;
  /** Resolves after the time, or at once when the signal aborts. */
  sleep?: ((delayMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** In [0, 1). */
  random?: () => number;
}

/** After an interruption of half a minute, a system sends its packets again within this time. */
export const defaultArrivalMs = 15_000;

/** The fate of a request, as far as one attempt reveals it. */
export type Verdict =
  /** It was done. */
  | { kind: 'done'; answer: WireResponse }
  /** It was not done, and a retry would not be either. */
  | { kind: 'refused'; error: Error; status?: number }
  /** It was not done; a retry may be. */
  | { kind: 'later'; error: Error; afterMs?: number | undefined }
  /** It may have been done. */
  | { kind: 'unclear'; error: Error; afterMs?: number | undefined };

/**
 * Whether an identical request may follow one with an unknown outcome without looking first: reads, requests that set a
 * desired total, and writes under a key, if the service keeps its keys or nothing readable shows what was done.
 */
export function mayRepeatBlindly(operation: Operation, keepsKeys: boolean): boolean {
  if (operation.method === 'GET') return true;
  const write = writeOf(operation.id);
  if (operation.idempotent) return keepsKeys || write?.readBack === undefined;
  return write?.secondTime === 'total';
}

/**
 * Whether a refusal of the retry also means that the earlier attempt, which got no answer, changed nothing. A key that
 * is kept is looked up before any rule is checked (simulation 8.1), so a conflict or a rule's refusal under it means
 * that nothing was stored under it, and a malformed request is malformed each time. A 401, 403, 404 or 429 comes before
 * that lookup and says nothing about the first attempt. `isBlind`: the key is relied on, see `mayRepeatBlindly`.
 */
export function settlesEarlierAttempt(operation: Operation, status: number | undefined, isBlind: boolean): boolean {
  if (status === 400 || status === 413 || status === 415) return true;
  return operation.idempotent && isBlind && (status === 409 || status === 422);
}

/**
 * Whether a refusal may be for a second delivery. A proxy that delivers a request twice returns the second answer, and
 * the second delivery is refused because of what the first one did. Under a forgotten key, the client order id is the
 * one that is taken.
 */
export function mayBeSecondDelivery(
  operation: Operation,
  { idempotencyKey, clientOrderId }: Intent,
  { status, error }: { status?: number; error: Error },
): boolean {
  if (writeOf(operation.id) === undefined) return false;
  if (!operation.idempotent) return status === 404 || status === 409 || status === 422;
  const isTaken = idConflicts.has(apiCodeOf(error));
  return isTaken && idempotencyKey !== undefined && clientOrderId === clientOrderIdFor(idempotencyKey);
}

/** Codes for a client order id that is taken; a 409 without its own code is a `conflict`. */
const idConflicts: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>(['client_order_id_conflict', 'conflict']);

/**
 * Whether a refusal leaves the key unused, so that an earlier attempt that arrives later would be processed as new: a
 * key only keeps the rejection of an order that is itself kept (simulation 8.3). A key or client order id that is taken
 * stays taken.
 */
export function leavesKeyFree(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.status === 422) return error.orderId === undefined;
  return error.status === 409 && error.code !== 'idempotency_conflict' && error.code !== 'client_order_id_conflict';
}

/** Reads an answer; `now` is the time that a Retry-After date counts from. */
export function judgeAnswer(
  answer: WireResponse,
  now: number,
  idempotencyKey: string | undefined,
  operation: Operation,
): Verdict {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    if (isJsonObject(answer.body) && answer.body.data !== undefined) return { kind: 'done', answer };
    const why = frontOf(answer)?.says ?? `${describe(answer)} without the API's data`;
    return { kind: 'unclear', error: new ProtocolError(why, answer) };
  }
  const afterMs = retryAfterMs(answer.headers, now);
  const error = new ApiError(answer, { retryAfterMs: afterMs, idempotencyKey });
  if (status >= 300 && status < 400) return judgeRedirect(answer);
  if (status === 429) return { kind: 'later', error, afterMs };
  if (status === 408 || isAboutConnection(answer, error)) return { kind: 'unclear', error };
  if (status < 500 || status === 501 || status === 505) return { kind: 'refused', error, status };
  if (status === 503 && isServiceError(answer.body) && meansNotDone(operation, error))
    return { kind: 'later', error, afterMs };
  return { kind: 'unclear', error, afterMs };
}

/**
 * Whether the service's 503 means that nothing was done: where the contract has one, and where a gate says that it has
 * sent nothing, or that it is certain. Any other write may have been done, by a service that was shed or restarted
 * before it answered. A proxy gives its own after it forwarded the request.
 */
function meansNotDone({ method, responses }: Operation, { details }: ApiError): boolean {
  const said = sentIn(details);
  return method === 'GET' || (said === undefined ? responses[503] !== undefined : said !== 'unknown');
}

/**
 * A 400 that closes the connection and names no field is about bytes that were not HTTP: they were damaged on the way,
 * and a complete request before them may be in progress.
 */
function isAboutConnection({ status, headers }: WireResponse, { issues }: ApiError): boolean {
  return status === 400 && headers.connection?.toLowerCase() === 'close' && issues.length === 0;
}

/** Reads a failure of the transport. */
export function judgeFailure(error: unknown): Verdict {
  if (error instanceof ConnectionError) return { kind: error.retryable ? 'later' : 'refused', error };
  if (error instanceof NoAnswerError) return { kind: 'unclear', error };
  return { kind: 'unclear', error: error instanceof Error ? error : new Error(String(error)) };
}

/** No redirect is followed: it would send the credential elsewhere, and a write would be sent twice. */
function judgeRedirect(answer: WireResponse): Verdict {
  const error = new ProtocolError(
    `${frontOf(answer)?.says ?? describe(answer)}, a redirect to ${JSON.stringify(answer.headers.location ?? 'nowhere')}, which is not followed: is the base URL right?`,
    answer,
  );
  // A server that accepted a form answers 303, or 302 as it was once used; the others mean that the resource is not
  // here.
  const mayBeDone = answer.status === 302 || answer.status === 303;
  return { kind: mayBeDone ? 'unclear' : 'refused', error };
}

function describe(answer: WireResponse): string {
  return `the server answered ${answer.status} (${answer.headers['content-type'] ?? 'no content type'})`;
}

/** Decides how long to wait before each further attempt, and when to stop trying. */
export class RetrySchedule {
  readonly now: () => number;
  readonly #options: { [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> };

  constructor(options: RetryOptions = {}) {
    const usual = { attempts: 5, baseDelayMs: 200, maxDelayMs: 5_000, deadlineMs: 60_000, arrivalMs: defaultArrivalMs };
    const { now = Date.now, random = Math.random, sleep: wait = sleep } = options;
    this.#options = { ...usual, ...options, now, random, sleep: wait };
    this.now = this.#options.now;
  }

  /** Time left before the deadline of a request that began at `begun`. */
  remainingMs(begun: number): number {
    return begun + this.#options.deadlineMs - this.now();
  }

  /**
   * How long to wait after attempt number `attempt` (from 1), undefined to give up: full jitter that doubles, or what
   * the service asks for plus a little jitter, so that clients refused together don't return together.
   */
  delayMs(attempt: number, begun: number, afterMs: number | undefined): number | undefined {
    const { attempts, baseDelayMs, maxDelayMs, random } = this.#options;
    if (attempt >= attempts) return undefined;
    const own = random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
    const delay = afterMs === undefined ? own : afterMs + random() * baseDelayMs;
    return delay < this.remainingMs(begun) ? delay : undefined;
  }

  /** How long an earlier attempt may still be in flight. */
  get arrivalMs(): number {
    return this.#options.arrivalMs;
  }

  sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#options.sleep(delayMs, signal);
  }
}

/** Resolves after the time, or at once when the signal aborts. */
export async function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(delayMs, undefined, { signal }).catch(() => {});
}
