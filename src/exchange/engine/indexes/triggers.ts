import { assert } from '../../../base/terms/invariants.ts';
import { type Fires, orderKinds } from '../../../base/terms/order-types.ts';
import { firstPlace } from '../../../base/terms/sorted.ts';
import { firstMarkAtOrAbove, lastMarkAtOrBelow } from '../book/price-grid.ts';
import type { HalfPrice, MarketDefinition, Ms, Order } from '../model.ts';

/**
 * Armed orders by the mark of the market that triggers them or, for stops on the last price, by twice the price of the
 * print. An update that triggers none costs two comparisons, however many are armed.
 */
export class Triggers {
  private readonly definition: MarketDefinition;
  /** Triggered at or above their mark; ranked by the negated mark, so that the lowest comes first. */
  readonly above = new RankedOrders();
  /** Triggered at or below their mark. */
  readonly below = new RankedOrders();
  /** How many are armed. */
  size = 0;

  constructor(definition: MarketDefinition) {
    this.definition = definition;
  }

  add(order: Order): void {
    this.size += 1;
    if (firesAbove(order)) this.above.add(-firingMark(this.definition, order), order);
    else this.below.add(firingMark(this.definition, order), order);
  }

  remove(order: Order): void {
    this.size -= 1;
    if (firesAbove(order)) this.above.remove(-firingMark(this.definition, order), order);
    else this.below.remove(firingMark(this.definition, order), order);
  }

  /** Armed orders that this mark triggers, first requested first. */
  met(mark: HalfPrice): readonly Order[] {
    // Called with every event of a market, so nothing is allocated before a trigger is met.
    if (!(mark <= this.below.top || -mark <= this.above.top)) return noOrders;
    const orders = [...this.above.reaching(-mark), ...this.below.reaching(mark)];
    return orders.sort((a, b) => a.requestedAt - b.requestedAt || a.sequence - b.sequence);
  }
}

const noOrders: readonly Order[] = [];

const risesToFire: Readonly<Record<Fires, (order: Order) => boolean>> = {
  against: ({ side }) => side === 'buy',
  favor: ({ side }) => side === 'sell',
  directed: ({ triggerDirection }) => triggerDirection === 'above',
};

/** Whether an order triggers when the mark rises to its trigger price; else when it falls to it (simulation 4.2). */
export function firesAbove(order: Order): boolean {
  const { fires } = orderKinds[order.mode];
  assert(fires !== null, 'kind-fits', order.id);
  return risesToFire[fires](order);
}

/** Whether an order waits for a price that is worse for it; a conditional is neither stop nor take. */
export function isStop(order: Order): boolean {
  return orderKinds[order.mode].fires === 'against';
}

/** The first mark, in the direction that triggers it, at which an order triggers; exact for any trigger price. */
export function firingMark(definition: MarketDefinition, order: Order): HalfPrice {
  const { triggerPrice: price } = order;
  assert(price !== null, 'kind-fits', order.id);
  return firesAbove(order) ? firstMarkAtOrAbove(definition, price) : lastMarkAtOrBelow(definition, price);
}

/**
 * Orders with something due at a time, earliest first, ties by creation. The caller checks whether it still applies.
 */
export class OrderTimers {
  /** Latest first, so that the next one is popped off the end. */
  private readonly timers: { at: Ms; order: Order }[] = [];

  /** Time of the next one; Infinity when there is none. */
  next: Ms = Number.POSITIVE_INFINITY;

  add(at: Ms, order: Order): void {
    const place = firstPlace(this.timers.length, (one) => {
      const there = this.timers[one]!;
      return there.at > at || (there.at === at && there.order.sequence > order.sequence);
    });
    this.timers.splice(place, 0, { at, order });
    this.next = this.timers.at(-1)!.at;
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
    this.next = this.timers.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    return due;
  }
}

/**
 * Orders by rank: the highest rank first, within a rank by priority. A resting buy ranks by its price and a resting
 * sell by its negative, so the top is always the order nearest to the market; triggers rank by their threshold in the
 * same way.
 */
export class RankedOrders {
  /** Distinct ranks, ascending: the top is at the end, where changes are cheap. */
  private readonly ranks: number[] = [];
  private readonly levels = new Map<number, Order[]>();
  /** The highest rank; -Infinity when empty. */
  top = Number.NEGATIVE_INFINITY;

  /** The orders of one rank, oldest first. */
  at(rank: number): readonly Order[] | undefined {
    return this.levels.get(rank);
  }

  add(rank: number, order: Order): void {
    const level = this.levels.get(rank);
    if (level === undefined) {
      this.levels.set(rank, [order]);
      this.ranks.splice(this.indexOf(rank), 0, rank);
      this.top = this.ranks.at(-1)!;
      return;
    }
    let at = level.length;
    while (at > 0 && level[at - 1]!.priority > order.priority) at -= 1;
    level.splice(at, 0, order);
  }

  remove(rank: number, order: Order): void {
    const level = this.levels.get(rank);
    const at = level === undefined ? -1 : level.indexOf(order);
    assert(level !== undefined && at >= 0, 'index-holds', order.id);
    level.splice(at, 1);
    if (level.length > 0) return;
    this.levels.delete(rank);
    this.ranks.splice(this.indexOf(rank), 1);
    this.top = this.ranks.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Every order of at least this rank, highest rank first, then oldest first: a copy, safe to iterate while filling.
   */
  reaching(rank: number): Order[] {
    const reached: Order[] = [];
    for (let at = this.ranks.length - 1; at >= 0 && this.ranks[at]! >= rank; at -= 1) {
      reached.push(...this.levels.get(this.ranks[at]!)!);
    }
    return reached;
  }

  /** First index whose rank is at least `rank`. */
  private indexOf(rank: number): number {
    return firstPlace(this.ranks.length, (place) => this.ranks[place]! < rank);
  }
}
