import { assert } from '../../../base/terms/invariants.ts';
import { firstPlace } from '../../../base/terms/sorted.ts';
import type { Order } from '../model.ts';

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
