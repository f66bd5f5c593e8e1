import type { Lots, Ms, Price } from '../engine/model.ts';

/** The prints from `time` on, summed up as in a bar. */
export interface PrintSum {
  time: Ms;
  open: Price;
  high: Price;
  low: Price;
  close: Price;
  volume: Lots;
  /** Sum of price x size. */
  quoteVolume: bigint;
  count: number;
}

/** The sum of one print; it starts at `time`. */
function sumOf(time: Ms, price: Price, size: Lots): PrintSum {
  const quoteVolume = BigInt(price) * BigInt(size);
  return { time, open: price, high: price, low: price, close: price, volume: size, quoteVolume, count: 1 };
}

/** Adds a later sum to an earlier one. */
export function joined(sum: PrintSum, next: PrintSum): PrintSum {
  if (next.high > sum.high) sum.high = next.high;
  if (next.low < sum.low) sum.low = next.low;
  sum.close = next.close;
  sum.volume += next.volume;
  sum.quoteVolume += next.quoteVolume;
  sum.count += next.count;
  return sum;
}

/** Index of the first sum that starts at `time` or later. */
export function firstFrom(sums: readonly PrintSum[], time: Ms): number {
  let low = 0;
  let high = sums.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sums of prints, which come in time order, over spans of equal length; omits spans without prints. */
export class PrintSums {
  readonly sums: PrintSum[] = [];
  private readonly length: Ms;

  constructor(length: Ms) {
    this.length = length;
  }

  add(time: Ms, price: Price, size: Lots): void {
    const start = Math.floor(time / this.length) * this.length;
    const next = sumOf(start, price, size);
    const last = this.sums.at(-1);
    if (last?.time === start) joined(last, next);
    else this.sums.push(next);
  }

  /** Makes the price unit finer by a factor. */
  refine(factor: number): void {
    for (const sum of this.sums) {
      sum.open *= factor;
      sum.high *= factor;
      sum.low *= factor;
      sum.close *= factor;
      sum.quoteVolume *= BigInt(factor);
    }
  }
}
