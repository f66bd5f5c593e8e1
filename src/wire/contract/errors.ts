import { sentWords, type WasSent } from '../../base/terms/sent.ts';
import { array, freeForm, object, optional, type Sent, string } from './schema.ts';

const lasting = <S extends number>(status: S) => Object.freeze({ status, retryable: false });
const passing = <S extends number>(status: S) => Object.freeze({ status, retryable: true });

/**
 * Every `error.code` of the API: its status, and whether the same request may be sent again later because nothing was
 * changed (simulation 8.2).
 */
export const errorCodes = Object.freeze({
  invalid_request: lasting(400),
  invalid_grant: lasting(400),
  unauthorized: lasting(401),
  wrong_environment: lasting(401),
  forbidden: lasting(403),
  not_found: lasting(404),
  idempotency_conflict: lasting(409),
  client_order_id_conflict: lasting(409),
  order_terminal: lasting(409),
  copy_managed: lasting(409),
  stale_snapshot: lasting(409),
  conflict: lasting(409),
  payload_too_large: lasting(413),
  unsupported_media_type: lasting(415),
  rule_violation: lasting(422),
  cooldown: lasting(422),
  rate_limited: passing(429),
  internal: lasting(500),
  unavailable: passing(503),
});

/** A code of the table. */
export type ErrorCode = keyof typeof errorCodes;

/** The code in the API's refusal; undefined for any other error or code. */
export function apiCodeOf(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error) || error.name !== 'ApiError') return undefined;
  const { code = '' } = error as Error & { code?: string };
  return Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : undefined;
}

/** One invalid field of a request, by its wire name (`operations[2].price`), and what is wrong with it. */
export const ValidationIssue = object({
  field: string('Wire name of the field, e.g. operations[2].price; body for the whole request.'),
  issue: string('What is wrong, to read after the name: "must be greater than 0".'),
});
export type ValidationIssue = Sent<typeof ValidationIssue>;

/** In the details of a refusal by a gate: whether the request was sent to the service. */
export function sentIssue(issue: WasSent): ValidationIssue {
  return { field: 'sent', issue };
}

/** Whether the request was sent, according to the details of a refusal; undefined if they don't say. */
export function sentIn(details: unknown): WasSent | undefined {
  const said: unknown = Array.isArray(details)
    ? (details as (Partial<ValidationIssue> | null)[]).find((one) => one?.field === 'sent')?.issue
    : (details as { sent?: unknown } | null | undefined)?.sent;
  return sentWords.find((word) => word === said);
}

const requestId = string('The same as the X-Request-Id header.', { format: 'uuid' });

/** The error that every refusal carries (API 7). */
export const WireError = object({
  code: string('Machine-readable, one of the error codes.'),
  message: string('Human-readable.'),
  request_id: requestId,
  details: optional(array(ValidationIssue, 'One entry for each invalid field.')),
});
export type WireError = Sent<typeof WireError>;

/** A refusal in its envelope. Only the token exchange sends the bare error (API 7). */
export const ErrorEnvelope = object({ error: WireError });
export type ErrorEnvelope = Sent<typeof ErrorEnvelope>;

/** A trading rule's refusal of an order. */
export const TradeRejection = object({
  code: string('rule_violation or cooldown.'),
  message: string('Human-readable.'),
  request_id: requestId,
  order_id: optional(string('The rejected order, which is kept and listed.')),
  client_order_id: optional(string()),
  rule_id: optional(string('The rule that refused it, e.g. insufficient-margin.')),
  details: optional(freeForm('Facts about the refusal, e.g. available_size.')),
});
export type TradeRejection = Sent<typeof TradeRejection>;

/** A trade rejection in its envelope, sent with status 422. */
export const TradeRejectionEnvelope = object({ error: TradeRejection });
export type TradeRejectionEnvelope = Sent<typeof TradeRejectionEnvelope>;
