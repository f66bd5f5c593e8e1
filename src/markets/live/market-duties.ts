import type { Ms } from '../../engine/model.ts';
import type { TapeEntry } from './tape-lines.ts';
import type { BookMessage, History, Missing, VenueMarket } from './venue.ts';
import type { VenueClock } from './venue-clock.ts';

/** What a market's feed asks of its venue's. */
export interface MarketDuties {
  readonly clock: VenueClock;
  now(): Ms;
  random(): number;
  after(ms: Ms, run: () => void): () => void;
  /** Puts lines on the tape, all at one time, which it returns; null: the tape can't be written. */
  write(lines: readonly TapeEntry[]): Ms | null;
  /** A whole book over REST, or a few best levels; null: the venue gives none. */
  readonly askBook: ((market: VenueMarket, isTop: boolean) => Promise<BookMessage>) | null;
  /** null: the venue has no history. */
  readonly askHistory: ((market: VenueMarket, missing: Missing) => Promise<History>) | null;
  /** Whether a connection is being replaced, so that messages come twice and out of turn. */
  isOverlapping(): boolean;
  /** Subscribes the market's books anew. */
  resubscribe(market: VenueMarket): void;
  /** Gives the market's connections up: the venue has more to tell than they bring. */
  reconnect(market: VenueMarket): void;
}
