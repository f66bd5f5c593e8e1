import { priceTimesLots, toNotional } from '../../../base/margin/notional.ts';
import type { Consumption, HalfPrice, Lots, MarketDefinition, Money, Price } from '../model.ts';
import type { TakenLevel } from '../source.ts';
import type { BookSide, LevelChanges } from './book.ts';

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

/** Whether a price is within a tolerance of the mid. Exact for tolerances to a millionth of a basis point. */
export function isWithinTolerance(price: Price, mid: HalfPrice, toleranceBps: number): boolean {
  const scale = 1_000_000;
  const distance = BigInt(Math.abs(2 * price - mid)) * 10_000n * BigInt(scale);
  return distance <= BigInt(Math.round(toleranceBps * scale)) * BigInt(mid);
}

/** Called whenever an entry changes, so that it is stored; 0 removes it. */
export type ConsumptionListener = (taken: Consumption) => void;

/**
 * Lots that accounts took from one side of a market's book. An account is not offered the same displayed lots again
 * until the level grows (simulation 3.1).
 */
export class ConsumedLevels {
  /** Counts its changes. */
  revision = 0;
  private readonly levels = new Map<Price, Map<string, Lots>>();
  private readonly marketId: string;
  private readonly bookSide: Consumption['bookSide'];
  private readonly listener: ConsumptionListener;

  constructor(marketId: string, bookSide: Consumption['bookSide'], listener: ConsumptionListener) {
    this.marketId = marketId;
    this.bookSide = bookSide;
    this.listener = listener;
  }

  get isEmpty(): boolean {
    return this.levels.size === 0;
  }

  /** Lots of the level that the account has taken and is not offered again. */
  of(accountId: string, price: Price): Lots {
    return this.levels.get(price)?.get(accountId) ?? 0;
  }

  /** Restores a stored entry. */
  restore(taken: Consumption): void {
    this.revision += 1;
    this.levelAt(taken.price).set(taken.accountId, taken.consumed);
  }

  take(accountId: string, price: Price, lots: Lots): void {
    const level = this.levelAt(price);
    const consumed = (level.get(accountId) ?? 0) + lots;
    level.set(accountId, consumed);
    this.changed(accountId, price, consumed);
  }

  /** After an update: consumed = min(consumed, new size) at each level that changed. */
  shrink(changes: LevelChanges): void {
    if (this.levels.size === 0) return;
    for (let at = 0; at < changes.count; at += 1) {
      const price = changes.prices[at]!;
      const level = this.levels.get(price);
      if (level !== undefined) this.shrinkLevel(price, level, changes.sizes[at]!);
    }
  }

  /** Every entry, in no particular order. */
  all(): Consumption[] {
    const all: Consumption[] = [];
    for (const [price, level] of this.levels) {
      for (const [accountId, consumed] of level) {
        all.push({ accountId, marketId: this.marketId, bookSide: this.bookSide, price, consumed });
      }
    }
    return all;
  }

  /** The most that an account took of each level. */
  mostTaken(): TakenLevel[] {
    const { bookSide } = this;
    return [...this.levels].map(([price, level]) => ({ bookSide, price, lots: Math.max(...level.values()) }));
  }

  private shrinkLevel(price: Price, level: Map<string, Lots>, size: Lots): void {
    for (const [accountId, consumed] of level) {
      if (consumed <= size) continue;
      if (size === 0) level.delete(accountId);
      else level.set(accountId, size);
      this.changed(accountId, price, size);
    }
    if (level.size === 0) this.levels.delete(price);
  }

  private levelAt(price: Price): Map<string, Lots> {
    let level = this.levels.get(price);
    if (level === undefined) {
      level = new Map();
      this.levels.set(price, level);
    }
    return level;
  }

  private changed(accountId: string, price: Price, consumed: Lots): void {
    this.revision += 1;
    this.listener({ accountId, marketId: this.marketId, bookSide: this.bookSide, price, consumed });
  }
}
