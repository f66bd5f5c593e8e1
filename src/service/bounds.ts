import type { ValidationIssue } from '../contract/errors.ts';
import type { MarketDefinition } from '../engine/model.ts';
import { toUnits } from '../terms/decimal.ts';
import { invalid } from './failure.ts';

/** Fields named by their kind: `limit_price`, `expected_position_size`. */
const isSize = (name: string) => name.endsWith('size');
const isPrice = (name: string) => name.endsWith('price') || name === 'chase_offset';

/**
 * 400 for every size in a request beyond 2^53 lots of its market and every price beyond 2^53 price units, at any depth:
 * beyond that, neither is exact. Trigger prices are measured in price units of the market that triggers.
 */
export function refuseUncountable(request: object, market: MarketDefinition, triggerMarket = market): void {
  const issues: ValidationIssue[] = [];
  collectUncountable(issues, request, market, triggerMarket, '');
  if (issues.length > 0) throw invalid(issues);
}

function collectUncountable(
  issues: ValidationIssue[],
  request: object,
  market: MarketDefinition,
  triggerMarket: MarketDefinition,
  at: string,
): void {
  for (const [name, value] of Object.entries(request)) {
    if (typeof value === 'object' && value !== null)
      collectUncountable(issues, value, market, triggerMarket, fieldIn(request, at, name));
    if (typeof value !== 'number') continue;
    const { priceDecimals } = name === 'trigger_price' ? triggerMarket : market;
    if (isSize(name) && !isCountable(value, market.sizeDecimals))
      issues.push({ field: fieldIn(request, at, name), issue: 'must be at most 2^53 lots of the market' });
    if (isPrice(name) && !isCountable(value, priceDecimals))
      issues.push({ field: fieldIn(request, at, name), issue: 'must be at most 2^53 price units of the market' });
  }
}

function fieldIn(request: object, at: string, name: string): string {
  if (Array.isArray(request)) return `${at}[${name}]`;
  return at === '' ? name : `${at}.${name}`;
}

function isCountable(value: number, decimals: number): boolean {
  // Rounding matters only near the bound, which is rare.
  const units = Math.abs(value) * 10 ** decimals;
  return units < 2 ** 52 || Math.abs(toUnits(value, decimals).units) <= Number.MAX_SAFE_INTEGER;
}
