import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { MarketEvent, PrintInterest, Tape } from '../../engine/source.ts';
import type { MarketData } from '../bars.ts';
import { defaultCatalog } from '../catalog.ts';
import { SyntheticCursor } from './cursor.ts';
import type { LastTouch } from './start.ts';
import { Bars } from './synthetic-bars.ts';
import { Search, SyntheticMarket } from './synthetic-market.ts';

/**
 * The built-in market data (simulation 2.3): books and prints as a pure function of `seed`, market and time, the same
 * on every machine. Every second has at least two book events. Any moment from the Unix epoch on can be read directly;
 * `firstTouch` needs no playing. A definition whose symbol is not in the default catalog gets a plain made-up price.
 * Asking for a market without a definition throws a RangeError.
 */
export function syntheticSource(options: {
  /** Any finite number. Every whole number up to 2^53 gives different paths. */
  seed: number;
  definitions?: readonly MarketDefinition[];
  /** The touches that markets showed under an older version of their prices, to continue from. */
  lastTouches?: readonly LastTouch[];
}): MarketData {
  const definitions = options.definitions ?? defaultCatalog;
  const markets = new SyntheticMarkets(options.seed, definitions, options.lastTouches);
  return {
    name: 'synthetic',
    definitions,
    book: (marketId, time) => markets.at(marketId).book(time),
    open: (from) => new SyntheticTape(markets, from),
    firstTouch: (marketId, from, to, low, high) => markets.search(marketId).firstTouch(from, to, low, high),
    firstReach: (marketId, from, to, low, high) => markets.search(marketId).firstReach(from, to, low, high),
    firstShrink: (marketId, from, to, taken) => markets.at(marketId).firstShrink(from, to, taken),
    bars: (marketId, interval, from, count, until) => markets.bars(marketId).bars(interval, from, count, until),
    pricesSince: (marketId) => options.lastTouches?.find((one) => one.marketId === marketId)?.time ?? null,
    volume: (marketId, from, to) => markets.at(marketId).session.volume(from, to),
  };
}

/**
 * The markets of a source in catalog order. Each is created when it is first requested, because most commands need only
 * one.
 */
export class SyntheticMarkets {
  private readonly seed: number;
  private readonly definitions: readonly MarketDefinition[];
  private readonly lastTouches: readonly LastTouch[];
  private readonly made = new Map<string, SyntheticMarket>();
  private readonly searches = new Map<string, Search>();
  private readonly counts = new Map<string, Bars>();

  constructor(seed: number, definitions: readonly MarketDefinition[], lastTouches: readonly LastTouch[] = []) {
    this.seed = seed;
    this.definitions = definitions;
    this.lastTouches = lastTouches;
  }

  /** The market with an id; throws a RangeError if there is none. */
  at(marketId: string): SyntheticMarket {
    const made = this.made.get(marketId);
    if (made !== undefined) return made;
    const last = this.lastTouches.find((touch) => touch.marketId === marketId) ?? null;
    const market = new SyntheticMarket(this.seed, this.definitions[this.placeOf(marketId)]!, last);
    this.made.set(marketId, market);
    return market;
  }

  /** The search for times at which a market reaches a price. */
  search(marketId: string): Search {
    const made = this.searches.get(marketId) ?? new Search(this.at(marketId));
    this.searches.set(marketId, made);
    return made;
  }

  /** The builder of a market's bars. */
  bars(marketId: string): Bars {
    const made = this.counts.get(marketId) ?? new Bars(this.at(marketId));
    this.counts.set(marketId, made);
    return made;
  }

  /** The market's index in the catalog; throws a RangeError if it is not listed. */
  placeOf(marketId: string): number {
    const place = this.definitions.findIndex((definition) => definition.marketId === marketId);
    if (place < 0) throw new RangeError(`no market ${JSON.stringify(marketId)} in the synthetic source`);
    return place;
  }
}

/**
 * Events of several synthetic markets, merged by time; events of the same millisecond come in catalog order. A market
 * watched later starts after the tape's position: the last event returned, or the `until` at which no event was left.
 */
export class SyntheticTape implements Tape {
  private readonly markets: SyntheticMarkets;
  /** Cursors of watched markets, in catalog order. */
  private cursors: { place: number; cursor: SyntheticCursor }[] = [];
  /** All cursors made so far, by their market's place. */
  private readonly made = new Map<number, SyntheticCursor>();
  private position: Ms;

  constructor(markets: SyntheticMarkets, from: Ms) {
    this.markets = markets;
    this.position = from;
  }

  watch(marketId: string, on: boolean, interest?: PrintInterest): void {
    const place = this.markets.placeOf(marketId);
    const watched = this.cursors.some((entry) => entry.place === place);
    if (on === watched) return;
    this.cursors = this.cursors.filter((entry) => entry.place !== place);
    if (on) {
      const cursor = this.made.get(place) ?? new SyntheticCursor(this.markets.at(marketId));
      this.made.set(place, cursor);
      cursor.moveTo(this.position, interest ?? null);
      this.cursors.push({ place, cursor });
    }
    this.cursors.sort((a, b) => a.place - b.place);
  }

  peek(until: Ms): Ms | null {
    const earliest = this.earliest();
    return earliest !== null && earliest.nextTime <= until ? earliest.nextTime : null;
  }

  next(until: Ms): MarketEvent | null {
    const earliest = this.earliest();
    if (earliest === null || earliest.nextTime > until) {
      if (until > this.position) this.position = until;
      for (const { cursor } of this.cursors) cursor.passTo(until);
      return null;
    }
    this.position = earliest.nextTime;
    return earliest.next();
  }

  /** The cursor with the earliest event; null if nothing is watched. */
  private earliest(): SyntheticCursor | null {
    let earliest: SyntheticCursor | null = null;
    for (const { cursor } of this.cursors) {
      if (earliest === null || cursor.nextTime < earliest.nextTime) earliest = cursor;
    }
    return earliest;
  }
}
