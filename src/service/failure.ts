import { type ErrorCode, errorCodes, type ValidationIssue } from '../contract/errors.ts';
import type { Done, Outcome, Refused } from '../engine/commands.ts';

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

/** The result of an engine command; a refusal is thrown in wire form (simulation 8.2). */
export function done(outcome: Outcome): Done {
  if (!outcome.ok) throw refusal(outcome);
  return outcome;
}

/** An engine refusal as an answer. */
export function refusal(refused: Refused): Failure {
  const { code, message, ruleId, details, order } = refused;
  const facts: FailureFacts = {
    ...(ruleId !== undefined && { ruleId }),
    ...(order !== undefined && { orderId: order.id }),
    ...(order !== undefined && order.clientOrderId !== null && { clientOrderId: order.clientOrderId }),
    ...(code === 'unavailable' && { retryAfterSeconds: 1 }),
  };
  if (details === undefined) return new Failure(code, message, facts);
  const isTradeRejection = code === 'rule_violation' || code === 'cooldown';
  return new Failure(code, message, { ...facts, details: isTradeRejection ? details : issuesOf(details) });
}

/**
 * Like `done`, for operations whose 422 is not a trade rejection: facts become issues of fields (contract:
 * ErrorEnvelope).
 */
export function doneWithoutRejection(outcome: Outcome): Done {
  if (outcome.ok) return outcome;
  const { code, message, facts } = refusal(outcome);
  const { details, ...rest } = facts;
  if (details === undefined || Array.isArray(details)) throw new Failure(code, message, facts);
  throw new Failure(code, message, { ...rest, details: issuesOf(details) });
}

/** The engine names fields if it can; other facts are reported as if they were fields. */
function issuesOf(details: Record<string, unknown>): ValidationIssue[] {
  if (Array.isArray(details.issues)) return details.issues as ValidationIssue[];
  return Object.entries(details).map(([field, issue]) => ({ field, issue: String(issue) }));
}
