import type { Timing } from '../../base/sockets/timing.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { TapeLine, Trade } from '../tape/tape-lines.ts';
import type { Missing, RestBook } from './protocols/venue.ts';
import type { VenueClock } from './venue-clock.ts';

/** The services that a venue's feed provides to one market's feed. */
export interface FeedServices extends Timing {
  readonly clock: VenueClock;
  /** The wall clock. */
  now(): Ms;
  /** The wall clock, for what has just been received, Unix microseconds. */
  receivedUs(): number;
  /** Writes lines to the tape, all with the same time, which it returns; null if the tape can't be written. */
  write(lines: readonly TapeLine[]): Ms | null;
  /** Fetches the market's whole book, or only the best levels, over REST; null if the venue offers none. */
  readonly askBook: ((isTop: boolean) => Promise<RestBook>) | null;
  /** Fetches the market's past prints; null if the venue has no history. */
  readonly askHistory: ((missing: Missing) => Promise<readonly Trade[]>) | null;
  /** Whether the venue's budget of requests has room for proofs. */
  mayProve(): boolean;
  /** Asks the venue for its time now; `clock` knows it soon. */
  sampleClock(): void;
  /** Whether a connection is being replaced, so that messages arrive twice and out of order. */
  isOverlapping(): boolean;
  /** Subscribes the market's books, its trades or the venue's own prices again. */
  resubscribe(to: 'books' | 'trades' | 'marks'): void;
  /**
   * The market does not fit its definition, which the venue may have changed. `isMild`: prices are off the tick, where
   * old orders may rest, too.
   */
  misfit(isMild: boolean): void;
  /** Drops the market's connections because they lack data that the venue has. */
  reconnect(): void;
}
