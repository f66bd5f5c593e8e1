import { hash32, nextHash } from '../../../base/terms/hash.ts';
import type { Chance, Swing } from './draws.ts';
import type { Whole } from './parts.ts';

const swing: Swing = { sharedSwing: 0.22, ownSwing: 0.1 };

/** Which extremes a span contains, and the range that its path may not leave. */
export interface Bounds {
  high: number;
  low: number;
  holdsHigh: boolean;
  holdsLow: boolean;
}

/**
 * The path of a few seconds, slot by slot: a Brownian bridge in trading time, halved again and again. Lulls leave one
 * half without variance, so the price stands still in most slots and moves in few. Extremes that bars rely on are
 * reached in the middle of the span, so a book stands there; nothing leaves the range of the minute.
 */
export class SpanPath {
  readonly count: number;
  /** The path's value before each slot, and at the end. */
  readonly values: Float64Array;
  private readonly variances: Float64Array;
  private readonly chance: Chance;
  /** Of every 256 cuts of a level, the number that leave one half without any move. */
  lulls: readonly number[] = [];
  /** Start, middle, end and number of each cut, larger pieces first. Markets with other slots share the numbers. */
  private readonly plan: Int32Array;

  constructor(count: number, chance: Chance) {
    this.count = count;
    this.values = new Float64Array(count + 1);
    this.variances = new Float64Array(count);
    this.chance = chance;
    this.plan = planOf(count);
  }

  /** Cuts the span called `name`, with its jump in slot `jumpSlot`. */
  cut(name: number, whole: Whole, bounds: Bounds, jumpSlot: number): void {
    this.cutFreely(name, whole, jumpSlot);
    const { values, count } = this;
    const { high, low } = bounds;
    for (let i = 1; i < count; i += 1) values[i] = Math.min(high, Math.max(low, values[i]!));
    const raised = bounds.holdsHigh ? this.reach(high, 1, 0, name) : 0;
    if (bounds.holdsLow) this.reach(low, -1, raised, name);
  }

  private cutFreely(name: number, whole: Whole, jumpSlot: number): void {
    const { values, variances, plan, chance } = this;
    const jump = whole.jump;
    values[0] = whole.open;
    values[this.count] = whole.close;
    variances[0] = whole.spread;
    for (let cut = 0; cut < plan.length; cut += 4) {
      const first = plan[cut]!;
      const middle = plan[cut + 1]!;
      const end = plan[cut + 2]!;
      const variance = variances[first]!;
      const jumps = jump > 0 && jumpSlot >= first && jumpSlot < end ? jump : 0;
      const start = values[first]!;
      if (variance + jumps === 0) {
        variances[middle] = 0;
        values[middle] = start;
        continue;
      }
      const node = plan[cut + 3]!;
      const own = hash32(chance.own, name, node);
      const shared = hash32(chance.first, name, node);
      const even = (middle - first) / (end - first);
      const lulls = this.lulls[31 - Math.clz32(node)]!;
      const early = variance * chance.earlyShare(even, values[end]! - start, own, shared, lulls, swing);
      variances[first] = early;
      variances[middle] = variance - early;
      const total = variance + jumps;
      const part = (jumpSlot < middle ? early + jumps : early) / total;
      const drift = start + (values[end]! - start) * part;
      const width = part * (1 - part);
      values[middle] = width === 0 ? drift : drift + Math.sqrt(total * width) * chance.move(own, shared, name, node);
    }
  }

  /**
   * Makes a point between the ends reach an extreme: `sign` 1 the high, -1 the low. Returns such a point; `taken` is
   * one that must stay (0: none).
   */
  private reach(extreme: number, sign: 1 | -1, taken: number, name: number): number {
    const { values, count } = this;
    let best = 0;
    for (let i = 1; i < count; i += 1) {
      if (i !== taken && (best === 0 || sign * values[i]! > sign * values[best]!)) best = i;
    }
    const there = values[best]!;
    if (there === extreme) return best;
    if (taken !== 1 && values[0] === extreme) best = 1;
    else if (taken !== count - 1 && values[count] === extreme) best = count - 1;
    else return this.lift(best, extreme, taken, name);
    values[best] = extreme;
    return best;
  }

  /** Moves a point, and the time that the price stands still there, to an extreme. */
  private lift(best: number, extreme: number, taken: number, name: number): number {
    const { values, count } = this;
    const there = values[best]!;
    let [first, end] = [best, best + 1];
    while (first > 1 && values[first - 1] === there && first - 1 !== taken) first -= 1;
    while (end < count && values[end] === there && end !== taken) end += 1;
    const isPart = values[first - 1] === there || values[end] === there;
    if (isPart) {
      // The price leaves where it stands, and returns.
      const hash = nextHash(hash32(this.chance.own, name, -1));
      const length = 1 + ((hash >>> 4) % Math.max(1, (end - first) >> 1));
      first += (hash >>> 16) % (end - first - length + 1);
      end = first + length;
    }
    for (let i = first; i < end; i += 1) values[i] = extreme;
    return first;
  }
}

/** Halves `count` slots down to single ones: start, middle, end and number (as in a heap) of every cut. */
function planOf(count: number): Int32Array {
  const plan: number[] = [];
  const pieces: [number, number, number][] = [[0, count, 1]];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const [first, end, node] = piece;
    if (end - first < 2) continue;
    const middle = first + ((end - first) >> 1);
    plan.push(first, middle, end, node);
    pieces.push([first, middle, 2 * node], [middle, end, 2 * node + 1]);
  }
  return Int32Array.from(plan);
}
