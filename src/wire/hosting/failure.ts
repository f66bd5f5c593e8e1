import { type ErrorCode, errorCodes, type ValidationIssue } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { WireResponse } from '../contract/wire.ts';

/** Optional parts of a failure: the fields of the two error envelopes besides code and message (API 7). */
export interface FailureFacts {
  /** Invalid fields, or for a trade rejection the rule's facts. */
  details?: ValidationIssue[] | Record<string, unknown>;
  ruleId?: string;
  orderId?: string;
  clientOrderId?: string;
  /** Whole seconds, at least 1: the Retry-After header. */
  retryAfterSeconds?: number;
  headers?: Record<string, string>;
}

/**
 * An expected refusal on its way to the caller; thrown anywhere below `Service.handle`, which turns it into the error
 * envelope. Changes that the engine made before it was thrown are kept; any other exception is a bug and is rolled
 * back.
 */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly facts: FailureFacts;

  constructor(code: ErrorCode, message: string, facts: FailureFacts = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.facts = facts;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  /** The `error` object of the envelope, for this request. */
  body(requestId: string): Record<string, unknown> {
    const { details, ruleId, orderId, clientOrderId } = this.facts;
    return {
      code: this.code,
      message: this.message,
      request_id: requestId,
      ...(orderId !== undefined && { order_id: orderId }),
      ...(clientOrderId !== undefined && { client_order_id: clientOrderId }),
      ...(ruleId !== undefined && { rule_id: ruleId }),
      ...(details !== undefined && { details }),
    };
  }
}

/** 400 with one entry for each invalid field. */
export function invalid(issues: ValidationIssue[], message = 'The request is not valid.'): Failure {
  return new Failure('invalid_request', message, { details: issues });
}

/** 404, with the same message whether the resource does not exist or belongs to someone else. */
export function notFound(what: string): Failure {
  return new Failure('not_found', `There is no such ${what}.`);
}

/** A failure as the answer to a request; `headers` come before the failure's own. */
export function refusalResponse(
  failure: Failure,
  context: { requestId: string; operation: Operation | null; headers?: Record<string, string> },
): WireResponse {
  const { retryAfterSeconds, headers } = failure.facts;
  const error = failure.body(context.requestId);
  return {
    status: failure.status,
    headers: {
      'x-request-id': context.requestId,
      ...context.headers,
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
    // Only the token exchange sends its 400 without an envelope (API 7).
    body: failure.status === 400 && context.operation?.id === 'exchangeCliAuthorizationCode' ? error : { error },
  };
}

/** 409 for an Idempotency-Key that another request has used. */
export function keyConflict(): Failure {
  return new Failure('idempotency_conflict', 'This Idempotency-Key was used for another request.');
}
