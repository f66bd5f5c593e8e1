import type { Consumption, HalfPrice, Lots, MarketDefinition, Ms, Price, Side } from './model.ts';

/**
 * The engine's source of books and prints (simulation 2.3). It answers from data, never from a clock, and the same
 * request always gets the same answer. Synthetic, recorded and live sources are in src/exchange/markets.
 */
export interface MarketSource {
  /** `synthetic`, `recorded`, or `live`; shown with its prices. */
  readonly name: string;
  readonly definitions: readonly MarketDefinition[];
  /**
   * A market as it was defined at a time: its tick and its lots may change, its units never do. Absent if nothing
   * changes.
   */
  definitionAt?(marketId: string, time: Ms): MarketDefinition;
  /** The book as of `time` (every event at or before it applied); null before a market's first book. Random access. */
  book(marketId: string, time: Ms): BookSnapshot | null;
  /** Like `book`, but never subscribes to a market. Absent if `book` does not subscribe either. */
  glance?(marketId: string, time: Ms): BookSnapshot | null;
  /** Plays events after `from` (exclusive), in order, for the watched markets. */
  open(from: Ms): Tape;
  /**
   * First event time in (from, to] at which the midpoint's half price is outside low..high (the bounds themselves are
   * inside); null if it stays inside. Absent if a source can only be played.
   */
  firstTouch?(marketId: string, from: Ms, to: Ms, low: HalfPrice, high: HalfPrice): Ms | null;
  /**
   * A time in (from, to] at or before the first event there that displays a level, or prints, at `low` or below or at
   * `high` or above; null if there is none. Absent if a source can only be played.
   */
  firstReach?(marketId: string, from: Ms, to: Ms, low: Price, high: Price): Ms | null;
  /**
   * The first book event in (from, to] in which a level displays fewer lots than were taken of it; null if all display
   * enough. Absent if a source can only be played, or has several books of a market in one millisecond.
   */
  firstShrink?(marketId: string, from: Ms, to: Ms, taken: readonly TakenLevel[]): Ms | null;
  /** Since when a market shows the prices that it has: before, a state knew others. Null or absent: since ever. */
  pricesSince?(marketId: string): Ms | null;
  /** Whether it can have the venue's own prices of a market; absent: it never has them. */
  hasMarks?(marketId: string): boolean;
  /**
   * Expected relative volume in (from, to], on any positive scale (VWAP weights), from data known at `asOf` alone: the
   * volume before it, and the usual course of a day.
   */
  volume(marketId: string, from: Ms, to: Ms, asOf: Ms): number;
}

/** Displayed lots of a level that are not offered again to an account that took them. */
export interface TakenLevel {
  readonly bookSide: Consumption['bookSide'];
  readonly price: Price;
  readonly lots: Lots;
}

/** A full book: flat [price, size, price, size, ...], best level first on both sides, sizes > 0. */
export interface BookSnapshot {
  readonly time: Ms;
  readonly sequence: number;
  readonly bids: readonly number[];
  readonly asks: readonly number[];
  /**
   * The worst price down to which every level of a side is known, NaN if none is. Default: its last level. A source
   * that sends deltas must give it, since a delta may show a level far beyond (simulation 3.3).
   */
  readonly bidsKnownTo?: Price;
  readonly asksKnownTo?: Price;
  /** The market's current gap: its book is unknown and has no levels. Absent if there is none. */
  readonly gap?: BookGap;
  /** The venue's own prices as last published; absent if there are none, or none since a gap. */
  readonly marks?: VenueMarks;
}

/** The prices that a venue computes for a market itself, and the rate at which it charges funding. */
export interface VenueMarks {
  /** When they came. */
  readonly time: Ms;
  /** The price that the venue liquidates by, to the nearest half of a price unit. */
  readonly mark: HalfPrice;
  /** The index that the mark follows, to the nearest half of a price unit; null if the venue doesn't report it. */
  readonly index: HalfPrice | null;
  /** The venue's funding rate per `fundingHours`, as a fraction; null if not known. */
  readonly fundingRate: number | null;
  readonly fundingHours: number | null;
  /** When the venue charges it next; null if not known. */
  readonly nextFundingAt: Ms | null;
}

/** A time without data of a market. It ends with the next full book. */
export interface BookGap {
  readonly since: Ms;
  /** One word: connection, sequence, silence. */
  readonly reason: string;
}

/** A cursor over market events. */
export interface Tape {
  /**
   * Chooses the markets whose events `next` returns (initially none). Prints that the interest does not need may be
   * left out; without an interest, all are returned. The tape asks the interest whenever it continues.
   */
  watch(marketId: string, on: boolean, interest?: PrintInterest): void;
  /** Time of the next event that `next` would return, if at or before `until`; else null. */
  peek(until: Ms): Ms | null;
  /**
   * The next event of a watched market at or before `until`, in time order (one recording: file order), else null and
   * the tape is after `until`. The event and its arrays are valid until the next call.
   */
  next(until: Ms): MarketEvent | null;
}

/** Which prints matter: those at or below `buys`, and those at or above `sells`. */
export interface PrintInterest {
  /** The highest resting bid or stop below; -Infinity if none. */
  readonly buys: Price;
  /** The lowest resting ask or stop above; Infinity if none. */
  readonly sells: Price;
}

/**
 * An event of a market. `book` replaces the whole book and ends a gap; `delta` sets the given levels, and size 0
 * removes one. Levels are flat [price, size, ...], of which `bidCount`/`askCount` are valid (arrays may be longer and
 * are reused).
 */
export type MarketEvent = BookEvent | PrintEvent | MarksEvent | GapEvent | GapEndEvent;

/** A full book, or its changed levels (a size of 0 removes one). */
export interface BookEvent {
  kind: 'book' | 'delta';
  marketId: string;
  time: Ms;
  sequence: number;
  bids: ArrayLike<number>;
  bidCount: number;
  asks: ArrayLike<number>;
  askCount: number;
}

/** A trade that the venue published, with the side of its taker. */
export interface PrintEvent {
  kind: 'print';
  marketId: string;
  time: Ms;
  price: Price;
  size: Lots;
  /** The aggressor's side. */
  side: Side;
  /** The venue's time of the print, if it arrived later than that; absent: `time`. */
  tradedAt?: Ms;
}

/** The venue published its own prices. */
export interface MarksEvent extends VenueMarks {
  kind: 'marks';
  marketId: string;
}

/** From here on, the market's book is unknown. */
export interface GapEvent {
  kind: 'gap';
  marketId: string;
  time: Ms;
  reason: string;
  /** When the last data before it came; absent: `time`. */
  since?: Ms;
}

/** The gap ends: its prints have come, if the venue's history has them, and a full book follows. */
export interface GapEndEvent {
  kind: 'gap_end';
  marketId: string;
  time: Ms;
  prints: number;
  history: 'whole' | 'part' | 'none';
}
