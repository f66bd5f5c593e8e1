import { hash32, nextHash } from '../../../base/terms/hash.ts';
import { type Chance, exponentOf, normal, type Swing } from './draws.ts';

/** How a stretch of time is cut into equal parts. */
export interface Cutting extends Swing {
  /** Number of parts. */
  count: number;
  /** Number of equal groups of parts whose ranges are known in advance; 1: only the range of the whole. */
  groups: number;
  /** The share of its variance that lets a free part leave the range between its ends. */
  excursions: number;
}

/** A stretch of time that is to be cut. */
export interface Whole {
  open: number;
  close: number;
  /** Variance spread over it, and that of a jump in it (0: no jump). */
  spread: number;
  jump: number;
  high: number;
  low: number;
}

/** How much of the trading comes with the moves. */
const tradeFollows = 0.63;
/**
 * A bridge's extremes are correlated: the correlation of their normal scores when its ends are equal, and how fast it
 * decays.
 */
const extremeCorrelation = 0.675;
const correlationFade = 0.85;

/**
 * The equal parts of a stretch of time. The price path is Brownian motion in trading time: the variance of a stretch is
 * its length in trading time, and the values at both its ends are given. It is halved again and again at values drawn
 * from the Brownian bridge. Chance decides how unequally the halves share the variance. The price stands still in a
 * part without variance.
 *
 * Each part has a range, drawn from the distribution of a bridge's extremes before the part itself is cut. The range of
 * the stretch is made up of its parts' ranges. If other code already relies on the range of a stretch, the stretch is
 * bound: its path is bent until it has exactly that range.
 */
export class Parts {
  readonly count: number;
  /** The price path's value at the start of each part, and at the end. */
  readonly values: Float64Array;
  /** Variance spread over each part. */
  readonly spreads: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  /** Whether a part's high comes before its low. */
  readonly highFirst: Uint8Array;
  /** The part with the jump (-1: no jump), and the jump's variance. */
  jumpPart = -1;
  jump = 0;
  /** The parts that contain the high and the low of each group. */
  readonly highParts: Int32Array;
  readonly lowParts: Int32Array;
  /** Highest and lowest value of each group, and of all. */
  readonly groupHighs: Float64Array;
  readonly groupLows: Float64Array;
  high = 0;
  low = 0;
  private readonly cutting: Cutting;
  private readonly chance: Chance;
  /** Start, middle and end of each cut of the free path, larger pieces first. */
  private readonly plan: Int32Array;
  /** Of every 256 cuts into so many parts, the number that leave one half without any move. */
  readonly lulls: Int32Array;
  private readonly excursions: number;
  /** How far each value was bent. */
  private readonly bends: Float64Array;
  private readonly bendFactors: Float64Array;
  private name = 0;
  /** Activity from the start of the stretch to each part. */
  private activity: Float64Array;

  constructor(cutting: Cutting, chance: Chance) {
    const { count, groups } = cutting;
    this.count = count;
    this.cutting = cutting;
    this.chance = chance;
    this.values = new Float64Array(count + 1);
    this.spreads = new Float64Array(count);
    this.highs = new Float64Array(count);
    this.lows = new Float64Array(count);
    this.bends = new Float64Array(count + 1);
    this.bendFactors = new Float64Array(count);
    this.highFirst = new Uint8Array(count);
    this.highParts = new Int32Array(groups);
    this.lowParts = new Int32Array(groups);
    this.groupHighs = new Float64Array(groups);
    this.groupLows = new Float64Array(groups);
    this.plan = planOf(count);
    this.excursions = cutting.excursions;
    this.lulls = new Int32Array(count + 1);
    this.activity = Float64Array.from({ length: count + 1 }, (_, part) => part);
  }

  /** Variance of a part, its jump included. */
  variance(part: number): number {
    return part === this.jumpPart ? this.spreads[part]! + this.jump : this.spreads[part]!;
  }

  /** The mean value of some parts while they trade: most where the price moves, some everywhere. */
  meanOf(first: number, end: number): number {
    let moves = 0;
    for (let part = first; part < end; part += 1) moves += this.variance(part);
    const even = moves === 0 ? 1 : ((1 - tradeFollows) * moves) / (tradeFollows * (end - first));
    let [sum, weights] = [0, 0];
    for (let part = first; part < end; part += 1) {
      const weight = this.variance(part) + even;
      weights += weight;
      sum += (weight * (this.values[part]! + this.values[part + 1]!)) / 2;
    }
    return sum / weights;
  }

  /** The group that a part belongs to. */
  groupOf(part: number): number {
    return Math.floor((part * this.cutting.groups) / this.count);
  }

