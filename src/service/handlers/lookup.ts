import type { Account, CopyGroup, MarketDefinition } from '../../exchange/engine/model.ts';
import type { Store } from '../../exchange/store/store.ts';
import { Failure, notFound } from '../../wire/hosting/failure.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';

/*
 * Each function finds the record that a caller names. If it does not exist, or belongs to someone else or to the other
 * environment, it throws the same 404 (simulation 8.2).
 */

/** The principal's account with this id; throws a 404 for any other. */
export function ownAccount(turn: Turn, principal: Principal, id: string): Readonly<Account> {
  const account = turn.exchange.findAccount(id);
  if (account === undefined || !isOwn(account, principal)) throw notFound('account');
  return account;
}

/** The id itself, if it is that of the principal's account; throws a 404 for any other. */
export function ownAccountId(turn: Turn, principal: Principal, id: string): string {
  return ownAccount(turn, principal, id).id;
}

/** The principal's accounts, newest first. */
export function ownAccounts({ exchange }: Turn, principal: Principal): readonly Readonly<Account>[] {
  return exchange
    .accounts(principal.environment)
    .filter((account) => isOwn(account, principal))
    .reverse();
}

/** The kinds of records that accounts have, and the states in which they have not ended. */
const kinds = {
  order: { what: 'order', open: ['pending', 'resting'] },
  position: { what: 'position', open: ['open'] },
  twap: { what: 'TWAP order', open: ['running', 'canceling'] },
  scaled: { what: 'scaled order', open: ['working'] },
} as const;
type Kind = keyof typeof kinds;
type Owned<K extends Kind> = NonNullable<ReturnType<Store[K]>>;

/** The principal's record with this id, ended or not; throws a 404 for any other. */
export function own<K extends Kind>(kind: K, turn: Turn, principal: Principal, id: string): Owned<K> {
  const record = turn.store[kind](id);
  const account = record === null ? undefined : turn.exchange.findAccount(record.accountId);
  if (account === undefined || !isOwn(account, principal)) throw notFound(kinds[kind].what);
  return record as Owned<K>;
}

/** A record that has not ended; 409 if it has (API 3). */
export function ownOpen<K extends Kind>(kind: K, turn: Turn, principal: Principal, id: string): Owned<K> {
  const record = own(kind, turn, principal, id);
  const { what, open } = kinds[kind];
  if (open.some((status) => status === record.status)) return record;
  if (kind === 'position') throw new Failure('conflict', 'This position is closed.');
  throw new Failure('order_terminal', `This ${what} is already ${record.status}.`);
}

/** The principal's copy-trading group with this id; throws a 404 for any other. */
export function ownCopyGroup(turn: Turn, principal: Principal, id: string): CopyGroup {
  const group = turn.store.copyGroup(id);
  if (group === null || !isOwn(group, principal)) throw notFound('copy-trading group');
  return group;
}

/** The market with this id; throws a 404 if the state has none. */
export function knownMarket({ simulation }: { readonly simulation: Simulation }, id: string): MarketDefinition {
  if (!simulation.markets.has(id)) throw notFound('market');
  return simulation.market(id);
}

function isOwn(thing: { owner: string; environment: string }, principal: Principal): boolean {
  return thing.owner === principal.owner && thing.environment === principal.environment;
}
