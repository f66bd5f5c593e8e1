import { priceTimesLots, toNotional } from '../../../base/margin/notional.ts';
import type { HalfPrice, Lots, MarketDefinition, Money, Price } from '../model.ts';
import type { BookSide } from './book.ts';
import type { ConsumedLevels } from './consumption.ts';

/** The result of a walk over one side of the book; nothing is taken yet (simulation 3.1). */
export interface Walk {
  readonly filled: Lots;
  readonly notional: Money;
  /** Worst level touched; NaN when nothing is filled. */
  readonly worstPrice: Price;
  /** Number of levels touched. */
  readonly levels: number;
  /** If the policy sets the price: its distance from the mid, bps, regardless of the levels. */
  readonly boundBps?: number;
}

/**
 * Walks levels best first for up to `lots`, no worse than `limit` (null: any price), skipping what the account has
 * consumed. With `accountId` null, nothing was consumed.
 */
export function walkBook(
  definition: MarketDefinition,
  side: BookSide,
  consumed: ConsumedLevels,
  accountId: string | null,
  lots: Lots,
  limit: Price | null,
): Walk {
  const worstRank = limit === null ? Number.NEGATIVE_INFINITY : side.sign * limit;
  const untouched = accountId === null || consumed.isEmpty;
  const { prices, sizes, sign } = side;
  let remaining = lots;
  let levels = 0;
  // A double while that is exact, and the part that did not fit into it.
  let sum = 0;
  let overflow = 0n;
  let worstPrice = Number.NaN;
  for (let at = side.count - 1; at >= 0 && remaining > 0; at -= 1) {
    const price = prices[at]!;
    if (sign * price < worstRank) break;
    const offered = untouched ? sizes[at]! : sizes[at]! - consumed.of(accountId, price);
    if (offered <= 0) continue;
    const here = offered < remaining ? offered : remaining;
    remaining -= here;
    worstPrice = price;
    levels += 1;
    const next = sum + price * here;
    if (next <= Number.MAX_SAFE_INTEGER) sum = next;
    else overflow += BigInt(priceTimesLots(price, here));
  }
  const notional = toNotional(definition, overflow === 0n ? sum : overflow + BigInt(sum));
  return { filled: lots - remaining, notional, worstPrice, levels };
}

/** The levels that a walk of these lots touches, [price, lots] each, best first: used when taking them. */
export function levelsOfWalk(
  side: BookSide,
  consumed: ConsumedLevels,
  accountId: string,
  lots: Lots,
): [price: Price, lots: Lots][] {
  const levels: [Price, Lots][] = [];
  let remaining = lots;
  for (let at = side.count - 1; at >= 0 && remaining > 0; at -= 1) {
    const price = side.prices[at]!;
    const here = Math.min(remaining, side.sizes[at]! - consumed.of(accountId, price));
    if (here <= 0) continue;
    remaining -= here;
    levels.push([price, here]);
  }
  return levels;
}

/** Lots that the visible depth offers the account, at prices no worse than `limit`. */
export function offeredLots(
  side: BookSide,
  consumed: ConsumedLevels,
  accountId: string | null,
  limit: Price | null,
): Lots {
  const worstRank = limit === null ? Number.NEGATIVE_INFINITY : side.sign * limit;
  let offered = 0;
  for (let at = side.count - 1; at >= 0; at -= 1) {
    const price = side.prices[at]!;
    if (side.sign * price < worstRank) break;
    offered += Math.max(0, side.sizes[at]! - (accountId === null ? 0 : consumed.of(accountId, price)));
  }
  return offered;
}

/** Whether a price is within a tolerance of the mid. Exact for tolerances to a millionth of a basis point. */
export function isWithinTolerance(price: Price, mid: HalfPrice, toleranceBps: number): boolean {
  const scale = 1_000_000;
  const distance = BigInt(Math.abs(2 * price - mid)) * 10_000n * BigInt(scale);
  return distance <= BigInt(Math.round(toleranceBps * scale)) * BigInt(mid);
}
