import { ErrorEnvelope, TradeRejectionEnvelope, type ValidationIssue } from './errors.ts';
import { array, boolean, type ObjectSchema, object, optional, type Schema, string } from './schema.ts';

/** The headers that the contract names on responses. */
export type ResponseHeader = 'X-Request-Id' | 'Retry-After' | 'WWW-Authenticate';

/** The response of an operation with one status. */
export interface Response {
  readonly description: string;
  readonly schema: Schema;
  readonly headers: readonly ResponseHeader[];
}

/** A response of one status. */
export function response(description: string, schema: Schema, headers: readonly ResponseHeader[] = []): Response {
  return Object.freeze({ description, schema, headers: Object.freeze(headers) });
}

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

/** Also with the same meaning, but not shared; 503: a complete snapshot or a fresh quote is not available now. */
const refusals = { ...sharedRefusals, 503: response('Unavailable', ErrorEnvelope, ['Retry-After']) };

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
  /** The body of a success; the same for each of its statuses. */
  readonly success: Schema;
  /** Bodies by status. 400, 413, 415 and 500 can occur on any operation (simulation 8.2), with an ErrorEnvelope. */
  readonly responses: { readonly [status: number]: Response };
}

/** Fields with their usual values: an operation needs a credential, and takes neither query nor body. */
const ordinary = {
  auth: 'required',
  idempotent: false,
  maxBodyBytes: 256 * 1024,
  query: null,
  simulationQuery: [],
  queryRule: null,
  body: null,
  bodyRule: null,
} as const;
type Ordinary = typeof ordinary;

/** 201: an idempotent write took effect now; a replay gets 200. 202: the same request, sent again, continues. */
const successes = { 200: ['OK'], 201: ['Created'], 202: ['Accepted, incomplete', 'Retry-After'] } as const;

/** What differs from the ordinary. */
interface Declaration extends Partial<Pick<Operation, keyof Ordinary | 'scope'>> {
  /** Statuses of a success. Default: 200, and 201 for an idempotent write. */
  readonly succeeds?: readonly (keyof typeof successes)[];
  /** Refusals, besides those that follow from what it takes and from who may call it. */
  readonly refuses?: readonly (keyof typeof refusals)[];
  /** Further responses, in place of the usual ones. */
  readonly others?: Operation['responses'];
  /** Its requests have no limit. */
  readonly isUnlimited?: true;
}

type Declared<M, P, S, D> = Omit<Operation, 'id' | 'method' | 'path' | 'success' | keyof Ordinary> & {
  readonly method: M;
  readonly path: P;
  readonly success: S;
} & { readonly [K in keyof Ordinary]: K extends keyof D ? D[K] : Ordinary[K] };

/** Declares endpoints of a method: path, summary, the body of a success, and what differs from the ordinary. */
const declaring =
  <M extends Operation['method']>(method: M) =>
  <const P extends `/${string}`, S extends Schema, const D extends Declaration = Record<never, never>>(
    path: P,
    summary: string,
    success: S,
    { succeeds, refuses = [], others, isUnlimited, ...more }: D | Declaration = {},
  ): Declared<M, P, S, D> => {
    const scope = method === 'GET' ? 'read' : 'trade';
    const operation: Omit<Operation, 'id' | 'responses'> = {
      method,
      path,
      summary,
      success,
      scope,
      ...ordinary,
      ...more,
    };
    const { auth, query, body, idempotent } = operation;
    const isOfSimulation = path.startsWith('/sim/');
    const named = { ...query?.properties, ...body?.properties };
    const usual = [
      query !== null || body !== null || idempotent ? 400 : null,
      auth === 'none' ? null : 401,
      operation.scope === 'trade' || isOfSimulation ? 403 : null,
      path.includes('{') || 'account_id' in named || 'market_id' in named ? 404 : null,
      isUnlimited === true || isOfSimulation ? null : 429,
    ] as const;
    const responses: Record<number, Response> = {};
    for (const status of succeeds ?? (idempotent ? ([200, 201] as const) : ([200] as const))) {
      const [description, ...headers] = successes[status];
      responses[status] = response(description, success, headers);
    }
    for (const status of [...usual, ...refuses]) if (status !== null) responses[status] = refusals[status];
    return { ...operation, responses: { ...responses, ...others } } as unknown as Declared<M, P, S, D>;
  };

/** Declares a read: its path, summary and answer, and what differs from the usual. */
export const get = declaring('GET');
/** Declares a POST in the same way. */
export const post = declaring('POST');
/** Declares a PUT in the same way. */
export const put = declaring('PUT');
/** Declares a PATCH in the same way. */
export const patch = declaring('PATCH');
/** Declares a DELETE in the same way. */
export const remove = declaring('DELETE');

/** Endpoints by their ids. */
export function operationsOf<const D extends Readonly<Record<string, Omit<Operation, 'id'>>>>(
  declarations: D,
): { readonly [Id in keyof D]: D[Id] & { readonly id: Id } } {
  const named = Object.entries(declarations).map(([id, operation]) => [id, Object.freeze({ id, ...operation })]);
  return Object.freeze(Object.fromEntries(named));
}
