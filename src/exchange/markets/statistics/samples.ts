import { Book, type BookSide } from '../../engine/book/book.ts';
import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { BookEvent, BookSnapshot, GapEvent, MarketSource, PrintEvent } from '../../engine/source.ts';
import { Delayed } from './strategies.ts';

/** Sampling intervals of the touch and of the depth. */
const touchEveryMs = 450;
const secondMs = 1000;
const depthEveryMs = 5000;
/** Time from a print to its markout. */
const markoutMs = 1000;
/** Older books are ignored, as in the simulation's default policy. */
const freshMs = 10_000;
/** A gap in the data counts as one day at most, because no figure spans more than a day. */
const longestHoleMs = 24 * 3_600_000;

/**
 * Samples of a market that was played. Prices are in the quote currency, sizes in the base asset. Samples at fixed
 * intervals are NaN where no book was known: before the first book, in gaps, and from ten seconds after the last book.
 */
export class Samples {
  readonly definition: MarketDefinition;
  readonly from: Ms;
  readonly to: Ms;
  books = 0;
  prints = 0;
  /** How long a book was known. */
  knownMs: Ms = 0;
  /**
   * At every second: the time and the midpoint. For the second after it: number of prints, takers' net purchases, and
   * USD.
   */
  readonly times: Ms[] = [];
  readonly mids: number[] = [];
  readonly counts: number[] = [];
  readonly flows: number[] = [];
  readonly notionals: number[] = [];
  /** Every 450 ms: the midpoint, the spread, in the quote currency, and the sizes of best bid and best ask. */
  readonly touchMids: number[] = [];
  readonly spreads: number[] = [];
  readonly bidSizes: number[] = [];
  readonly askSizes: number[] = [];
  /** USD at the touch of one side, and within 10 and 25 basis points of the mid; means of both sides. */
  readonly touchUsd: number[] = [];
  readonly depth10: number[] = [];
  readonly depth25: number[] = [];
  /**
   * Takers' sides, 1 or -1; and how far the mid was beyond the print one second later, in basis points, in their
   * direction.
   */
  readonly signs: number[] = [];
  readonly markouts: number[] = [];

  constructor(definition: MarketDefinition, from: Ms, to: Ms) {
    this.definition = definition;
    this.from = from;
    this.to = to;
  }
}

/** Plays a market over (from, to] and collects its samples; without `prints`, only those of books. */
export function sample(source: MarketSource, marketId: string, from: Ms, to: Ms, prints = true): Samples {
  const definition = source.definitions.find((one) => one.marketId === marketId);
  if (definition === undefined)
    throw new RangeError(`no market ${JSON.stringify(marketId)} in the ${source.name} source`);
  const sampler = new Sampler(definition, from, to);
  const tape = source.open(from);
  const nothing = { buys: Number.NEGATIVE_INFINITY, sells: Number.POSITIVE_INFINITY };
  tape.watch(marketId, true, prints ? undefined : nothing);
  sampler.start(source.book(marketId, from));
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    sampler.passTo(event.time);
    if (event.kind === 'print') {
      if (prints) sampler.takePrint(event);
    } else if (event.kind === 'gap') sampler.takeGap(event);
    else if (event.kind === 'book' || event.kind === 'delta') sampler.takeBook(event);
  }
  sampler.passTo(to + 1);
  sampler.countKnown(to);
  return sampler.samples;
}

class Sampler {
  readonly samples: Samples;
  private readonly priceUnit: number;
  private readonly lot: number;
  private readonly book = new Book();
  private nextSecond: Ms;
  private nextTouch: Ms;
  private nextDepth: Ms;
  /** Sums of the current second. */
  private count = 0;
  private flow = 0;
  private notional = 0;
  /** Prints without a markout yet. */
  private readonly waiting = new Delayed<{ at: Ms; price: number; side: number }>();
  /** When the current book becomes too old. */
  private knownTo: Ms = Number.NEGATIVE_INFINITY;

  constructor(definition: MarketDefinition, from: Ms, to: Ms) {
    this.priceUnit = 10 ** -definition.priceDecimals;
    this.lot = 10 ** -definition.sizeDecimals;
    this.nextSecond = Math.ceil((from + 1) / secondMs) * secondMs;
    this.nextTouch = Math.ceil((from + 1) / touchEveryMs) * touchEveryMs;
    this.nextDepth = from;
    this.samples = new Samples(definition, from, to);
  }

  start(book: BookSnapshot | null): void {
    if (book === null) return;
    this.book.load(book);
    this.knownTo = book.time + freshMs;
  }

