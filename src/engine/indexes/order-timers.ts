import type { Ms, Order } from '../model.ts';

/**
 * Orders with something due at a time, earliest first, ties by creation. The caller checks whether it still applies.
 */
export class OrderTimers {
  /** Latest first, so that the next one is popped off the end. */
  private readonly timers: { at: Ms; order: Order }[] = [];

  /** Time of the next one; Infinity when there is none. */
  get next(): Ms {
    return this.timers.length === 0 ? Number.POSITIVE_INFINITY : this.timers[this.timers.length - 1]!.at;
  }

  add(at: Ms, order: Order): void {
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = this.timers[middle]!;
      if (there.at > at || (there.at === at && there.order.sequence > order.sequence)) low = middle + 1;
      else high = middle;
    }
    this.timers.splice(low, 0, { at, order });
  }

  /** Removes and returns the orders due at or before `now`, of one market if given. */
  takeDue(now: Ms, marketId: string | null = null): Order[] {
    const due: Order[] = [];
    for (let at = this.timers.length - 1; at >= 0 && this.timers[at]!.at <= now; at -= 1) {
      const { order } = this.timers[at]!;
      if (marketId !== null && order.marketId !== marketId) continue;
      due.push(order);
      this.timers.splice(at, 1);
    }
    return due;
  }
}
