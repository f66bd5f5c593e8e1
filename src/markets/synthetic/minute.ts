import { fraction, hash32, keyOf, nextHash, signedUnit } from './hashing.ts';
import { minutesPerHour, minutesPerStretch, type PricePath } from './path.ts';
import type { Spreads } from './profile.ts';
import type { Scale } from './scale.ts';
import { slotsPerMinute } from './slots.ts';
import type { Start } from './start.ts';
import type { Trades } from './trades.ts';

/** How far the prints of slots follow the moves of the price; the rest is even. And how far chance moves them. */
const printsFollow = 0.88;
const printsSwing = 0.6;

/** Lifetimes of a spread: 2^5 slots, each price on its own rhythm. */
const spreadLifetime = 5;

/** How strongly the coming moves show in the sizes at the touch, by how many slots they are away. */
const foresight = [0.6, 0.3, 0.2];
/** How strongly the mood of takers does. */
const moodPressure = 0.3;

/**
 * One minute, slot by slot: how the price moves in each, in grid steps, how many prints it has, and the touch that its
 * book shows. Filled for the minute last loaded; what is traded, only when it was asked for.
 */
export class Minute {
  /** The path's bid (see Scale) at the beginning and end of each slot, and at its lowest and highest. */
  readonly from = new Int32Array(slotsPerMinute);
  readonly to = new Int32Array(slotsPerMinute);
  readonly lowest = new Int32Array(slotsPerMinute);
  readonly highest = new Int32Array(slotsPerMinute);
  readonly highFirst = new Uint8Array(slotsPerMinute);
  readonly moves = new Uint8Array(slotsPerMinute);
  /** Prints of each slot, but for the one that a minute keeps back. */
  readonly counts = new Int32Array(slotsPerMinute);
  /** The slots that print the minute's highest and its lowest price. */
  highSlot = 0;
  lowSlot = 0;
  /** Lots and worth of the minute's prints; 0 until `loadTrades`. */
  lots = 0;
  worth = 0;
  /** Grid step from which the worth is counted. */
  reference = 0;
  prints = 0;
  /** The minute's number since the epoch. */
  number = Number.NaN;
  private readonly path: PricePath;
  private readonly trades: Trades;
  private readonly scale: Scale;
  private readonly spreads: Spreads;
  private readonly fixed: Start['fixed'];
  private readonly countKey: number;
  private readonly touchKey: number;
  private readonly moodKey: number;
  private readonly weights = new Float64Array(slotsPerMinute);
  private countsOf = Number.NaN;
  private tradesOf = Number.NaN;

  constructor(
    seed: number,
    marketId: string,
    parts: { path: PricePath; trades: Trades; scale: Scale; spreads: Spreads; fixed: Start['fixed'] },
  ) {
    this.path = parts.path;
    this.trades = parts.trades;
    this.scale = parts.scale;
    this.spreads = parts.spreads;
    this.fixed = parts.fixed;
    this.countKey = keyOf(seed, marketId, 'counts');
    this.touchKey = keyOf(seed, marketId, 'touch');
    this.moodKey = keyOf(seed, marketId, 'mood');
  }

  /** Loads the prices of a minute. */
  load(minute: number): void {
    if (this.number === minute) return;
    this.path.loadMinute(minute);
    this.number = minute;
    this.readPath();
  }

  /** Loads numbers of prints as well. */
  loadCounts(minute: number): void {
    if (this.countsOf !== minute) {
      const hour = Math.floor(minute / minutesPerHour);
      this.trades.loadHour(hour);
      this.prints = this.trades.minutePrints[minute - hour * minutesPerHour]!;
      // The trades may have loaded other hours.
      this.path.loadMinute(minute);
      this.load(minute);
      this.countPrints();
      this.countsOf = minute;
    }
    this.load(minute);
  }

  /** Loads lots and worth as well, and numbers of prints. */
  loadTrades(minute: number): void {
    if (this.tradesOf !== minute) {
      const { trades } = this;
      const stretch = Math.floor(minute / minutesPerStretch);
      trades.loadStretchLots(stretch);
      const part = minute - stretch * minutesPerStretch;
      this.lots = trades.minutes.lots[part]!;
      this.worth = trades.minutes.worths[part]!;
      this.reference = trades.reference;
      this.tradesOf = minute;
    }
    this.loadCounts(minute);
  }

  /** A slot's spread at the path's bid, in steps beyond one. */
  extraSpread(bid: number, slot: number): number {
    if (slot === this.fixed?.slot) return this.fixed.extra;
    const { wideShare, widest } = this.spreads;
    if (widest === 1) return 0;
    const rhythm = Math.imul(bid, 0x9e3779b1) >>> (32 - spreadLifetime);
    const hash = hash32(this.touchKey, bid, Math.floor((slot + rhythm) / 2 ** spreadLifetime));
    if (fraction(hash) >= wideShare) return 0;
    const u = fraction(nextHash(hash));
    return 1 + Math.floor((widest - 1) * u * u);
  }

