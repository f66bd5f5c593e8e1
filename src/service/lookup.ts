import type { Account, CopyGroup, MarketDefinition, Order, Position, ScaledOrder, TwapOrder } from '../engine/model.ts';
import type { Store } from '../store/store.ts';
import { notFound } from './failure.ts';
import type { Principal } from './keys.ts';
import type { Simulation } from './simulation.ts';

/*
 * What a caller names, if it is there and theirs; else 404, the same for what does not exist and for what belongs to
 * somebody else or to the other environment (simulation 8).
 */

export function ownAccount(store: Store, principal: Principal, id: string): Account {
  const account = store.account(id);
  if (account === null || !isOwn(account, principal)) throw notFound('account');
  return account;
}

export function ownOrder(store: Store, principal: Principal, id: string): Order {
  return ownRecord(store, principal, store.order(id), 'order');
}

export function ownPosition(store: Store, principal: Principal, id: string): Position {
  return ownRecord(store, principal, store.position(id), 'position');
}

export function ownTwap(store: Store, principal: Principal, id: string): TwapOrder {
  return ownRecord(store, principal, store.twap(id), 'TWAP order');
}

export function ownScaled(store: Store, principal: Principal, id: string): ScaledOrder {
  return ownRecord(store, principal, store.scaled(id), 'scaled order');
}

export function ownCopyGroup(store: Store, principal: Principal, id: string): CopyGroup {
  const group = store.copyGroup(id);
  if (group === null || !isOwn(group, principal)) throw notFound('copy-trading group');
  return group;
}

export function knownMarket({ simulation }: { readonly simulation: Simulation }, id: string): MarketDefinition {
  const market = simulation.markets.get(id);
  if (market === undefined) throw notFound('market');
  return market;
}

function ownRecord<R extends { accountId: string }>(
  store: Store,
  principal: Principal,
  record: R | null,
  what: string,
): R {
  const account = record === null ? null : store.account(record.accountId);
  if (record === null || account === null || !isOwn(account, principal)) throw notFound(what);
  return record;
}

function isOwn(thing: { owner: string; environment: string }, principal: Principal): boolean {
  return thing.owner === principal.owner && thing.environment === principal.environment;
}
