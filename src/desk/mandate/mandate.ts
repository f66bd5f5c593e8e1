import type { Window } from '../guard/schedule.ts';

/**
 * Permission to trade without asking again: agreed once, for a time. It allows an order only if every one of its terms
 * does.
 */
export interface Mandate {
  /** Ids of the accounts that may trade. */
  readonly accounts: readonly string[];
  /** Ids of the markets. */
  readonly markets: readonly string[];
  /** Sides on which exposure may be added; what only reduces may be on both. */
  readonly sides: readonly ('buy' | 'sell')[];
  /** Notional of one order that adds exposure, USD. */
  readonly largestOrderUsd: number;
  /** Notional of a position with everything that waits to add to it, USD. */
  readonly largestPositionUsd: number;
  /** The daily loss after which nothing may be added, USD. */
  readonly lossPerDayUsd: number;
  /** Orders in any 60 seconds, no matter what they do. */
  readonly ordersPerMinute: number;
  /** When it expires, Unix ms. */
  readonly until: number;
  /**
   * The allowed worst-case loss of an order that adds exposure, as a share of the room to the nearest floor: 0.1 is
   * 10%.
   */
  readonly largestOrderRoom?: number;
  /** The allowed worst-case loss of a position with everything that waits to add to it, as a share of the room. */
  readonly largestPositionRoom?: number;
  readonly largestLeverage?: number;
  /**
   * Everything that is held, or may be, has a stop at most this far from its entry, as a share of the entry: 0.02 is
   * 2%. Infinity: a stop at any distance. Undefined: no stop is asked for.
   */
  readonly stopWithin?: number;
  /** How far above its nearest floor the account's equity must stay in the worst case, USD. */
  readonly roomLeftUsd?: number;
  /** When exposure may be added, in UTC; what only reduces may be at any time. Undefined: always. */
  readonly hours?: readonly Window[];
  /** An order that adds more than this waits for a person, USD. Undefined: none does. */
  readonly approveAboveUsd?: number;
  /** How far the mark may move before an approval is void, bps. */
  readonly approvalBps?: number;
  /** The bot that it is for: `[a-z0-9-]`, 1 to 24. */
  readonly name?: string;
}

/** The orders of this long count against `ordersPerMinute`, ms. */
export const minuteMs = 60_000;

/** A term of a mandate; `writes`: what no mandate allows. */
export type Term = keyof Omit<Mandate, 'name' | 'approveAboveUsd' | 'approvalBps'> | 'writes';
