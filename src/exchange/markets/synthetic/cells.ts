import { hash32, keyOf, nextHash } from '../../../base/terms/hash.ts';
import { assert, InvariantBroken } from '../../../base/terms/invariants.ts';
import { exp, normal } from './draws.ts';
import type { Minute } from './minute.ts';
import { minutesPerHour } from './path.ts';
import type { Trades } from './trades.ts';

/** Standard deviation of the logarithm of a cell's lots per print. */
const sizeDeviation = 0.7;
/** A cell loses at most this share of its weight when weights lean to one side. */
const mostLean = 0.85;
/** The number of moves of lots between cells, and of numbers of lots tried at extreme prices. */
const mostTurns = 200;
const mostSteps = 64;

/**
 * The lots that the cells of a minute trade (see Minute): whole numbers that add up to exactly the minute's lots and
 * turnover. Holds the minute loaded last.
 */
export class Cells {
  /** Lots of each cell of the minute loaded last. */
  readonly lots: Float64Array;
  /** Lots of each slot's walk (see Minute); not among those of its cell. */
  readonly walks: Float64Array;
  /** The volume of the minute's hour, relative to the market's average. */
  activity = 1;
  /** Whether an invariant of the minute loaded last is broken: it is a gap of its market. */
  isBroken = false;
  private readonly minute: Minute;
  private readonly trades: Trades;
  private readonly key: number;
  private readonly weights: Float64Array;
  /** The cells that have prints, and their prices relative to the reference. */
  private readonly used: Int32Array;
  private readonly prices: Float64Array;
  private count = 0;
  private pairTicks = 1;
  private loaded = Number.NaN;

  constructor(seed: number, marketId: string, minute: Minute, trades: Trades) {
    this.minute = minute;
    this.trades = trades;
    this.key = keyOf(seed, marketId, 'sizes');
    const cells = 2 * minute.slots;
    this.lots = new Float64Array(cells);
    this.walks = new Float64Array(minute.slots);
    this.weights = new Float64Array(cells);
    this.used = new Int32Array(cells);
    this.prices = new Float64Array(cells);
  }

  /** Loads the lots of a minute's cells. */
  load(number: number): void {
    const { minute, trades } = this;
    if (this.loaded === number) {
      minute.loadCounts(number);
      minute.pairTicks = this.pairTicks;
      return;
    }
    const hour = Math.floor(number / minutesPerHour);
    trades.loadMinutes(hour);
    const part = number - hour * minutesPerHour;
    const [lots, turnover, reference] = [trades.minutes.lots[part]!, trades.minutes.turnovers[part]!, trades.reference];
    const prints = trades.minutes.prints[part]!;
    this.activity = trades.activity(hour);
    minute.loadCounts(number);
    this.loaded = number;
    this.gather(number, reference);
    this.isBroken = false;
    try {
      this.shareLots(prints, lots, turnover, reference);
    } catch (error) {
      if (!(error instanceof InvariantBroken)) throw error;
      this.isBroken = true;
    }
    this.pairTicks = minute.pairTicks;
  }

  private gather(number: number, reference: number): void {
    const { minute, used, prices, weights, lots } = this;
    const { counts } = minute;
    let hash = hash32(this.key, number, 0);
    this.count = 0;
    for (let cell = 0; cell < counts.length; cell += 1) {
      lots[cell] = 0;
      if (counts[cell] === 0) continue;
      hash = nextHash(hash);
      const at = this.count;
      used[at] = cell;
      prices[at] = minute.price(cell) - reference;
      weights[at] = counts[cell]! * exp(sizeDeviation * normal(hash));
      this.count += 1;
    }
  }

  /** Distributes a minute's lots: first to its walks, then to the cells. */
  private shareLots(prints: number, lots: number, turnover: number, reference: number): void {
    const { minute, walks } = this;
    let count = 0;
    for (const walking of minute.walkCounts) count += walking;
    if (count === 0) {
      this.share(lots, turnover);
      return;
    }
    const [bottom, top] = [minute.lowest - reference, minute.highest + minute.spread - reference];
    const usual = lots / prints;
    for (const isLeast of [false, true]) {
      let [left, missing] = [lots, turnover];
      for (let slot = 0; slot < walks.length; slot += 1) {
        if (minute.walkCounts[slot] === 0) continue;
        walks[slot] = isLeast ? minute.walkCounts[slot]! : this.walkSize(slot, usual);
        left -= walks[slot]!;
        missing -= walks[slot]! * (minute.walkPrice(slot) - reference);
      }
      // The same room as a minute's turnover always has: every print may be at any price.
      const room = (prints - count) * (top - bottom);
      if (!isLeast && (missing < left * bottom + room || missing > left * top - room)) continue;
      this.share(left, missing);
      return;
    }
  }

