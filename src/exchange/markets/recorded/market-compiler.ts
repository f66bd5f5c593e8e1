import { Book } from '../../engine/book/book.ts';
import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { VenueMarks } from '../../engine/source.ts';
import { PrintSums } from '../bars.ts';
import { hyperliquidDecimals } from '../catalog.ts';
import { DecimalText, powersOfTen } from './decimal-text.ts';
import type { BookLine, MarketLine, MarksLine, TradeLine } from './line.ts';
import { LineProblem, quoted } from './recording-error.ts';

/** One market during compilation: its book as of the last line, and its finest price so far. */
export class MarketCompiler {
  /** The book's sequence is the line number. */
  book = new Book();
  /** Whether a line had the venue's own prices. */
  isMarked = false;
  readonly volume = new VolumeCount();
  readonly minutes = new PrintSums(60_000);
  /** Decimals of a price unit so far; a finer price makes the unit finer. */
  priceDecimals: number;
  /** Words of the tape at which the unit became finer, and the decimals from there on. */
  readonly refined: { offset: number; decimals: number }[] = [];
  private line: MarketLine;
  private readonly isFinal: boolean;
  private tick: DecimalText | null = null;
  private readonly text = new DecimalText();
  private levels = new Float64Array(1024);
  private decimals = new Uint8Array(512);

  /** `isFinal`: the price unit stays as the line gives it, and a finer price is rejected. */
  constructor(line: MarketLine, isFinal = false) {
    this.line = line;
    this.isFinal = isFinal;
    this.readTick(line);
    this.priceDecimals = Math.max(this.finest(line), line.priceDecimals ?? 0);
    this.refined.push({ offset: 0, decimals: this.priceDecimals });
  }

  /**
   * Takes a later definition of the market: its venue has changed the tick or the lots. The units stay, so the tick
   * must be a whole number of price units, and sizes have the same decimals.
   */
  redefine(line: MarketLine): void {
    const { line: before } = this;
    if (line.tick === before.tick && line.lotDecimals === before.lotDecimals)
      throw new LineProblem(`a second market line for ${quoted(line.marketId)}`);
    if (line.sizeDecimals !== before.sizeDecimals || (line.tick === null) !== (before.tick === null))
      throw new LineProblem(`a second market line for ${quoted(line.marketId)} with other units`);
    this.readTick(line);
    if (this.finest(line) > this.priceDecimals) {
      this.readTick(before);
      throw new LineProblem(`a second market line for ${quoted(line.marketId)} with a tick finer than its prices`);
    }
    this.line = line;
  }

  /** Decimals of the finest price of an order. */
  private finest({ lotDecimals, sizeDecimals }: MarketLine): number {
    return this.tick?.decimals ?? hyperliquidDecimals(lotDecimals ?? sizeDecimals);
  }

  private readTick(line: MarketLine): void {
    this.tick = line.tick === null ? null : new DecimalText();
    this.tick?.read(line.tick!, 'market.tick');
  }

  /** The market's definition after the last line. */
  definition(): MarketDefinition {
    const { marketId, symbol, coin, category, sizeDecimals, maxLeverage, lotDecimals } = this.line;
    const { priceDecimals, tick } = this;
    const provider = marketId.slice(0, marketId.indexOf('|'));
    const units = tick === null ? null : tick.units(priceDecimals, 'market.tick');
    return {
      ...{ marketId, provider, symbol, coin, category, sizeDecimals, priceDecimals, tick: units, maxLeverage },
      ...(lotDecimals !== null && lotDecimals < sizeDecimals && { lotDecimals }),
    };
  }

  /**
   * A line's levels as flat price units and lots, valid until the next call. If they are finer, the price unit becomes
   * finer.
   */
  read(line: BookLine, offset: number): { levels: Float64Array; bidCount: number; askCount: number } {
    const bidCount = line.bids.length;
    const askCount = line.asks.length;
    if (2 * (bidCount + askCount) > this.levels.length) {
      this.levels = new Float64Array(4 * (bidCount + askCount));
      this.decimals = new Uint8Array(2 * (bidCount + askCount));
    }
    this.readSide(line.bids, 'bids', 0, line.kind);
    this.readSide(line.asks, 'asks', bidCount, line.kind);
    let finest = 0;
    for (let i = 0; i < bidCount + askCount; i += 1) finest = Math.max(finest, this.decimals[i]!);
    this.refine(finest, offset);
    for (let i = 0; i < bidCount + askCount; i += 1) {
      this.levels[2 * i] = this.scaled(this.levels[2 * i]!, this.decimals[i]!);
    }
    return { levels: this.levels, bidCount, askCount };
  }

  /** Whether there has been a full book, and no gap since. */
  get hasBook(): boolean {
    return this.book.sequence > 0 && this.book.gap === null;
  }

