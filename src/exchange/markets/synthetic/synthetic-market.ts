import type { HalfPrice, MarketDefinition, Ms, Price } from '../../engine/model.ts';
import type { BookGap, BookSnapshot, TakenLevel } from '../../engine/source.ts';
import { Cells } from './cells.ts';
import { Ladder, LadderSide } from './ladder.ts';
import { Minute } from './minute.ts';
import { MinutePrints } from './minute-prints.ts';
import { PricePath, Scale } from './path.ts';
import { type LastTouch, type Profile, profileOf, type Start, startFrom } from './profile.ts';
import { Session, Timetable } from './session.ts';
import { Trades } from './trades.ts';

/** The other side shows at least this multiple of what takers take from one side. */
const otherTouch = 1.7;
/** A touch that follows the volume grows up to this many times its usual size. */
const mostTouch = 2;

/** Both sides of a book, as the ladder writes them. */
export interface Sides {
  bids: LadderSide;
  asks: LadderSide;
}

/** One market, a pure function of its seed and time. */
export class SyntheticMarket {
  readonly definition: MarketDefinition;
  readonly profile: Profile;
  readonly session: Session;
  readonly path: PricePath;
  readonly trades: Trades;
  readonly ladder: Ladder;
  readonly scale: Scale;
  readonly timetable: Timetable;
  readonly fixed: Start['fixed'];
  /** The minute requested last, and the trades of its cells: load the minute before reading them. */
  readonly minute: Minute;
  readonly cells: Cells;
  /** Price units of one grid tick. */
  readonly gridTick: number;
  private sides: Sides | null = null;
  private madePrints: MinutePrints | null = null;
  private readonly seed: number;

  /** With `last`, the market continues from that touch: all its prices are scaled by one factor. */
  constructor(seed: number, definition: MarketDefinition, last: LastTouch | null = null) {
    const { marketId } = definition;
    this.definition = definition;
    const usual = profileOf(definition);
    const { loads, kind, rhythm, dailyVolatility } = usual;
    this.timetable = new Timetable(seed, marketId, loads[0]![0], rhythm.slotsPerMinute);
    this.session = new Session(kind);
    this.path = new PricePath(seed, marketId, { loads, session: this.session, dailyVolatility, rhythm });
    const plain = { profile: usual, base: (usual.base * 10 ** definition.priceDecimals) / usual.gridTick, fixed: null };
    const { profile, base, fixed } = last === null ? plain : startFrom(definition, last, this);
    this.profile = profile;
    this.fixed = fixed;
    this.gridTick = profile.gridTick;
    this.scale = new Scale(base, profile.spread);
    this.ladder = new Ladder(seed, definition, profile);
    const { path, scale, timetable, ladder } = this;
    const lots = (usd: number) => (usd / profile.base) * 10 ** definition.sizeDecimals;
    const daily = { lots: lots(profile.dailyUsd), prints: profile.dailyUsd / profile.printUsd };
    const trades = new Trades(seed, marketId, path, scale, daily);
    this.trades = trades;
    this.minute = new Minute(seed, marketId, {
      path,
      trades,
      scale,
      ladder,
      timetable,
      burstShare: profile.burstShare,
      fixed,
    });
    this.cells = new Cells(seed, marketId, this.minute, trades);
    this.seed = seed;
  }

  /** The prints of the minute requested last, for those who play or count them. */
  get prints(): MinutePrints {
    const { seed, definition, cells, minute, timetable } = this;
    this.madePrints ??= new MinutePrints(seed, definition.marketId, cells, minute, timetable);
    return this.madePrints;
  }

  newSides(): Sides {
    return { bids: new LadderSide(this.ladder, 0), asks: new LadderSide(this.ladder, 1) };
  }

  /** Writes a slot's book. */
  writeBook(slot: number, { bids, asks }: Sides): void {
    const place = this.loadSlot(slot);
    const pressure = this.minute.pressure(place);
    const emptied = this.emptied(place);
    const [bid, ask] = [this.minute.bid(place), this.minute.ask(place)];
    bids.rebuild(bid, slot, this.fullness(0, pressure, emptied), this.least(place, 0, emptied));
    asks.rebuild(ask, slot, this.fullness(1, pressure, emptied), this.least(place, 1, emptied));
  }

