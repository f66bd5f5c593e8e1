import type { Explanation, MarketDefinition } from '../../engine/model.ts';
import { decimal } from './numbers.ts';

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
  if (name === 'mid_half_price' && typeof value === 'number') return ['mid', decimal(value, priceDecimals) / 2];
  if (name === 'mark_half_price' && typeof value === 'number')
    return ['mark', decimal(value, triggerMarket.priceDecimals) / 2];
  if (name === 'taken' && Array.isArray(value)) {
    return [name, value.map(([price, size]) => [decimal(price!, priceDecimals), decimal(size!, sizeDecimals)])];
  }
  if (typeof value !== 'number') return [name, value];
  if (lotFields.has(name)) return [name, decimal(value, sizeDecimals)];
  return [name, priceFields.has(name) ? decimal(value, priceDecimals) : value];
}
