/** One side of a book that changes level by level: sorted, the best level last, where most changes happen. */
export class BookSide {
  count = 0;
  private prices = new Float64Array(64);
  private sizes = new Float64Array(64);
  /** 1 when a higher price is better (bids), -1 when a lower one is (asks). */
  private readonly better: 1 | -1;

  constructor(side: 'bid' | 'ask') {
    this.better = side === 'bid' ? 1 : -1;
  }

  clear(): void {
    this.count = 0;
  }

  /** Sets a level's size; 0 removes it. */
  set(price: number, size: number): void {
    const at = this.find(price);
    if (at < this.count && this.prices[at] === price) {
      if (size > 0) this.sizes[at] = size;
      else this.remove(at);
    } else if (size > 0) this.insert(at, price, size);
  }

  /** Sets every level of a flat [price, size, ...] list. */
  apply(levels: ArrayLike<number>, count: number): void {
    for (let i = 0; i < count; i += 1) this.set(levels[2 * i]!, levels[2 * i + 1]!);
  }

  /** Multiplies every price: the unit became finer. */
  rescale(factor: number): void {
    for (let i = 0; i < this.count; i += 1) this.prices[i] = this.prices[i]! * factor;
  }

  /** Best price; null when the side is empty. */
  best(): number | null {
    return this.count === 0 ? null : this.prices[this.count - 1]!;
  }

  /** Writes all levels as [price, size, ...], best first, from `at` on; the place after the last. */
  write(levels: Float64Array | number[], at: number): number {
    let place = at;
    for (let i = this.count - 1; i >= 0; i -= 1) {
      levels[place] = this.prices[i]!;
      levels[place + 1] = this.sizes[i]!;
      place += 2;
    }
    return place;
  }

  /** Where `price` is, or would be inserted. */
  private find(price: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.prices[middle]! - price) * this.better < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private insert(at: number, price: number, size: number): void {
    if (this.count === this.prices.length) {
      this.prices = grown(this.prices);
      this.sizes = grown(this.sizes);
    }
    this.prices.copyWithin(at + 1, at, this.count);
    this.sizes.copyWithin(at + 1, at, this.count);
    this.prices[at] = price;
    this.sizes[at] = size;
    this.count += 1;
  }

  private remove(at: number): void {
    this.prices.copyWithin(at, at + 1, this.count);
    this.sizes.copyWithin(at, at + 1, this.count);
    this.count -= 1;
  }
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}
