import { notionalAtMark } from '../book/notional.ts';
import { toMoney } from '../decimal.ts';
import type { HalfPrice, Lots } from '../model.ts';
import type { Market } from '../world/market.ts';
import type { Desk } from '../world/world.ts';

/** Whether lots shared over so many orders make each worth less than the account's minimum; reductions have none. */
export function isBelowMinimum(
  desk: Desk,
  market: Market,
  mark: HalfPrice,
  total: Lots,
  orders: number,
  reduceOnly: boolean,
): boolean {
  if (reduceOnly) return false;
  const minimum = toMoney(desk.account.policy.limits.minOrderNotionalUsd);
  return notionalAtMark(market.definition, mark, total) < minimum * BigInt(orders);
}