  /** Lots of a walk: about those of usual prints, and no more than the level has. */
  private walkSize(slot: number, usual: number): number {
    const { minute } = this;
    const count = minute.walkCounts[slot]!;
    const size = count * usual * exp(sizeDeviation * normal(hash32(this.key, this.loaded * minute.slots + slot, 1)));
    return Math.max(count, Math.min(minute.walkLots[slot]!, Math.floor(size)));
  }

  /** Distributes lots by weight: one to every print, the rest so that the turnover is exact. */
  private share(all: number, turnover: number): void {
    const { minute, used, prices, weights, lots, count } = this;
    let spare = all;
    let missing = turnover;
    for (let at = 0; at < count; at += 1) {
      const prints = minute.counts[used[at]!]!;
      lots[used[at]!] = prints;
      spare -= prints;
      missing -= prints * prices[at]!;
    }
    this.tilt(missing / Math.max(1, spare));
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += weights[at]!;
    let running = 0.5;
    let given = 0;
    for (let at = 0; at < count; at += 1) {
      running += (weights[at]! / sum) * spare;
      const until = at === count - 1 ? spare : Math.min(spare, Math.floor(running));
      lots[used[at]!]! += until - given;
      missing -= prices[at]! * (until - given);
      given = until;
    }
    this.moveLots(missing);
  }

  /** Adjusts the weights so that the weighted mean price is `wanted`: cells on that side of the mean get more. */
  private tilt(wanted: number): void {
    const { prices, weights, count } = this;
    let sum = 0;
    let mean = 0;
    for (let at = 0; at < count; at += 1) {
      sum += weights[at]!;
      mean += weights[at]! * prices[at]!;
    }
    mean = this.lean(wanted, mean / sum, sum);
    if (Math.abs(wanted - mean) < 1e-9) return;
    const up = wanted > mean;
    for (const threshold of [mean, wanted]) {
      let gathering = 0;
      let gathered = 0;
      for (let at = 0; at < count; at += 1) {
        if (up ? prices[at]! <= threshold : prices[at]! >= threshold) continue;
        gathering += weights[at]!;
        gathered += weights[at]! * prices[at]!;
      }
      if (gathering === 0) continue;
      const share = (wanted - mean) / (gathered / gathering - mean);
      if (!(share <= (threshold === mean ? 0.7 : 1))) continue;
      const more = (sum * share) / gathering;
      for (let at = 0; at < count; at += 1) {
        const gathers = up ? prices[at]! > threshold : prices[at]! < threshold;
        weights[at] = weights[at]! * (1 - share + (gathers ? more : 0));
      }
      return;
    }
  }

  /** Gives cells more, the farther they are on the wanted side, as far as that suffices; returns the new mean. */
  private lean(wanted: number, mean: number, sum: number): number {
    const { prices, weights, count } = this;
    let [variance, lowest, highest] = [0, 0, 0];
    for (let at = 0; at < count; at += 1) {
      const off = prices[at]! - mean;
      variance += weights[at]! * off * off;
      if (off < lowest) lowest = off;
      if (off > highest) highest = off;
    }
    if (variance === 0) return mean;
    const needed = ((wanted - mean) * sum) / variance;
    const slope = Math.max(-mostLean / highest, Math.min(mostLean / -lowest, needed));
    for (let at = 0; at < count; at += 1) weights[at]! *= 1 + slope * (prices[at]! - mean);
    return mean + (slope * variance) / sum;
  }

  /** Moves lots between cells until no turnover is missing. */
  private moveLots(turnover: number): void {
    let missing = turnover;
    for (let turn = 0; missing !== 0 && turn < mostTurns; turn += 1) {
      missing -= this.moveFromLargest(missing) || this.moveAcross(missing) || this.moveBest(missing);
    }
    if (missing !== 0) this.useExtremes(missing);
  }

  /**
   * Where few lots have to make up a large turnover: gives all spare lots to the highest price, the lowest and the
   * pair, in numbers that add up.
   */
  private useExtremes(turnover: number): void {
    const { minute, used, prices, lots, count } = this;
    const at = (cell: number) => used.indexOf(cell);
    const [high, low] = [at(2 * minute.highSlot + 1), at(2 * minute.lowSlot)];
    const [sale, purchase] = [at(2 * minute.pairSlot), at(2 * minute.pairSlot + 1)];
    let [missing, spare] = [turnover, 0];
    for (let i = 0; i < count; i += 1) {
      missing += this.spareOf(i) * (prices[i]! - prices[sale]!);
      spare += this.spareOf(i);
      lots[used[i]!] = minute.counts[used[i]!]!;
    }
    const [up, down] = [prices[high]! - prices[sale]!, prices[sale]! - prices[low]!];
    for (let highs = 0; highs <= spare; highs += 1) {
      // The fewest at the lowest price that leave no surplus for the pair to take away.
      const over = Math.max(0, highs * up - missing);
      const lows = down === 0 ? 0 : Math.ceil(over / down);
      const pairs = missing - highs * up + lows * down;
      if (pairs < 0 || highs + lows + pairs > spare) continue;
      lots[used[high]!]! += highs;
      lots[used[low]!]! += lows;
      lots[used[purchase]!]! += pairs;
      lots[used[sale]!]! += spare - highs - lows - pairs;
      return;
    }
    this.stretchPair(missing, spare, [high, low, sale, purchase]);
  }

