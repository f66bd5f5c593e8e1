import { fraction, hash32, nextHash, signedUnit } from '../../../base/terms/hash.ts';
import { spansPerMinute } from './draws.ts';

/** The share of slots that have prints at rest. */
const restShare = 0.3;
/** Of every 256 prints of a burst before a move, the number against its direction; the same at rest, at most. */
const contraryBurst = 12;
const contraryRest = 72;
/** How much more likely prints are to be on the side of the next move. */
const anticipation = 0.12;
/** How much less likely prints at rest are to be on the side of later moves, if as many come in bursts. */
const relaxation = 0.05;

/** The slots of a minute: the best bid before and after each slot's book, and the prints of its cells (see Minute). */
interface Slots {
  readonly slots: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly counts: Int32Array;
}

/** When and on which side takers trade within the spans of a minute. */
export class Flow {
  private readonly minute: Slots;
  private readonly burstShare: number;
  private readonly relaxation: number;
  private readonly key: number;
  private readonly moodKey: number;
  private readonly perSpan: number;
  private readonly weights: Float64Array;
  /** The pressure of takers on the touch in each slot of a span, with the side as sign; and by slots until it moves. */
  private readonly pressing: Float64Array;
  private readonly pressFading: readonly number[];
  /** The last requested time of the mood, in spans of equal mood, and its value. */
  private moodTime = Number.NaN;
  private moodThen = 0;

  /** `burstShare`: the share of prints that come right before moves, at the touch that gives way. */
  constructor(minute: Slots, burstShare: number, key: number, moodKey: number) {
    this.minute = minute;
    this.burstShare = burstShare;
    this.relaxation = (relaxation * burstShare) / (1 - burstShare);
    this.key = key;
    this.moodKey = moodKey;
    this.perSpan = minute.slots / spansPerMinute;
    this.weights = new Float64Array(this.perSpan);
    this.pressing = new Float64Array(this.perSpan);
    this.pressFading = minute.slots > 300 ? [0.35, 0.25, 0.2, 0.12, 0.08] : [0.65, 0.35];
  }

  /** The takers' bias in a slot, from -1 (selling) to 1 (buying); it lasts for seconds or minutes. */
  mood(slot: number): number {
    const { moodKey, minute } = this;
    const time = Math.floor((slot * 90) / minute.slots);
    if (time !== this.moodTime) {
      this.moodTime = time;
      this.moodThen =
        0.5 * signedUnit(hash32(moodKey, time, 1)) +
        0.5 * signedUnit(hash32(moodKey, Math.floor(time / 8), 2)) +
        0.4 * signedUnit(hash32(moodKey, Math.floor(time / 64), 3));
    }
    return this.moodThen;
  }

  /**
   * Distributes prints over the slots from `start` on of a minute: most press on a touch before it gives way, others
   * come at rest. `drift`: the direction of the price after these slots.
   */
  scatter(minute: number, start: number, prints: number, drift: number): void {
    const { weights, perSpan } = this;
    const firstSlot = minute * this.minute.slots;
    let hash = hash32(this.key, firstSlot + start, 1);
    const first = start === 0 ? 1 : 0;
    const lean = -this.relaxation * drift;
    let rests = 0;
    for (let i = first; i < perSpan; i += 1) {
      hash = nextHash(hash);
      const u = fraction(hash);
      weights[i] = u < restShare ? 0.2 + u / restShare : 0;
      rests += weights[i]!;
    }
    const moves = this.press(start, first);
    const toMoves = moves === 0 ? 0 : rests === 0 ? 1 : this.burstShare;
    let running = fraction(nextHash(hash));
    let before = 0;
    for (let i = first; i < perSpan; i += 1) {
      const pressing = moves === 0 ? 0 : (toMoves * Math.abs(this.pressing[i]!)) / moves;
      const resting = rests === 0 ? 0 : ((1 - toMoves) * weights[i]!) / rests;
      running += (moves + rests === 0 ? 1 / (perSpan - first) : pressing + resting) * prints;
      const until = i === perSpan - 1 ? prints : Math.min(prints, Math.floor(running));
      const side = Math.sign(this.pressing[i]!);
      if (until > before) {
        const isBurst = pressing > resting;
        const chance = hash32(this.key, firstSlot + start + i, 2);
        const buys = isBurst ? side > 0 : this.buysAtRest(firstSlot + start + i, anticipation * side + lean, chance);
        this.addPrints(start + i, until - before, buys, isBurst, nextHash(chance));
      }
      before = until;
    }
  }

  /**
   * Finds the number of prints that press on the touch in each slot of a span before it gives way; returns their sum.
   */
  private press(start: number, first: number): number {
    const { pressing, perSpan } = this;
    const { from, to } = this.minute;
    const fading = this.pressFading;
    let sum = 0;
    let [strength, left] = [0, 0];
    for (let i = perSpan - 1; i >= first; i -= 1) {
      const move = to[start + i]! - from[start + i]!;
      if (move !== 0) {
        strength = Math.sign(move) * Math.sqrt(Math.abs(move));
        left = fading.length;
      } else left -= 1;
      pressing[i] = left > 0 ? strength * fading[fading.length - left]! : 0;
      sum += Math.abs(pressing[i]!);
    }
    return sum;
  }

  private buysAtRest(slot: number, lean: number, chance: number): boolean {
    return fraction(chance) < Math.max(0.05, Math.min(0.95, 0.5 + 0.5 * this.mood(slot) + lean));
  }

  /** Distributes a slot's prints over its two cells: most buy, or most sell. */
  private addPrints(place: number, prints: number, buys: boolean, isBurst: boolean, chance: number): void {
    const { counts } = this.minute;
    const share = isBurst ? contraryBurst / 256 : (contraryRest * (chance & 0xff)) / 65_536;
    const contrary = Math.min(prints >> 1, Math.floor(prints * share + fraction(nextHash(chance))));
    counts[2 * place + (buys ? 1 : 0)]! += prints - contrary;
    counts[2 * place + (buys ? 0 : 1)]! += contrary;
  }
}
