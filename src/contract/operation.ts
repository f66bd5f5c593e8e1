import type { ValidationIssue } from './errors.ts';
import type { Response } from './responses.ts';
import type { ObjectSchema } from './schema.ts';

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
