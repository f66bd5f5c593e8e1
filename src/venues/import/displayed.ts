import { DecimalText, powersOfTen } from '../../exchange/markets/recorded/decimal-text.ts';
import { decimalText } from '../tape/level-text.ts';
import type { Level, ShownEvent, Tally, VenueBook, VenueEvent, VenuePrint, VenueTouch } from '../tape/venue-events.ts';
import { TextSide } from './tidy.ts';

/**
 * The book that a venue displayed between two depth updates: the best prices from its stream of best prices, and the
 * depth minus what prints took. The next depth update is authoritative again.
 */
export class Displayed {
  private readonly bids = new ShownSide(1);
  private readonly asks = new ShownSide(-1);
  private readonly tally: Tally;
  /** Nothing is displayed before the first full book. */
  private started = false;
  /** Id and time of the latest best prices. */
  private bookId = Number.NEGATIVE_INFINITY;
  private touch: VenueTouch | null = null;
  private updatedAt = Number.NEGATIVE_INFINITY;

  constructor(tally: Tally) {
    this.tally = tally;
  }

  /** The event as shown, with the book changes that follow from it. */
  take(event: VenueEvent): ShownEvent[] {
    if (event.kind === 'marks') return [event];
    if (event.kind === 'loss') return this.lose();
    if (event.kind === 'touch') return this.takeTouch(event);
    if (event.kind === 'print') return [event, ...this.takePrint(event)];
    return this.takeBook(event);
  }

  private takeBook(event: VenueBook): VenueBook[] {
    this.started ||= event.kind === 'book';
    this.bookId = event.id ?? this.bookId;
    this.updatedAt = event.time;
    const { bids, asks } = this;
    if (event.kind === 'book') for (const side of [bids, asks]) side.clear();
    const bidsAgain = bids.apply(event.bids);
    const asksAgain = asks.apply(event.asks);
    const isPlain = bidsAgain.length + asksAgain.length === 0;
    const complete = isPlain
      ? event
      : { ...event, bids: [...event.bids, ...bidsAgain], asks: [...event.asks, ...asksAgain] };
    if (this.touch === null || this.touch.id <= this.bookId) return [complete];
    this.show(this.touch);
    return [complete, ...this.changesAt(event.time)];
  }

  /** Stops adjusting the displayed book until it is known again. */
  private lose(): [] {
    this.started = false;
    this.touch = null;
    return [];
  }

  private takeTouch(touch: VenueTouch): VenueBook[] {
    if (!this.started || touch.id <= this.bookId || touch.id <= (this.touch?.id ?? Number.NEGATIVE_INFINITY)) {
      this.tally.add('best prices that a depth update already contained');
      return [];
    }
    this.touch = touch;
    this.updatedAt = touch.time;
    this.show(touch);
    return this.changesAt(touch.time);
  }

  /** Subtracts a print from the book, unless an update of the same millisecond may already include it. */
  private takePrint({ time, price, size, side }: VenuePrint): VenueBook[] {
    if (!this.started || time <= this.updatedAt) return [];
    (side === 'buy' ? this.asks : this.bids).trade(price, size);
    return this.changesAt(time);
  }

  private show({ bid, ask }: VenueTouch): void {
    this.bids.showBest(bid);
    this.asks.showBest(ask);
  }

  private changesAt(time: number): VenueBook[] {
    const [bids, asks] = [this.bids.takeChanges(), this.asks.takeChanges()];
    return bids.length + asks.length === 0 ? [] : [{ kind: 'delta', time, bids, asks }];
  }
}

/** One side: the depth, and its displayed part. */
class ShownSide {
  private readonly sign: 1 | -1;
  /** What is displayed, with the changes not yet passed on. */
  private readonly shown: TextSide;
  /** By price: the levels in the depth. */
  private readonly levels = new Map<number, Level>();
  /** Prices at which the two differ, with their text. */
  private readonly apart = new Map<number, string>();
  private readonly text = new DecimalText();

  constructor(sign: 1 | -1) {
    this.sign = sign;
    this.shown = new TextSide(sign);
  }

  clear(): void {
    for (const part of [this.levels, this.shown, this.apart]) part.clear();
  }

  /** Applies a depth update; levels that it does not mention are displayed as in the depth again. */
  apply(levels: readonly Level[]): Level[] {
    for (const level of levels) {
      const price = this.valueOf(level[0], 'a price');
      if (this.valueOf(level[1], 'a size') > 0) this.levels.set(price, level);
      else this.levels.delete(price);
      this.apart.delete(price);
      this.put(price, level);
    }
    const again = [...this.apart].map(([price, text]): Level => this.levels.get(price) ?? [text, '0']);
    for (const level of again) this.put(this.valueOf(level[0], 'a price'), level);
    this.apart.clear();
    this.shown.takeChanges();
    return again;
  }

  /** Sets the best level; nothing better is displayed. */
  showBest(best: Level): void {
    const price = this.valueOf(best[0], 'a best price');
    this.removeBetter(price);
    if (this.shown.at(price)?.[1] !== best[1]) this.override(price, best);
  }

  /** A print removes all better levels, and its size at its own price. */
  trade(priceText: string, sizeText: string): void {
    const price = this.valueOf(priceText, 'the price of a trade');
    this.removeBetter(price);
    const level = this.shown.at(price);
    if (level !== undefined) this.override(price, [level[0], this.less(level[1], sizeText)]);
  }

  takeChanges(): Level[] {
    return this.shown.takeChanges();
  }

  private removeBetter(price: number): void {
    while (this.sign * this.shown.best > this.sign * price) {
      const { best } = this.shown;
      this.override(best, [this.shown.at(best)![0], '0']);
    }
  }

  private override(price: number, level: Level): void {
    this.apart.set(price, level[0]);
    this.put(price, level);
  }

  private put(price: number, level: Level): void {
    this.shown.set(price, this.valueOf(level[1], 'a size'), level);
  }

  /** Subtracts a size from another, as text; at least 0. */
  private less(one: string, other: string): string {
    this.text.read(other, 'the size of a trade');
    const [digits, decimals] = [this.text.digits, this.text.decimals];
    this.text.read(one, 'a size');
    const finest = Math.max(decimals, this.text.decimals);
    const left = this.text.units(finest, 'a size') - digits * powersOfTen[finest - decimals]!;
    return left <= 0 ? '0' : decimalText(left, finest);
  }

  private valueOf(text: string, what: string): number {
    this.text.read(text, what);
    return this.text.digits / powersOfTen[this.text.decimals]!;
  }
}
