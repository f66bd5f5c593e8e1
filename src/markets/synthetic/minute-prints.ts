import { exp, normal } from './draws.ts';
import { fraction, hash32, keyOf, nextHash } from './hashing.ts';
import type { Minute } from './minute.ts';
import type { Scale } from './scale.ts';
import { bookTime, slotStart, slotsPerMinute, type Timing } from './slots.ts';

/** Prints of a price move come at most this many milliseconds before the book that shows it. */
const longestBurst = 25;
/** The share of a slot's prints that make its move: at least `burstShare`, and up to `burstSwing` more. */
const burstShare = 0.64;
const burstSwing = 0.32;
/** Of every 256 prints of a move, the number against its direction. */
const contraryShare = 8;
/** Size of a move's prints relative to those at rest. */
const burstSize = 2.5;
/** Of every 256 prints at rest, the number on the same side as the print before. */
const followingShare = 150;
/** How much more likely prints before a move are to be on its side. */
const anticipation = 0.6;
/** The same likelihood for prints after a slot's book, before the next slot's move. */
const earlyAnticipation = 0.4;

/** Standard deviation of the logarithm of sizes: how heavy their tail is. */
const sizeDeviation = 1.5;
const sizeCount = 256;
let sizes: Float64Array | null = null;

/**
 * The prints of one minute. Each slot's prints come in this order: at the touch of the previous book, in the move, at
 * the touch of the slot's own book. Prices follow from the path alone. Sizes are distributed so that the minute's
 * totals are exactly the lots and the turnover allotted to it.
 */
export class MinutePrints {
  /** Unix ms, price in grid steps, taker side (1: buyer, 0: seller), lots. */
  times = new Float64Array(256);
  prices = new Float64Array(256);
  buys = new Uint8Array(256);
  lots = new Float64Array(256);
  /** Index of each slot's first print, and of its first print after the book; the last entry is the end. */
  readonly firstOf = new Int32Array(slotsPerMinute + 1);
  readonly afterBook = new Int32Array(slotsPerMinute);
  private weights = new Float64Array(256);
  private readonly minute: Minute;
  private readonly scale: Scale;
  private readonly timing: Timing;
  private readonly key: number;
  private loaded = Number.NaN;

  constructor(seed: number, marketId: string, minute: Minute, scale: Scale, timing: Timing) {
    this.minute = minute;
    this.scale = scale;
    this.timing = timing;
    this.key = keyOf(seed, marketId, 'prints');
  }

  /** Generates the prints of a minute. */
  load(number: number): void {
    if (this.loaded === number) return;
    const { minute } = this;
    minute.loadTrades(number);
    this.loaded = number;
    if (minute.prints > this.times.length) this.grow(minute.prints);
    let count = 0;
    for (let place = 0; place < slotsPerMinute; place += 1) {
      this.firstOf[place] = count;
      count = this.writeSlot(place, count);
    }
    this.firstOf[slotsPerMinute] = count;
    this.size(count);
  }

  /** Price in grid steps of a minute's first or last print. Does not compute sizes. */
  edgePrice(number: number, edge: 'first' | 'last'): number {
    const { minute } = this;
    minute.loadCounts(number);
    if (this.loaded === number) return this.prices[edge === 'first' ? 0 : this.firstOf[slotsPerMinute]! - 1]!;
    this.loaded = Number.NaN;
    let place = edge === 'first' ? 0 : slotsPerMinute - 1;
    while (minute.counts[place] === 0) place += edge === 'first' ? 1 : -1;
    if (minute.counts[place]! > this.times.length) this.grow(minute.counts[place]!);
    const count = this.writeSlot(place, 0);
    return this.prices[edge === 'first' ? 0 : count - 1]!;
  }

