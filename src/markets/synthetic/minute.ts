import { fraction, hash32, keyOf, nextHash, signedUnit } from './hashing.ts';
import { minutesPerHour, minutesPerStretch, type PricePath } from './path.ts';
import type { Spreads } from './profile.ts';
import type { Scale } from './scale.ts';
import { slotsPerMinute } from './slots.ts';
import type { Start } from './start.ts';
import type { Trades } from './trades.ts';

/** How much the number of prints in a slot depends on the price's moves (the rest is even), and how much on chance. */
const printsFollow = 0.88;
const printsSwing = 0.6;

/** A spread's lifetime is 2^5 slots; each price has its own rhythm. */
const spreadLifetime = 5;

/** How strongly coming moves show in the sizes at the touch, one to three slots ahead. */
const foresight = [0.6, 0.3, 0.2];
/** How strongly the takers' bias shows in them. */
const moodPressure = 0.3;

/**
 * One minute, slot by slot: how the price moves, in grid steps, the number of prints, and the touch in the book. Holds
 * the minute loaded last; lots and turnover are filled in only on request.
 */
export class Minute {
  /** The path's bid (see Scale) at the start and end of each slot, and its lowest and highest. */
  readonly from = new Int32Array(slotsPerMinute);
  readonly to = new Int32Array(slotsPerMinute);
  readonly lowest = new Int32Array(slotsPerMinute);
  readonly highest = new Int32Array(slotsPerMinute);
  readonly highFirst = new Uint8Array(slotsPerMinute);
  readonly moves = new Uint8Array(slotsPerMinute);
  /** Prints of each slot, without the one that a minute reserves. */
  readonly counts = new Int32Array(slotsPerMinute);
  /** The slots in which the minute's highest and lowest prices print. */
  highSlot = 0;
  lowSlot = 0;
  /** Lots and turnover of the minute's prints; 0 until `loadTrades`. */
  lots = 0;
  turnover = 0;
  /** The price in grid steps relative to which turnover is measured. */
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

  /** Loads the numbers of prints as well. */
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

  /** Loads the numbers of prints, the lots and the turnover as well. */
  loadTrades(minute: number): void {
    if (this.tradesOf !== minute) {
      const { trades } = this;
      const stretch = Math.floor(minute / minutesPerStretch);
      trades.loadStretchLots(stretch);
      const part = minute - stretch * minutesPerStretch;
      this.lots = trades.minutes.lots[part]!;
      this.turnover = trades.minutes.turnovers[part]!;
      this.reference = trades.reference;
      this.tradesOf = minute;
    }
    this.loadCounts(minute);
  }

  /** How many steps wider than one a slot's spread is at the path's bid. */
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

  /** Sum of best bid and best ask of a slot's book, in grid steps. */
  halfPrice(place: number): number {
    const bid = this.to[place]!;
    return 2 * bid + 1 + (this.extraSpread(bid, this.number * slotsPerMinute + place) & 1);
  }

  /** The takers' bias in a slot, from -1 (selling) to 1 (buying); it lasts for seconds or minutes. */
  mood(slot: number): number {
    const { moodKey } = this;
    return (
      0.55 * signedUnit(hash32(moodKey, Math.floor(slot / 2), 1)) +
      0.5 * signedUnit(hash32(moodKey, Math.floor(slot / 16), 2)) +
      0.4 * signedUnit(hash32(moodKey, Math.floor(slot / 128), 3))
    );
  }

  /**
   * How hard takers press on the touch after a slot's book, from -1 (on the bid) to 1 (on the ask). It reflects what
   * they just took and, as far as a book can show it, where the price is about to go.
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
      // How much a slot was expected to move, and how much it did.
      const moving = (slots.variance(slot) / moves + (this.to[slot]! - this.from[slot]!) ** 2 / leaps) / 2;
      chance = nextHash(chance);
      const even = (1 + printsSwing * signedUnit(chance)) / slotsPerMinute;
      weights[slot] = printsFollow * moving + (1 - printsFollow) * even;
      sum += weights[slot]!;
    }
    // Rounding the running sum, from a random start, keeps the total exact.
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

  /** Raises a slot to this many prints, taken from the slots with the most. */
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
