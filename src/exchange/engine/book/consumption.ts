import type { Consumption, Lots, Price } from '../model.ts';
import type { TakenLevel } from '../source.ts';
import type { LevelChanges } from './book.ts';

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
