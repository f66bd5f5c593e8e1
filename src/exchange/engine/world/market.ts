import { Book, type BookSide } from '../book/book.ts';
import { ConsumedLevels, type ConsumptionListener } from '../book/consumption.ts';
import type { MarkBand } from '../indexes/band-watch.ts';
import { alwaysQuiet, venueKey } from '../indexes/band-watch.ts';
import { RestingOrders } from '../indexes/resting-orders.ts';
import { Triggers } from '../indexes/triggers.ts';
import type { MarketDefinition, Ms, Order, Price, Side } from '../model.ts';
import type { PrintEvent, PrintInterest } from '../source.ts';

/** The known future of an unwatched market. */
export interface Skip {
  band: MarkBand;
  /** The prices of `PrintInterest`, which it has not reached. */
  buys: Price;
  sells: Price;
  /** Up to which change of what was taken. */
  takenRevision: number;
  /** Searched up to here. */
  until: Ms;
  /** First event that leaves the band, or shrinks what was taken; null if there is none until then. */
  touchAt: Ms | null;
  /** Nothing else happens there than that what was taken shrinks. */
  onlyShrinks: boolean;
}

/** One market as the exchange sees it: its book, and everything that depends on it. */
export class Market {
  readonly id: string;
  /** The key of bands that are about its venue's own mark. */
  readonly venueKey: string;
  readonly definition: MarketDefinition;
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
  readonly skip: Skip = {
    band: alwaysQuiet,
    buys: Number.NEGATIVE_INFINITY,
    sells: Number.POSITIVE_INFINITY,
    takenRevision: 0,
    until: Number.NEGATIVE_INFINITY,
    touchAt: null,
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

  /** Whether nothing is taken of what its book displays. */
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
