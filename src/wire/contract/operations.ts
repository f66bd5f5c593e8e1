import { accountOperations, copyOperations } from './accounts.ts';
import { generalOperations } from './general.ts';
import { marketOperations } from './markets.ts';
import { orderOperations } from './orders.ts';
import { positionOperations } from './positions.ts';
import type { Read, Sent } from './schema.ts';
import type { SimulationOperations } from './simulation.ts';
import { strategyOperations } from './strategies.ts';

/** The Challenge Trading API: all operations, by id. */
export const operations = Object.freeze({
  ...generalOperations,
  ...accountOperations,
  ...marketOperations,
  ...positionOperations,
  ...orderOperations,
  ...strategyOperations,
  ...copyOperations,
});

type Operations = typeof operations;
/** The operationIds of the API. */
export type OperationId = keyof Operations;

/** Every typed operation: the API's and the simulation's own. */
type Known = Operations & SimulationOperations;
/** The ids of all operations. */
export type KnownOperationId = keyof Known;

type PathNames<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;
type Part<K extends string, T> = [T] extends [never] ? { readonly [key in K]?: undefined } : { readonly [key in K]: T };

/** The path parameters of an operation: `{ account_id: string }`, or never. */
export type PathOf<Id extends KnownOperationId> = [PathNames<Known[Id]['path']>] extends [never]
  ? never
  : { readonly [name in PathNames<Known[Id]['path']>]: string };

/** The query as a caller writes it: fields with a default may be omitted. `never` if the operation takes none. */
export type QueryOf<Id extends KnownOperationId> = Sent<Known[Id]['query']>;
/** The query as a handler reads it, with defaults filled in. */
export type ReadQueryOf<Id extends KnownOperationId> = Read<Known[Id]['query']>;
/** The body as a caller writes it; `never` if the operation takes none. */
export type BodyOf<Id extends KnownOperationId> = Sent<Known[Id]['body']>;
/** The body as a handler reads it, with defaults filled in. */
export type ReadBodyOf<Id extends KnownOperationId> = Read<Known[Id]['body']>;

/** A caller's input to an operation: `path`, `query` and `body`, as far as the operation has them. */
export type RequestOf<Id extends KnownOperationId> = Part<'path', PathOf<Id>> &
  ([QueryOf<Id>] extends [never]
    ? { readonly query?: undefined }
    : object extends QueryOf<Id>
      ? { readonly query?: QueryOf<Id> | undefined }
      : { readonly query: QueryOf<Id> }) &
  Part<'body', BodyOf<Id>>;

/** A handler's input: every part that the operation has, with defaults filled in. */
export type ReadRequestOf<Id extends KnownOperationId> = Part<'path', PathOf<Id>> &
  Part<'query', ReadQueryOf<Id>> &
  Part<'body', ReadBodyOf<Id>>;

/** The body of a success, including its envelope. */
export type ResponseOf<Id extends KnownOperationId> = Sent<Known[Id]['success']>;
/** The resource or list inside the envelope. */
export type DataOf<Id extends KnownOperationId> = ResponseOf<Id> extends { data: infer T } ? T : never;
