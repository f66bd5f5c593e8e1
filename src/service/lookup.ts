import type { Account, CopyGroup, MarketDefinition, Order, Position, ScaledOrder, TwapOrder } from '../engine/model.ts';
import { notFound } from './failure.ts';
import type { Principal } from './keys.ts';
import type { Moment, Simulation } from './simulation.ts';

/*
 * What a caller names, if it is there and theirs; else 404, the same for what does not exist and for what belongs to
 * somebody else or to the other environment (simulation 8).
 */

export function ownAccount(moment: Moment, principal: Principal, id: string): Account {
  return moment.store.account(ownAccountId(moment, principal, id))!;
}

/** The same where nothing of the account itself is needed. */
export function ownAccountId(moment: Moment, principal: Principal, id: string): string {
  const account = moment.accountIdentity(id);
  if (account === null || !isOwn(account, principal)) throw notFound('account');
  return id;
}

export function ownOrder(moment: Moment, principal: Principal, id: string): Order {
  return ownRecord(moment, principal, moment.store.order(id), 'order');
}

export function ownPosition(moment: Moment, principal: Principal, id: string): Position {
  return ownRecord(moment, principal, moment.store.position(id), 'position');
}

export function ownTwap(moment: Moment, principal: Principal, id: string): TwapOrder {
  return ownRecord(moment, principal, moment.store.twap(id), 'TWAP order');
}

export function ownScaled(moment: Moment, principal: Principal, id: string): ScaledOrder {
  return ownRecord(moment, principal, moment.store.scaled(id), 'scaled order');
}

export function ownCopyGroup(moment: Moment, principal: Principal, id: string): CopyGroup {
  const group = moment.store.copyGroup(id);
  if (group === null || !isOwn(group, principal)) throw notFound('copy-trading group');
  return group;
}

export function knownMarket({ simulation }: { readonly simulation: Simulation }, id: string): MarketDefinition {
  const market = simulation.markets.get(id);
  if (market === undefined) throw notFound('market');
  return market;
}

function ownRecord<R extends { accountId: string }>(
  moment: Moment,
  principal: Principal,
  record: R | null,
  what: string,
): R {
  const account = record === null ? null : moment.accountIdentity(record.accountId);
  if (record === null || account === null || !isOwn(account, principal)) throw notFound(what);
  return record;
}

function isOwn(thing: { owner: string; environment: string }, principal: Principal): boolean {
  return thing.owner === principal.owner && thing.environment === principal.environment;
}
