import type { MarketDefinition } from '../../exchange/engine/model.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import { readDecimal } from '../tape/level-text.ts';
import type { GapPrints, HistoryKnown, TapePrint, Trade } from '../tape/tape-lines.ts';

/** Ids remembered to detect duplicate prints. */
const keptIds = 4096;
/** Maximum number of prints held for the end of a gap; older ones are dropped. */
const maxHeld = 20_000;

/**
 * A market's prints. Each is counted once, regardless of its source; numbering reveals missing ones; prints in a gap
 * are held until it ends.
 */
export class Prints {
  /** Number of the last print since the stream started; null if there is none, or if prints are not numbered. */
  lastNumber: number | null = null;
  /** The number after which none may be missing; null before the first, or if prints are not numbered. */
  baseNumber: number | null = null;
  /** Prints skipped because their price, size or time does not fit the market; and why the last one was. */
  misfits = 0;
  misfit = '';
  private readonly numbers = new NumberRanges();
  private ids = new Set<string>();
  private olderIds = new Set<string>();
  private held: TapePrint[] = [];
  private hasGivenUp = false;
  private readonly definition: MarketDefinition;

  constructor(definition: MarketDefinition) {
    this.definition = definition;
  }

  /** The highest number of all prints; null if there is none, or if they are not numbered. */
  get highestNumber(): number | null {
    return this.numbers.highest;
  }

  /**
   * Takes a print from the stream. Returns whether it is new for the tape, and the number after which prints before it
   * are missing (null if none are).
   */
  take(trade: Trade): { isNew: boolean; missingAfter: number | null } {
    const { number } = trade;
    const last = this.lastNumber;
    const isNew = this.learn(trade) && this.counts(trade);
    if (number === null) return { isNew, missingAfter: null };
    this.lastNumber = Math.max(last ?? 0, number);
    this.baseNumber ??= number;
    return { isNew, missingAfter: last !== null && number > last + 1 ? last : null };
  }

  /** Remembers earlier prints, by their ids or numbers. */
  resume(ids: readonly string[], areNumbered: boolean): void {
    for (const id of ids) {
      if (areNumbered) this.numbers.add(Number(id), Number(id));
      else this.learnId(id);
    }
  }

  /** Takes a print from the venue's history; returns whether it is new for the tape. */
  takePast(trade: Trade): boolean {
    return this.learn(trade) && this.counts(trade);
  }

  hold(print: TapePrint): void {
    this.held.push(print);
    if (this.held.length <= maxHeld) return;
    this.held.splice(0, maxHeld / 2);
    this.hasGivenUp = true;
  }

  /** Returns and clears the held prints. If all of the gap's prints are known, the ones that prove it belong to it. */
  release(history: HistoryKnown, isCovered: (id: string) => boolean = () => true): GapPrints {
    const held = this.held.sort(
      (one, other) => one.madeAt - other.madeAt || (one.trade.number ?? 0) - (other.trade.number ?? 0),
    );
    const isOfGap = ({ trade }: TapePrint) => history !== 'whole' || isCovered(trade.id);
    const [prints, since] = [held.filter(isOfGap), held.filter((print) => !isOfGap(print))];
    this.held = [];
    const isPart = this.hasGivenUp && history === 'whole';
    this.hasGivenUp = false;
    return { prints, since, history: isPart ? 'part' : history };
  }

  /** Whether a print has been taken: for one that stands for several trades, any of them. */
  isKnown({ id, number, firstNumber }: Trade): boolean {
    if (number === null) return this.ids.has(id) || this.olderIds.has(id);
    return this.numbers.meets(firstNumber ?? number, number) || number < (this.numbers.lowest ?? number);
  }

  /** Ids of the last prints, if they are not numbered. */
  get knownIds(): Set<string> {
    return new Set([...this.ids, ...this.olderIds]);
  }

  /** Whether no number is missing after this one, up to the highest. */
  isCompleteAfter(number: number): boolean {
    return this.numbers.covers(number + 1, this.numbers.highest ?? number);
  }

  /**
   * Remembers a print; returns whether it is new. A print that stands for several trades is known if any of them is.
   */
  private learn({ id, number, firstNumber }: Trade): boolean {
    if (number === null) return this.learnId(id);
    const from = firstNumber ?? number;
    if (this.numbers.meets(from, number)) return false;
    this.numbers.add(from, number);
    return true;
  }

  private learnId(id: string): boolean {
    if (this.ids.has(id) || this.olderIds.has(id)) return false;
    this.ids.add(id);
    if (this.ids.size >= keptIds) {
      this.olderIds = this.ids;
      this.ids = new Set();
    }
    return true;
  }

  /** Whether a print comes from the book, has a size, and was made at a time. */
  private counts({ price, size, time, isOffBook }: Trade): boolean {
    if (isOffBook) return false;
    if (time <= 0) return this.skip('a print has no time');
    try {
      const { priceDecimals, sizeDecimals } = this.definition;
      return readDecimal(price, priceDecimals) > 0 && readDecimal(size, sizeDecimals) > 0;
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      return this.skip(`a print does not fit: ${error.message}`);
    }
  }

  private skip(why: string): false {
    this.misfits += 1;
    this.misfit = why;
    return false;
  }
}

/** Maximum number of ranges; beyond it, the lowest is dropped. */
const maxRanges = 256;

/** A set of whole numbers, stored as ranges: for numbers that mostly count up. */
class NumberRanges {
  /** Ascending; no two ranges are adjacent. */
  private readonly ranges: { from: number; to: number }[] = [];

  /** Whether any number in from..to has been added. */
  meets(from: number, to: number): boolean {
    for (let at = this.ranges.length - 1; at >= 0; at -= 1) {
      const range = this.ranges[at]!;
      if (range.to < from) return false;
      if (range.from <= to) return true;
    }
    return false;
  }

  /** Whether every number in from..to has been added. */
  covers(from: number, to: number): boolean {
    return to < from || this.ranges.some((range) => range.from <= from && to <= range.to);
  }

  /** Adds the numbers from..to. */
  add(from: number, to: number): void {
    let at = this.ranges.length;
    while (at > 0 && this.ranges[at - 1]!.to >= from - 1) at -= 1;
    let [low, high, joined] = [from, to, 0];
    while (at + joined < this.ranges.length && this.ranges[at + joined]!.from <= to + 1) {
      low = Math.min(low, this.ranges[at + joined]!.from);
      high = Math.max(high, this.ranges[at + joined]!.to);
      joined += 1;
    }
    this.ranges.splice(at, joined, { from: low, to: high });
    if (this.ranges.length > maxRanges) this.ranges.shift();
  }

  /** The lowest number that is remembered; null if there is none. */
  get lowest(): number | null {
    return this.ranges[0]?.from ?? null;
  }

  /** The highest number added; null if there is none. */
  get highest(): number | null {
    return this.ranges.at(-1)?.to ?? null;
  }
}
