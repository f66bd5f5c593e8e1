import { ErrorEnvelope, TradeRejectionEnvelope, type ValidationIssue } from './errors.ts';
import { array, boolean, type ObjectSchema, object, optional, type Schema, string } from './schema.ts';

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

/** A rule between the fields of one request, beyond what its schema can express; the value may be any JSON object. */
export type FieldRule = (fields: Readonly<Record<string, unknown>>) => ValidationIssue[];

/**
 * One endpoint, as one value. Its types, its validation, the service's route, the client's method, its entry in the
 * OpenAPI document and its help text all come from here.
 */
export interface Operation {
  /** The operationId in the OpenAPI document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A template: each `{name}` is a required path parameter, a string. */
  readonly path: `/${string}`;
  /** One sentence, for help and for the OpenAPI document. */
  readonly summary: string;
  /** Whether it needs a credential. Where it is optional, an invalid one is still refused with 401. */
  readonly auth: 'required' | 'optional' | 'none';
  /** The scope that the credential needs; trade includes read. */
  readonly scope: 'read' | 'trade';
  /** Needs an Idempotency-Key: a repeat under the same key gets the answer of the first request. */
  readonly idempotent: boolean;
  /** Largest body accepted, in bytes; a larger one is refused with 413. */
  readonly maxBodyBytes: number;
  readonly query: ObjectSchema | null;
  /** Query parameters that only the simulation knows: typed and accepted, but not in the API's document. */
  readonly simulationQuery: readonly string[];
  readonly queryRule: FieldRule | null;
  readonly body: ObjectSchema | null;
  readonly bodyRule: FieldRule | null;
  /** Bodies by status. 400, 413, 415 and 500 can occur on any operation (simulation 8.2), with an ErrorEnvelope. */
  readonly responses: { readonly [status: number]: Response };
}

/** The body of a success; the same for each of its statuses. */
export function successSchema({ responses }: Operation): Schema | undefined {
  return (responses[200] ?? responses[201] ?? responses[202])?.schema;
}

const ordinary = {
  auth: 'required',
  scope: 'read',
  idempotent: false,
  maxBodyBytes: 256 * 1024,
  query: null,
  simulationQuery: [],
  queryRule: null,
  body: null,
  bodyRule: null,
} as const;
type Ordinary = typeof ordinary;

/** An operation as declared: its id is its key in the group. */
type Declaration = Omit<Operation, 'id' | keyof Ordinary> & Partial<Pick<Operation, keyof Ordinary>>;
type Completed<D, Id> = {
  readonly [K in keyof D | keyof Ordinary]: K extends keyof D ? D[K] : Ordinary[K & keyof Ordinary];
} & { readonly id: Id };

/** Declares endpoints by their ids. By default, one is a read with a credential and without query or body. */
export function operationsOf<const D extends Readonly<Record<string, Declaration>>>(
  declarations: D,
): { readonly [Id in keyof D]: Completed<D[Id], Id> } {
  const completed = Object.entries(declarations).map(([id, declaration]) => [
    id,
    Object.freeze({ id, ...ordinary, ...declaration }),
  ]);
  return Object.freeze(Object.fromEntries(completed));
}
