import type { Ms } from '../../engine/model.ts';
import type { TapeEntry } from './tape-lines.ts';
import type { BookMessage, History, Missing, VenueMarket } from './venue.ts';
import type { VenueClock } from './venue-clock.ts';

/** What a market's feed needs from its venue's feed. */
export interface MarketDuties {
  readonly clock: VenueClock;
  now(): Ms;
  random(): number;
  after(ms: Ms, run: () => void): () => void;
  /** Writes lines to the tape, all with one time, which it returns; null: the tape can't be written. */
  write(lines: readonly TapeEntry[]): Ms | null;
  /** Fetches a whole book over REST, or a few best levels; null: the venue offers none. */
  readonly askBook: ((market: VenueMarket, isTop: boolean) => Promise<BookMessage>) | null;
  /** null: the venue has no history. */
  readonly askHistory: ((market: VenueMarket, missing: Missing) => Promise<History>) | null;
  /** Whether a connection is being replaced, so that messages come twice and out of turn. */
  isOverlapping(): boolean;
  /** Subscribes the market's books again. */
  resubscribe(market: VenueMarket): void;
  /** Abandons the market's connections, because they lack data that the venue has. */
  reconnect(market: VenueMarket): void;
}
