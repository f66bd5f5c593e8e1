import { Order as WireOrder } from '../../contract/orders.ts';
import type { MarketDefinition, Order } from '../../engine/model.ts';
import { type OrderField, orderFields, type ShownName } from '../../terms/order-fields.ts';
import { averagePrice, decimal, usd } from './numbers.ts';

type Read = (order: Order, market: MarketDefinition) => unknown;

/** Fields of an order on the wire that are not fields of its record. */
const derived: { readonly [Name in Exclude<keyof WireOrder, ShownName>]-?: Read } & {
  readonly [Name in Exclude<ShownName, keyof WireOrder>]: never;
} = {
  provider: (_, { provider }) => provider,
  symbol: (_, { symbol }) => symbol,
  coin: (_, { coin }) => coin,
  fill_price: fillPrice,
  reject_reason: rejectCode,
  target_position_id: ({ reduceOnly, targetPositionId }) => (reduceOnly ? (targetPositionId ?? undefined) : undefined),
};

const inUnits = {
  lots: (lots: number, { sizeDecimals }: MarketDefinition) => decimal(lots, sizeDecimals),
  ticks: (price: number, { priceDecimals }: MarketDefinition) => decimal(price, priceDecimals),
  money: (money: bigint) => usd(money),
};

const shownFields = Object.entries(orderFields) as [keyof Order, OrderField][];

let present: ((order: Order, market: MarketDefinition) => WireOrder) | undefined;

/** An order record in wire form (contract: Order); fields that do not apply are absent. */
export function presentOrder(order: Order, market: MarketDefinition): WireOrder {
  present ??= presenter();
  return present(order, market);
}

/** Generated as one literal from the names in our own tables: reading field by field would take fifty times as long. */
function presenter(): (order: Order, market: MarketDefinition) => WireOrder {
  const members = Object.keys(WireOrder.properties).map((name) => `${name}: ${expressionOf(name)}`);
  const write = new Function('derived', 'inUnits', `return (order, market) => ({ ${members.join(', ')} });`);
  return write(derived, inUnits);
}

function expressionOf(name: string): string {
  if (Object.hasOwn(derived, name)) return `derived.${name}(order, market)`;
  const [field, { unit }] = shownFields.find(([, { shown }]) => shown === name)!;
  if (unit === undefined) return `order.${field} ?? undefined`;
  return `order.${field} === null ? undefined : inUnits.${unit}(order.${field}, market)`;
}

/** The one code for everything that the exchange cancels without a rule. */
function rejectCode({ rejectRuleId, rejectReason }: Order): string | undefined {
  return codeOf(rejectRuleId) ?? (rejectReason === null ? undefined : 'canceled_by_exchange');
}

/** A rule's id as a code, for `reject_reason`. */
export function codeOf(ruleId: string | null): string | undefined {
  return ruleId?.replaceAll('-', '_');
}

/** Average price of this record's own fill; absent until then. */
function fillPrice({ status, notional, size }: Order, { sizeDecimals }: MarketDefinition): number | undefined {
  return status === 'filled' && notional !== null && size > 0 ? averagePrice(notional, size, sizeDecimals) : undefined;
}
