import { bringUpToDate, isFresh } from '../book/current-book.ts';
import type { Market } from '../book/market.ts';
import type { HalfPrice, Order } from '../model.ts';
import { RankedOrders } from '../orders/ranked-orders.ts';
import type { MarkBand } from '../risk/risk-bands.ts';
import { deskOf, marketOf, type World } from '../world.ts';
import { firstMarkAtOrAbove, lastMarkAtOrBelow } from './mark-threshold.ts';

/**
 * Armed orders by the mark of one market that fires them. An update that fires none costs two comparisons, however many
 * are armed.
 */
export class Triggers {
  /** Fire at their mark and above it; ranked by the negated mark, so that the lowest comes first. */
  private readonly above = new RankedOrders();
  /** Fire at their mark and below it. */
  private readonly below = new RankedOrders();

  get isEmpty(): boolean {
    return this.above.isEmpty && this.below.isEmpty;
  }

  /** The marks that fire nothing. */
  get quiet(): MarkBand {
    return { low: this.below.top + 1, high: -this.above.top - 1 };
  }

  add(market: Market, order: Order): void {
    if (firesAbove(order)) this.above.add(-firingMark(market, order), order);
    else this.below.add(firingMark(market, order), order);
  }

  remove(market: Market, order: Order): void {
    if (firesAbove(order)) this.above.remove(-firingMark(market, order), order);
    else this.below.remove(firingMark(market, order), order);
  }

  /** Armed orders whose condition this mark meets, first requested first. */
  met(mark: HalfPrice): Order[] {
    const { low, high } = this.quiet;
    if (!(mark < low || mark > high)) return [];
    const orders = [...this.above.reaching(-mark), ...this.below.reaching(mark)];
    return orders.sort((a, b) => a.requestedAt - b.requestedAt || a.sequence - b.sequence);
  }
}

/** Whether an order fires when the mark rises to its trigger; else when it falls to it (simulation 4). */
export function firesAbove(order: Order): boolean {
  if (order.triggerDirection !== null) return order.triggerDirection === 'above';
  const isStop = order.type === 'stop_market' || order.type === 'stop_limit';
  return isStop === (order.side === 'buy');
}

/** The market whose mark an order waits for: its own, or another one's for a conditional. */
export function triggerMarketOf(world: World, order: Order): Market {
  return marketOf(world, order.triggerMarketId ?? order.marketId);
}

/** Whether the present mark meets an order's condition; null: there is no fresh mark to tell by. */
export function isMet(world: World, order: Order): boolean | null {
  const market = triggerMarketOf(world, order);
  bringUpToDate(world, market);
  if (!isFresh(world, deskOf(world, order.accountId), market)) return null;
  const threshold = firingMark(market, order);
  return firesAbove(order) ? market.book.mid >= threshold : market.book.mid <= threshold;
}

/** The first mark, going the way that fires it, at which an order fires; exact, wherever the trigger price lies. */
function firingMark(market: Market, order: Order): HalfPrice {
  const { definition } = market;
  const price = order.triggerPrice!;
  return firesAbove(order) ? firstMarkAtOrAbove(definition, price) : lastMarkAtOrBelow(definition, price);
}
