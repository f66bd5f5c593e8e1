import { type HostCode, hostCode } from '../../base/failure/failure.ts';
import { type FrontAnswer, frontAnswer } from '../../base/sockets/front.ts';
import { isJsonObject } from '../../base/terms/json-object.ts';
import type { WasSent } from '../../base/terms/sent.ts';
import { type ErrorCode, errorCodes, sentIn, type ValidationIssue } from '../contract/errors.ts';
import type { WireResponse } from '../contract/wire.ts';
import type { Intent } from './intent.ts';

/** The service refused the request, so nothing was changed (API 7). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The service's code, even one that this version does not know; without one, the code for the status. */
  readonly code: ErrorCode | HostCode;
  /** A gate says whether it sent the request; a service that answered has received it. */
  readonly sent: WasSent;
  readonly requestId: string | undefined;
  /** The trading rule that refused, e.g. `insufficient-margin`. */
  readonly ruleId: string | undefined;
  /** The rejected order, if the service recorded one. */
  readonly orderId: string | undefined;
  readonly clientOrderId: string | undefined;
  /** As sent: a list of invalid fields (400), or facts of the rule (422). */
  readonly details: unknown;
  /** Sending the same request later may succeed. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** What to do about an answer from something in front of the service. */
  declare readonly wayOut?: string;
  readonly #answer: WireResponse;

  constructor(
    answer: WireResponse,
    context: { retryAfterMs?: number | undefined; idempotencyKey?: string | undefined } = {},
  ) {
    const refusal = refusalOf(answer.body);
    const front = frontOf(answer);
    super(front?.says ?? text(refusal.message) ?? `the service answered ${answer.status} without a reason`);
    this.#answer = answer;
    this.status = answer.status;
    this.code =
      front === undefined ? hostCode(text(refusal.code) ?? codeOfStatus(answer.status)) : hostCode('foreign_answer');
    if (front !== undefined) this.wayOut = front.wayOut;
    this.requestId = text(refusal.request_id) ?? answer.headers['x-request-id'];
    this.ruleId = text(refusal.rule_id);
    this.orderId = text(refusal.order_id);
    this.clientOrderId = text(refusal.client_order_id);
    this.details = refusal.details;
    this.sent = sentIn(refusal.details) ?? 'yes';
    this.retryable = answer.status === 429 || answer.status === 503;
    this.retryAfterMs = context.retryAfterMs;
    this.idempotencyKey = context.idempotencyKey;
  }

  /** As it was received. */
  get answer(): WireResponse {
    return this.#answer;
  }

  /** The invalid fields of a 400; empty if the service named none. */
  get issues(): ValidationIssue[] {
    return Array.isArray(this.details) ? this.details.filter(isIssue) : [];
  }
}

/** No connection was made, or it was lost before the first byte: nothing was sent, so nothing changed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** The system's code, e.g. ECONNREFUSED, if there is one. */
  readonly code: string | undefined;
  /** False if trying again can't help: an unknown host, an untrusted certificate. */
  readonly retryable: boolean;

  constructor(message: string, options: { code?: string | undefined; retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable ?? true;
  }
}

/** Some or all of the request was sent, and no complete answer came back: the outcome is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code: string | undefined;

  constructor(message: string, options: { code?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code;
  }
}

/** An answer that the service itself does not give: a redirect, a proxy's page, a resource without its `data`. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, answer?: WireResponse) {
    super(message);
    this.status = answer?.status;
    this.requestId = answer?.headers['x-request-id'];
  }
}

/**
 * A write was sent, and all safe retries are used up without an answer that settles it: it may or may not have
 * happened. `outcome` finds out and completes it. If the cause is a refusal, the write
 * was answered, but the refusal may be for a second delivery of it.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  readonly intent: Intent;
  /** Why the last attempt was refused, if it was. It says nothing about earlier attempts. */
  readonly refusal: Error | undefined;
  /** When it was first sent, Unix ms, if that is known. */
  readonly sentAt: number | undefined;

  constructor(intent: Intent, cause: unknown, refusal?: Error, sentAt?: number) {
    super(
      `the outcome of ${intent.operationId} is unknown: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
    this.intent = intent;
    this.refusal = refusal;
    this.sentAt = sentAt;
  }

  get idempotencyKey(): string | undefined {
    return this.intent.idempotencyKey;
  }
}

/** The request is invalid, so nothing was sent. Its issues name the fields as the wire does. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    super(issues.map(({ field, issue }) => `${field} ${issue}`).join('; '));
    this.issues = issues;
  }
}

/** A bulk operation stopped before its end; repeating it under the same key continues where it stopped (API 4.2.1). */
export class BulkIncompleteError extends Error {
  override readonly name = 'BulkIncompleteError';
  readonly idempotencyKey: string;

  constructor(message: string, idempotencyKey: string, cause?: unknown) {
    super(message, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** The credential can't be sent as a header; the message never contains it. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';
}

/** Whether this error comes from the service itself, not from a proxy in front of it: only the service gives a code. */
export function isServiceError(body: unknown): boolean {
  return text(refusalOf(body).code) !== undefined;
}

/** Who answered in the service's place; the service itself names each of its answers and says why it refuses. */
export function frontOf({ status, headers, body }: WireResponse, service?: string): FrontAnswer | undefined {
  const isNamed = headers['x-request-id'] !== undefined || Object.keys(refusalOf(body)).length > 0;
  return isServiceError(body) ? undefined : frontAnswer(status, headers, service, !isNamed);
}

/** Reads every shape of refusal: `{error: {...}}`, `{error: "text"}`, and the bare `{code, message, request_id}`. */
export function refusalOf(body: unknown): Record<string, unknown> {
  if (!isJsonObject(body)) return {};
  if (isJsonObject(body.error)) return body.error;
  if (typeof body.error === 'string') return { message: body.error };
  return typeof body.code === 'string' ? body : {};
}

function codeOfStatus(status: number): string {
  if (status === 409) return 'conflict';
  const known = Object.entries(errorCodes).find(([, entry]) => entry.status === status);
  return known?.[0] ?? `http_${status}`;
}

/** Whether a value is an invalid field with what is wrong with it. */
export function isIssue(value: unknown): value is ValidationIssue {
  return isJsonObject(value) && typeof value.field === 'string' && typeof value.issue === 'string';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
