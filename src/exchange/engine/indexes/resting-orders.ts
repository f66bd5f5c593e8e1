import { assert } from '../../../base/terms/invariants.ts';
import type { BookSide, LevelChanges } from '../book/book.ts';
import type { Order } from '../model.ts';
import { RankedOrders } from './ranked-orders.ts';

/**
 * The limit orders that rest on one side of a market, and how many displayed lots are ahead of each (simulation 3.3):
 * the displayed size when the level is first known, and from then on never more than is displayed.
 */
export class RestingOrders {
  /** Ranked by distance from the market, nearest first; the top rank is comparable with `sign * price`. */
  readonly ranked = new RankedOrders();
  /** Those with an unknown level. */
  private readonly hidden = new RankedOrders();
  private readonly bookSide: BookSide;

  constructor(bookSide: BookSide) {
    this.bookSide = bookSide;
  }

  rankOf(order: Order): number {
    assert(order.limitPrice !== null, 'kind-fits', order.id);
    return this.bookSide.sign * order.limitPrice;
  }

  add(order: Order): void {
    const rank = this.rankOf(order);
    this.ranked.add(rank, order);
    if (this.bookSide.knows(order.limitPrice!)) this.joinQueue(order);
    else this.hidden.add(rank, order);
  }

  remove(order: Order): void {
    const rank = this.rankOf(order);
    this.ranked.remove(rank, order);
    if (this.hidden.at(rank)?.includes(order)) this.hidden.remove(rank, order);
  }

  /** After a change of the book: updates the queues at changed levels, and returns the orders whose queues moved. */
  followBook(changes: LevelChanges, moved: (order: Order) => void): void {
    const { sign } = this.bookSide;
    for (let at = 0; at < changes.count; at += 1) {
      const price = changes.prices[at]!;
      const level = this.ranked.at(sign * price);
      if (level === undefined) continue;
      if (this.bookSide.knows(price)) this.show(sign * price, level, moved);
      else this.hide(sign * price, level);
    }
    if (this.hidden.top !== Number.NEGATIVE_INFINITY) this.reveal(moved);
  }

  /** The book is unknown: queues are kept, and updated with the next full book. */
  hideAll(): void {
    for (const order of this.ranked.reaching(Number.NEGATIVE_INFINITY)) {
      const rank = this.rankOf(order);
      this.hide(rank, this.ranked.at(rank)!);
    }
  }

  /** The level is no longer known: its queue is kept, and updated when the level is known again. */
  private hide(rank: number, level: readonly Order[]): void {
    const already = this.hidden.at(rank);
    for (const order of level) if (!already?.includes(order)) this.hidden.add(rank, order);
  }

  /** Orders whose level is now known, even if it has not changed. */
  private reveal(moved: (order: Order) => void): void {
    const { bookSide, hidden } = this;
    const knownRank = bookSide.sign * bookSide.knownTo;
    while (hidden.top >= knownRank) this.show(hidden.top, [...hidden.at(hidden.top)!], moved);
  }

  private show(rank: number, level: readonly Order[], moved: (order: Order) => void): void {
    for (const order of level) {
      if (this.hidden.at(rank)?.includes(order)) this.hidden.remove(rank, order);
      const before = order.queueAhead;
      this.joinQueue(order);
      if (order.queueAhead !== before) moved(order);
    }
  }

  private joinQueue(order: Order): void {
    const displayed = this.bookSide.sizeAt(order.limitPrice!);
    order.queueAhead = order.queueAhead === null ? displayed : Math.min(order.queueAhead, displayed);
  }
}
