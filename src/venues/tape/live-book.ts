import { BookSide, LevelChanges } from '../../exchange/engine/book/book.ts';
import type { MarketDefinition } from '../../exchange/engine/model.ts';
import { decimalText, Levels, readLevels } from './level-text.ts';

/** The levels of both sides as a recording has them: `[["61800.2","2.909"],...]`. */
export interface LevelTexts {
  bids: string;
  asks: string;
}

/** Whether there are no levels on either side. */
export function isEmptyBook({ bids, asks }: LevelTexts): boolean {
  return bids === '[]' && asks === '[]';
}

/** An update's addition to the recording: a full book, changed levels, or nothing while the book is crossed. */
type BookChange = ({ kind: 'book' | 'delta' } & LevelTexts) | null;

/**
 * A market's book as reported by its venue, in price units and lots. Returns every change in the form that a recording
 * needs: each price once, full books best level first and without empty levels. The venue's text is kept where it
 * already has that form. While bids and asks are crossed, changes are held until the update that uncrosses the book.
 */
export class LiveBook {
  readonly bids = new BookSide(1);
  readonly asks = new BookSide(-1);
  private readonly definition: MarketDefinition;
  private readonly bidLevels = new Levels();
  private readonly askLevels = new Levels();
  private readonly changes = new LevelChanges();
  /** Prices changed since the book crossed; null if it is not crossed. */
  private held: { kind: 'book' | 'delta'; bids: Set<number>; asks: Set<number> } | null = null;

  constructor(definition: MarketDefinition) {
    this.definition = definition;
  }

  /** Whether changes are held back because bids and asks cross. */
  get isCrossed(): boolean {
    return this.held !== null;
  }

  /**
   * Applies a message. Throws a LineProblem, and leaves the book unchanged, if its levels are not numbers on the
   * market's grid.
   */
  take(kind: 'book' | 'delta', { bids, asks }: LevelTexts): BookChange {
    const { priceDecimals, sizeDecimals } = this.definition;
    readLevels(bids, priceDecimals, sizeDecimals, this.bidLevels);
    readLevels(asks, priceDecimals, sizeDecimals, this.askLevels);
    const isPlain = kind === 'book' ? this.replace() : this.update();
    if (this.bids.best >= this.asks.best) {
      this.hold(kind);
      return null;
    }
    const { held } = this;
    if (held !== null) {
      this.hold(kind);
      this.held = null;
      return held.kind === 'book' ? this.full() : this.since(held);
    }
    if (isPlain) return { kind, bids, asks };
    return kind === 'book'
      ? this.full()
      : this.since({ bids: pricesOf(this.bidLevels), asks: pricesOf(this.askLevels) });
  }

  /** The whole book in the form that a recording needs. */
  full(): { kind: 'book' } & LevelTexts {
    return { kind: 'book', bids: this.text(this.bids), asks: this.text(this.asks) };
  }

  /** Its best levels as text. */
  top(levels: number): string {
    const side = ({ count, prices, sizes }: BookSide) =>
      Array.from({ length: Math.min(levels, count) }, (_, at) => `${prices[count - 1 - at]} ${sizes[count - 1 - at]}`);
    return `${side(this.bids).join(' ')} | ${side(this.asks).join(' ')}`;
  }

  /** Whether the best levels are exactly these, on as many levels of each side as are given. Throws as `take` does. */
  startsWith({ bids, asks }: LevelTexts): boolean {
    const { priceDecimals, sizeDecimals } = this.definition;
    readLevels(bids, priceDecimals, sizeDecimals, this.bidLevels);
    readLevels(asks, priceDecimals, sizeDecimals, this.askLevels);
    return isTopOf(this.bids, this.bidLevels) && isTopOf(this.asks, this.askLevels);
  }

  /** Loads both sides from a full message; returns whether the recording can keep its text. */
  private replace(): boolean {
    const isPlain = [this.bidLevels, this.askLevels].every((levels) => levels.isOrdered && !levels.hasEmpty);
    const isSorted = isPlain && isBestFirst(this.bidLevels, 1) && isBestFirst(this.askLevels, -1);
    this.changes.clear();
    if (isSorted) {
      this.bids.replace(this.bidLevels.flat, this.bidLevels.count, this.changes);
      this.asks.replace(this.askLevels.flat, this.askLevels.count, this.changes);
    } else {
      this.bids.replace([], 0, this.changes);
      this.asks.replace([], 0, this.changes);
      this.applyLevels();
    }
    return isSorted;
  }

  private update(): boolean {
    this.changes.clear();
    this.applyLevels();
    return this.bidLevels.isOrdered && this.askLevels.isOrdered;
  }

  private applyLevels(): void {
    this.bids.applyDelta(this.bidLevels.flat, this.bidLevels.count, this.changes);
    this.asks.applyDelta(this.askLevels.flat, this.askLevels.count, this.changes);
  }

  /** Records what the message changed, for when the book uncrosses. */
  private hold(kind: 'book' | 'delta'): void {
    this.held ??= { kind, bids: new Set(), asks: new Set() };
    if (kind === 'book') this.held.kind = 'book';
    for (const price of pricesOf(this.bidLevels)) this.held.bids.add(price);
    for (const price of pricesOf(this.askLevels)) this.held.asks.add(price);
  }

  /** The current levels at these prices, with size 0 where nothing is left. */
  private since({ bids, asks }: { bids: Set<number>; asks: Set<number> }): { kind: 'delta' } & LevelTexts {
    const levels = (side: BookSide, prices: Set<number>) =>
      listText([...prices].map((price) => this.level(price, side.sizeAt(price))));
    return { kind: 'delta', bids: levels(this.bids, bids), asks: levels(this.asks, asks) };
  }

  private text(side: BookSide): string {
    const levels: string[] = [];
    for (let at = side.count - 1; at >= 0; at -= 1) levels.push(this.level(side.prices[at]!, side.sizes[at]!));
    return listText(levels);
  }

  private level(price: number, size: number): string {
    const { priceDecimals, sizeDecimals } = this.definition;
    return `["${decimalText(price, priceDecimals)}","${decimalText(size, sizeDecimals)}"]`;
  }
}

function listText(levels: readonly string[]): string {
  return `[${levels.join(',')}]`;
}

function pricesOf({ flat, count }: Levels): Set<number> {
  const prices = new Set<number>();
  for (let at = 0; at < count; at += 1) prices.add(flat[2 * at]!);
  return prices;
}

/** Whether levels are in strict order, best first. `sign` is 1 for bids, -1 for asks. */
function isBestFirst({ flat, count }: Levels, sign: 1 | -1): boolean {
  return count < 2 || sign * (flat[0]! - flat[2]!) > 0;
}

function isTopOf(side: BookSide, { flat, count }: Levels): boolean {
  if (count > side.count) return false;
  for (let at = 0; at < count; at += 1) {
    const index = side.count - 1 - at;
    if (side.prices[index] !== flat[2 * at] || side.sizes[index] !== flat[2 * at + 1]) return false;
  }
  return true;
}