  /** Where even that is too coarse, the purchase of the pair is at the price that makes up the rest. */
  private stretchPair(turnover: number, spare: number, cells: readonly [number, number, number, number]): void {
    const { minute, used, prices, lots } = this;
    const [high, low, sale, purchase] = cells;
    const [up, down] = [prices[high]! - prices[sale]!, prices[sale]! - prices[low]!];
    const prints = minute.counts[used[purchase]!]!;
    const most = Math.min(spare, Math.max(0, Math.floor(turnover / up)) + mostSteps);
    for (let highs = most; highs >= Math.max(0, most - 2 * mostSteps); highs -= 1) {
      const lows = down === 0 ? 0 : Math.ceil(Math.max(0, highs * up - turnover) / down);
      const rest = turnover - highs * up + lows * down;
      if (rest < 0 || highs + lows > spare) continue;
      // All lots of the purchase are at one price: their number must divide the amount they make up.
      for (let all = prints; all <= prints + Math.min(mostSteps, spare - highs - lows); all += 1) {
        const ticks = (rest + prints) / all;
        if (!Number.isInteger(ticks) || ticks < 1 || ticks > up) continue;
        lots[used[high]!]! += highs;
        lots[used[low]!]! += lows;
        lots[used[purchase]!]! += all - prints;
        lots[used[sale]!]! += spare - highs - lows - (all - prints);
        minute.pairTicks = ticks;
        return;
      }
    }
    assert(false, 'prints-add-up', turnover);
  }

  /**
   * Moves lots from the cell with the most to spare, as far as that does not overshoot; returns the turnover gained.
   */
  private moveFromLargest(missing: number): number {
    const { used, prices, lots, count } = this;
    const sign = Math.sign(missing);
    let giver = 0;
    for (let at = 1; at < count; at += 1) if (this.spareOf(at) > this.spareOf(giver)) giver = at;
    let taker = -1;
    let step = 0;
    for (let at = 0; at < count; at += 1) {
      const gain = sign * (prices[at]! - prices[giver]!);
      if (gain > step && gain <= sign * missing) [taker, step] = [at, gain];
    }
    const moved = taker < 0 ? 0 : Math.min(this.spareOf(giver), Math.floor((sign * missing) / step));
    if (moved === 0) return 0;
    lots[used[giver]!]! -= moved;
    lots[used[taker]!]! += moved;
    return moved * step * sign;
  }

  /** Moves lots between the two sides of one slot, as far as that does not overshoot; returns the turnover gained. */
  private moveAcross(missing: number): number {
    const { used, prices, lots, count } = this;
    const [sign, left] = [Math.sign(missing), Math.abs(missing)];
    let [best, gained] = [-1, 0];
    for (let at = 1; at < count; at += 1) {
      if (used[at]! !== used[at - 1]! + 1 || (used[at]! & 1) === 0) continue;
      const step = prices[at]! - prices[at - 1]!;
      const spare = this.spareOf(sign > 0 ? at - 1 : at);
      const gain = step * Math.min(spare, Math.floor(left / step));
      if (gain > gained) [best, gained] = [at, gain];
    }
    if (best < 0) return 0;
    const moved = (sign * gained) / (prices[best]! - prices[best - 1]!);
    lots[used[best]!]! += moved;
    lots[used[best - 1]!]! -= moved;
    return sign * gained;
  }

  /** Moves lots between the two cells that bring the turnover closest; returns the turnover gained. */
  private moveBest(missing: number): number {
    const { used, prices, lots, count } = this;
    const sign = Math.sign(missing);
    let [giver, taker, moved, best] = [-1, -1, 0, Number.POSITIVE_INFINITY];
    for (let from = 0; from < count; from += 1) {
      const spare = this.spareOf(from);
      if (spare === 0) continue;
      for (let to = 0; to < count; to += 1) {
        const step = sign * (prices[to]! - prices[from]!);
        if (step <= 0) continue;
        const lots = Math.min(spare, Math.max(1, Math.floor((sign * missing) / step)));
        const rest = Math.abs(sign * missing - lots * step);
        if (rest < best) [giver, taker, moved, best] = [from, to, lots, rest];
      }
    }
    if (giver < 0) return 0;
    lots[used[giver]!]! -= moved;
    lots[used[taker]!]! += moved;
    return moved * (prices[taker]! - prices[giver]!);
  }

  private spareOf(at: number): number {
    const cell = this.used[at]!;
    return this.lots[cell]! - this.minute.counts[cell]!;
  }
}
