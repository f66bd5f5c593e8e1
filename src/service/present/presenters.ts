import { lotDecimalsOf } from '../../exchange/engine/book/price-grid.ts';
import type {
  Account,
  Explanation,
  Lots,
  MarketDefinition,
  Money,
  Order,
  Position,
  ScaledOrder,
  TwapOrder,
} from '../../exchange/engine/model.ts';
import { nothingObserved, type ObservedBehavior, observedOf } from '../../exchange/engine/observed.ts';
import type { AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import { Order as WireOrder } from '../../wire/contract/orders.ts';
import { Position as WirePosition } from '../../wire/contract/positions.ts';
import { ScaledOrder as WireScaledOrder, TwapOrder as WireTwapOrder } from '../../wire/contract/strategies.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { presentPolicy } from './account.ts';
import { averagePrice, decimal, wireForm } from './wire-form.ts';

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

/** An order record in wire form; fields that do not apply are absent. */
export function presentOrder(order: Order, market: MarketDefinition): WireOrder {
  const { sizeDecimals, priceDecimals, provider, symbol, coin } = market;
  const { limitPrice, rejectReason, rejectRuleId, status, notional, size } = order;
  return wireForm(WireOrder, order, {
    provider,
    symbol,
    coin,
    size: decimal(size, sizeDecimals),
    initial_size: decimal(order.initialSize, sizeDecimals),
    filled_size: decimal(order.filledSize, sizeDecimals),
    limit_price: limitPrice === null ? undefined : decimal(limitPrice, priceDecimals),
    // The average of this record's own fill; absent until then.
    fill_price: status === 'filled' && notional !== null ? averageOf(notional, size, market) : undefined,
    // The single code for everything that the exchange cancels without a rule.
    reject_reason: codeOf(rejectRuleId) ?? (rejectReason === null ? undefined : 'canceled_by_exchange'),
    reject_message: rejectReason ?? undefined,
    target_position_id: order.reduceOnly ? (order.targetPositionId ?? undefined) : undefined,
  });
}

/** A rule's id as a code, for `reject_reason`. */
function codeOf(ruleId: string | null): string | undefined {
  return ruleId?.replaceAll('-', '_');
}

type Detail = Explanation['detail'];
type Markets = ReadonlyMap<string, MarketDefinition>;

const lotFields = new Set([
  'allowed',
  'filled',
  'from',
  'print_size',
  'queue_ahead',
  'remaining',
  'requested',
  'sibling_filled',
  'size',
  'to',
  'wanted',
]);
const priceFields = new Set(['limit_price', 'opposite_best', 'own_best', 'price', 'print_price']);

/** One line of an order's history, in quote currency and base asset, like everything else on the wire. */
export function presentExplanation({ time, kind, detail }: Explanation, market: MarketDefinition, markets: Markets) {
  const presented: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(detail)) {
    const [wireName, wireValue] = presentFact(
      name,
      value,
      market,
      markets.get(String(detail.trigger_market_id)) ?? market,
    );
    presented[wireName] = wireValue;
  }
  return { time, kind, detail: presented };
}

function presentFact(
  name: string,
  value: Detail[string],
  { priceDecimals, sizeDecimals }: MarketDefinition,
  triggerMarket: MarketDefinition,
): [name: string, value: unknown] {
  // The engine uses half prices to represent a midpoint without a fraction.
  const half = name.replace('_half_price', '');
  if (half !== name && typeof value === 'number')
    return [half, decimal(value, half === 'mid' ? priceDecimals : triggerMarket.priceDecimals) / 2];
  if (name === 'taken' && Array.isArray(value)) {
    return [name, value.map(([price, size]) => [decimal(price!, priceDecimals), decimal(size!, sizeDecimals)])];
  }
  if (typeof value !== 'number') return [name, value];
  if (lotFields.has(name)) return [name, decimal(value, sizeDecimals)];
  return [name, priceFields.has(name) ? decimal(value, priceDecimals) : value];
}

/**
 * A position in wire form (contract: Position). An open one shows what is open; a closed one shows what was closed,
 * since nothing is left. `liquidationPrice`: in quote currency, null if there is none.
 */
export function presentPosition(
  position: Position,
  market: MarketDefinition,
  liquidationPrice: number | null,
): WirePosition {
  const { sizeDecimals } = market;
  const { direction, closedSize, closedNotional } = position;
  const isOpen = position.status === 'open';
  const size = isOpen ? position.size : closedSize;
  return wireForm(WirePosition, position, {
    ...namesOf(market),
    side: direction,
    size: decimal(size, sizeDecimals),
    entry_price: averageOf(isOpen ? position.cost : position.closedCost, size, market) ?? 0,
    liquidation_price: liquidationPrice ?? undefined,
    exit_price: averageOf(closedNotional, closedSize, market),
  });
}

/** A market's names on the wire, and the decimals of its lots. */
function namesOf(market: MarketDefinition) {
  const { provider, symbol, coin } = market;
  return { provider, symbol, coin, size_decimals: lotDecimalsOf(market) };
}

/** The average price of so many lots; undefined for none. */
function averageOf(notional: Money, lots: Lots, { sizeDecimals }: MarketDefinition): number | undefined {
  return lots > 0 ? averagePrice(notional, lots, sizeDecimals) : undefined;
}