  /** Whether the part contains an extreme that other code relies on. */
  isHolder(part: number): boolean {
    const group = this.groupOf(part);
    return this.highParts[group] === part || this.lowParts[group] === part;
  }

  /** Copies a part into `whole`, to be cut in turn. */
  read(part: number, whole: Whole): void {
    whole.open = this.values[part]!;
    whole.close = this.values[part + 1]!;
    whole.spread = this.spreads[part]!;
    whole.jump = part === this.jumpPart ? this.jump : 0;
    whole.high = this.highs[part]!;
    whole.low = this.lows[part]!;
  }

  /**
   * Cuts the stretch called `name`, with its jump in `jumpPart`. `activity` is the activity from the start to each part
   * and to the end; null if activity is even.
   */
  cut(name: number, whole: Whole, bound: boolean, jumpPart: number, activity: Float64Array | null): void {
    this.name = name;
    this.jumpPart = whole.jump > 0 ? jumpPart : -1;
    this.jump = whole.jump;
    if (activity !== null) this.activity = activity;
    this.cutFreely(whole);
    if (bound) this.bend(whole.high, whole.low);
    this.high = Number.NEGATIVE_INFINITY;
    this.low = Number.POSITIVE_INFINITY;
    for (let group = 0; group < this.cutting.groups; group += 1) this.findExtremes(group);
  }

  private cutFreely(whole: Whole): void {
    const { values, spreads, plan, chance, cutting, activity, lulls, name, jumpPart, jump: ofJump } = this;
    values[0] = whole.open;
    values[this.count] = whole.close;
    spreads[0] = whole.spread;
    for (let cut = 0; cut < plan.length; cut += 3) {
      const first = plan[cut]!;
      const middle = plan[cut + 1]!;
      const end = plan[cut + 2]!;
      const spread = spreads[first]!;
      const jumps = jumpPart >= first && jumpPart < end ? ofJump : 0;
      const start = values[first]!;
      if (spread + jumps === 0) {
        spreads[middle] = 0;
        values[middle] = start;
        continue;
      }
      const own = hash32(chance.own, name, cut);
      const shared = hash32(chance.first, name, cut);
      const even = (activity[middle]! - activity[first]!) / (activity[end]! - activity[first]!);
      const move = values[end]! - start;
      const early = spread * chance.earlyShare(even, move, own, shared, lulls[end - first]!, cutting);
      spreads[first] = early;
      spreads[middle] = spread - early;
      const total = spread + jumps;
      const part = (jumpPart < middle ? early + jumps : early) / total;
      const drift = start + move * part;
      values[middle] = drift + Math.sqrt(total * part * (1 - part)) * chance.move(own, shared, name, cut);
    }
    for (let part = 0; part < this.count; part += 1) this.drawRange(part);
  }

  /** Draws a part's range: the maximum and minimum of a Brownian bridge. */
  private drawRange(part: number): void {
    const { values, excursions } = this;
    const start = values[part]!;
    const end = values[part + 1]!;
    this.highFirst[part] = end > start ? 0 : 1;
    const total = this.variance(part) * excursions;
    if (total === 0) {
      this.highs[part] = start;
      this.lows[part] = start;
      return;
    }
    const hash = hash32(this.chance.own, this.name, -1 - part);
    const apart = (end - start) * (end - start);
    const together = -extremeCorrelation / (1 + (correlationFade * apart) / total);
    const score = normal(hash);
    const other = together * score + Math.sqrt(1 - together * together) * normal(nextHash(hash));
    const above = Math.sqrt(apart + 2 * total * exponentOf(score));
    const below = Math.sqrt(apart + 2 * total * exponentOf(other));
    this.highs[part] = Math.max((start + end + above) / 2, start, end);
    this.lows[part] = Math.min((start + end - below) / 2, start, end);
  }

