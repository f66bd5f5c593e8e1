import type { Ms } from '../../engine/model.ts';
import { type Bar, type BarInterval, type BarSource, barStart, barsInPieces, nextBarStart } from '../bars.ts';
import { firstFrom, joined, type PrintSum } from '../print-sums.ts';
import type { Loop } from './loop.ts';

const secondMs = 1_000;

/** The units of one pass that have prints, in the tape's own time, and their sum. */
interface Units {
  sums: PrintSum[];
  whole: PrintSum | null;
}

/** Bars of a looped tape: those of whole passes, and of parts of the first and the last one. */
export class LoopedBars implements BarSource {
  readonly #tape: BarSource;
  readonly #loop: Loop;
  readonly #units = new Map<string, Units>();

  constructor(tape: BarSource, loop: Loop) {
    this.#tape = tape;
    this.#loop = loop;
  }

  /** See MarketData. */
  bars(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Bar[] {
    const starts = [barStart(interval, from)];
    while (starts.length <= count) starts.push(nextBarStart(interval, starts.at(-1)!));
    const sums =
      interval === '1s'
        ? this.#seconds(marketId, starts[0]!, starts[count]!, until)
        : starts.slice(0, count).map((start, index) => this.#sum(marketId, start, starts[index + 1]!, until));
    let last = this.#priceBefore(marketId, Math.min(starts[0]!, until + 1));
    return sums.map((sum, index) => {
      const before = last;
      last = sum?.close ?? last;
      return {
        openTime: starts[index]!,
        endTime: starts[index + 1]!,
        open: sum?.open ?? before,
        high: sum?.high ?? before,
        low: sum?.low ?? before,
        close: last,
        volume: sum?.volume ?? 0,
        quoteVolume: sum?.quoteVolume ?? 0n,
        count: sum?.count ?? 0,
      };
    });
  }

  /** See MarketData: sums up one pass, once. */
  *prepareBars(marketId: string): Generator<void, void> {
    if (this.#units.has(marketId)) return;
    const { unit, base, lastTime } = this.#loop;
    const bars = yield* barsInPieces(this.#tape, marketId, unit, base, this.#unitCount, lastTime);
    this.#units.set(marketId, unitsOf(bars));
  }

  get #unitCount(): number {
    return this.#loop.periodMs / this.#loop.unitMs;
  }

  #unitsOf(marketId: string): Units {
    const preparing = this.prepareBars(marketId);
    while (preparing.next().done !== true);
    return this.#units.get(marketId)!;
  }

  /** Of the prints in [from, to) up to `until`; null if there are none. */
  #sum(marketId: string, from: Ms, to: Ms, until: Ms): PrintSum | null {
    const loop = this.#loop;
    const end = Math.min(to, until + 1);
    if (end <= from) return null;
    const [first, last] = [loop.passOf(from), loop.passOf(end - 1)];
    const part = (pass: number) => {
      const offset = loop.offsetOf(pass);
      const begin = Math.max(loop.base, from - offset);
      return this.#partOfPass(marketId, begin, Math.min(loop.base + loop.periodMs, end - offset));
    };
    if (first === last) return part(first);
    const passes = [part(first), times(this.#unitsOf(marketId).whole, last - first - 1), part(last)];
    return passes.reduce((sum, next) => (sum === null ? next : next === null ? sum : joined(sum, next)), null);
  }

  /** Of the prints in [from, to) of the tape's own time; `from` is the start of a unit. */
  #partOfPass(marketId: string, from: Ms, to: Ms): PrintSum | null {
    const { unit, unitMs } = this.#loop;
    const { sums } = this.#unitsOf(marketId);
    let sum: PrintSum | null = null;
    for (let at = firstFrom(sums, from); at < sums.length && sums[at]!.time < to; at += 1) {
      let next: PrintSum | null = sums[at]!;
      // The last one may be forming.
      if (next.time + unitMs > to) next = sumOfBar(this.#tape.bars(marketId, unit, next.time, 1, to - 1)[0]!);
      if (next !== null) sum = sum === null ? { ...next } : joined(sum, next);
    }
    return sum;
  }

  /** The sums of consecutive seconds. */
  #seconds(marketId: string, from: Ms, to: Ms, until: Ms): (PrintSum | null)[] {
    const loop = this.#loop;
    const sums: (PrintSum | null)[] = [];
    for (let start = from; start < to; ) {
      const offset = loop.offsetOf(loop.passOf(start));
      const end = Math.min(to, offset + loop.base + loop.periodMs);
      const count = (end - start) / secondMs;
      const bars = this.#tape.bars(marketId, '1s', start - offset, count, Math.min(until, end - 1) - offset);
      for (const bar of bars) sums.push(sumOfBar(bar));
      start = end;
    }
    return sums;
  }

  #priceBefore(marketId: string, time: Ms): PrintSum['close'] | null {
    const { whole } = this.#unitsOf(marketId);
    if (whole === null) return null;
    const inPass = time - this.#loop.offsetOf(this.#loop.passOf(time));
    return this.#partOfPass(marketId, this.#loop.base, inPass)?.close ?? whole.close;
  }
}

function unitsOf(bars: readonly Bar[]): Units {
  const sums = bars.map(sumOfBar).filter((sum) => sum !== null);
  const whole = sums.reduce<PrintSum | null>((sum, next) => (sum === null ? { ...next } : joined(sum, next)), null);
  return { sums, whole };
}

function sumOfBar({ openTime, open, high, low, close, volume, quoteVolume, count }: Bar): PrintSum | null {
  if (count === 0 || open === null || high === null || low === null || close === null) return null;
  return { time: openTime, open, high, low, close, volume, quoteVolume, count };
}

function times(whole: PrintSum | null, passes: number): PrintSum | null {
  if (whole === null || passes === 0) return null;
  const { volume, quoteVolume, count } = whole;
  const many = { volume: volume * passes, quoteVolume: quoteVolume * BigInt(passes), count: count * passes };
  return { ...whole, ...many };
}