  /**
   * Writes the times, prices and sides of a slot's prints, starting at index `at`; returns the index after the last
   * one.
   */
  private writeSlot(place: number, at: number): number {
    const { minute } = this;
    const count = minute.counts[place]!;
    this.afterBook[place] = at;
    if (count === 0) return at;
    const slot = minute.number * slotsPerMinute + place;
    const start = slotStart(slot);
    const book = bookTime(this.timing, slot);
    const end = slotStart(slot + 1);
    let chance = hash32(this.key, slot, 0);
    const moving = this.movingPrints(place, count, fraction(chance));
    chance = nextHash(chance);
    const burst = Math.max(start, book - 1 - ((chance >>> 8) % longestBurst));
    const early = Math.floor((count - moving) * ((burst - start) / (end - start - (book - burst))) + fraction(chance));
    const before = Math.min(count - moving, early);
    const [from, to] = [minute.from[place]!, minute.to[place]!];
    const lean = 0.5 + minute.mood(slot);
    chance = nextHash(chance);
    const hint = anticipation * Math.sign(to - from);
    this.writeResting(at, before, start, burst, from, slot - 1, lean + hint, chance);
    if (moving > 0) this.writeMove(place, at + before, moving, burst, book, nextHash(chance ^ 0x2f0b4a1d));
    this.afterBook[place] = at + before + moving;
    const after = count - before - moving;
    const next = Math.min(place + 1, slotsPerMinute - 1);
    const soon = earlyAnticipation * Math.sign(minute.to[next]! - to);
    this.writeResting(at + before + moving, after, book, end, to, slot, lean + soon, nextHash(chance ^ 0x71d67fff));
    return at + count;
  }

  /** How many of a slot's prints belong to its move. */
  private movingPrints(place: number, count: number, u: number): number {
    const { minute } = this;
    const required = (place === minute.highSlot ? 1 : 0) + (place === minute.lowSlot ? 1 : 0);
    if (minute.moves[place] === 0) return required;
    return Math.min(count, Math.max(1, required, Math.round(count * (burstShare + burstSwing * u))));
  }

  /** Writes prints in [start, end) while the price stands still, at the touch of a slot's book. */
  private writeResting(
    first: number,
    count: number,
    start: number,
    end: number,
    bid: number,
    slot: number,
    lean: number,
    hash: number,
  ): void {
    if (count === 0) return;
    const extra = this.minute.extraSpread(bid, slot);
    const lowerBid = bid - (extra >> 1);
    const ask = bid + 1 + ((extra + 1) >> 1);
    const step = (end - start) / count;
    const likely = Math.max(0.04, Math.min(0.96, lean)) * 256;
    let chance = hash;
    let buys = chance >>> 24 < likely;
    for (let i = 0; i < count; i += 1) {
      chance = nextHash(chance);
      if ((chance & 0xff) >= followingShare) buys = ((chance >>> 8) & 0xff) < likely;
      const at = first + i;
      this.times[at] = Math.floor(start + step * (i + (chance >>> 16) / 65_536));
      this.prices[at] = buys ? ask : lowerBid;
      this.buys[at] = buys ? 1 : 0;
      this.weights[at] = sizeOf(nextHash(chance ^ 0x5bd1e995));
    }
  }

