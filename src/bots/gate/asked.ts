import type { Operation } from '../../wire/contract/operation.ts';
import { type OperationId, operations } from '../../wire/contract/operations.ts';
import { Router } from '../../wire/contract/target.ts';
import type { WireRequest } from '../../wire/contract/wire.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { noSession } from '../../wire/hosting/keys.ts';
import { type BodyProblems, readRequest, routeOf, searchOf } from '../../wire/hosting/read-request.ts';

/** An operation that a request names. */
export interface Named {
  readonly operation: Operation;
  readonly id: OperationId;
  readonly path: Readonly<Record<string, string>>;
}

/** A read of a bot. */
export interface AskedRead extends Named {
  /** The parameters that the operation has, as they were sent. */
  readonly search: URLSearchParams;
}

/** A bot's write: checked, so that it means the same to the gate and to the service. */
export interface AskedWrite extends Named {
  /** With its defaults, as the contract reads it. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** As it was sent. */
  readonly sent: Readonly<Record<string, unknown>> | undefined;
  /** Undefined if the operation takes none. */
  readonly idempotencyKey: string | undefined;
}

const router = new Router<Operation>(Object.values(operations));

/** The operation of a request. Throws a 404 for any other: the simulation's own aren't for bots. */
export function named(request: WireRequest): Named {
  const { operation, path } = routeOf(router, request);
  return { operation, id: operation.id as OperationId, path };
}

/** The read in a request. Throws a 400; parameters outside the contract are dropped. */
export function askedRead(name: Named, request: WireRequest, problems: BodyProblems): AskedRead {
  const { operation } = name;
  // Whether a quote takes a side alone is up to the service.
  const checked = name.id === 'getMarketQuote' ? { ...operation, query: null, queryRule: null } : operation;
  readRequest(checked, request, problems, searchOf(request.target));
  const known = operation.query?.properties ?? {};
  const search = new URLSearchParams(
    [...searchOf(request.target)].filter(([parameter]) => Object.hasOwn(known, parameter)),
  );
  return { ...name, search };
}

/** The write in a request. Throws the service's errors: 413, 415, 400. */
export function askedWrite(name: Named, request: WireRequest, problems: BodyProblems): AskedWrite {
  const { operation } = name;
  const { body, sent, idempotencyKey } = readRequest(operation, request, problems, searchOf(request.target));
  return {
    ...name,
    body: (body ?? undefined) as AskedWrite['body'],
    sent: sent as AskedWrite['sent'],
    // HTTP drops spaces at either end.
    idempotencyKey: operation.idempotent ? idempotencyKey.trim() : undefined,
  };
}

/** The request line of a read, with these parameters. */
export function targetOf({ operation, path }: Pick<Named, 'operation' | 'path'>, search: URLSearchParams): string {
  const resource = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
  const parameters = search.toString();
  return parameters === '' ? resource : `${resource}?${parameters}`;
}

/** A read of the gate's own. */
export function readOf(id: OperationId, path: Readonly<Record<string, string>>): Named {
  return { operation: operations[id], id, path };
}

/** The gate's own credential doesn't concern bots: nothing is exchanged for it, and nothing revokes it. */
export function ofCredential(asked: Named, request: WireRequest, problems: BodyProblems): Failure {
  askedWrite(asked, request, problems);
  if (asked.id === 'exchangeCliAuthorizationCode')
    return new Failure('invalid_grant', 'A gate does not exchange codes: its owner gives each bot a key.');
  return noSession();
}
