import { BookSide, LevelChanges } from '../../exchange/engine/book/book.ts';
import { DecimalText, powersOfTen } from '../../exchange/markets/recorded/decimal-text.ts';
import { checkTime } from '../../exchange/markets/recorded/line.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import type { Level, ShownEvent, Tally, VenueBook, VenueMarks } from '../tape/venue-events.ts';

/** The largest number of decimals seen in prices and sizes. */
export interface Precision {
  price: number;
  size: number;
}

/**
 * Turns venue events into valid events of a recording: no prints before the first book, full books sorted and without
 * empty levels, no price twice in one message, no print of size zero, and no crossed book. While the book is crossed,
 * changes are held back until the update that uncrosses it. Omissions are counted; `finest` grows with the data.
 */
export class Tidy {
  readonly finest: Precision = { price: 0, size: 0 };
  private readonly tally: Tally;
  private readonly text = new DecimalText();
  private readonly bids = new TextSide(1);
  private readonly asks = new TextSide(-1);
  private started: boolean;
  /** Messages held back since the book crossed, and whether one of them was a full book. */
  private held = 0;
  private heldBook = false;

  /** `printsOnly`: there are no books to wait for. */
  constructor(tally: Tally, printsOnly: boolean) {
    this.tally = tally;
    this.started = printsOnly;
  }

  /** The event for the recording; null if it is omitted. */
  take(event: ShownEvent): ShownEvent | null {
    checkTime(event.time);
    if (event.kind === 'marks') return this.takeMarks(event);
    if (event.kind !== 'print') return this.takeBook(event);
    const size = this.value(event.size, 'size', 'the size of a trade');
    const price = this.value(event.price, 'price', 'the price of a trade');
    if (size > 0 && price > 0 && this.started) return event;
    this.tally.add(this.started ? 'trades of size or price 0' : 'trades before the first book');
    return null;
  }

  /** Call after the last event. */
  end(): void {
    this.tally.add('messages that left the book crossed, skipped', this.held);
  }

  get bestBid(): number {
    return this.bids.best;
  }

  get bestAsk(): number {
    return this.asks.best;
  }

  /** The book as it is now, best level first, as price, size, price, size ... of each side. */
  book(): { bids: number[]; asks: number[] } {
    return { bids: this.bids.flat(), asks: this.asks.flat() };
  }

  private takeMarks(event: VenueMarks): VenueMarks | null {
    for (const price of [event.mark, event.index]) if (price !== null) this.text.read(price, "the venue's own price");
    if (this.started) return event;
    this.tally.add("the venue's own prices before the first book");
    return null;
  }

  private takeBook({ kind, time, ...levels }: VenueBook): VenueBook | null {
    const isFull = kind === 'book' || this.heldBook;
    this.apply(this.bids, levels.bids, kind);
    this.apply(this.asks, levels.asks, kind);
    if (this.bids.best >= this.asks.best) {
      this.held += 1;
      this.heldBook = isFull;
      return null;
    }
    if (kind === 'book') this.tally.add('messages that left the book crossed, skipped', this.held);
    else this.tally.notice('messages that left the book crossed, combined with the next', this.held);
    this.held = 0;
    this.heldBook = false;
    this.started = true;
    if (isFull) return { kind: 'book', time, bids: this.bids.takeBook(), asks: this.asks.takeBook() };
    const [bids, asks] = [this.bids.takeChanges(), this.asks.takeChanges()];
    if (bids.length > 0 || asks.length > 0) return { kind, time, bids, asks };
    this.tally.add('updates that change nothing');
    return null;
  }

  /** Sets a message's levels. */
  private apply(side: TextSide, levels: readonly Level[], kind: 'book' | 'delta'): void {
    if (kind === 'book') side.clear();
    const prices = new Set<number>();
    for (const level of levels) {
      const price = this.value(level[0], 'price', 'a price');
      const size = this.value(level[1], 'size', 'a size');
      if (price === 0) throw new LineProblem('a level has price 0');
      if (size === 0 && kind === 'book') this.tally.add('levels of size 0 in full books');
      side.set(price, size, level);
      prices.add(price);
    }
    if (kind === 'book') side.close();
    this.tally.add('levels that occur twice in one message', levels.length - prices.size);
  }

  private value(text: string, of: keyof Precision, what: string): number {
    this.text.read(text, what);
    this.finest[of] = Math.max(this.finest[of], this.text.decimals);
    return this.text.digits / powersOfTen[this.text.decimals]!;
  }
}

/** A side of the book that keeps the text of its levels. */
export class TextSide {
  private readonly order: BookSide;
  private readonly texts = new Map<number, Level>();
  /** Levels set since they were last read, by price. */
  private readonly changed = new Map<number, Level>();
  private readonly differences = new LevelChanges();

  constructor(sign: 1 | -1) {
    this.order = new BookSide(sign);
  }

  get best(): number {
    return this.order.best;
  }

  /** The level at a price. */
  at(price: number): Level | undefined {
    return this.texts.get(price);
  }

  /** Starts a full book. */
  clear(): void {
    this.order.replace([], 0, this.differences);
    this.texts.clear();
    this.changed.clear();
  }

  set(price: number, size: number, level: Level): void {
    this.differences.clear();
    this.order.applyDelta([price, size], 1, this.differences);
    if (size > 0) this.texts.set(price, level);
    else this.texts.delete(price);
    this.changed.set(price, level);
  }

  /** Ends a full book: nothing is known beyond its last level. */
  close(): void {
    this.order.knownTo = this.order.count === 0 ? Number.NaN : this.order.prices[0]!;
  }

  /** Prices and sizes, best level first. */
  flat(): number[] {
    const flat: number[] = [];
    this.order.write(flat);
    return flat;
  }

  /** The levels set since the last call. */
  takeChanges(): Level[] {
    const levels = [...this.changed.values()];
    this.changed.clear();
    return levels;
  }

  /** The known book, best level first: a level set farther away would make it seem to reach that far. */
  takeBook(): Level[] {
    this.changed.clear();
    const { sign, knownTo } = this.order;
    const prices = this.flat().filter((price, at) => at % 2 === 0 && sign * price >= sign * knownTo);
    return prices.map((price) => this.texts.get(price)!);
  }
}