  /** Changes the book of the slot before into this one; returns false, having changed nothing, if the touch moved. */
  changeBook(slot: number, { bids, asks }: Sides): boolean {
    const place = this.loadSlot(slot);
    if (bids.touch !== this.minute.bid(place) || asks.touch !== this.minute.ask(place)) return false;
    const pressure = this.minute.pressure(place);
    const emptied = this.emptied(place);
    bids.change(slot, this.fullness(0, pressure, emptied), this.least(place, 0, emptied));
    asks.change(slot, this.fullness(1, pressure, emptied), this.least(place, 1, emptied));
    return true;
  }

  /** First book in (from, to] in which a level displays less than was taken; see MarketSource. */
  firstShrink(from: Ms, to: Ms, taken: readonly TakenLevel[]): Ms | null {
    const last = this.timetable.bookSlotAt(to);
    const levels = taken.map(({ bookSide, price, lots }) => {
      return { side: bookSide === 'bid' ? (0 as const) : (1 as const), grid: price / this.gridTick, lots };
    });
    for (let slot = this.timetable.bookSlotAt(from) + 1; slot <= last; slot += 1) {
      const place = this.loadSlot(slot);
      for (const level of levels)
        if (this.lotsAt(level.side, level.grid, slot, place) < level.lots) return this.timetable.bookTime(slot);
    }
    return null;
  }

  /** Lots of one price in a slot's book, of the minute that is loaded. */
  private lotsAt(side: 0 | 1, grid: number, slot: number, place: number): number {
    const { minute, ladder } = this;
    const touch = side === 0 ? minute.bid(place) : minute.ask(place);
    if (grid !== touch) return ladder.lotsBehind(side, touch, grid, slot);
    const emptied = this.emptied(place);
    const fullness = this.fullness(side, minute.pressure(place), emptied);
    return ladder.touchLots(side, touch, slot, fullness, this.least(place, side, emptied));
  }

  /** The book as of `time`; null before the Unix epoch. */
  book(time: Ms): BookSnapshot | null {
    const slot = this.timetable.bookSlotAt(time);
    if (slot < 0) return null;
    const gap = this.gapAt(slot);
    if (gap !== null) return { time: gap.since, sequence: slot, bids: [], asks: [], gap };
    this.sides ??= this.newSides();
    const { bids, asks } = this.sides;
    this.writeBook(slot, this.sides);
    return { time: this.timetable.bookTime(slot), sequence: slot, bids: copyOf(bids), asks: copyOf(asks) };
  }

  /** The gap that a slot is in, because an invariant of its minute is broken; null if there is none. */
  gapAt(slot: number): BookGap | null {
    this.loadSlot(slot);
    if (!this.cells.isBroken) return null;
    return { since: this.timetable.bookTime(this.minute.number * this.minute.slots), reason: 'misfit' };
  }

  private loadSlot(slot: number): number {
    const number = Math.floor(slot / this.timetable.slotsPerMinute);
    this.cells.load(number);
    this.minute.load(number);
    return slot - number * this.timetable.slotsPerMinute;
  }

  /** The share of its size that a touch shows. */
  private fullness(side: 0 | 1, pressure: number, emptied: number): number {
    if (side === emptied) return 0;
    const scale = this.profile.touchFollows ? Math.min(mostTouch, this.cells.activity) : 1;
    // It shrinks where the price is about to break through it, and a bit where it is moving away.
    const against = side === 0 ? -pressure : pressure;
    return scale * (against > 0 ? 1 - 0.8 * against : 1 - 0.35 * against);
  }

  /**
   * The least size that a side of a slot's book shows: what prints will take from it before the next one, and more than
   * what they will take from the other side, which thus remains the thinner one. A side that will be emptied shows no
   * more than that.
   */
  private least(place: number, side: 0 | 1, emptied: number): number {
    if (place + 1 === this.minute.slots) return 0;
    const cell = 2 * (place + 1) + side;
    const { lots } = this.cells;
    return side === emptied ? lots[cell]! : Math.max(lots[cell]!, Math.floor(otherTouch * lots[cell ^ 1]!));
  }