  /** Best bid and best ask of a slot's book, added up, in grid steps. */
  halfPrice(place: number): number {
    const bid = this.to[place]!;
    return 2 * bid + 1 + (this.extraSpread(bid, this.number * slotsPerMinute + place) & 1);
  }

  /** Which way takers lean in a slot, from -1 (they sell) to 1 (they buy): it lasts for seconds and minutes. */
  mood(slot: number): number {
    const { moodKey } = this;
    return (
      0.55 * signedUnit(hash32(moodKey, Math.floor(slot / 2), 1)) +
      0.5 * signedUnit(hash32(moodKey, Math.floor(slot / 16), 2)) +
      0.4 * signedUnit(hash32(moodKey, Math.floor(slot / 128), 3))
    );
  }

  /**
   * How hard takers press on the touch after a slot's book, from -1 (on the bid) to 1 (on the ask): what they took, and
   * where the price is about to go as far as a book can show it.
   */
  pressure(place: number): number {
    let pressure = moodPressure * this.mood(this.number * slotsPerMinute + place);
    for (let ahead = 0; ahead < foresight.length && place + 1 + ahead < slotsPerMinute; ahead += 1) {
      const slot = place + 1 + ahead;
      pressure += Math.sign(this.to[slot]! - this.from[slot]!) * foresight[ahead]!;
    }
    return Math.max(-1, Math.min(1, pressure));
  }

  private readPath(): void {
    const { scale } = this;
    const { slots } = this.path;
    let to = scale.bidOf(slots.values[0]!);
    for (let slot = 0; slot < slotsPerMinute; slot += 1) {
      const moves = slots.variance(slot) > 0;
      this.from[slot] = to;
      this.moves[slot] = moves ? 1 : 0;
      this.highest[slot] = moves ? scale.bidOf(slots.highs[slot]!) : to;
      this.lowest[slot] = moves ? scale.bidOf(slots.lows[slot]!) : to;
      this.highFirst[slot] = slots.highFirst[slot]!;
      if (moves) to = scale.bidOf(slots.values[slot + 1]!);
      this.to[slot] = to;
    }
    this.highSlot = slots.highParts[0]!;
    this.lowSlot = slots.lowParts[0]!;
  }

  /** Distributes the minute's prints over its slots. */
  private countPrints(): void {
    const { counts, countKey, weights } = this;
    const { slots } = this.path;
    const all = this.prints - 1;
    let moves = 0;
    let leaps = 1;
    for (let slot = 0; slot < slotsPerMinute; slot += 1) {
      moves += slots.variance(slot);
      leaps += (this.to[slot]! - this.from[slot]!) ** 2;
    }
    let chance = hash32(countKey, this.number, 0);
    let sum = 0;
    for (let slot = 0; slot < slotsPerMinute; slot += 1) {
      // What a slot could have moved, and what it did.
      const moving = (slots.variance(slot) / moves + (this.to[slot]! - this.from[slot]!) ** 2 / leaps) / 2;
      chance = nextHash(chance);
      const even = (1 + printsSwing * signedUnit(chance)) / slotsPerMinute;
      weights[slot] = printsFollow * moving + (1 - printsFollow) * even;
      sum += weights[slot]!;
    }
    // Rounding the running sum, from a start that chance sets, keeps the total.
    let running = fraction(nextHash(chance));
    let before = 0;
    for (let slot = 0; slot < slotsPerMinute; slot += 1) {
      running += (weights[slot]! / sum) * all;
      const until = slot === slotsPerMinute - 1 ? all : Math.min(all, Math.floor(running));
      counts[slot] = until - before;
      before = until;
    }
    this.requirePrints(this.highSlot, this.highSlot === this.lowSlot ? 2 : 1);
    this.requirePrints(this.lowSlot, this.highSlot === this.lowSlot ? 2 : 1);
  }

  /** Gives a slot this many prints, taken from the slots with the most. */
  private requirePrints(slot: number, least: number): void {
    const { counts } = this;
    while (counts[slot]! < least) {
      let most = -1;
      for (let other = 0; other < slotsPerMinute; other += 1) {
        const isSpare = counts[other]! > (other === this.highSlot || other === this.lowSlot ? 1 : 0);
        if (other !== slot && isSpare && (most < 0 || counts[other]! > counts[most]!)) most = other;
      }
      counts[most]! -= 1;
      counts[slot]! += 1;
    }
  }
}