  /** Takes the samples that are due before `time`. */
  passTo(time: Ms): void {
    const holeEnd = Math.max(this.knownTo, this.samples.from) + longestHoleMs;
    this.lookUntil(Math.min(time, holeEnd));
    if (time > holeEnd) {
      const leftOut = Math.floor((time - this.nextSecond) / longestHoleMs) * longestHoleMs;
      this.nextSecond += leftOut;
      this.nextTouch += leftOut;
      this.lookUntil(time);
    }
    this.waiting.takeBefore(time, ({ at, price, side }) => {
      const mid = this.midAt(at);
      if (!Number.isNaN(mid)) this.samples.markouts.push(side * (mid / price - 1) * 1e4);
    });
  }

  private lookUntil(time: Ms): void {
    for (; this.nextTouch < time; this.nextTouch += touchEveryMs) this.lookAtTouch();
    for (; this.nextSecond < time; this.nextSecond += secondMs) this.endSecond();
  }

  /** The current book's midpoint at a time; NaN if the book is too old by then. */
  private midAt(time: Ms): number {
    return time <= this.knownTo ? (this.book.mid / 2) * this.priceUnit : Number.NaN;
  }

  private lookAtTouch(): void {
    const { samples } = this;
    const { bids, asks } = this.book;
    const mid = this.midAt(this.nextTouch);
    const isKnown = !Number.isNaN(mid);
    samples.touchMids.push(mid);
    samples.spreads.push(isKnown ? (asks.best - bids.best) * this.priceUnit : Number.NaN);
    samples.bidSizes.push(isKnown ? bids.sizeAt(bids.best) : Number.NaN);
    samples.askSizes.push(isKnown ? asks.sizeAt(asks.best) : Number.NaN);
  }

  private endSecond(): void {
    const { samples } = this;
    const mid = this.midAt(this.nextSecond);
    if (samples.times.length > 0) {
      const isBookKnown = !Number.isNaN(mid) && !Number.isNaN(samples.mids.at(-1)!);
      // A recording with prints only.
      const isKnown = isBookKnown || (samples.books === 0 && samples.prints > 0);
      samples.counts.push(isKnown ? this.count : Number.NaN);
      samples.flows.push(isKnown ? this.flow : Number.NaN);
      samples.notionals.push(isKnown ? this.notional : Number.NaN);
    }
    this.count = this.flow = this.notional = 0;
    samples.times.push(this.nextSecond);
    samples.mids.push(mid);
  }

  takeBook(event: BookEvent): void {
    const { samples, book } = this;
    this.countKnown(event.time);
    if (event.kind === 'book') book.replace(event.time, event.sequence, event);
    else book.update(event.time, event.sequence, event);
    this.knownTo = event.time + freshMs;
    samples.books += 1;
    const { bids, asks } = book;
    if (bids.count === 0 || asks.count === 0) return;
    if (event.time < this.nextDepth) return;
    this.nextDepth = event.time + depthEveryMs;
    const mean = (bps: number) =>
      ((turnoverWithin(bids, book.mid / 2, bps) + turnoverWithin(asks, book.mid / 2, bps)) *
        this.priceUnit *
        this.lot) /
      2;
    samples.touchUsd.push(mean(0));
    samples.depth10.push(mean(10));
    samples.depth25.push(mean(25));
  }

  takeGap({ time, reason }: GapEvent): void {
    this.countKnown(time);
    this.book.lose({ since: time, reason });
    this.knownTo = Number.NEGATIVE_INFINITY;
  }

  /** Adds the time until `time` during which the current book was known. */
  countKnown(time: Ms): void {
    const since = this.knownTo - freshMs;
    if (since === Number.NEGATIVE_INFINITY) return;
    const known = Math.min(time, this.knownTo) - Math.max(since, this.samples.from);
    this.samples.knownMs += Math.max(0, known);
  }

  takePrint(event: PrintEvent): void {
    const side = event.side === 'buy' ? 1 : -1;
    const price = event.price * this.priceUnit;
    const size = event.size * this.lot;
    this.samples.prints += 1;
    this.samples.signs.push(side);
    this.count += 1;
    this.flow += side * size;
    this.notional += price * size;
    this.waiting.add({ at: event.time + markoutMs, price, side });
  }
}

/** Price x size of a side's levels within a distance of the mid, in basis points; always includes its best level. */
function turnoverWithin({ prices, sizes, count }: BookSide, mid: number, basisPoints: number): number {
  let turnover = 0;
  for (let i = count - 1; i >= 0; i -= 1) {
    if (i < count - 1 && Math.abs(prices[i]! / mid - 1) * 1e4 > basisPoints) break;
    turnover += prices[i]! * sizes[i]!;
  }
  return turnover;
}