  /** The side of a slot's book whose touch prints will take to the last lot, because the others walk; -1: none. */
  private emptied(place: number): number {
    const { slots, walkCounts, from, to } = this.minute;
    const next = place + 1;
    if (next === slots || walkCounts[next] === 0) return -1;
    return to[next]! > from[next]! ? 1 : 0;
  }
}

/** Books are read one at a time and very often, and Array.from would be much slower. */
function copyOf({ levels, count }: LadderSide): number[] {
  const copy: number[] = [];
  for (let i = 0; i < 2 * count; i += 1) copy.push(levels[i]!);
  return copy;
}

/** Finds when a market's price first leaves a range, from the known ranges of days and hours, without playing them. */
export class Search {
  private readonly market: SyntheticMarket;
  private readonly minute: Minute;

  /** The sum of best bid and best ask is more than twice the path's bid, by at most this much. */
  private readonly mostSum: number;

  constructor(market: SyntheticMarket) {
    this.market = market;
    this.minute = market.minute;
    const { fixed } = market;
    this.mostSum = Math.max(market.scale.spread + 1, fixed === null ? 0 : fixed.ask - fixed.bid);
  }

  /** First book event in (from, to] whose midpoint lies outside low..high; see MarketSource. */
  firstTouch(from: Ms, to: Ms, low: HalfPrice, high: HalfPrice): Ms | null {
    const { timetable, gridTick } = this.market;
    const first = timetable.bookSlotAt(from) + 1;
    const last = timetable.bookSlotAt(to);
    const isBeyond = (place: number) => {
      const half = this.minute.halfPrice(place) * gridTick;
      return half < low || half > high;
    };
    const lowest = Math.ceil((low / gridTick - 1) / 2);
    const highest = Math.floor((high / gridTick - this.mostSum) / 2);
    const slot = this.find(first, last, lowest, highest, isBeyond);
    return slot === null ? null : timetable.bookTime(slot);
  }

  /** A time at or before the first event in (from, to] that reaches `low` or `high`; see MarketSource. */
  firstReach(from: Ms, to: Ms, low: Price, high: Price): Ms | null {
    const { ladder, gridTick, timetable } = this.market;
    const depth = ladder.maxTicks + this.mostSum;
    const lowest = Math.floor(low / gridTick) + depth + 1;
    const highest = Math.ceil(high / gridTick) - depth - 2;
    const { minute } = this;
    const reaches = (place: number) =>
      Math.min(minute.from[place]!, minute.to[place]!) < lowest ||
      Math.max(minute.from[place]!, minute.to[place]!) > highest;
    const slot = this.find(Math.max(0, timetable.slotOf(from)), timetable.slotOf(to), lowest, highest, reaches);
    return slot === null ? null : Math.max(from + 1, timetable.start(slot));
  }

  /**
   * The first of slots first..last for which `matters` is true; null if there is none. It is true only where the path's
   * bid is below `lowest` or above `highest`.
   */
  private find(
    first: number,
    last: number,
    lowest: number,
    highest: number,
    matters: (place: number) => boolean,
  ): number | null {
    const { path, scale, timetable } = this.market;
    const { slotsPerMinute } = timetable;
    const leaves = (bottom: number, top: number) => scale.bidOf(bottom) < lowest || scale.bidOf(top) > highest;
    const lastMinute = Math.floor(last / slotsPerMinute);
    for (let minute = Math.floor(first / slotsPerMinute); minute <= lastMinute; minute += 1) {
      const next = path.nextLeaving(minute, lastMinute, leaves);
      if (next === null) return null;
      minute = next;
      this.minute.open(minute);
      if (this.minute.lowest >= lowest && this.minute.highest <= highest) continue;
      this.minute.load(minute);
      const start = minute * slotsPerMinute;
      const end = Math.min(slotsPerMinute - 1, last - start);
      for (let place = Math.max(0, first - start); place <= end; place += 1) if (matters(place)) return start + place;
    }
    return null;
  }
}
