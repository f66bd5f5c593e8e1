import type { Ms } from '../../exchange/engine/model.ts';

/** One print as reported by the venue. */
export interface Trade {
  /** Unique in its market. */
  id: string;
  /** The print's number, where ids count up by one; otherwise null. */
  number: number | null;
  /** For a print that stands for several trades: the number of the first. */
  firstNumber?: number;
  time: Ms;
  price: string;
  size: string;
  /** The aggressor's. */
  side: 'buy' | 'sell';
  /** It did not execute on the book: a block trade, or an auto-deleveraging. */
  isOffBook: boolean;
}

/** A print for the tape, the venue's time of it on our clock, and when it was received. */
export interface TapePrint {
  trade: Trade;
  madeAt: Ms;
  /** When it was received, Unix microseconds. */
  receivedUs: number;
}

/** Which of a gap's prints are known: all, some, or none because the venue has no history. */
export type HistoryKnown = 'whole' | 'part' | 'none';

/** The prints of a gap, oldest first. */
export interface GapPrints {
  prints: readonly TapePrint[];
  /** Those that the stream has delivered since: as complete as it is at any other time. */
  since: readonly TapePrint[];
  history: HistoryKnown;
}

/** The prices that a venue computes itself, and its funding; null where it does not say. */
export interface VenuePrices {
  /** A decimal: what the venue liquidates by. */
  mark: string;
  /** A decimal: what the mark follows. */
  index: string | null;
  /** A decimal, a fraction of the position's value per `fundingHours`. */
  fundingRate: string | null;
  fundingHours: number | null;
  /** Unix ms. */
  nextFundingAt: Ms | null;
}