  /** Applies the levels that `read` returned; throws a LineProblem for duplicates, wrong order or a crossed book. */
  apply({ kind, time }: BookLine, lineNumber: number, bidCount: number, askCount: number): void {
    const bids = this.levels.subarray(0, 2 * bidCount);
    const asks = this.levels.subarray(2 * bidCount, 2 * (bidCount + askCount));
    const levels = { bids, bidCount, asks, askCount };
    if (kind === 'book') {
      checkOrder(this.levels, 0, bidCount, -1, 'bids');
      checkOrder(this.levels, bidCount, askCount, 1, 'asks');
      this.book.replace(time, lineNumber, levels);
    } else {
      checkDistinct(this.levels, 0, bidCount, 'bids');
      checkDistinct(this.levels, bidCount, askCount, 'asks');
      this.book.update(time, lineNumber, levels);
    }
    const [bid, ask] = [this.book.bids.best, this.book.asks.best];
    if (bid >= ask) {
      const scale = powersOfTen[this.priceDecimals]!;
      throw new LineProblem(`the book is crossed: best bid ${bid / scale}, best ask ${ask / scale}`);
    }
  }

  /** A print's price and size in units. If the price is finer, the price unit becomes finer. */
  readTrade(line: TradeLine, offset: number): { price: number; size: number } {
    this.text.read(line.size, 'trade.size');
    const size = this.text.units(this.line.sizeDecimals, 'trade.size');
    this.text.read(line.price, 'trade.price');
    if (size === 0) throw new LineProblem('trade.size must be above 0');
    if (this.text.digits === 0) throw new LineProblem('trade.price must be above 0');
    this.refine(this.text.decimals, offset);
    return { price: this.scaled(this.text.digits, this.text.decimals), size };
  }

  /** The venue's own prices, to the nearest half of a price unit; they never make the unit finer. */
  takeMarks({ time, mark, index, fundingRate, fundingHours, nextFundingAt }: MarksLine): VenueMarks {
    const marks = {
      time,
      mark: this.halves(mark, 'marks.mark'),
      index: index === null ? null : this.halves(index, 'marks.index'),
      fundingRate: fundingRate === null ? null : Number(fundingRate),
      fundingHours,
      nextFundingAt,
    };
    this.isMarked = true;
    this.book.takeMarks(marks);
    return marks;
  }

  private halves(price: unknown, what: string): number {
    this.text.read(price, what);
    const halves = Math.round(
      (2 * this.text.digits * powersOfTen[this.priceDecimals]!) / powersOfTen[this.text.decimals]!,
    );
    if (halves === 0) throw new LineProblem(`${what} must be above 0`);
    if (halves > Number.MAX_SAFE_INTEGER) throw new LineProblem(`${what} is too large to be exact`);
    return halves;
  }

  private readSide(side: readonly unknown[], what: 'bids' | 'asks', first: number, kind: 'book' | 'delta'): void {
    for (let i = 0; i < side.length; i += 1) {
      const level = side[i];
      if (!Array.isArray(level) || level.length !== 2) {
        throw new LineProblem(`${what}[${i}] must be [price, size], not ${quoted(level)}`);
      }
      this.text.read(level[1], `${what}[${i}] size`);
      const size = this.text.units(this.line.sizeDecimals, `${what}[${i}] size`);
      if (size === 0 && kind === 'book') throw new LineProblem(`${what}[${i}] has size 0 in a full book`);
      this.text.read(level[0], `${what}[${i}] price`);
      if (this.text.digits === 0) throw new LineProblem(`${what}[${i}] price must be above 0`);
      this.levels[2 * (first + i)] = this.text.digits;
      this.levels[2 * (first + i) + 1] = size;
      this.decimals[first + i] = this.text.decimals;
    }
  }

  private refine(decimals: number, offset: number): void {
    if (decimals <= this.priceDecimals) return;
    if (this.isFinal) throw new LineProblem(`a price has more than ${this.priceDecimals} decimals`);
    const factor = powersOfTen[decimals - this.priceDecimals]!;
    if (this.hasBook || this.book.marks !== null) this.book = rescaled(this.book, factor);
    this.minutes.refine(factor);
    this.priceDecimals = decimals;
    this.refined.push({ offset, decimals });
  }

  private scaled(digits: number, decimals: number): number {
    const units = digits * powersOfTen[this.priceDecimals - decimals]!;
    if (units > Number.MAX_SAFE_INTEGER) throw new LineProblem('a price is too large to be exact');
    return units;
  }
}

