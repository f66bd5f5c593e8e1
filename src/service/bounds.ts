import type { ValidationIssue } from '../contract/errors.ts';
import { toUnits } from '../engine/decimal.ts';
import type { MarketDefinition } from '../engine/model.ts';
import { invalid } from './failure.ts';

const sizeFields: ReadonlySet<string> = new Set(['expected_position_size', 'size']);
const priceFields: ReadonlySet<string> = new Set([
  'chase_cap_price',
  'chase_offset',
  'end_price',
  'expected_price',
  'limit_price',
  'max_price',
  'min_price',
  'price',
  'start_price',
  'stop_loss_price',
  'take_profit_price',
  'trigger_price',
]);

/**
 * 400 for every size of a request beyond 2^53 lots of its market and every price beyond 2^53 price units, at any depth
 * of it: beyond that neither is a whole number any more. Trigger prices count in the market that triggers.
 */
export function refuseUncountable(request: object, market: MarketDefinition, triggerMarket = market): void {
  const issues = uncountable(request, market, triggerMarket, '');
  if (issues.length > 0) throw invalid(issues);
}

function uncountable(
  request: object,
  market: MarketDefinition,
  triggerMarket: MarketDefinition,
  at: string,
): ValidationIssue[] {
  return Object.entries(request).flatMap(([name, value]) => {
    const field = Array.isArray(request) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`;
    if (typeof value === 'object' && value !== null) return uncountable(value, market, triggerMarket, field);
    if (typeof value !== 'number') return [];
    const { priceDecimals } = name === 'trigger_price' ? triggerMarket : market;
    if (sizeFields.has(name) && !isCountable(value, market.sizeDecimals))
      return [{ field, issue: 'must be within 2^53 lots of the market' }];
    if (priceFields.has(name) && !isCountable(value, priceDecimals))
      return [{ field, issue: 'must be within 2^53 ticks of the market' }];
    return [];
  });
}

function isCountable(value: number, decimals: number): boolean {
  return Math.abs(toUnits(value, decimals).units) <= Number.MAX_SAFE_INTEGER;
}
