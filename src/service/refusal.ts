import type { ValidationIssue } from '../contract/errors.ts';
import type { Done, Outcome, Refused } from '../engine/commands.ts';
import { Failure, type FailureFacts } from '../hosting/failure.ts';

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
