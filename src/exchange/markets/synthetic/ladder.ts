import { hash32, keyOf } from '../../../base/terms/hash.ts';
import type { MarketDefinition } from '../../engine/model.ts';
import type { Profile } from './profile.ts';

/** How much larger a touch at a round price is. */
const roundTouch = 1.6;

/**
 * The levels behind a touch. Whether there is a level at a price, and its size, depend on the price and its current
 * lifetime, not on the event. A displayed size therefore stays while the touch moves, so a position in its queue is
 * meaningful. Lifetimes last 5 to 51 s, and each price has its own rhythm. The size at the touch shrinks during a
 * lifetime.
 */
export class Ladder {
  /** Maximum number of levels on a side. */
  readonly maxLevels: number;
  /** Greatest distance of a level from the touch, in grid ticks. */
  readonly maxTicks: number;
  readonly gridTick: number;
  private readonly nearTicks: number;
  /** How many of 1,024 hashes produce a level. */
  private readonly nearShare: number;
  private readonly roundTicks: readonly number[];
  private readonly roundCounts: readonly number[];
  /** Mean lots of a level by class: 0 is the touch, 1 is near levels, 2 and up are round prices. */
  private readonly meanLots: readonly number[];
  /** Quantiles of sizes relative to their mean: for near levels, round prices and the touch. */
  private readonly nearQuantiles: Float64Array;
  private readonly gatheredQuantiles = sizeQuantiles(0.3);
  private readonly touchQuantiles: Float64Array;
  readonly keys: readonly [bid: number, ask: number];
  /** The shortest lifetime is 2^shift slots long. */
  readonly shift: number;
  /** Lots of the level that {@link ticksBehind} found. */
  foundLots = 0;

  constructor(seed: number, definition: MarketDefinition, profile: Profile) {
    const lots = (usd: number) => (usd / profile.base) * 10 ** definition.sizeDecimals;
    this.gridTick = profile.gridTick;
    this.shift = profile.rhythm.slotsPerMinute > 300 ? 6 : 4;
    this.nearTicks = profile.near.ticks;
    this.nearShare = Math.round(profile.near.share * 1024);
    this.roundTicks = profile.round.map((round) => round.apart);
    this.roundCounts = profile.round.map((round) => round.count);
    const nearLots = lots(profile.near.usd);
    this.meanLots = [lots(profile.touchUsd), nearLots, ...profile.round.map((round) => lots(round.usd))];
    this.nearQuantiles = sizeQuantiles(profile.near.tailWeight);
    this.touchQuantiles = sizeQuantiles(profile.touchFollows ? 0.8 : 0.3);
    this.keys = [keyOf(seed, definition.marketId, 'bids'), keyOf(seed, definition.marketId, 'asks')];
    this.maxLevels = this.roundCounts.reduce((sum, count) => sum + count, 1 + this.nearTicks);
    this.maxTicks = this.roundTicks.reduce((sum, apart, i) => sum + apart * (this.roundCounts[i]! + 1), this.nearTicks);
  }

  /** The grid prices behind a touch that may have a level, best first, and their classes; returns their number. */
  place(touch: number, away: 1 | -1, grids: Int32Array, ranks: Uint8Array): number {
    const smallest = this.roundTicks[0] ?? 0;
    let at = 0;
    let grid = touch + away;
    let nextRound = smallest === 0 ? touch : multipleFrom(grid, smallest, away);
    for (let left = this.nearTicks; left > 0; left -= 1, grid += away, at += 1) {
      grids[at] = grid;
      ranks[at] = 1;
      if (grid !== nextRound) continue;
      nextRound += away * smallest;
      ranks[at] = this.rankOf(grid);
    }
    for (let i = 0; i < this.roundTicks.length; i += 1) {
      const leap = away * this.roundTicks[i]!;
      grid = multipleFrom(grid, this.roundTicks[i]!, away);
      for (let left = this.roundCounts[i]!; left > 0; left -= 1, grid += leap, at += 1) {
        grids[at] = grid;
        ranks[at] = this.rankOf(grid);
      }
    }
    return at;
  }

