import type { MarketDefinition } from '../../engine/model.ts';
import { hash32, keyOf } from './hashing.ts';
import type { Profile } from './profile.ts';

/**
 * The levels behind a touch. Whether there is a level at a price, and its size, depend on the price and its current
 * lifetime, not on the event. A displayed size therefore stays while the touch moves, and a position in its queue means
 * something. Lifetimes last 16 to 128 slots (5 to 43 s), and each price has its own rhythm. The size at the touch
 * shrinks during a lifetime.
 */
export class Ladder {
  /** Maximum number of levels on a side. */
  readonly maxLevels: number;
  /** Greatest distance of a level from the touch, in grid steps. */
  readonly maxSteps: number;
  readonly gridStep: number;
  private readonly nearSteps: number;
  /** How many of 1,024 hashes produce a level. */
  private readonly nearShare: number;
  private readonly roundSteps: readonly number[];
  private readonly roundCounts: readonly number[];
  /** Mean lots of a level by class: 0 is the touch, 1 is near levels, 2 and up are round prices. */
  private readonly meanLots: readonly number[];
  /** Quantiles of sizes relative to their mean: for near levels, and for the touch and round prices. */
  private readonly nearQuantiles: Float64Array;
  private readonly gatheredQuantiles = sizeQuantiles(0.3);
  private readonly keys: readonly [bid: number, ask: number];

  constructor(seed: number, definition: MarketDefinition, profile: Profile) {
    const lots = (usd: number) => (usd / profile.base) * 10 ** definition.sizeDecimals;
    this.gridStep = profile.gridStep;
    this.nearSteps = profile.near.steps;
    this.nearShare = Math.round(profile.near.share * 1024);
    this.roundSteps = profile.round.map((round) => round.step);
    this.roundCounts = profile.round.map((round) => round.count);
    const nearLots = lots(profile.near.usd);
    this.meanLots = [lots(profile.touchUsd), nearLots, ...profile.round.map((round) => lots(round.usd))];
    this.nearQuantiles = sizeQuantiles(profile.near.tailWeight);
    this.keys = [keyOf(seed, definition.marketId, 'bids'), keyOf(seed, definition.marketId, 'asks')];
    this.maxLevels = this.roundCounts.reduce((sum, count) => sum + count, 1 + this.nearSteps);
    this.maxSteps = this.roundSteps.reduce((sum, step, i) => sum + step * (this.roundCounts[i]! + 1), this.nearSteps);
  }

  /**
   * Writes a side, best level first, as [price, size, ...] in price units and lots; returns the number of levels. The
   * size at the touch is multiplied by `fullness`.
   */
  write(side: 'bid' | 'ask', touch: number, slot: number, fullness: number, levels: Float64Array): number {
    const away = side === 'bid' ? -1 : 1;
    const key = this.keys[side === 'bid' ? 0 : 1];
    // Lifetimes count slots modulo 2^32 so that the loops only use 32-bit integers.
    const moment = slot | 0;
    const smallest = this.roundSteps[0]!;
    levels[0] = touch * this.gridStep;
    levels[1] = Math.max(1, Math.floor(this.touchSize(key, touch, moment) * fullness));
    let at = 2;
    let grid = touch + away;
    let nextRound = multipleFrom(grid, smallest, away);
    for (let left = this.nearSteps; left > 0; left -= 1, grid += away) {
      const hash = hash32(key, grid, lifetimeOf(grid, moment));
      let rank = 1;
      if (grid === nextRound) {
        nextRound += away * smallest;
        rank = this.rankOf(grid);
      } else if (((hash >>> 8) & 1023) >= this.nearShare) continue;
      levels[at] = grid * this.gridStep;
      levels[at + 1] = this.size(rank, hash);
      at += 2;
    }
    for (let i = 0; i < this.roundSteps.length; i += 1) {
      const step = away * this.roundSteps[i]!;
      grid = multipleFrom(grid, this.roundSteps[i]!, away);
      for (let left = this.roundCounts[i]!; left > 0; left -= 1, grid += step) {
        levels[at] = grid * this.gridStep;
        levels[at + 1] = this.size(this.rankOf(grid), hash32(key, grid, lifetimeOf(grid, moment)));
        at += 2;
      }
    }
    return at >> 1;
  }

  /** Class of a price's mean size: the largest round step that the price is a multiple of. */
  private rankOf(grid: number): number {
    let rank = 1;
    while (rank <= this.roundSteps.length && grid % this.roundSteps[rank - 1]! === 0) rank += 1;
    return rank;
  }

  private size(rank: number, hash: number): number {
    // The low bits vary sizes within a quantile.
    const quantiles = rank === 1 ? this.nearQuantiles : this.gatheredQuantiles;
    const lots = this.meanLots[rank]! * quantiles[hash >>> 24]! * (1 + (hash & 0xff) * (1 / 2048));
    return lots < 1 ? 1 : Math.floor(lots);
  }

  private touchSize(key: number, grid: number, moment: number): number {
    const hash = hash32(key, grid, lifetimeOf(grid, moment));
    const full = Math.max(this.size(0, hash), this.size(this.rankOf(grid), hash));
    return full * (1 - ageOf(grid, moment) / 12);
  }
}

/** Number of the lifetime, 2^4 to 2^7 slots long, that a price is in. */
function lifetimeOf(grid: number, moment: number): number {
  const rhythm = Math.imul(grid, 0x9e3779b1);
  return (moment + (rhythm >>> 25)) >>> (4 + (rhythm & 3));
}

/** How many eighths of a price's lifetime have passed. */
function ageOf(grid: number, moment: number): number {
  const rhythm = Math.imul(grid, 0x9e3779b1);
  return ((moment + (rhythm >>> 25)) >>> (1 + (rhythm & 3))) & 7;
}

/** The first multiple of `step` at or beyond `grid`, going away from the touch. */
function multipleFrom(grid: number, step: number, away: number): number {
  const rest = grid % step;
  if (rest === 0) return grid;
  return away < 0 ? grid - rest : grid - rest + step;
}

/** 256 quantiles of a level's size relative to its mean, scaled by 1 / 1.06 (the low bits add 6% on average). */
function sizeQuantiles(tailWeight: number): Float64Array {
  const quantiles = new Float64Array(256);
  let sum = 0;
  for (let i = 0; i < 256; i += 1) {
    const u = (i + 0.5) / 256;
    quantiles[i] = (1 - tailWeight) * (0.3 + 1.4 * u) + (tailWeight * u * u) / (3 * (1.02 - u));
    sum += quantiles[i]!;
  }
  for (let i = 0; i < 256; i += 1) quantiles[i]! *= 256 / sum / 1.06;
  return quantiles;
}
