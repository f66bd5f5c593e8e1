import { assert } from '../../../base/terms/invariants.ts';
import { Book, type BookSide, type LevelChanges } from '../book/book.ts';
import { ConsumedLevels, type ConsumptionListener } from '../book/walk.ts';
import { alwaysQuiet, venueKey } from '../indexes/band-watch.ts';
import { RankedOrders, Triggers } from '../indexes/triggers.ts';
import type { MarketDefinition, Ms, Order, Side } from '../model.ts';
import type { PrintEvent, PrintInterest } from '../source.ts';

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

/** One market as the exchange sees it: its book, and everything that depends on it. */
export class Market {
  readonly id: string;
  /** The key of bands that are about its venue's own mark. */
  readonly venueKey: string;
  /** As of now. */
  definition: MarketDefinition;
  readonly book = new Book();
  readonly buys = new RestingOrders(this.book.bids);
  readonly sells = new RestingOrders(this.book.asks);
  readonly consumedBids: ConsumedLevels;
  readonly consumedAsks: ConsumedLevels;
  /** Orders that must fill and are tried again with every later book, by id. */
  readonly unfinished = new Map<string, Order>();
  /** Resting orders that follow the best price, by id. */
  readonly chases = new Map<string, Order>();
  /** Armed orders that wait for this market's midpoint: orders in it, or conditionals in other markets. */
  readonly triggers: Triggers;
  /** Armed stops in this market that wait for a print instead (simulation 6.3). */
  readonly lastPriceStops: Triggers;
  /** Armed orders that wait for the venue's own mark or index of this market (simulation 6.3). */
  readonly venueTriggers: Readonly<Record<'mark' | 'index', Triggers>>;
  /** The print of this moment; null if there is none. */
  print: PrintEvent | null = null;
  /** Whether the tape plays its events. */
  watched = false;
  /** The book includes every event at or before this time; meaningless while the market is watched. */
  bookAsOf: Ms = Number.NEGATIVE_INFINITY;
  /** While it is not watched: marks at which its events change nothing, and until when that is known. */
  readonly skip = {
    band: alwaysQuiet,
    // The prices of `PrintInterest`, which it has not reached.
    buys: Number.NEGATIVE_INFINITY,
    sells: Number.POSITIVE_INFINITY,
    // The last change of the taken size that it includes.
    takenRevision: 0,
    // Searched up to here.
    until: Number.NEGATIVE_INFINITY,
    // First event that leaves the band, or shrinks what was taken; null if there is none until then.
    touchAt: null as Ms | null,
    // Nothing else happens there except that the taken size shrinks.
    onlyShrinks: false,
  };
  /** Which of its prints can fill a resting order or trigger a stop. */
  readonly prints: PrintInterest;

  constructor(definition: MarketDefinition, onConsumption: ConsumptionListener) {
    this.definition = definition;
    this.id = definition.marketId;
    this.venueKey = venueKey(this.id);
    this.triggers = new Triggers(definition);
    this.lastPriceStops = new Triggers(definition);
    this.venueTriggers = { mark: new Triggers(definition), index: new Triggers(definition) };
    const { buys, sells, lastPriceStops: stops } = this;
    this.prints = {
      get buys() {
        return Math.max(buys.ranked.top, stops.below.top / 2);
      },
      get sells() {
        return -Math.max(sells.ranked.top, stops.above.top / 2);
      },
    };
    this.consumedBids = new ConsumedLevels(definition.marketId, 'bid', onConsumption);
    this.consumedAsks = new ConsumedLevels(definition.marketId, 'ask', onConsumption);
  }

  /** Whether any order rests or waits for a print. */
  get awaitsPrice(): boolean {
    const none = Number.NEGATIVE_INFINITY;
    return this.buys.ranked.top > none || this.sells.ranked.top > none || this.lastPriceStops.size > 0;
  }

  /** Whether none of its displayed size is taken. */
  get isUntaken(): boolean {
    return this.consumedBids.isEmpty && this.consumedAsks.isEmpty;
  }

  /** The side of the book that an order on this side takes from. */
  opposite(side: Side): BookSide {
    return side === 'buy' ? this.book.asks : this.book.bids;
  }

  /** Lots that accounts took from {@link opposite}. */
  consumedBy(side: Side): ConsumedLevels {
    return side === 'buy' ? this.consumedAsks : this.consumedBids;
  }

  /** Where an order on this side rests. */
  resting(side: Side): RestingOrders {
    return side === 'buy' ? this.buys : this.sells;
  }
}
