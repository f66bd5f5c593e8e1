import { toUnits } from '../../base/terms/decimal.ts';
import type { RequestField, SettableField } from '../../base/terms/order-fields.ts';
import type { CommandFields } from '../../exchange/engine/commands.ts';
import type { MarketDefinition } from '../../exchange/engine/model.ts';
import type { ValidationIssue } from '../../wire/contract/errors.ts';
import { Failure, invalid } from '../../wire/hosting/failure.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Turn } from '../simulation/simulation.ts';

/**
 * 400 for every size in a request beyond 2^53 lots of its market and every price beyond 2^53 price units, at any depth:
 * beyond that, neither is exact. Trigger prices are measured in price units of the market that triggers.
 */
export function refuseUncountable(request: object, market: MarketDefinition, triggerMarket = market): void {
  const issues: ValidationIssue[] = [];
  collectUncountable(issues, request, market, triggerMarket, '');
  if (issues.length > 0) throw invalid(issues);
}

/** Fields are named by their kind: `limit_price`, `expected_position_size`. */
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
    if (name.endsWith('size') && !isCountable(value, market.sizeDecimals))
      issues.push({ field: fieldIn(request, at, name), issue: 'must be at most 2^53 lots of the market' });
    if ((name.endsWith('price') || name === 'chase_offset') && !isCountable(value, priceDecimals))
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

/** 409 if the owner already has an order or close with this id in this environment (simulation 8.3). */
export function refuseTakenClientOrderId(
  { requests }: Turn,
  { owner, environment }: Principal,
  clientOrderId: string | undefined,
): void {
  // Of two in one batch, the store refuses the second; done alone, it then finds the first here.
  if (clientOrderId === undefined || requests.orderByClientId(owner, environment, clientOrderId) === null) return;
  throw new Failure('client_order_id_conflict', 'This client_order_id already belongs to another order.', {
    clientOrderId,
  });
}

/** The fields of a valid order request, by the command's names; omitted ones have their defaults. */
export function commandFields<F extends RequestField>(
  fields: readonly SettableField<F>[],
  body: object,
): CommandFields<F> {
  const asked = body as Record<string, unknown>;
  const members = fields.map(({ asked: name, command, default: usual }) => [command, asked[name] ?? usual]);
  return Object.fromEntries(members) as CommandFields<F>;
}
