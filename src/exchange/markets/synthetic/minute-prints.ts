import { fraction, hash32, keyOf, nextHash } from '../../../base/terms/hash.ts';
import type { Cells } from './cells.ts';
import { exp, normal } from './draws.ts';
import type { Minute } from './minute.ts';
import type { Timetable } from './session.ts';

/** Prints of a price move come at most this many milliseconds before the book that shows it. */
const longestBurst = 25;

/** Standard deviation of the logarithm of sizes within a cell: how heavy their tail is. */
const sizeDeviation = 1.3;
const sizeCount = 256;
let sizes: Float64Array | null = null;

/**
 * The prints of one minute. Those of a slot come between two books, at the touch of the first: the side with fewer
 * prints, then the other, then a walk. Their sizes add up to the lots of their cell.
 */
export class MinutePrints {
  /** Unix ms, price in grid ticks, taker side (1: buyer, 0: seller), lots. */
  times = new Float64Array(256);
  prices = new Float64Array(256);
  buys = new Uint8Array(256);
  lots = new Float64Array(256);
  /** Index of each slot's first print; the last entry is the end. */
  readonly firstOf: Int32Array;
  private weights = new Float64Array(256);
  private readonly minute: Minute;
  private readonly cells: Cells;
  private readonly timetable: Timetable;
  private readonly key: number;
  private loaded = Number.NaN;

  constructor(seed: number, marketId: string, cells: Cells, minute: Minute, timetable: Timetable) {
    this.minute = minute;
    this.cells = cells;
    this.timetable = timetable;
    this.key = keyOf(seed, marketId, 'prints');
    this.firstOf = new Int32Array(minute.slots + 1);
  }

  /** Generates the prints of a minute. */
  load(number: number): void {
    if (this.loaded === number) return;
    const { minute, cells } = this;
    cells.load(number);
    this.loaded = number;
    this.firstOf.fill(0);
    if (cells.isBroken) return;
    let all = 0;
    for (const count of minute.counts) all += count;
    for (const count of minute.walkCounts) all += count;
    if (all > this.times.length) this.grow(all);
    let at = 0;
    for (let place = 0; place < minute.slots; place += 1) {
      this.firstOf[place] = at;
      const main = minute.mainSide(place);
      const walking = minute.walkCounts[place]!;
      const count = minute.counts[2 * place]! + minute.counts[2 * place + 1]! + walking;
      if (count === 0) continue;
      const slot = number * minute.slots + place;
      const hash = hash32(this.key, slot, 0);
      this.time(place, slot, at, count, hash);
      at = this.write(2 * place + 1 - main, at, nextHash(hash));
      at = this.write(2 * place + main, at, nextHash(hash ^ 0x2f0b4a1d));
      if (walking > 0) at = this.writeWalk(place, at, nextHash(hash ^ 0x1b873593));
    }
    this.firstOf[minute.slots] = at;
  }

  /** Writes the times of a slot's prints: in a burst, which is just before the book if that shows a move. */
  private time(place: number, slot: number, at: number, count: number, hash: number): void {
    const { timetable, minute } = this;
    const end = timetable.bookTime(slot);
    const begin = Math.max(timetable.bookTime(slot - 1) + 1, timetable.start(minute.number * minute.slots));
    const room = Math.max(0, end - begin);
    const isMove = minute.to[place] !== minute.from[place];
    const length = Math.min(room, (hash >>> 8) % longestBurst);
    const start = isMove ? end - length : begin + Math.floor((room - length) * fraction(nextHash(hash ^ 0x71d67fff)));
    for (let i = 0; i < count; i += 1) {
      this.times[at + i] = Math.min(end, Math.floor(start + (length * i) / count));
    }
  }

  /** Writes a cell's prints from index `at` on; returns the index after them. */
  private write(cell: number, at: number, hash: number): number {
    const { minute, cells } = this;
    return this.fill(minute.counts[cell]!, cells.lots[cell]!, minute.price(cell), cell & 1, at, hash);
  }

  private writeWalk(place: number, at: number, hash: number): number {
    const { minute, cells } = this;
    const [prints, lots] = [minute.walkCounts[place]!, cells.walks[place]!];
    return this.fill(prints, lots, minute.walkPrice(place), minute.mainSide(place), at, hash);
  }

  /** Writes prints with this many lots in all from index `at` on; returns the index after them. */
  private fill(count: number, all: number, price: number, isBuy: number, at: number, hash: number): number {
    if (count === 0) return at;
    const { weights, lots } = this;
    const spare = all - count;
    let chance = hash;
    let sum = 0;
    for (let i = 0; i < count; i += 1) {
      chance = nextHash(chance);
      weights[i] = sizeOf(chance);
      sum += weights[i]!;
    }
    let running = 0.5;
    let given = 0;
    for (let i = 0; i < count; i += 1) {
      running += (weights[i]! / sum) * spare;
      const until = i === count - 1 ? spare : Math.min(spare, Math.floor(running));
      lots[at + i] = 1 + until - given;
      given = until;
      this.prices[at + i] = price;
      this.buys[at + i] = isBuy;
    }
    return at + count;
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
