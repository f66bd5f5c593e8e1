import { Book } from '../../engine/book/book.ts';
import type { Ms } from '../../engine/model.ts';
import type { BookSnapshot, GapEvent, MarketEvent, MarketSource, PrintInterest, Tape } from '../../engine/source.ts';
import {
  type Bar,
  type BarInterval,
  type BarSource,
  barOf,
  barsInPieces,
  firstFrom,
  joined,
  type MarketData,
  type PrintSum,
  startsOf,
  sumOfBar,
  total,
} from '../bars.ts';
import { PlayedBars } from '../played-bars.ts';

/** A tape that repeats without end, shifted in time (simulation 9.2); `shift` comes from {@link shiftTo}. */
export function loopedSource(source: MarketSource | MarketData, times: TapeTimes, shift: Ms): MarketData {
  const loop = new Loop(times, shift);
  const tapeBars = 'bars' in source ? source : new PlayedBars(source, times.firstTime);
  const bars = new LoopedBars(tapeBars, loop);
  return {
    name: source.name,
    definitions: source.definitions,
    book: (marketId, time) => bookAt(source, loop, marketId, time),
    open: (from) => new LoopedTape(source, loop, from),
    hasMarks: (marketId) => source.hasMarks?.(marketId) === true,
    volume(marketId, from, to, asOf) {
      const offset = loop.offsetOf(loop.passOf(asOf));
      return source.volume(marketId, from - offset, to - offset, asOf - offset);
    },
    bars: (marketId, interval, from, count, until) => bars.bars(marketId, interval, from, count, until),
    prepareBars: (marketId) => bars.prepareBars(marketId),
  };
}

function bookAt(source: MarketSource, loop: Loop, marketId: string, time: Ms): BookSnapshot | null {
  const pass = loop.passOf(time);
  if (time >= loop.endOf(pass)) return lost(source, loop, marketId, pass);
  const offset = loop.offsetOf(pass);
  const found = source.book(marketId, time - offset);
  if (found === null || found.time === Number.NEGATIVE_INFINITY) return lost(source, loop, marketId, pass - 1);
  return laterBook(found, offset);
}

/** After the end of a pass: the last known state, in a gap. Null if the tape has no book of the market. */
function lost(source: MarketSource, loop: Loop, marketId: string, pass: number): BookSnapshot | null {
  const last = source.book(marketId, loop.lastTime);
  if (last === null || last.time === Number.NEGATIVE_INFINITY) return null;
  const { gap, ...known } = laterBook(last, loop.offsetOf(pass));
  const book = new Book();
  book.load(known);
  book.lose(gap ?? { since: loop.endOf(pass), reason: seam });
  return book.snapshot();
}

function laterBook(book: BookSnapshot, byMs: Ms): BookSnapshot {
  const { gap, marks } = book;
  return {
    ...book,
    time: book.time + byMs,
    ...(gap !== undefined && { gap: { ...gap, since: gap.since + byMs } }),
    ...(marks !== undefined && { marks: laterMarks(marks, byMs) }),
  };
}

/** Why a market has no book between two passes. */
const seam = 'loop';

/** Events of a looped tape: those of each pass, then a gap of every watched market. */
class LoopedTape implements Tape {
  private readonly source: MarketSource;
  private readonly loop: Loop;
  private readonly watched = new Map<string, PrintInterest | undefined>();
  private position: Ms;
  private pass: number;
  /** The cursor in the current pass; null until a market is watched. */
  private tape: Tape | null = null;
  /** Markets whose gap after the current pass is due before the next pass begins; null before its end. */
  private gaps: string[] | null = null;

  constructor(source: MarketSource, loop: Loop, from: Ms) {
    this.source = source;
    this.loop = loop;
    this.position = from;
    this.pass = loop.passOf(from);
  }

  watch(marketId: string, on: boolean, interest?: PrintInterest): void {
    if (!on) {
      this.watched.delete(marketId);
      this.tape?.watch(marketId, false);
      if (this.watched.size === 0) this.tape = null;
      return;
    }
    this.tape ??= this.openAt(this.position);
    this.watched.set(marketId, interest);
    this.tape.watch(marketId, true, interest);
  }

  peek(until: Ms): Ms | null {
    if (this.tape === null) return null;
    const offset = this.loop.offsetOf(this.pass);
    const gapTime = this.loop.endOf(this.pass);
    const time = this.gaps === null ? this.tape.peek(Math.min(until, gapTime - 1) - offset) : null;
    if (time !== null) return time + offset;
    return gapTime <= until ? gapTime : null;
  }

  next(until: Ms): MarketEvent | null {
    if (this.tape === null) {
      this.position = Math.max(this.position, until);
      return null;
    }
    const gapTime = this.loop.endOf(this.pass);
    if (this.gaps === null) {
      const offset = this.loop.offsetOf(this.pass);
      const event = this.tape.next(Math.min(until, gapTime - 1) - offset);
      if (event !== null) {
        this.position = event.time + offset;
        return later(event, offset);
      }
      this.position = Math.max(this.position, Math.min(until, gapTime - 1));
    }
    if (gapTime > until) return null;
    this.gaps ??= [...this.watched.keys()];
    return this.nextGap(gapTime);
  }

  private nextGap(time: Ms): GapEvent {
    this.position = time;
    const marketId = this.gaps!.shift()!;
    if (this.gaps!.length === 0) {
      this.pass += 1;
      this.gaps = null;
      this.tape = this.source.open(this.loop.base - 1);
      for (const [watched, interest] of this.watched) this.tape.watch(watched, true, interest);
    }
    return { kind: 'gap', marketId, time, since: time, reason: seam };
  }

