import type { Book } from '../../engine/book/book.ts';
import type { Lots, Ms, Price } from '../../engine/model.ts';
import type { PrintEvent } from '../../engine/source.ts';
import { Tally } from './tally.ts';

/** Distances from the touch, in basis points, and how long a filled order's position is held. */
const distances = [0, 2, 5, 10, 20, 30, 40, 60, 100];
const holdsMs = [1000, 5000, 30_000, 300_000];
/** An order that does not chase is placed again after this time. */
const restMs = 60_000;

/** A small order resting at a distance from the best price of its side. */
interface Resting {
  sign: 1 | -1;
  distance: number;
  /** Whether it follows every book. */
  chases: boolean;
  price: Price;
  queue: Lots;
  placedAt: Ms;
}

/**
 * The profit of small resting orders: bought and sold at every distance from the touch, closed at market some time
 * later, in basis points after fees. Cells are named by kind, distance and time held.
 */
export class RestingResults {
  readonly cells = new Map<string, Tally>();
  private readonly orders: Resting[] = [];
  /** Filled orders that wait to be closed, in order of time, for each time held. */
  private readonly held: { at: Ms; sign: number; price: Price; tallies: Tally }[][] = holdsMs.map(() => []);
  private readonly done = holdsMs.map(() => 0);
  private readonly fees: number;

  /** `feeBps`: of one fill. */
  constructor(feeBps: number) {
    this.fees = 2 * feeBps;
    for (const sign of [1, -1] as const)
      for (const distance of distances)
        for (const chases of [true, false])
          this.orders.push({ sign, distance, chases, price: Number.NaN, queue: 0, placedAt: 0 });
  }

  /** Closes the positions that are due before an event at `time`. */
  pass(time: Ms, book: Book): void {
    for (let i = 0; i < holdsMs.length; i += 1) {
      const held = this.held[i]!;
      for (; this.done[i]! < held.length && held[this.done[i]!]!.at < time; this.done[i]! += 1) {
        const { at, sign, price, tallies } = held[this.done[i]!]!;
        const exit = sign > 0 ? book.bids.best : book.asks.best;
        if (exit > 0) tallies.add(sign * (exit / price - 1) * 1e4 - this.fees, at);
      }
      if (this.done[i]! > 4096) {
        this.held[i] = held.slice(this.done[i]!);
        this.done[i] = 0;
      }
    }
  }

  /** After a book: it fills the orders that it has reached, and the others may move. */
  takeBook(time: Ms, book: Book): void {
    for (const order of this.orders) {
      const { sign } = order;
      const [own, opposite] = sign > 0 ? [book.bids, book.asks] : [book.asks, book.bids];
      if (sign * opposite.best <= sign * order.price) this.fill(order, time);
      const isDue = order.chases || Number.isNaN(order.price) || time - order.placedAt >= restMs;
      if (!isDue) continue;
      const away = Math.round((own.best * order.distance) / 1e4);
      const price = own.best - sign * away;
      if (price === order.price) continue;
      order.price = price;
      order.placedAt = time;
      order.queue = own.sizeAt(price);
    }
  }

  takePrint({ price, side, size, time }: PrintEvent, book: Book): void {
    const sign = side === 'buy' ? -1 : 1;
    for (const order of this.orders) {
      if (order.sign !== sign || !(sign * price <= sign * order.price)) continue;
      const own = sign > 0 ? book.bids : book.asks;
      order.queue = price === order.price ? Math.min(order.queue, own.sizeAt(price)) - size : -1;
      if (order.queue < 0) this.fill(order, time);
    }
  }

  private fill(order: Resting, time: Ms): void {
    const { sign, price, distance, chases } = order;
    holdsMs.forEach((hold, i) => {
      const name = `${chases ? 'chase' : 'limit'} ${distance} bp, ${hold / 1000} s`;
      const tallies = this.cells.get(name) ?? new Tally();
      this.cells.set(name, tallies);
      this.held[i]!.push({ at: time + hold, sign, price, tallies });
    });
    order.price = Number.NaN;
  }
}

/** A maker that keeps an order of one size at each best price; it joins the queue at its back, or at its front. */
export class Maker {
  filled = 0;
  private readonly size: Lots;
  private readonly isFirst: boolean;
  private readonly orders = [
    { sign: 1, price: Number.NaN, left: 0, queue: 0 },
    { sign: -1, price: Number.NaN, left: 0, queue: 0 },
  ];

  constructor(size: Lots, isFirst: boolean) {
    this.size = size;
    this.isFirst = isFirst;
  }

  takeBook(book: Book): void {
    for (const order of this.orders) {
      const [own, opposite] = order.sign > 0 ? [book.bids, book.asks] : [book.asks, book.bids];
      if (order.sign * opposite.best <= order.sign * order.price) {
        let shown = 0;
        for (let i = opposite.count - 1; i >= 0 && order.sign * opposite.prices[i]! <= order.sign * order.price; i -= 1)
          shown += opposite.sizes[i]!;
        this.fill(order, Math.min(order.left, shown));
      }
      if (order.price === own.best && order.left > 0) order.queue = Math.min(order.queue, own.sizeAt(own.best));
      else {
        order.price = own.best;
        order.left = this.size;
        order.queue = this.isFirst ? 0 : own.sizeAt(own.best);
      }
    }
  }

  takePrint({ price, side, size }: PrintEvent, book: Book): void {
    const order = this.orders[side === 'buy' ? 1 : 0]!;
    if (!(order.sign * price <= order.sign * order.price)) return;
    const before = price === order.price ? order.queue : 0;
    order.queue = Math.max(0, before - size);
    if (size <= before) return;
    this.fill(order, Math.min(order.left, size - before));
    if (order.left > 0) return;
    order.left = this.size;
    const own = order.sign > 0 ? book.bids : book.asks;
    order.queue = this.isFirst ? 0 : own.sizeAt(order.price);
  }

  private fill(order: { left: Lots }, lots: Lots): void {
    this.filled += lots;
    order.left -= lots;
  }
}
