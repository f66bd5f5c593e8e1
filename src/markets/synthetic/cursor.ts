import type { Ms } from '../../engine/model.ts';
import type { BookEvent, MarketEvent, PrintEvent, PrintInterest } from '../../engine/source.ts';
import type { SyntheticMarket } from './market.ts';
import type { Minute } from './minute.ts';
import type { MinutePrints } from './minute-prints.ts';
import { bookTime, slotOf, slotsPerMinute } from './slots.ts';

/** The order of a slot's events: prints, its book, more prints. */
const before = 0;
const book = 1;
const after = 2;

/**
 * Plays one market forward. Prints are generated only for minutes in which one may matter. The next event is searched
 * for only when it is requested, because what matters may change until then.
 */
export class SyntheticCursor {
  private readonly market: SyntheticMarket;
  private readonly interest: PrintInterest | null;
  private readonly minute: Minute;
  private readonly prints: MinutePrints;
  /**
   * The cursor's position: a slot, a part of it, and the index of the print to continue from (-1: the part's first).
   */
  private slot: number;
  private part = before;
  private index = -1;
  /** Events up to this time are past. */
  private past: Ms;
  /** The next event: its time, part and index; NaN until it is found. */
  private foundTime = Number.NaN;
  private foundSlot = 0;
  private foundPart = book;
  private foundIndex = 0;
  /** The interest for which it was found. */
  private buys = 0;
  private sells = 0;
  private readonly bookEvent: BookEvent & { bids: Float64Array; asks: Float64Array };
  private readonly printEvent: PrintEvent;

  /** Moves to just after `from`: the next event is the first one later than it. */
  constructor(market: SyntheticMarket, from: Ms, interest: PrintInterest | null) {
    this.market = market;
    this.interest = interest;
    this.minute = market.minute;
    this.prints = market.prints;
    this.past = from;
    this.slot = Math.max(0, slotOf(from));
    const { marketId } = market.definition;
    this.bookEvent = { kind: 'book', marketId, time: 0, sequence: 0, ...market.newLevels() };
    this.printEvent = { kind: 'print', marketId, time: 0, price: 0, size: 0, side: 'buy' };
  }

  /** Time of the event `next` will return. */
  get nextTime(): Ms {
    this.find();
    return this.foundTime;
  }

  /** Skips events up to `until`. */
  passTo(until: Ms): void {
    if (until > this.past) this.past = until;
    if (this.foundTime <= until) this.foundTime = Number.NaN;
  }

  /** The event at `nextTime`; the next call reuses its arrays. */
  next(): MarketEvent {
    this.find();
    this.slot = this.foundSlot;
    this.part = this.foundPart === book ? after : this.foundPart;
    this.index = this.foundPart === book ? -1 : this.foundIndex + 1;
    const time = this.foundTime;
    this.foundTime = Number.NaN;
    return this.foundPart === book ? this.writeBook(time) : this.writePrint(time);
  }

  /** Finds the next event from the current position. */
  private find(): void {
    const { interest } = this;
    if (interest !== null && (interest.buys !== this.buys || interest.sells !== this.sells)) {
      this.buys = interest.buys;
      this.sells = interest.sells;
      this.foundTime = Number.NaN;
    }
    if (!Number.isNaN(this.foundTime)) return;
    let { slot, part, index } = this;
    for (;;) {
      const place = slot % slotsPerMinute;
      this.minute.load((slot - place) / slotsPerMinute);
      if (part === book) {
        const time = bookTime(this.market.timing, slot);
        if (time > this.past) {
          this.found(slot, book, 0, time);
          return;
        }
      } else if (this.mayMatter(place)) {
        const found = this.findPrint(slot, place, part, index);
        if (found >= 0) {
          this.found(slot, part, found, this.prints.times[found]!);
          return;
        }
      }
      index = -1;
      if (part === after) {
        slot += 1;
        part = before;
      } else part += 1;
    }
  }

  private found(slot: number, part: number, index: number, time: Ms): void {
    this.foundSlot = slot;
    this.foundPart = part;
    this.foundIndex = index;
    this.foundTime = time;
  }

  /** Whether any print of the slot may matter. */
  private mayMatter(place: number): boolean {
    if (this.interest === null) return true;
    const { minute, market } = this;
    const { gridStep } = market;
    const { margin } = market.scale;
    return (
      (minute.lowest[place]! - margin) * gridStep <= this.buys ||
      (minute.highest[place]! + 1 + margin) * gridStep >= this.sells
    );
  }

  /** The first print of a part of a slot, from `index` on, that matters; -1: none. */
  private findPrint(slot: number, place: number, part: number, index: number): number {
    const { prints, interest } = this;
    const { gridStep } = this.market;
    prints.load((slot - place) / slotsPerMinute);
    const first = part === before ? prints.firstOf[place]! : prints.afterBook[place]!;
    const end = part === before ? prints.afterBook[place]! : prints.firstOf[place + 1]!;
    for (let at = Math.max(first, index); at < end; at += 1) {
      if (prints.times[at]! <= this.past) continue;
      if (interest === null) return at;
      const price = prints.prices[at]! * gridStep;
      if (price >= this.sells || price <= this.buys) return at;
    }
    return -1;
  }

  private writeBook(time: Ms): BookEvent {
    this.market.writeBook(this.slot, this.bookEvent);
    this.bookEvent.time = time;
    this.bookEvent.sequence = this.slot;
    return this.bookEvent;
  }

  private writePrint(time: Ms): PrintEvent {
    const { printEvent, prints, foundIndex } = this;
    prints.load(Math.floor(this.slot / slotsPerMinute));
    printEvent.time = time;
    printEvent.price = prints.prices[foundIndex]! * this.market.gridStep;
    printEvent.size = prints.lots[foundIndex]!;
    printEvent.side = prints.buys[foundIndex] === 1 ? 'buy' : 'sell';
    return printEvent;
  }
}
