import type {
  Account,
  CopyGroup,
  MarketDefinition,
  Order,
  Position,
  ScaledOrder,
  TwapOrder,
} from '../../exchange/engine/model.ts';
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

/** The principal's order with this id; throws a 404 for any other. */
export function ownOrder(turn: Turn, principal: Principal, id: string): Order {
  return ownRecord(turn, principal, turn.store.order(id), 'order');
}

/** A pending or resting order; 409 if it has ended (API 3). */
export function ownWorkingOrder(turn: Turn, principal: Principal, id: string): Order {
  const order = ownOrder(turn, principal, id);
  if (order.status !== 'pending' && order.status !== 'resting') throw ended('order', order.status);
  return order;
}

/** The principal's position with this id, open or closed; throws a 404 for any other. */
export function ownPosition(turn: Turn, principal: Principal, id: string): Position {
  return ownRecord(turn, principal, turn.store.position(id), 'position');
}

/** An open position; 409 if it is closed. */
export function ownOpenPosition(turn: Turn, principal: Principal, id: string): Position {
  const position = ownPosition(turn, principal, id);
  if (position.status === 'closed') throw new Failure('conflict', 'This position is closed.');
  return position;
}

/** The principal's TWAP or VWAP with this id; throws a 404 for any other. */
export function ownTwap(turn: Turn, principal: Principal, id: string): TwapOrder {
  return ownRecord(turn, principal, turn.store.twap(id), 'TWAP order');
}

/** A running TWAP order; 409 if it has ended. */
export function ownRunningTwap(turn: Turn, principal: Principal, id: string): TwapOrder {
  const twap = ownTwap(turn, principal, id);
  if (twap.status === 'completed' || twap.status === 'canceled') throw ended('TWAP order', twap.status);
  return twap;
}

/** The principal's ladder with this id; throws a 404 for any other. */
export function ownScaled(turn: Turn, principal: Principal, id: string): ScaledOrder {
  return ownRecord(turn, principal, turn.store.scaled(id), 'scaled order');
}

/** A working scaled order; 409 if it has ended. */
export function ownWorkingScaled(turn: Turn, principal: Principal, id: string): ScaledOrder {
  const scaled = ownScaled(turn, principal, id);
  if (scaled.status !== 'working') throw ended('scaled order', scaled.status);
  return scaled;
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

function ended(what: string, status: string): Failure {
  return new Failure('order_terminal', `This ${what} is already ${status}.`);
}

function ownRecord<R extends { accountId: string }>(
  turn: Turn,
  principal: Principal,
  record: R | null,
  what: string,
): R {
  const account = record === null ? undefined : turn.exchange.findAccount(record.accountId);
  if (record === null || account === undefined || !isOwn(account, principal)) throw notFound(what);
  return record;
}

function isOwn(thing: { owner: string; environment: string }, principal: Principal): boolean {
  return thing.owner === principal.owner && thing.environment === principal.environment;
}
