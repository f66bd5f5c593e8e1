import { assert } from '../../../base/terms/invariants.ts';
import type { HalfPrice, Lots, Ms, Price } from '../model.ts';
import type { BookGap, BookSnapshot, VenueMarks } from '../source.ts';

/** The levels that one update changed on one side: their prices, and their new sizes (0: removed). */
export class LevelChanges {
  count = 0;
  readonly prices: Price[] = [];
  readonly sizes: Lots[] = [];

  clear(): void {
    this.count = 0;
  }

  push(price: Price, size: Lots): void {
    this.prices[this.count] = price;
    this.sizes[this.count] = size;
    this.count += 1;
  }
}

/** Most books of a program never have a level: they share this, and the first level allocates space. */
const noLevels = new Float64Array(0);
const fewestPlaces = 64;

/**
 * One side of a displayed book. Levels are sorted worst first, so that the busy ones near the best are cheap to insert
 * and remove. A price ranks by `sign * price`: higher is better, on either side.
 */
export class BookSide {
  readonly sign: 1 | -1;
  /** Number of displayed levels. */
  count = 0;
  /** Best displayed price; NaN when the side is empty, which compares as false with everything. */
  best: Price = Number.NaN;
  /**
   * The worst price down to which every level is known, NaN before a full book with levels: the last level of the last
   * full book, or as far as the other side has moved since. A level beyond it implies nothing about its neighbors.
   */
  knownTo: Price = Number.NaN;
  prices = noLevels;
  sizes = noLevels;
  private sparePrices = noLevels;
  private spareSizes = noLevels;

  constructor(sign: 1 | -1) {
    this.sign = sign;
  }

  /** Displayed size at a price, 0 where nothing is displayed. */
  sizeAt(price: Price): Lots {
    const index = this.find(price);
    return index < 0 ? 0 : this.sizes[index]!;
  }

  /** Whether the size at a price is known, even if it is zero. */
  knows(price: Price): boolean {
    return this.sign * price >= this.sign * this.knownTo || this.find(price) >= 0;
  }

  /** Writes all levels as [price, size, ...], best first, from `at` on; returns the index after the last. */
  write(levels: Float64Array | number[], at = 0): number {
    let place = at;
    for (let index = this.count - 1; index >= 0; index -= 1) {
      levels[place] = this.prices[index]!;
      levels[place + 1] = this.sizes[index]!;
      place += 2;
    }
    return place;
  }

  /** Sets or removes single levels, and reports those whose size changed. Flat [price, size, ...]. */
  applyDelta(levels: ArrayLike<number>, levelCount: number, changes: LevelChanges): void {
    for (let at = 0; at < levelCount; at += 1) {
      const price = levels[2 * at]!;
      const size = levels[2 * at + 1]!;
      const index = this.find(price);
      if (index >= 0) {
        if (size === this.sizes[index]) continue;
        if (size === 0) this.removeAt(index);
        else this.sizes[index] = size;
        changes.push(price, size);
      } else if (size !== 0) {
        this.insertAt(-index - 1, price, size);
        changes.push(price, size);
      }
    }
    this.best = this.count === 0 ? Number.NaN : this.prices[this.count - 1]!;
  }

  /**
   * Replaces all levels with new ones (flat, best first), and reports the differences. Levels are then known down to
   * the last one.
   */
  replace(levels: ArrayLike<number>, levelCount: number, changes: LevelChanges): void {
    if (this.sparePrices.length < levelCount) {
      const length = Math.max(fewestPlaces, 2 * levelCount);
      this.sparePrices = new Float64Array(length);
      this.spareSizes = new Float64Array(length);
    }
    const { sign, prices, sizes, sparePrices, spareSizes, count } = this;
    let old = 0;
    for (let at = 0; at < levelCount; at += 1) {
      const from = 2 * (levelCount - 1 - at);
      const price = levels[from]!;
      const size = levels[from + 1]!;
      sparePrices[at] = price;
      spareSizes[at] = size;
      const rank = sign * price;
      while (old < count && sign * prices[old]! < rank) {
        changes.push(prices[old]!, 0);
        old += 1;
      }
      if (old < count && prices[old] === price) {
        if (sizes[old] !== size) changes.push(price, size);
        old += 1;
      } else {
        changes.push(price, size);
      }
    }
    for (; old < count; old += 1) changes.push(prices[old]!, 0);
    this.prices = sparePrices;
    this.sizes = spareSizes;
    this.sparePrices = prices;
    this.spareSizes = sizes;
    this.count = levelCount;
    this.best = levelCount === 0 ? Number.NaN : sparePrices[levelCount - 1]!;
    this.knownTo = levelCount === 0 ? Number.NaN : sparePrices[0]!;
  }

