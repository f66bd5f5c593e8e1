import { lotDecimalsOf } from '../../exchange/engine/book/price-grid.ts';
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
import type { ScaledOrder as WireScaledOrder, TwapOrder as WireTwapOrder } from '../../wire/contract/strategies.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { presentPolicy } from './account.ts';
import { averagePrice, decimal } from './numbers.ts';
import { codeOf, presentOrder, presentPosition } from './trading.ts';

/* Wire forms of this simulation's records: each needs its market, and some need the exchange at this moment. */

interface Within {
  readonly simulation: Simulation;
}

/** Presents orders as the API shows them. */
export function orderPresenter({ simulation }: Within): (order: Order) => WireOrder {
  return (order) => presentOrder(order, simulation.market(order.marketId));
}

/** Presents positions as the API shows them, open ones with their liquidation price now. */
export function positionPresenter({ simulation }: Within, { exchange }: Turn): (position: Position) => WirePosition {
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

/** A TWAP or VWAP parent in wire form (contract: TwapOrder). */
export function presentTwap(twap: TwapOrder, market: MarketDefinition): WireTwapOrder {
  const { sizeDecimals } = market;
  return {
    id: twap.id,
    account_id: twap.accountId,
    market_id: twap.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    strategy: twap.strategy,
    side: twap.side,
    total_size: decimal(twap.totalSize, sizeDecimals),
    filled_size: decimal(twap.filledSize, sizeDecimals),
    size_decimals: lotDecimalsOf(market),
    average_price: twap.filledSize > 0 ? averagePrice(twap.filledNotional, twap.filledSize, sizeDecimals) : undefined,
    leverage: twap.leverage,
    margin_mode: twap.marginMode,
    reduce_only: twap.reduceOnly,
    duration_minutes: twap.durationMinutes,
    slice_interval_seconds: twap.sliceIntervalSeconds,
    slice_count: twap.sliceCount,
    slices_attempted: twap.slicesAttempted,
    randomize: twap.randomize,
    trigger_price: twap.triggerPrice ?? undefined,
    max_price: twap.maxPrice ?? undefined,
    min_price: twap.minPrice ?? undefined,
    status: twap.status,
    current_child_order_id: twap.currentChildOrderId ?? undefined,
    activated_at: twap.activatedAt ?? undefined,
    started_at: twap.startedAt,
    end_at: twap.endAt,
    next_run_at: twap.nextRunAt ?? undefined,
    canceled_at: twap.canceledAt ?? undefined,
    completed_at: twap.completedAt ?? undefined,
    completion_reason: twap.completionReason ?? undefined,
  };
}

/** A scaled parent with its rungs, in wire form (contract: ScaledOrder). */
function presentScaled(scaled: ScaledOrder, market: MarketDefinition): WireScaledOrder {
  const { sizeDecimals, priceDecimals } = market;
  return {
    id: scaled.id,
    account_id: scaled.accountId,
    market_id: scaled.marketId,
    provider: market.provider,
    symbol: market.symbol,
    coin: market.coin,
    side: scaled.side,
    total_size: decimal(scaled.totalSize, sizeDecimals),
    size_decimals: lotDecimalsOf(market),
    leverage: scaled.leverage,
    margin_mode: scaled.marginMode,
    reduce_only: scaled.reduceOnly,
    distribution: scaled.distribution,
    start_price: scaled.startPrice,
    end_price: scaled.endPrice,
    rung_count: scaled.rungs.length,
    placed_count: scaled.rungs.filter(({ orderId, rejectReason }) => orderId !== null && rejectReason === null).length,
    rejected_count: scaled.rungs.filter(({ rejectReason }) => rejectReason !== null).length,
    rungs: scaled.rungs.map((rung) => ({
      price: decimal(rung.price, priceDecimals),
      size: decimal(rung.size, sizeDecimals),
      liquidity_role: rung.liquidityRole ?? undefined,
      order_id: rung.orderId ?? undefined,
      reject_reason: rung.rejectReason === null ? undefined : (codeOf(rung.rejectRuleId ?? null) ?? 'rejected'),
      reject_message: rung.rejectReason ?? undefined,
    })),
    status: scaled.status,
    started_at: scaled.startedAt,
    completed_at: scaled.completedAt ?? undefined,
    canceled_at: scaled.canceledAt ?? undefined,
  };
}
