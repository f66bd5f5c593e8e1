/** Results that come close together depend on each other: they count as one block of this many milliseconds. */
const blockMs = 600_000;

/** Results of a strategy: their mean, and its standard error, as if only the sums of blocks were independent. */
export class Tally {
  count = 0;
  sum = 0;
  private squares = 0;
  private products = 0;
  private counts = 0;
  private block = Number.NaN;
  private blockCount = 0;
  private blockSum = 0;

  add(value: number, time: number): void {
    const block = Math.floor(time / blockMs);
    if (block !== this.block) {
      this.close();
      this.block = block;
    }
    this.count += 1;
    this.sum += value;
    this.blockCount += 1;
    this.blockSum += value;
  }

  /** Adds another market's results. */
  merge(other: Tally): void {
    this.close();
    other.close();
    this.count += other.count;
    this.sum += other.sum;
    this.squares += other.squares;
    this.products += other.products;
    this.counts += other.counts;
  }

  get mean(): number {
    return this.sum / this.count;
  }

  get error(): number {
    this.close();
    const { mean } = this;
    return Math.sqrt(Math.max(0, this.squares - 2 * mean * this.products + mean * mean * this.counts)) / this.count;
  }

  /** The mean's distance above 0 in standard errors; NaN with fewer than `fewest` results. */
  above(fewest: number): number {
    return this.count < fewest ? Number.NaN : this.mean / this.error;
  }

  private close(): void {
    this.squares += this.blockSum ** 2;
    this.products += this.blockSum * this.blockCount;
    this.counts += this.blockCount ** 2;
    this.block = Number.NaN;
    this.blockCount = 0;
    this.blockSum = 0;
  }
}

/** The tally of a name, which begins empty. */
export function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  let tally = tallies.get(name);
  if (tally === undefined) {
    tally = new Tally();
    tallies.set(name, tally);
  }
  return tally;
}

/** All results together. */
export function merged(tallies: Iterable<Tally>): Tally {
  const all = new Tally();
  for (const tally of tallies) all.merge(tally);
  return all;
}

/** What is due at a time; it is added in the order of these times. */
export class Delayed<T extends { readonly at: number }> {
  private waiting: T[] = [];
  private done = 0;

  add(item: T): void {
    this.waiting.push(item);
  }

  /** Takes those that are due before `time`. */
  takeBefore(time: number, take: (item: T) => void): void {
    for (; this.done < this.waiting.length && this.waiting[this.done]!.at < time; this.done += 1)
      take(this.waiting[this.done]!);
    if (this.done <= 4096) return;
    this.waiting = this.waiting.slice(this.done);
    this.done = 0;
  }
}
