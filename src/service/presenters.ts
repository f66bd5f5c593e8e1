import type { AccountTradingPolicy } from '../contract/accounts.ts';
import type { Order as WireOrder } from '../contract/orders.ts';
import type { Position as WirePosition } from '../contract/positions.ts';
import type { ScaledOrder as WireScaledOrder, TwapOrder as WireTwapOrder } from '../contract/strategies.ts';
import type { Account, MarketDefinition, Order, Position, ScaledOrder, TwapOrder } from '../engine/model.ts';
import { nothingObserved, type ObservedBehavior, observedOf } from '../engine/observed.ts';
import type { Principal } from './keys.ts';
import { presentPolicy } from './present/account.ts';
import { presentOrder } from './present/order.ts';
import { presentPosition } from './present/position.ts';
import { presentScaled, presentTwap } from './present/strategies.ts';
import type { Simulation, Turn } from './simulation.ts';

/* Wire forms of this simulation's records: each needs its market, and some need the exchange at this moment. */

interface Within {
  readonly simulation: Simulation;
}

/** Presents orders as the API shows them. */
export function orderPresenter(within: Within): (order: Order) => WireOrder {
  return (order) => presentOrder(order, marketOf(within, order));
}

/** Presents positions as the API shows them, open ones with their liquidation price now. */
export function positionPresenter(within: Within, { exchange }: Turn): (position: Position) => WirePosition {
  return (position) => {
    const market = marketOf(within, position);
    const units = position.status === 'open' ? exchange.liquidationPrice(position.id) : null;
    return presentPosition(position, market, units === null ? null : units / 10 ** market.priceDecimals);
  };
}

/** Presents TWAP and VWAP orders as the API shows them. */
export function twapPresenter(within: Within): (twap: TwapOrder) => WireTwapOrder {
  return (twap) => presentTwap(twap, marketOf(within, twap));
}

/** Presents ladders as the API shows them. */
export function scaledPresenter(within: Within): (scaled: ScaledOrder) => WireScaledOrder {
  return (scaled) => presentScaled(scaled, marketOf(within, scaled));
}

/** The observed behavior for requests that name no account: that of the owner's first account that has any. */
export function observedByOwner({ owner, environment }: Principal, { store }: Turn): ObservedBehavior {
  const accounts = store.accounts(owner, environment);
  return accounts.find(({ policy }) => policy.observed !== undefined)?.policy.observed ?? nothingObserved;
}

/** The observed behavior for a request that may name an account: an unknown or foreign one has none. */
export function observedFor(principal: Principal, turn: Turn, accountId: string | undefined): ObservedBehavior {
  if (accountId === undefined) return observedByOwner(principal, turn);
  const account = turn.store.account(accountId);
  const isOwn = account?.owner === principal.owner && account.environment === principal.environment;
  return isOwn ? observedOf(account.policy) : nothingObserved;
}

/** The policy of an account at this moment. */
export function policyOf(account: Account, { store, exchange }: Turn): AccountTradingPolicy {
  const isFollower = store
    .copyGroups(account.owner, account.environment)
    .some(({ enabled, targets }) => enabled && targets.some(({ accountId }) => accountId === account.id));
  return presentPolicy(account, { observedAt: exchange.time, halt: exchange.halt, isFollower });
}

function marketOf({ simulation }: Within, { marketId }: { marketId: string }): MarketDefinition {
  return simulation.market(marketId);
}
