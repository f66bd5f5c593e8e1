import type { Ms } from '../../engine/model.ts';
import type { TapeEntry } from './tape-lines.ts';
import type { BookMessage, History, Missing, VenueMarket } from './venue.ts';
import type { VenueClock } from './venue-clock.ts';

/** The functions that a market's feed needs from its venue's feed. */
export interface FeedServices {
  readonly clock: VenueClock;
  now(): Ms;
  random(): number;
  after(ms: Ms, run: () => void): () => void;
  /** Writes lines to the tape, all with the same time, which it returns; null if the tape can't be written. */
  write(lines: readonly TapeEntry[]): Ms | null;
  /** Fetches a whole book, or only the best levels, over REST; null if the venue offers none. */
  readonly askBook: ((market: VenueMarket, isTop: boolean) => Promise<BookMessage>) | null;
  /** Null if the venue has no history. */
  readonly askHistory: ((market: VenueMarket, missing: Missing) => Promise<History>) | null;
  /** Whether a connection is being replaced, so that messages arrive twice and out of order. */
  isOverlapping(): boolean;
  /** Subscribes the market's books again. */
  resubscribe(market: VenueMarket): void;
  /** Drops the market's connections because they lack data that the venue has. */
  reconnect(market: VenueMarket): void;
}