  /** Index of a price, or -(insertion index) - 1. */
  private find(price: Price): number {
    const { prices, sign } = this;
    const rank = sign * price;
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = sign * prices[middle]!;
      if (there === rank) return middle;
      if (there < rank) low = middle + 1;
      else high = middle - 1;
    }
    return -low - 1;
  }

  private insertAt(index: number, price: Price, size: Lots): void {
    if (this.count === this.prices.length) this.grow();
    const { prices, sizes, count } = this;
    if (index < count) {
      prices.copyWithin(index + 1, index, count);
      sizes.copyWithin(index + 1, index, count);
    }
    prices[index] = price;
    sizes[index] = size;
    this.count = count + 1;
  }

  private removeAt(index: number): void {
    this.prices.copyWithin(index, index + 1, this.count);
    this.sizes.copyWithin(index, index + 1, this.count);
    this.count -= 1;
  }

  private grow(): void {
    const length = Math.max(fewestPlaces, 2 * this.count);
    this.prices = enlarged(this.prices, length);
    this.sizes = enlarged(this.sizes, length);
  }
}

/** A market's displayed book after its last update (simulation 2.1). */
export class Book {
  readonly bids = new BookSide(1);
  readonly asks = new BookSide(-1);
  /** Venue time of the last update; -Infinity before the first. */
  time: Ms = Number.NEGATIVE_INFINITY;
  sequence = 0;
  /** The market's current gap in its data; null if none. */
  gap: BookGap | null = null;
  /** The venue's own prices as last published; null if there are none, or none since a gap. */
  marks: VenueMarks | null = null;
  readonly changedBids = new LevelChanges();
  readonly changedAsks = new LevelChanges();

  /** Twice the midpoint; NaN while a side is empty. */
  get mid(): HalfPrice {
    return this.bids.best + this.asks.best;
  }

  /** Whether the book is recent enough to use. */
  isRecent(now: Ms, maxStalenessMs: Ms): boolean {
    return this.gap === null && now - this.time <= maxStalenessMs;
  }

  /** Whether the book is recent enough to trade on and has both sides. */
  isFresh(now: Ms, maxStalenessMs: Ms): boolean {
    return this.isRecent(now, maxStalenessMs) && this.bids.count > 0 && this.asks.count > 0;
  }

  /** Loads a full book; the differences are in `changedBids` and `changedAsks`. */
  load({ time, sequence, bids, asks, bidsKnownTo, asksKnownTo, gap, marks }: BookSnapshot): void {
    this.marks = marks ?? null;
    if (gap !== undefined) {
      this.lose(gap);
      return;
    }
    this.replace(time, sequence, { bids, bidCount: bids.length / 2, asks, askCount: asks.length / 2 });
    if (bidsKnownTo !== undefined) this.bids.knownTo = bidsKnownTo;
    if (asksKnownTo !== undefined) this.asks.knownTo = asksKnownTo;
  }

  /** A copy of the full book that `load` restores. */
  snapshot(): BookSnapshot & Required<Omit<BookSnapshot, 'gap' | 'marks'>> {
    const bids: number[] = [];
    const asks: number[] = [];
    this.bids.write(bids);
    this.asks.write(asks);
    const { time, sequence, gap, marks } = this;
    const known = { bidsKnownTo: this.bids.knownTo, asksKnownTo: this.asks.knownTo };
    return {
      time,
      sequence,
      bids,
      asks,
      ...known,
      ...(gap === null ? {} : { gap }),
      ...(marks === null ? {} : { marks }),
    };
  }

  /** A gap: until the next full book no level is known. This does not change any level. */
  lose(gap: BookGap): void {
    this.bids.replace([], 0, this.changedBids);
    this.asks.replace([], 0, this.changedAsks);
    this.changedBids.clear();
    this.changedAsks.clear();
    this.gap = gap;
    this.marks = null;
  }

  /** The venue published its own prices; in a gap they do not count. */
  takeMarks({ time, mark, index, fundingRate, fundingHours, nextFundingAt }: VenueMarks): void {
    if (this.gap === null) this.marks = { time, mark, index, fundingRate, fundingHours, nextFundingAt };
  }

  /** Like {@link load}, from an event's arrays. */
  replace(time: Ms, sequence: number, levels: SideLevels): void {
    this.begin(time, sequence);
    this.gap = null;
    this.bids.replace(levels.bids, levels.bidCount, this.changedBids);
    this.asks.replace(levels.asks, levels.askCount, this.changedAsks);
    this.meet();
  }

  /** Applies changed levels; those that did change are in `changedBids` and `changedAsks`. */
  update(time: Ms, sequence: number, levels: SideLevels): void {
    this.begin(time, sequence);
    this.bids.applyDelta(levels.bids, levels.bidCount, this.changedBids);
    this.asks.applyDelta(levels.asks, levels.askCount, this.changedAsks);
    this.meet();
  }

  /** Each side is known up to the other side's best price: orders there would have traded. */
  private meet(): void {
    const { bids, asks } = this;
    const bid = bids.best;
    const ask = asks.best;
    if (ask < bids.knownTo) bids.knownTo = ask;
    if (bid > asks.knownTo) asks.knownTo = bid;
  }

  private begin(time: Ms, sequence: number): void {
    assert(!(time < this.time), 'book-forward', time);
    this.time = time;
    this.sequence = sequence;
    this.changedBids.clear();
    this.changedAsks.clear();
  }
}

/** Both sides of an update, flat [price, size, ...], with their numbers of valid levels. */
export interface SideLevels {
  readonly bids: ArrayLike<number>;
  readonly bidCount: number;
  readonly asks: ArrayLike<number>;
  readonly askCount: number;
}

function enlarged(array: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(length);
  larger.set(array);
  return larger;
}