  /** Class of a price's mean size: the largest round distance that the price is a multiple of. */
  private rankOf(grid: number): number {
    let rank = 1;
    while (rank <= this.roundTicks.length && grid % this.roundTicks[rank - 1]! === 0) rank += 1;
    return rank;
  }

  /** Lots of a level in one of its lifetimes; 0: there is none. */
  size(rank: number, hash: number): number {
    if (rank === 1 && ((hash >>> 8) & 1023) >= this.nearShare) return 0;
    // The low bits vary sizes within a quantile.
    const quantiles = rank === 1 ? this.nearQuantiles : rank === 0 ? this.touchQuantiles : this.gatheredQuantiles;
    const lots = this.meanLots[rank]! * quantiles[hash >>> 24]! * (1 + (hash & 0xff) * (1 / 2048));
    return lots < 1 ? 1 : Math.floor(lots);
  }

  /**
   * The nearest level behind a touch in a slot's book, as grid ticks from the touch: none (0) if there is none within
   * `most` ticks. See {@link foundLots}.
   */
  ticksBehind(side: 0 | 1, touch: number, slot: number, most: number): number {
    const key = this.keys[side];
    const away = side === 0 ? -1 : 1;
    for (let ticks = 1; ticks <= Math.min(most, this.nearTicks); ticks += 1) {
      const grid = touch + away * ticks;
      const hash = hash32(key, grid, lifetimeOf(grid, slot | 0, this.shift));
      this.foundLots = this.size(this.rankOf(grid), hash);
      if (this.foundLots > 0) return ticks;
    }
    return 0;
  }

  /** Lots of a touch in a slot's book: `fullness` of its size, and at least `least`. */
  touchLots(side: 0 | 1, grid: number, slot: number, fullness: number, least: number): number {
    const { shift } = this;
    // Lifetimes count slots modulo 2^32.
    const moment = slot | 0;
    const hash = hash32(this.keys[side], grid, lifetimeOf(grid, moment, shift));
    const more = this.rankOf(grid) > 1 ? roundTouch : 1;
    const size = more * this.size(0, hash) * (1 - ageOf(grid, moment, shift) / 12);
    return Math.max(1, least, Math.floor(size * fullness));
  }

  /** Lots of a price behind a touch in a slot's book; 0: there is no level. */
  lotsBehind(side: 0 | 1, touch: number, grid: number, slot: number): number {
    if (!this.hasPlace(side, touch, grid)) return 0;
    return this.size(this.rankOf(grid), hash32(this.keys[side], grid, lifetimeOf(grid, slot | 0, this.shift)));
  }

  /** Whether {@link place} finds a grid price behind a touch. */
  private hasPlace(side: 0 | 1, touch: number, grid: number): boolean {
    const away = side === 0 ? -1 : 1;
    const behind = (grid - touch) * away;
    if (!(behind > 0) || behind > this.maxTicks || !Number.isInteger(grid)) return false;
    if (behind <= this.nearTicks) return true;
    let from = touch + away * (this.nearTicks + 1);
    for (let i = 0; i < this.roundTicks.length; i += 1) {
      const apart = this.roundTicks[i]!;
      from = multipleFrom(from, apart, away);
      const steps = ((grid - from) * away) / apart;
      // Before `from`, no step is whole.
      if (steps < this.roundCounts[i]!) return Number.isInteger(steps);
      from += away * apart * this.roundCounts[i]!;
    }
    return false;
  }
}

/** One side of a book at one moment: its levels, best first, as [price, size, ...] in price units and lots. */
export class LadderSide {
  readonly levels: Float64Array;
  count = 0;
  /** The levels that the last {@link change} changed; size 0: removed. */
  readonly changes: Float64Array;
  changeCount = 0;
  /** Best price, in grid ticks. */
  touch = Number.NaN;
  private touchLots = 0;
  private readonly ladder: Ladder;
  private readonly side: 0 | 1;
  private readonly key: number;
  /** The prices that may have a level: grid, class, rhythm, lots (0: none). */
  private readonly grids: Int32Array;
  private readonly ranks: Uint8Array;
  private readonly rhythms: Uint32Array;
  private readonly masks: Uint32Array;
  private readonly lots: Float64Array;
  private places = 0;

