import { BookSide } from '../recorded/book-side.ts';
import { DecimalText, powersOfTen } from '../recorded/decimal-text.ts';
import { LineProblem } from '../recorded/recording-error.ts';
import type { Level, Tally, VenueBook, VenueEvent } from './venue.ts';

/** Finest price and size seen, in decimals. */
export interface Fineness {
  price: number;
  size: number;
}

/**
 * Makes venue events what a recording asks for: prints only once there is a book, full books sorted and without empty
 * levels, no price twice in one message, no print of nothing, and no crossed book: while one is, its changes are held
 * back and come with the update that uncrosses it, as a full book. What that leaves out is counted; `finest` grows
 * with what is seen.
 */
export class Tidy {
  readonly finest: Fineness = { price: 0, size: 0 };
  private readonly tally: Tally;
  private readonly text = new DecimalText();
  private readonly bids = new TextSide('bid');
  private readonly asks = new TextSide('ask');
  private started = false;
  /** Messages held back since the book crossed. */
  private held = 0;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  /** The event as it may stand in a recording; null: not at all. */
  take(event: VenueEvent): VenueEvent | null {
    if (event.kind !== 'print') return this.takeBook(event);
    const size = this.value(event.size, 'size', 'the size of a trade');
    const price = this.value(event.price, 'price', 'the price of a trade');
    if (size > 0 && price > 0 && this.started) return event;
    this.tally.add(this.started ? 'trades of size or price 0' : 'trades before the first book');
    return null;
  }

  /** To be called after the last event. */
  end(): void {
    this.tally.add('messages that left the book crossed, left out', this.held);
  }

  private takeBook(event: VenueBook): VenueBook | null {
    if (event.kind === 'book') {
      this.bids.clear();
      this.asks.clear();
    }
    const bids = this.apply(this.bids, event.bids, event.kind);
    const asks = this.apply(this.asks, event.asks, event.kind);
    if (this.isCrossed()) {
      this.held += 1;
      return null;
    }
    const full = event.kind === 'book' || this.held > 0;
    const fate = event.kind === 'book' ? 'left out' : 'joined to the next';
    this.tally.add(`messages that left the book crossed, ${fate}`, this.held);
    this.held = 0;
    this.started = true;
    if (full) return { kind: 'book', time: event.time, bids: this.bids.levels(), asks: this.asks.levels() };
    if (bids.length === 0 && asks.length === 0) {
      this.tally.add('updates that change nothing');
      return null;
    }
    return { kind: 'delta', time: event.time, bids, asks };
  }

  /** Sets a message's levels; what it comes to, each price once. */
  private apply(side: TextSide, levels: readonly Level[], kind: 'book' | 'delta'): readonly Level[] {
    const distinct = new Map<number, Level>();
    for (const level of levels) {
      const price = this.value(level[0], 'price', 'a price');
      const size = this.value(level[1], 'size', 'a size');
      if (price === 0) throw new LineProblem('a level has price 0');
      if (size === 0 && kind === 'book') this.tally.add('levels of size 0 in full books');
      side.set(price, size, level);
      distinct.set(price, level);
    }
    if (distinct.size === levels.length) return levels;
    this.tally.add('levels named twice in one message', levels.length - distinct.size);
    return [...distinct.values()];
  }

  private value(text: string, of: keyof Fineness, what: string): number {
    this.text.read(text, what);
    this.finest[of] = Math.max(this.finest[of], this.text.decimals);
    return this.text.digits / powersOfTen[this.text.decimals]!;
  }

  private isCrossed(): boolean {
    const [bid, ask] = [this.bids.order.best(), this.asks.order.best()];
    return bid !== null && ask !== null && bid >= ask;
  }
}

/** A side of the book that remembers how the venue wrote its levels. */
class TextSide {
  readonly order: BookSide;
  private readonly texts = new Map<number, Level>();

  constructor(side: 'bid' | 'ask') {
    this.order = new BookSide(side);
  }

  clear(): void {
    this.order.clear();
    this.texts.clear();
  }

  set(price: number, size: number, level: Level): void {
    this.order.set(price, size);
    if (size > 0) this.texts.set(price, level);
    else this.texts.delete(price);
  }

  /** All levels, best first. */
  levels(): Level[] {
    const flat: number[] = [];
    this.order.write(flat, 0);
    return flat.filter((_, i) => i % 2 === 0).map((price) => this.texts.get(price)!);
  }
}
