import { ErrorEnvelope, TradeRejectionEnvelope } from './errors.ts';
import { array, boolean, object, optional, type Schema, string } from './schema.ts';

/** The headers that the contract names on responses. */
export type ResponseHeader = 'X-Request-Id' | 'Retry-After' | 'WWW-Authenticate';

/** The response of an operation with one status. */
export interface Response<S extends Schema = Schema> {
  readonly description: string;
  readonly schema: S;
  readonly headers: readonly ResponseHeader[];
}

/** A response of one status. */
export function response<S extends Schema>(
  description: string,
  schema: S,
  headers: readonly ResponseHeader[] = [],
): Response<S> {
  return Object.freeze({ description, schema, headers: Object.freeze(headers) });
}

/** 200. */
export const ok = <S extends Schema>(schema: S) => response('OK', schema);
/** 201: an idempotent write took effect now; a replay gets 200. */
export const created = <S extends Schema>(schema: S) => response('Created', schema);
/** 202: one part is done; the same request, sent again after Retry-After, continues. */
export const incomplete = <S extends Schema>(schema: S) => response('Accepted, incomplete', schema, ['Retry-After']);

/** A single resource in its envelope: `{ "data": ... }`. */
export const enveloped = <S extends Schema>(resource: S) => object({ data: resource });

/** A complete list in its envelope: `{ "data": [...] }`. */
export const listed = <S extends Schema>(resource: S) => object({ data: array(resource) });

const nextCursor = string('Opaque; send it as `cursor` to get the next page. Absent on the last page.');

/** A page of a list: `next_cursor` is there when `has_more` is true (API 4.8). */
export const paged = <S extends Schema>(resource: S) =>
  object({ data: array(resource), has_more: boolean(), next_cursor: optional(nextCursor) });

/** A list that has pages in only one of its views: the complete view has neither `has_more` nor `next_cursor`. */
export const maybePaged = <S extends Schema>(resource: S) =>
  object({ data: array(resource), has_more: optional(boolean()), next_cursor: optional(nextCursor) });

/** Refusals with the same meaning on every operation. */
export const sharedRefusals = Object.freeze({
  400: response('BadRequest', ErrorEnvelope, ['X-Request-Id']),
  401: response('Unauthorized', ErrorEnvelope, ['WWW-Authenticate', 'X-Request-Id']),
  403: response('Forbidden', ErrorEnvelope, ['X-Request-Id']),
  404: response('NotFound', ErrorEnvelope, ['X-Request-Id']),
  409: response('Conflict', ErrorEnvelope, ['X-Request-Id']),
  422: response('TradeRejected', TradeRejectionEnvelope, ['X-Request-Id']),
  429: response('RateLimited', ErrorEnvelope, ['Retry-After', 'X-Request-Id']),
});

/** 503: a complete snapshot or a fresh quote is not available now. */
export const unavailable = response('Unavailable', ErrorEnvelope, ['Retry-After']);

type SharedRefusals = typeof sharedRefusals;

/** Picks shared refusals by status: `...refusals(401, 404, 429)`. */
export function refusals<S extends keyof SharedRefusals>(...statuses: S[]): Pick<SharedRefusals, S> {
  return Object.fromEntries(statuses.map((status) => [status, sharedRefusals[status]])) as Pick<SharedRefusals, S>;
}
