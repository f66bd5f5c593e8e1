import type { Operation } from '../../wire/contract/operation.ts';
import { type OperationId, operations } from '../../wire/contract/operations.ts';
import { Router } from '../../wire/contract/target.ts';
import type { WireRequest } from '../../wire/contract/wire.ts';
import { type BodyProblems, readRequest, routeOf, searchOf } from '../../wire/hosting/read-request.ts';

/** An operation that a request names, and the gate's handling of it. */
export interface Named {
  readonly operation: Operation;
  readonly id: OperationId;
  readonly handling: Handling;
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
  const id = operation.id as OperationId;
  return { operation, id, handling: handling[id], path };
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
  return { operation: operations[id], id, handling: handling[id], path };
}

/**
 * How a request is confined to the accounts of its bot. A resource of another account is answered exactly as an unknown
 * one.
 */
type Confined =
  /** It concerns no account. */
  | 'open'
  /** The gate answers it, because it would concern the gate's own credential. */
  | 'credential'
  /** It lists accounts; the bot sees its own. */
  | 'accounts'
  /** It lists copy groups; the bot sees those whose members are all its own. */
  | 'groups'
  /** It may name an account; rows of other accounts are removed from its list. */
  | 'rows'
  /** It names an account, in its path, its query or its body. */
  | 'account'
  /** It names a resource, whose account is looked up. */
  | 'order'
  | 'position'
  | 'TWAP order'
  | 'scaled order'
  | 'copy-trading group'
  /** It names the members of copy groups, and groups. */
  | 'members';

/** The gate's handling of an operation, in addition to the contract. */
interface Handling {
  readonly confined: Confined;
  /** Its body may have a client order id of the bot, or gets one of the gate. */
  readonly names?: true;
}

/** Every operation of the contract: a new one does not compile without its row. */
export const handling: { readonly [Id in OperationId]: Handling } = {
  getApiInformation: { confined: 'open' },
  listRestrictedCountries: { confined: 'open' },
  exchangeCliAuthorizationCode: { confined: 'credential' },
  revokeCliSession: { confined: 'credential' },
  listAccounts: { confined: 'accounts' },
  getAccount: { confined: 'account' },
  getAccountTradingPolicy: { confined: 'account' },
  cancelAllAccountOrders: { confined: 'account' },
  closeAllAccountPositions: { confined: 'account' },
  acknowledgeCopyTradingStop: { confined: 'account' },
  listMarkets: { confined: 'open' },
  getMarket: { confined: 'open' },
  getMarketQuote: { confined: 'rows' },
  listOpenPositions: { confined: 'account' },
  getPosition: { confined: 'position' },
  closePosition: { confined: 'position', names: true },
  replacePositionExitOrders: { confined: 'position' },
  setPositionIsolatedMargin: { confined: 'position' },
  listOrders: { confined: 'rows' },
  createOrder: { confined: 'account', names: true },
  getOrder: { confined: 'order' },
  modifyOrder: { confined: 'order' },
  cancelOrder: { confined: 'order' },
  updateAttachedExits: { confined: 'order' },
  listFills: { confined: 'account' },
  listActiveTwapOrders: { confined: 'account' },
  createTwapOrder: { confined: 'account' },
  getTwapOrder: { confined: 'TWAP order' },
  cancelTwapOrder: { confined: 'TWAP order' },
  listScaledOrders: { confined: 'account' },
  createScaledOrder: { confined: 'account' },
  getScaledOrder: { confined: 'scaled order' },
  cancelScaledOrder: { confined: 'scaled order' },
  listCopyTradingConfigurations: { confined: 'groups' },
  saveCopyTradingConfigurations: { confined: 'members' },
  disableCopyTradingConfiguration: { confined: 'copy-trading group' },
};
