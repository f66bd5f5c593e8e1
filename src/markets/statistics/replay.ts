import type { Book } from '../../engine/book/book.ts';
import type { Lots, Ms, Price } from '../../engine/model.ts';
import type { PrintEvent } from '../../engine/source.ts';

const minuteMs = 60_000;

/** Compares the prints between two books with what the books show. */
export class Replay {
  lots = 0;
  prints = 0;
  /** Lots at prices that neither neighboring book reaches; prints beyond the displayed touch. */
  beyond = 0;
  through = 0;
  /** Lots that the book before did not display, or no longer after the prints since. */
  missing = 0;
  /** How far a minute's prints go beyond the best prices of its books, at most, in basis points. */
  wick = 0;
  private bid: Price = Number.NaN;
  private ask: Price = Number.NaN;
  private since: { price: Price; size: Lots; side: 1 | -1 }[] = [];
  private readonly taken = new Map<Price, Lots>();
  private minute = Number.NaN;
  private readonly shown = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  private readonly printed = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  takePrint({ price, size, side, time }: PrintEvent, book: Book): void {
    this.pass(time);
    if (Number.isNaN(this.bid)) return;
    const sign = side === 'buy' ? 1 : -1;
    this.prints += 1;
    this.lots += size;
    if (sign > 0 ? price > this.ask : price < this.bid) this.through += 1;
    const own = sign > 0 ? book.asks : book.bids;
    const taken = this.taken.get(sign * price) ?? 0;
    this.missing += Math.max(0, taken + size - Math.max(taken, own.sizeAt(price)));
    this.taken.set(sign * price, taken + size);
    this.since.push({ price, size, side: sign });
    this.printed[0] = Math.min(this.printed[0]!, price);
    this.printed[1] = Math.max(this.printed[1]!, price);
  }

  takeBook(time: Ms, book: Book): void {
    this.pass(time);
    const [bid, ask] = [book.bids.best, book.asks.best];
    const [low, high] = [Math.min(bid, this.bid), Math.max(ask, this.ask)];
    for (const { price, size } of this.since) if (price < low || price > high) this.beyond += size;
    this.since = [];
    this.taken.clear();
    this.bid = bid;
    this.ask = ask;
    this.show();
  }

  private show(): void {
    if (this.bid < this.shown[0]!) this.shown[0] = this.bid;
    if (this.ask > this.shown[1]!) this.shown[1] = this.ask;
  }

  private pass(time: Ms): void {
    const minute = Math.floor(time / minuteMs);
    if (minute === this.minute) return;
    this.minute = minute;
    const beyond = Math.max(this.printed[1]! / this.shown[1]!, this.shown[0]! / this.printed[0]!) - 1;
    if (Number.isFinite(beyond)) this.wick = Math.max(this.wick, beyond * 1e4);
    this.shown[0] = this.printed[0] = Number.POSITIVE_INFINITY;
    this.shown[1] = this.printed[1] = Number.NEGATIVE_INFINITY;
    this.show();
  }
}
