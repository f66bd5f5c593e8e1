import type { VenueName } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { GapReason } from '../../exchange/markets/recorded/line.ts';
import type { MarksStatus } from './mark-feed.ts';
import type { UnknownRows } from './protocols/venue.ts';
import type { VenueConnectionStatus } from './venue-connection.ts';

/**
 * `off`: not in use. `waiting`: for a full book. `healing`: the book is complete, but not on the tape yet. `live`: the
 * tape has every change.
 */
export type MarketState = 'off' | 'waiting' | 'healing' | 'live';

/** The status of a market's feed. */
export interface MarketStatus {
  marketId: string;
  state: MarketState;
  /** The current gap; null if there is none, or if there has been no book yet. */
  gap: { since: Ms; reason: GapReason } | null;
  gaps: number;
  messages: number;
  /** How late its last message came, in milliseconds; null if unknown. */
  lagMs: Ms | null;
  /** Milliseconds since its last book message; null if there was none. */
  quietMs: Ms | null;
  /** Messages received twice and ignored. */
  duplicates: number;
  /** How often its prints were joined to the venue's history, and how many of them the stream had lost. */
  prints: { joined: number; lost: number };
  /** The venue's own prices; null if they are not known. */
  marks: MarksStatus | null;
  /** Why they are not known, if the venue has any; null if they are. */
  marksProblem: string | null;
  /** The venue's changes to tick and lots while the market was followed; null if there are none. */
  change: string | null;
  /** The last problem; null if there was none. */
  problem: string | null;
}

/** The status of a venue's feed. */
export interface FeedStatus {
  venue: VenueName;
  connections: VenueConnectionStatus[];
  markets: MarketStatus[];
  /** The parts of the venue's list that perp doesn't recognize. */
  unknown: readonly UnknownRows[];
  /** Frames received in the last full second. */
  framesPerSecond: number;
  /** Milliseconds by which the venue's clock is ahead of ours; null if unknown. */
  skewMs: Ms | null;
  /** The venue's REST budget: used in the last minute, in total, and when requests are allowed again (0: now). */
  rest: { weight: number; weightPerMinute: number; pausedUntil: Ms };
}
