import type { HalfPrice, Lots, MarketDefinition, Ms } from '../../engine/model.ts';
import type { BookSnapshot } from '../../engine/source.ts';
import { fraction, hash32, keyOf } from './hashing.ts';
import { Ladder } from './ladder.ts';
import { PricePath } from './path.ts';
import { type Profile, profileOf } from './profile.ts';
import { Session } from './session.ts';
import { bookTime, slotAt } from './slots.ts';

/** A touch lasts this many slots at most: whoever asks for a slot looks back no further. */
export const longestRestSlots = 8;
/** Of 256 slots that could, those in which the touch moves (with the forced ones a third of all; see Profile). */
const movingShare = 64;
/** Widest spread, in grid steps. */
const widestSpread = 12;

/** One market as a pure function of its seed and time. */
export class SyntheticMarket {
  readonly definition: MarketDefinition;
  readonly profile: Profile;
  readonly session: Session;
  readonly path: PricePath;
  readonly ladder: Ladder;
  readonly timingKey: number;
  readonly printKey: number;
  /** No level and no print is further from the mid than this fraction of it. */
  readonly reach: number;
  private readonly touchKey: number;
  /** Base price in grid steps. */
  private readonly baseGrid: number;
  private readonly meanPrintLots: number;
  /** Of 2^16 touches, those with a wider spread. */
  private readonly wideShare: number;

  constructor(seed: number, definition: MarketDefinition) {
    const key = (purpose: string) => keyOf(seed, definition.marketId, purpose);
    this.definition = definition;
    this.profile = profileOf(definition);
    this.session = new Session(definition.category);
    this.path = new PricePath(key('path'), this.profile.dailyVolatility, this.session);
    this.ladder = new Ladder(seed, definition, this.profile);
    this.timingKey = key('times');
    this.printKey = key('prints');
    this.touchKey = key('touch');
    this.baseGrid = (this.profile.base * 10 ** definition.priceDecimals) / this.ladder.gridStep;
    this.wideShare = Math.round(this.profile.wideShare * 65_536);
    this.meanPrintLots = (this.profile.prints.usd / this.profile.base) * 10 ** definition.sizeDecimals;
    const lowestMid = this.gridOf(-this.path.bound);
    this.reach = (this.ladder.maxSteps + widestSpread) / (lowestMid - 2);
  }

  /** Whether the touch may differ from the slot's before. */
  moves(slot: number): boolean {
    return slot % longestRestSlots === 0 || ((hash32(this.touchKey, slot, 0) >>> 12) & 255) < movingShare;
  }

  /** The slot whose path value the touch of `slot` still shows. */
  movedAt(slot: number): number {
    let at = slot;
    while (!this.moves(at)) at -= 1;
    return at;
  }

  /** Best bid, in grid steps, of a touch that moved to a path value, given its spread. */
  bidOf(value: number, spread: number): number {
    return Math.floor(this.gridOf(value)) - ((spread - 1) >> 1);
  }

  /** Spread, in grid steps, of the touch that moved in a slot. */
  spreadOf(movedSlot: number): number {
    const hash = hash32(this.touchKey, movedSlot, 1);
    if (hash >>> 16 >= this.wideShare) return 1;
    const u = fraction(hash << 16);
    return 2 + Math.floor((widestSpread - 1) * u * u * u);
  }

  /** The book as of `time`; null before the Unix epoch. */
  book(time: Ms): BookSnapshot | null {
    const slot = slotAt(this.timingKey, time);
    if (slot < 0) return null;
    const moved = this.movedAt(slot);
    const spread = this.spreadOf(moved);
    const bid = this.bidOf(this.path.at(moved), spread);
    return {
      time: bookTime(this.timingKey, slot),
      sequence: slot,
      bids: this.side('bid', bid, slot),
      asks: this.side('ask', bid + spread, slot),
    };
  }

  /** First book event in (from, to] whose midpoint lies outside low..high; see MarketSource. */
  firstTouch(from: Ms, to: Ms, low: HalfPrice, high: HalfPrice): Ms | null {
    const first = slotAt(this.timingKey, from) + 1;
    const last = slotAt(this.timingKey, to);
    if (last < first) return null;
    const outside = (moved: number, value: number) => {
      const spread = this.spreadOf(moved);
      const half = (2 * this.bidOf(value, spread) + spread) * this.ladder.gridStep;
      return half < low || half > high;
    };
    const moved = this.movedAt(first);
    if (outside(moved, this.path.at(moved))) return bookTime(this.timingKey, first);
    // A midpoint is one or two half steps above twice the path's whole grid step, whatever the spread.
    const mayLeave = (lowest: number, highest: number) =>
      (2 * Math.floor(this.gridOf(lowest)) + 1) * this.ladder.gridStep < low ||
      (2 * Math.floor(this.gridOf(highest)) + 2) * this.ladder.gridStep > high;
    const leaves = (slot: number, value: number) => this.moves(slot) && outside(slot, value);
    const found = this.path.search(first + 1, last, mayLeave, leaves);
    return found === null ? null : bookTime(this.timingKey, found);
  }

  private side(side: 'bid' | 'ask', touch: number, slot: number): number[] {
    const levels = new Float64Array(2 * this.ladder.maxLevels);
    return Array.from(levels.subarray(0, 2 * this.ladder.write(side, touch, slot, levels)));
  }

  /** Size of a print by its rank among prints, `u` in [0, 1): most are small, one in a hundred is fifteen times the mean. */
  printLots(u: number): Lots {
    return Math.max(1, Math.floor((this.meanPrintLots * u * u) / (4.3 * (1.003 - u))));
  }

  /** A path value as a price in grid steps: base x (2 + x) / (2 - x), close to base x e^x, rising, and exact everywhere. */
  private gridOf(value: number): number {
    return (this.baseGrid * (2 + value)) / (2 - value);
  }
}