  /** The cursor after a time: in its pass, or at the start of the next one if the pass has no more data. */
  private openAt(time: Ms): Tape {
    const { loop } = this;
    this.gaps = null;
    this.pass = loop.passOf(time);
    if (time >= loop.endOf(this.pass)) this.pass += 1;
    return this.source.open(Math.max(loop.base - 1, time - loop.offsetOf(this.pass)));
  }
}

/** The same event, later; the arrays of a book are shared. */
function later(event: MarketEvent, byMs: Ms): MarketEvent {
  const time = event.time + byMs;
  if (event.kind === 'print')
    return { ...event, time, ...(event.tradedAt !== undefined && { tradedAt: event.tradedAt + byMs }) };
  if (event.kind === 'gap') return { ...event, time, since: (event.since ?? event.time) + byMs };
  if (event.kind === 'marks') return { ...event, ...laterMarks(event, byMs) };
  return { ...event, time };
}

/** A venue's own prices, later. */
function laterMarks<Marks extends { time: Ms; nextFundingAt: Ms | null }>(marks: Marks, byMs: Ms): Marks {
  const { time, nextFundingAt } = marks;
  return { ...marks, time: time + byMs, nextFundingAt: nextFundingAt === null ? null : nextFundingAt + byMs };
}

const secondMs = 1_000;

/** The units of one pass that have prints, in the tape's own time, and their sum. */
interface Units {
  sums: PrintSum[];
  whole: PrintSum | null;
}

/** Bars of a looped tape: those of whole passes, and of parts of the first and the last one. */
class LoopedBars implements BarSource {
  readonly #tape: BarSource;
  readonly #loop: Loop;
  readonly #units = new Map<string, Units>();

  constructor(tape: BarSource, loop: Loop) {
    this.#tape = tape;
    this.#loop = loop;
  }

  /** See MarketData. */
  bars(marketId: string, interval: BarInterval, from: Ms, count: number, until: Ms): Bar[] {
    const starts = startsOf(interval, from, count);
    const sums =
      interval === '1s'
        ? this.#seconds(marketId, starts[0]!, starts[count]!, until)
        : starts.slice(0, count).map((start, index) => this.#sum(marketId, start, starts[index + 1]!, until));
    let last = this.#priceBefore(marketId, Math.min(starts[0]!, until + 1));
    return sums.map((sum, index) => {
      const before = last;
      last = sum?.close ?? last;
      return barOf(starts[index]!, starts[index + 1]!, sum, before);
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
    return total([part(first), times(this.#unitsOf(marketId).whole, last - first - 1), part(last)]);
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
  return { sums, whole: total(sums) };
}

function times(whole: PrintSum | null, passes: number): PrintSum | null {
  if (whole === null || passes === 0) return null;
  const { volume, quoteVolume, count } = whole;
  const many = { volume: volume * passes, quoteVolume: quoteVolume * BigInt(passes), count: count * passes };
  return { ...whole, ...many };
}

const minuteMs = 60_000;
/** A tape of this length or more repeats after whole minutes, a shorter one after whole seconds. */
const longTapeMs = 60 * minuteMs;

/** Times of a tape, Unix ms. */
interface TapeTimes {
  readonly firstTime: Ms;
  readonly lastTime: Ms;
}

/**
 * A tape that repeats without end in both directions, so that some moment of it is now (simulation 9.2). A pass is one
 * repetition. Everything is shifted by whole units, so that candles of a unit or more keep their prints.
 */
export class Loop {
  /** The candles that passes consist of. */
  readonly unit: BarInterval;
  readonly unitMs: Ms;
  /** The start of a pass, in the tape's own time, and its last moment with data. */
  readonly base: Ms;
  readonly lastTime: Ms;
  readonly periodMs: Ms;
  /** The shift of pass 0 relative to the tape. */
  readonly shift: Ms;

  constructor({ firstTime, lastTime }: TapeTimes, shift: Ms) {
    [this.unit, this.unitMs] = unitOf(lastTime - firstTime);
    this.base = floorTo(firstTime, this.unitMs);
    this.lastTime = lastTime;
    this.periodMs = floorTo(lastTime, this.unitMs) + this.unitMs - this.base;
    this.shift = shift;
  }

  passOf(time: Ms): number {
    return Math.floor((time - this.shift - this.base) / this.periodMs);
  }

  /** The shift of a pass relative to the tape. */
  offsetOf(pass: number): Ms {
    return this.shift + pass * this.periodMs;
  }

  /** When a pass runs out of data: a gap begins, until the next pass has its first full book. */
  endOf(pass: number): Ms {
    return this.offsetOf(pass) + this.lastTime + 1;
  }
}

/** The shift at which `place`, a time on the tape, was played at `now` or less than a unit before. */
export function shiftTo({ firstTime, lastTime }: TapeTimes, place: Ms, now: Ms): Ms {
  const [, unitMs] = unitOf(lastTime - firstTime);
  return floorTo(now - place, unitMs);
}

function unitOf(lengthMs: Ms): [BarInterval, Ms] {
  return lengthMs >= longTapeMs ? ['1m', minuteMs] : ['1s', secondMs];
}

function floorTo(time: Ms, unitMs: Ms): Ms {
  return Math.floor(time / unitMs) * unitMs;
}
