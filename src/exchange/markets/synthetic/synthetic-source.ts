import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type {
  BookEvent,
  BookGap,
  GapEvent,
  MarketEvent,
  PrintEvent,
  PrintInterest,
  Tape,
} from '../../engine/source.ts';
import type { MarketData } from '../bars.ts';
import { defaultCatalog } from '../catalog.ts';
import type { Minute } from './minute.ts';
import type { MinutePrints } from './minute-prints.ts';
import type { LastTouch } from './profile.ts';
import type { Timetable } from './session.ts';
import { Bars } from './synthetic-bars.ts';
import { Search, type Sides, SyntheticMarket } from './synthetic-market.ts';

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

/**
 * Plays one market forward. In every slot, its prints come first, then its book: the whole book when the touch moved,
 * else the levels that changed. Prints are generated only for minutes in which one may matter. The next event is
 * searched for only when it is requested, because what matters may change until then.
 */
class SyntheticCursor {
  private readonly market: SyntheticMarket;
  private interest: PrintInterest | null = null;
  private readonly minute: Minute;
  private readonly prints: MinutePrints;
  private readonly timetable: Timetable;
  /** The cursor's position: a slot, and the index of the print to continue from (-1: the slot's first). */
  private slot = 0;
  private index = -1;
  /** Events up to this time are past. */
  private past: Ms = 0;
  /** The next event: its time, and the index of the print (-1: a book); NaN until it is found. */
  private foundTime = Number.NaN;
  private foundSlot = 0;
  private foundIndex = -1;
  /** The interest for which it was found. */
  private buys = 0;
  private sells = 0;
  /** The book shown last, and its slot. */
  private readonly sides: Sides;
  private shown = Number.NaN;
  private readonly bookEvent: BookEvent;
  private readonly printEvent: PrintEvent;

  constructor(market: SyntheticMarket) {
    this.market = market;
    this.minute = market.minute;
    this.prints = market.prints;
    this.timetable = market.timetable;
    this.sides = market.newSides();
    const { marketId } = market.definition;
    const { bids, asks } = this.sides;
    this.bookEvent = {
      kind: 'book',
      marketId,
      time: 0,
      sequence: 0,
      bids: bids.levels,
      bidCount: 0,
      asks: asks.levels,
      askCount: 0,
    };
    this.printEvent = { kind: 'print', marketId, time: 0, price: 0, size: 0, side: 'buy' };
  }

  /** Moves to just after `from`: the next event is the first one later than it. */
  moveTo(from: Ms, interest: PrintInterest | null): void {
    this.interest = interest;
    this.past = from;
    this.slot = Math.max(0, this.timetable.slotOf(from));
    this.index = -1;
    this.foundTime = Number.NaN;
    this.shown = Number.NaN;
  }

  /** Time of the event `next` will return. */
  get nextTime(): Ms {
    this.find();
    return this.foundTime;
  }

  /** Skips events up to `until`. */
  passTo(until: Ms): void {
    if (until > this.past) this.past = until;
    if (this.foundTime <= until) this.foundTime = Number.NaN;
  }

  /** The event at `nextTime`; the next call reuses its arrays. */
  next(): MarketEvent {
    this.find();
    const { foundSlot, foundIndex, foundTime } = this;
    this.foundTime = Number.NaN;
    const isBook = foundIndex < 0;
    const gap = isBook ? this.market.gapAt(foundSlot) : null;
    if (gap !== null) return this.passGap(foundSlot, gap);
    this.slot = isBook ? foundSlot + 1 : foundSlot;
    this.index = isBook ? -1 : foundIndex + 1;
    return isBook ? this.writeBook(foundSlot, foundTime) : this.writePrint(foundSlot, foundIndex, foundTime);
  }

  /** Passes a minute that is a gap: a whole book follows it. */
  private passGap(slot: number, { reason }: BookGap): GapEvent {
    const time = this.timetable.bookTime(slot);
    this.slot = slot + this.minute.slots - (slot % this.minute.slots);
    this.index = -1;
    this.shown = Number.NaN;
    return { kind: 'gap', marketId: this.market.definition.marketId, time, reason };
  }

  /** Finds the next event from the current position. */
  private find(): void {
    const { interest } = this;
    if (interest !== null && (interest.buys !== this.buys || interest.sells !== this.sells)) {
      this.buys = interest.buys;
      this.sells = interest.sells;
      this.foundTime = Number.NaN;
    }
    if (!Number.isNaN(this.foundTime)) return;
    for (let { slot, index } = this; ; slot += 1, index = -1) {
      const print = this.findPrint(slot, index);
      if (print >= 0) {
        this.found(slot, print, this.prints.times[print]!);
        return;
      }
      const time = this.timetable.bookTime(slot);
      if (time > this.past) {
        this.found(slot, -1, time);
        return;
      }
    }
  }

  private found(slot: number, index: number, time: Ms): void {
    this.foundSlot = slot;
    this.foundIndex = index;
    this.foundTime = time;
  }

  /** The first print of a slot, from `index` on, that matters; -1: none. */
  private findPrint(slot: number, index: number): number {
    const { prints, interest, minute, market } = this;
    const { slotsPerMinute } = this.timetable;
    const place = slot % slotsPerMinute;
    const number = (slot - place) / slotsPerMinute;
    const { gridTick } = market;
    if (interest !== null) {
      if (this.buys === Number.NEGATIVE_INFINITY && this.sells === Number.POSITIVE_INFINITY) return -1;
      minute.load(number);
      const [from, to] = [minute.from[place]!, minute.to[place]!];
      const [low, high] = from < to ? [from, to] : [to, from];
      if (low * gridTick > this.buys && (high + minute.spread) * gridTick < this.sells) return -1;
    }
    prints.load(number);
    const end = prints.firstOf[place + 1]!;
    for (let at = Math.max(prints.firstOf[place]!, index); at < end; at += 1) {
      if (prints.times[at]! <= this.past) continue;
      if (interest === null) return at;
      const price = prints.prices[at]! * gridTick;
      if (price >= this.sells || price <= this.buys) return at;
    }
    return -1;
  }

  private writeBook(slot: number, time: Ms): BookEvent {
    const { market, sides, bookEvent } = this;
    const { bids, asks } = sides;
    const isDelta = this.shown === slot - 1 && market.changeBook(slot, sides);
    if (!isDelta) market.writeBook(slot, sides);
    this.shown = slot;
    bookEvent.kind = isDelta ? 'delta' : 'book';
    bookEvent.bids = isDelta ? bids.changes : bids.levels;
    bookEvent.bidCount = isDelta ? bids.changeCount : bids.count;
    bookEvent.asks = isDelta ? asks.changes : asks.levels;
    bookEvent.askCount = isDelta ? asks.changeCount : asks.count;
    bookEvent.time = time;
    bookEvent.sequence = slot;
    return bookEvent;
  }

  private writePrint(slot: number, index: number, time: Ms): PrintEvent {
    const { printEvent, prints } = this;
    prints.load(Math.floor(slot / this.timetable.slotsPerMinute));
    printEvent.time = time;
    printEvent.price = prints.prices[index]! * this.market.gridTick;
    printEvent.size = prints.lots[index]!;
    printEvent.side = prints.buys[index] === 1 ? 'buy' : 'sell';
    return printEvent;
  }
}