/** The same book with its price unit divided by a factor. */
function rescaled(book: Book, factor: number): Book {
  const { bids, asks, bidsKnownTo, asksKnownTo, marks, ...stamp } = book.snapshot();
  const scaled = (levels: readonly number[]) => levels.map((value, at) => (at % 2 === 0 ? value * factor : value));
  const known = { bidsKnownTo: bidsKnownTo * factor, asksKnownTo: asksKnownTo * factor };
  const finer = new Book();
  finer.load({ ...stamp, bids: scaled(bids), asks: scaled(asks), ...known });
  if (marks !== undefined)
    finer.takeMarks({ ...marks, mark: marks.mark * factor, index: marks.index === null ? null : marks.index * factor });
  return finer;
}

function checkOrder(levels: Float64Array, first: number, count: number, direction: number, what: string): void {
  for (let i = first + 1; i < first + count; i += 1) {
    const step = (levels[2 * i]! - levels[2 * i - 2]!) * direction;
    if (step === 0) throw new LineProblem(`${what}[${i - first}] repeats a price`);
    if (step < 0)
      throw new LineProblem(`${what}[${i - first}] is better than the level before it: the best level must come first`);
  }
}

function checkDistinct(levels: Float64Array, first: number, count: number, what: string): void {
  if (count < 2) return;
  const prices = new Float64Array(count);
  for (let i = 0; i < count; i += 1) prices[i] = levels[2 * (first + i)]!;
  prices.sort();
  for (let i = 1; i < count; i += 1) if (prices[i] === prices[i - 1]) throw new LineProblem(`${what} repeat a price`);
}

const dayMs = 86_400_000;
const binMs = 10_000;
const binsPerDay = dayMs / binMs;
/** Minimum rate, as a share of the mean rate, so that weights are never all zero. */
const floorShare = 0.1;

/** Lots printed per 10 s of a recording, while it is compiled. Bins count from the Unix epoch. */
class VolumeCount {
  private readonly lots = new Map<number, number>();

  add(time: Ms, lots: number): void {
    const bin = Math.floor(time / binMs);
    this.lots.set(bin, (this.lots.get(bin) ?? 0) + lots);
  }

  /** [bin, lots] pairs, oldest first: prints come in time order. */
  entries(): [number, number][] {
    return [...this.lots];
  }
}

/**
 * The expected volume of a recording as a curve over the UTC day, from its prints so far: their rate at that time of
 * day, or the mean rate at times that it does not cover yet, but at least a tenth of the mean. Flat without prints.
 */
export class VolumeCurve {
  private readonly entries: readonly (readonly [number, number])[];
  /** When the recording starts. */
  private readonly first: Ms;
  /** The end of the last bin in the current curve. */
  private knownUntil: Ms = Number.NaN;
  /** Volume from midnight to the end of each bin. */
  private readonly cumulative = new Float64Array(binsPerDay + 1);

  constructor(entries: readonly (readonly [number, number])[], first: Ms) {
    this.entries = entries;
    this.first = first;
  }

  /** Relative volume in (from, to] from the bins that end by `asOf`; 0 when empty. */
  between(from: Ms, to: Ms, asOf: Ms): number {
    this.learn(Math.floor(asOf / binMs) * binMs);
    return to > from ? this.until(to) - this.until(from) : 0;
  }

  private learn(knownUntil: Ms): void {
    if (knownUntil === this.knownUntil) return;
    this.knownUntil = knownUntil;
    const lots = new Float64Array(binsPerDay);
    let total = 0;
    for (const [bin, size] of this.entries) {
      if (bin * binMs >= knownUntil) break;
      lots[bin % binsPerDay]! += size;
      total += size;
    }
    const coverage = coverageOf(this.first, Math.max(this.first, knownUntil));
    const mean = total > 0 ? total / (knownUntil - this.first) : 1;
    for (let bin = 0; bin < binsPerDay; bin += 1) {
      const rate = total > 0 && coverage[bin]! > 0 ? lots[bin]! / coverage[bin]! : mean;
      const smoothed = (1 - floorShare) * rate + floorShare * mean;
      this.cumulative[bin + 1] = this.cumulative[bin]! + smoothed * binMs;
    }
  }

  private until(time: Ms): number {
    const days = Math.floor(time / dayMs);
    const bin = Math.floor((time - days * dayMs) / binMs);
    const within = (time - days * dayMs - bin * binMs) / binMs;
    const [before, after] = [this.cumulative[bin]!, this.cumulative[bin + 1]!];
    return days * this.cumulative[binsPerDay]! + before + (after - before) * within;
  }
}

/** The number of milliseconds of each bin of the day that the recording covers, over all its days. */
function coverageOf(first: Ms, last: Ms): Float64Array {
  const coverage = new Float64Array(binsPerDay);
  const wholeDays = Math.floor((last - first) / dayMs);
  coverage.fill(wholeDays * binMs);
  for (let time = first + wholeDays * dayMs; time < last; ) {
    const end = Math.min(last, (Math.floor(time / binMs) + 1) * binMs);
    coverage[Math.floor((time % dayMs) / binMs)]! += end - time;
    time = end;
  }
  return coverage;
}
