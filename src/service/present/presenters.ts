import type {
  Account,
  MarketDefinition,
  Order,
  Position,
  ScaledOrder,
  TwapOrder,
} from '../../exchange/engine/model.ts';
import { nothingObserved, type ObservedBehavior, observedOf } from '../../exchange/engine/observed.ts';
import type { AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Order as WireOrder } from '../../wire/contract/orders.ts';
import type { Position as WirePosition } from '../../wire/contract/positions.ts';
import { ScaledOrder as WireScaledOrder, TwapOrder as WireTwapOrder } from '../../wire/contract/strategies.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { presentPolicy } from './account.ts';
import { decimal } from './numbers.ts';
import { averageOf, codeOf, namesOf, presentOrder, presentPosition } from './trading.ts';
import { wireForm } from './wire-form.ts';

/* Wire forms of this simulation's records: each needs its market, and some need the exchange at this moment. */

interface Within {
  readonly simulation: Pick<Simulation, 'market'>;
}

/** Presents orders as the API shows them. */
export function orderPresenter({ simulation }: Within): (order: Order) => WireOrder {
  return (order) => presentOrder(order, simulation.market(order.marketId));
}

/** Presents positions as the API shows them, open ones with their liquidation price now. */
export function positionPresenter(
  { simulation }: Within,
  { exchange }: Pick<Turn, 'exchange'>,
): (position: Position) => WirePosition {
  return (position) => {
    const market = simulation.market(position.marketId);
    const units = position.status === 'open' ? exchange.liquidationPrice(position.id) : null;
    return presentPosition(position, market, units === null ? null : units / 10 ** market.priceDecimals);
  };
}

/** Presents TWAP and VWAP orders as the API shows them. */
export function twapPresenter({ simulation }: Within): (twap: TwapOrder) => WireTwapOrder {
  return (twap) => presentTwap(twap, simulation.market(twap.marketId));
}

/** Presents ladders as the API shows them. */
export function scaledPresenter({ simulation }: Within): (scaled: ScaledOrder) => WireScaledOrder {
  return (scaled) => presentScaled(scaled, simulation.market(scaled.marketId));
}

/** The observed behavior for requests that name no account: that of the owner's first account that has any. */
export function observedByOwner({ owner, environment }: Principal, { exchange }: Turn): ObservedBehavior {
  const own = exchange.accounts(environment).filter((account) => account.owner === owner);
  return own.findLast(({ policy }) => policy.observed !== undefined)?.policy.observed ?? nothingObserved;
}

/** The observed behavior for a request that may name an account: an unknown or foreign one has none. */
export function observedFor(principal: Principal, turn: Turn, accountId: string | undefined): ObservedBehavior {
  if (accountId === undefined) return observedByOwner(principal, turn);
  const account = turn.exchange.findAccount(accountId);
  const isOwn = account?.owner === principal.owner && account.environment === principal.environment;
  return isOwn ? observedOf(account.policy) : nothingObserved;
}

/** The policy of an account at this moment. */
export function policyOf(account: Readonly<Account>, { store, exchange }: Turn): AccountTradingPolicy {
  const isFollower = store
    .copyGroups(account.owner, account.environment)
    .some(({ enabled, targets }) => enabled && targets.some(({ accountId }) => accountId === account.id));
  return presentPolicy(account, { observedAt: exchange.time, halt: exchange.halt, isFollower });
}

/** A TWAP or VWAP parent in wire form. */
export function presentTwap(twap: TwapOrder, market: MarketDefinition): WireTwapOrder {
  return wireForm(WireTwapOrder, twap, {
    ...namesOf(market),
    total_size: decimal(twap.totalSize, market.sizeDecimals),
    filled_size: decimal(twap.filledSize, market.sizeDecimals),
    average_price: averageOf(twap.filledNotional, twap.filledSize, market),
  });
}

/** A scaled parent with its rungs, in wire form. */
function presentScaled(scaled: ScaledOrder, market: MarketDefinition): WireScaledOrder {
  const { sizeDecimals, priceDecimals } = market;
  const { rungs } = scaled;
  return wireForm(WireScaledOrder, scaled, {
    ...namesOf(market),
    total_size: decimal(scaled.totalSize, sizeDecimals),
    rung_count: rungs.length,
    placed_count: rungs.filter(({ orderId, rejectReason }) => orderId !== null && rejectReason === null).length,
    rejected_count: rungs.filter(({ rejectReason }) => rejectReason !== null).length,
    rungs: rungs.map((rung) => ({
      price: decimal(rung.price, priceDecimals),
      size: decimal(rung.size, sizeDecimals),
      liquidity_role: rung.liquidityRole ?? undefined,
      order_id: rung.orderId ?? undefined,
      reject_reason: rung.rejectReason === null ? undefined : (codeOf(rung.rejectRuleId ?? null) ?? 'rejected'),
      reject_message: rung.rejectReason ?? undefined,
    })),
  });
}