  /** Writes the prints of a move: through every level from the old price to the new one, by way of its extremes. */
  private writeMove(place: number, first: number, count: number, start: number, end: number, hash: number): void {
    const { minute, scale } = this;
    const [from, to] = [minute.from[place]!, minute.to[place]!];
    const [bottom, top] = [minute.lowest[place]!, minute.highest[place]!];
    const highFirst = minute.highFirst[place] === 1;
    const [one, other] = highFirst ? [top, bottom] : [bottom, top];
    const firstWay = Math.abs(one - from);
    const secondWay = firstWay + top - bottom;
    const way = secondWay + Math.abs(to - other);
    const moodBuys = minute.mood(minute.number * slotsPerMinute + place) > 0;
    let chance = hash;
    for (let i = 0; i < count; i += 1) {
      chance = nextHash(chance);
      const gone = (way * (i + 0.5)) / count;
      const leg = gone < firstWay ? 0 : gone < secondWay ? 1 : 2;
      const rises = way === 0 ? moodBuys : leg === 1 ? !highFirst : leg === 0 ? one > from : to > other;
      const base = leg === 0 ? from : leg === 1 ? one : other;
      const walked = Math.floor(gone - (leg === 0 ? 0 : leg === 1 ? firstWay : secondWay));
      const bid = base + (rises ? walked : -walked);
      const buys = rises !== (chance & 0xff) < contraryShare;
      const at = first + i;
      this.times[at] = Math.min(end, Math.floor(start + ((end - start) * i) / count));
      this.prices[at] = buys ? bid + 1 : bid;
      this.buys[at] = buys ? 1 : 0;
      this.weights[at] = burstSize * sizeOf(nextHash(chance ^ 0x5bd1e995));
    }
    // The slot that holds an extreme of the minute prints it.
    const turn = way === 0 ? 0 : Math.min(count - 1, Math.floor((firstWay / way) * count));
    const back = way === 0 ? count - 1 : Math.min(count - 1, Math.floor((secondWay / way) * count));
    const both = place === minute.highSlot && place === minute.lowSlot && turn === back;
    const early = both && turn === count - 1 ? turn - 1 : turn;
    const late = both && turn < count - 1 ? back + 1 : back;
    if (place === minute.highSlot) this.put(first + (highFirst ? early : late), top + 1 + scale.margin, true);
    if (place === minute.lowSlot) this.put(first + (highFirst ? late : early), bottom - scale.margin, false);
  }

  private put(at: number, price: number, buys: boolean): void {
    this.prices[at] = price;
    this.buys[at] = buys ? 1 : 0;
  }

  /** Distributes the minute's lots: one to every print, the rest by weight, so that the total turnover is exact. */
  private size(count: number): void {
    const { minute, prices, lots, scale } = this;
    const bottom = minute.lowest[minute.lowSlot]! - scale.margin;
    const top = minute.highest[minute.highSlot]! + 1 + scale.margin;
    const spare = minute.lots - count - 1;
    // The turnover that remains once every print has a lot, with the reserved print at the lowest price.
    let missing = minute.turnover - (bottom - minute.reference);
    for (let i = 0; i < count; i += 1) missing -= prices[i]! - minute.reference;
    const wanted = missing / spare + minute.reference;
    this.weighFor(wanted, count);
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum += this.weights[i]!;
    let running = 0.5;
    let given = 0;
    for (let i = 0; i < count; i += 1) {
      running += (this.weights[i]! / sum) * spare;
      const until = i === count - 1 ? spare : Math.min(spare, Math.floor(running));
      lots[i] = 1 + until - given;
      missing -= (prices[i]! - minute.reference) * (until - given);
      given = until;
    }
    this.insert(count, bottom + this.settle(missing, count, bottom, top));
  }

  /** Adjusts the weights so that the weighted mean price is `wanted`: prints on that side of the mean get more. */
  private weighFor(wanted: number, count: number): void {
    const { prices, weights } = this;
    let sum = 0;
    let mean = 0;
    for (let i = 0; i < count; i += 1) {
      sum += weights[i]!;
      mean += weights[i]! * prices[i]!;
    }
    mean /= sum;
    const up = wanted > mean;
    for (const threshold of [mean, wanted]) {
      let gathering = 0;
      let gathered = 0;
      for (let i = 0; i < count; i += 1) {
        if (up ? prices[i]! <= threshold : prices[i]! >= threshold) continue;
        gathering += weights[i]!;
        gathered += weights[i]! * prices[i]!;
      }
      if (gathering === 0) continue;
      const share = (wanted - mean) / (gathered / gathering - mean);
      if (!(share <= (threshold === mean ? 0.7 : 1))) continue;
      const more = (sum * share) / gathering;
      for (let i = 0; i < count; i += 1) {
        const gathers = up ? prices[i]! > threshold : prices[i]! < threshold;
        weights[i] = weights[i]! * (1 - share + (gathers ? more : 0));
      }
      return;
    }
  }