  /**
   * Bends the path so that it has exactly this range: one part is moved to the top, one to the bottom, and the path in
   * between follows in trading time. Whatever then leaves the range is folded back.
   */
  private bend(top: number, bottom: number): void {
    const { values, bends, highs, lows, count } = this;
    this.findBendFactors();
    const highPart = this.nearestTo(highs, top, 1);
    const lowPart = this.nearestTo(lows, bottom, -1);
    if (highPart < 0) return;
    const up = top - highs[highPart]!;
    const down = bottom - lows[lowPart]!;
    if (highPart === lowPart) bends.fill(0);
    else if (highPart < lowPart) this.bendBy(highPart, up, lowPart, down);
    else this.bendBy(lowPart, down, highPart, up);
    for (let part = 1; part < count; part += 1) values[part] = fold(values[part]! + bends[part]!, top, bottom);
    for (let part = 0; part < count; part += 1) {
      const [start, end] = [values[part]!, values[part + 1]!];
      // Folding can move a part that stands still by more or less than its bends.
      const stands = this.variance(part) === 0;
      const shift = (bends[part]! + bends[part + 1]!) / 2;
      highs[part] = stands ? start : Math.max(start, end, Math.min(highs[part]! + shift, top));
      lows[part] = stands ? start : Math.min(start, end, Math.max(lows[part]! + shift, bottom));
      this.highFirst[part] = end > start ? 0 : 1;
    }
    highs[highPart] = top;
    lows[lowPart] = bottom;
  }

  /**
   * How easily the path follows a bend at each part: best in the middle, hardly near the ends, where there is not enough
   * time, and hardly where one part moves as much as all the others.
   */
  private findBendFactors(): void {
    const all = this.varianceOf(0, this.count);
    let gone = 0;
    for (let part = 0; part < this.count; part += 1) {
      const own = this.variance(part) / all;
      const before = gone + own / 2;
      this.bendFactors[part] = 2 * Math.sqrt(before * (1 - before)) * (1 - own);
      gone = Math.min(1, gone + own);
    }
  }

  /** The moving part that reaches an edge with the least to make up itself; a part beyond the edge comes first. */
  private nearestTo(extremes: Float64Array, edge: number, sign: 1 | -1): number {
    let best = -1;
    let least = 0;
    for (let part = 0; part < this.count; part += 1) {
      if (this.variance(part) === 0) continue;
      const missing = sign * (edge - extremes[part]!);
      const cost = missing > 0 ? missing * (1.1 - this.bendFactors[part]!) : missing;
      if (best < 0 || cost < least) {
        best = part;
        least = cost;
      }
    }
    return best;
  }

  /** Applies the bends at two parts, and interpolates between them and to the ends in trading time. */
  private bendBy(first: number, firstBend: number, second: number, secondBend: number): void {
    const before = this.varianceOf(0, first);
    const between = this.varianceOf(first + 1, second);
    const after = this.varianceOf(second + 1, this.count);
    // Where nothing moves in between, neighbors get the same bend, and the ends get none.
    const middle = (firstBend + secondBend) / 2;
    this.bendBetween(0, 0, first, before > 0 ? firstBend : 0, before);
    this.bendBetween(first + 1, between > 0 ? firstBend : middle, second, between > 0 ? secondBend : middle, between);
    this.bendBetween(second + 1, after > 0 ? secondBend : 0, this.count, 0, after);
  }

  private bendBetween(from: number, fromBend: number, to: number, toBend: number, all: number): void {
    let gone = 0;
    this.bends[from] = fromBend;
    for (let part = from; part < to; part += 1) {
      gone += this.variance(part);
      this.bends[part + 1] = all > 0 ? fromBend + ((toBend - fromBend) * gone) / all : fromBend;
    }
  }

  private varianceOf(from: number, to: number): number {
    let all = 0;
    for (let part = from; part < to; part += 1) all += this.variance(part);
    return all;
  }

  private findExtremes(group: number): void {
    const { highs, lows } = this;
    const size = this.count / this.cutting.groups;
    let [highPart, lowPart] = [group * size, group * size];
    for (let part = highPart + 1; part < (group + 1) * size; part += 1) {
      if (highs[part]! > highs[highPart]!) highPart = part;
      if (lows[part]! < lows[lowPart]!) lowPart = part;
    }
    this.highParts[group] = highPart;
    this.lowParts[group] = lowPart;
    this.groupHighs[group] = highs[highPart]!;
    this.groupLows[group] = lows[lowPart]!;
    this.high = Math.max(this.high, highs[highPart]!);
    this.low = Math.min(this.low, lows[lowPart]!);
  }
}

/** Reflects a value at the edges of a range. */
function fold(value: number, top: number, bottom: number): number {
  const below = value > top ? 2 * top - value : value;
  return below < bottom ? Math.min(2 * bottom - below, top) : below;
}

/** Halves `count` parts down to single ones: start, middle and end of every cut. */
function planOf(count: number): Int32Array {
  const plan: number[] = [];
  const pieces: [number, number][] = [[0, count]];
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    const [first, end] = piece;
    if (end - first < 2) continue;
    const middle = first + ((end - first) >> 1);
    plan.push(first, middle, end);
    pieces.push([first, middle], [middle, end]);
  }
  return Int32Array.from(plan);
}