  constructor(ladder: Ladder, side: 0 | 1) {
    this.ladder = ladder;
    this.side = side;
    this.key = ladder.keys[side];
    const most = ladder.maxLevels;
    this.levels = new Float64Array(2 * most);
    this.changes = new Float64Array(2 * most);
    this.grids = new Int32Array(most);
    this.ranks = new Uint8Array(most);
    this.rhythms = new Uint32Array(most);
    this.masks = new Uint32Array(most);
    this.lots = new Float64Array(most);
  }

  /** Writes the whole side. The touch shows `fullness` of its size, and at least `least` lots. */
  rebuild(touch: number, slot: number, fullness: number, least: number): void {
    const { ladder, levels, grids, ranks, rhythms, masks, lots, key } = this;
    // Lifetimes count slots modulo 2^32 so that the loops only use 32-bit integers.
    const moment = slot | 0;
    const { shift, gridTick } = ladder;
    this.touch = touch;
    this.touchLots = ladder.touchLots(this.side, touch, slot, fullness, least);
    levels[0] = touch * gridTick;
    levels[1] = this.touchLots;
    this.places = ladder.place(touch, this.side === 0 ? -1 : 1, grids, ranks);
    let at = 2;
    for (let i = 0; i < this.places; i += 1) {
      const grid = grids[i]!;
      const rhythm = Math.imul(grid, 0x9e3779b1);
      const bits = shift + (rhythm & 3);
      rhythms[i] = (rhythm >>> 25) << (shift - 4);
      masks[i] = (1 << bits) - 1;
      const size = ladder.size(ranks[i]!, hash32(key, grid, (moment + rhythms[i]!) >>> bits));
      lots[i] = size;
      if (size === 0) continue;
      levels[at] = grid * gridTick;
      levels[at + 1] = size;
      at += 2;
    }
    this.count = at >> 1;
  }

  /** Changes the side of the slot before into that of this slot, with the same touch; see `changes`. */
  change(slot: number, fullness: number, least: number): void {
    const { ladder, grids, ranks, rhythms, masks, lots, key, changes, places } = this;
    const moment = slot | 0;
    const { gridTick, shift } = ladder;
    let at = 0;
    const touchLots = ladder.touchLots(this.side, this.touch, slot, fullness, least);
    if (touchLots !== this.touchLots) {
      this.touchLots = touchLots;
      changes[0] = this.touch * gridTick;
      changes[1] = touchLots;
      at = 2;
    }
    for (let i = 0; i < places; i += 1) {
      if (((moment + rhythms[i]!) & masks[i]!) !== 0) continue;
      const grid = grids[i]!;
      const size = ladder.size(ranks[i]!, hash32(key, grid, lifetimeOf(grid, moment, shift)));
      if (size === lots[i]) continue;
      lots[i] = size;
      changes[at] = grid * gridTick;
      changes[at + 1] = size;
      at += 2;
    }
    this.changeCount = at >> 1;
  }
}

/** Number of the lifetime, 2^shift to 2^(shift + 3) slots long, that a price is in. */
function lifetimeOf(grid: number, moment: number, shift: number): number {
  const rhythm = Math.imul(grid, 0x9e3779b1);
  return (moment + ((rhythm >>> 25) << (shift - 4))) >>> (shift + (rhythm & 3));
}

/** The number of eighths of a price's lifetime that have passed. */
function ageOf(grid: number, moment: number, shift: number): number {
  const rhythm = Math.imul(grid, 0x9e3779b1);
  return ((moment + ((rhythm >>> 25) << (shift - 4))) >>> (shift - 3 + (rhythm & 3))) & 7;
}

/** The first multiple of `apart` at or beyond `grid`, going away from the touch. */
function multipleFrom(grid: number, apart: number, away: number): number {
  const rest = grid % apart;
  if (rest === 0) return grid;
  return away < 0 ? grid - rest : grid - rest + apart;
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