  /** Moves lots between prints until one lot can make up the turnover still missing; returns that turnover. */
  private settle(turnover: number, count: number, bottom: number, top: number): number {
    const { prices, lots } = this;
    let missing = turnover;
    while (missing < 0 || missing > top - bottom) {
      const edge = missing < 0 ? bottom : top;
      let giver = -1;
      let taker = 0;
      for (let i = 0; i < count; i += 1) {
        if (prices[i] === edge) taker = i;
        else if (giver < 0 || lots[i]! > lots[giver]!) giver = i;
      }
      const step = edge - prices[giver]!;
      const needed = missing < 0 ? Math.ceil(missing / step) : Math.floor(missing / step);
      const moved = Math.min(Math.max(1, needed), lots[giver]! - 1);
      if (moved === 0) throw new Error('the prints of a minute do not add up to its turnover');
      lots[giver]! -= moved;
      lots[taker]! += moved;
      missing -= moved * step;
    }
    return missing;
  }

  /** Inserts the reserved print, of one lot, into a slot whose prices pass its own. */
  private insert(count: number, price: number): void {
    const { minute, firstOf, scale } = this;
    let firstPlace = 0;
    let lastPlace = slotsPerMinute - 1;
    while (minute.counts[firstPlace] === 0) firstPlace += 1;
    while (minute.counts[lastPlace] === 0) lastPlace -= 1;
    const places = lastPlace - firstPlace + 1;
    const offset = (hash32(this.key, minute.number, 1) >>> 8) % places;
    let place = firstPlace;
    for (let i = 0; i < places; i += 1) {
      place = firstPlace + ((offset + i) % places);
      const reaches =
        minute.highest[place]! + 1 + scale.margin >= price && minute.lowest[place]! - scale.margin <= price;
      if (reaches) break;
    }
    // It is never the minute's first or last print.
    const begins = firstOf[place]!;
    const ends = firstOf[place + 1]!;
    const goesFirst = ends === begins || (place === lastPlace && ends - begins === 1);
    const at = goesFirst ? begins : begins + 1;
    this.times.copyWithin(at + 1, at, count);
    this.prices.copyWithin(at + 1, at, count);
    this.buys.copyWithin(at + 1, at, count);
    this.lots.copyWithin(at + 1, at, count);
    const slot = minute.number * slotsPerMinute + place;
    if (ends === begins) this.times[at] = bookTime(this.timing, slot);
    else this.times[at] = this.times[goesFirst ? at + 1 : at - 1]!;
    this.prices[at] = price;
    this.buys[at] = price > minute.from[place]! ? 1 : 0;
    this.lots[at] = 1;
    for (let later = place + 1; later <= slotsPerMinute; later += 1) firstOf[later]! += 1;
    const book = this.afterBook[place]!;
    if (book > at || (book === at && (at > begins || ends === begins))) this.afterBook[place] = book + 1;
    for (let later = place + 1; later < slotsPerMinute; later += 1) this.afterBook[later]! += 1;
  }

  private grow(count: number): void {
    const size = 2 ** Math.ceil(Math.log2(count + 1));
    this.times = new Float64Array(size);
    this.prices = new Float64Array(size);
    this.buys = new Uint8Array(size);
    this.lots = new Float64Array(size);
    this.weights = new Float64Array(size);
  }
}

/** The relative size of a print: most are small, a few very large. */
function sizeOf(hash: number): number {
  if (sizes === null) {
    sizes = new Float64Array(sizeCount);
    for (let i = 0; i < sizeCount; i += 1) sizes[i] = exp(sizeDeviation * normal((i + 0.5) * (2 ** 32 / sizeCount)));
  }
  return sizes[hash >>> 24]! * (0.9 + (hash & 0xff) * (0.2 / 255));
}
