import { array, freeForm, object, optional, type Sent, string } from './schema.ts';

/**
 * Every `error.code` of the API: the status it travels with, and whether the same request may simply be sent again
 * later because nothing was changed (simulation 8).
 */
export const errorCodes = Object.freeze({
  invalid_request: { status: 400, retryable: false },
  invalid_grant: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  wrong_environment: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  idempotency_conflict: { status: 409, retryable: false },
  client_order_id_conflict: { status: 409, retryable: false },
  order_terminal: { status: 409, retryable: false },
  copy_managed: { status: 409, retryable: false },
  stale_snapshot: { status: 409, retryable: false },
  conflict: { status: 409, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  rule_violation: { status: 422, retryable: false },
  cooldown: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  internal: { status: 500, retryable: false },
  unavailable: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>);

export type ErrorCode = keyof typeof errorCodes;

/** One offending field of a request, by its wire name (`operations[2].price`), and what is wrong with it. */
export const ValidationIssue = object({
  field: string('Wire name of the field, e.g. operations[2].price; body for the request as a whole.'),
  issue: string('What is wrong, to be read after the name: "must be greater than 0".'),
});
export type ValidationIssue = Sent<typeof ValidationIssue>;

const requestId = string('The same as the X-Request-Id header.', { format: 'uuid' });

/** What every refusal says (API 7). */
export const WireError = object({
  code: string('Machine-readable, one of the error codes.'),
  message: string('For people.'),
  request_id: requestId,
  details: optional(array(ValidationIssue, { description: 'One entry for every offending field.' })),
});
export type WireError = Sent<typeof WireError>;

/** The refusal as it travels; the token exchange alone sends the bare error (API 7). */
export const ErrorEnvelope = object({ error: WireError });
export type ErrorEnvelope = Sent<typeof ErrorEnvelope>;

/** A trading rule's refusal of an order. */
export const TradeRejection = object({
  code: string('rule_violation or cooldown.'),
  message: string('For people.'),
  request_id: requestId,
  order_id: optional(string('The rejected order, which is kept and listed.')),
  client_order_id: optional(string()),
  rule_id: optional(string('The rule that refused it, e.g. insufficient-margin.')),
  details: optional(freeForm('Facts of the rule, e.g. available_size.')),
});
export type TradeRejection = Sent<typeof TradeRejection>;

/** The trade rejection as it travels with status 422. */
export const TradeRejectionEnvelope = object({ error: TradeRejection });
export type TradeRejectionEnvelope = Sent<typeof TradeRejectionEnvelope>;
