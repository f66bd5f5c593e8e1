import type { WriteId } from '../../wire/client/writes.ts';
import type { Account, AccountTradingPolicy, CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import type { Window } from '../guard/schedule.ts';
import type { Marks } from '../risk/path-account.ts';

/**
 * Permission to trade without asking again: agreed once, for a time. It allows an order only if every one of its terms
 * does.
 */
export interface Mandate {
  /** Ids of the accounts that may trade. */
  readonly accounts: readonly string[];
  /** Ids of the markets. */
  readonly markets: readonly string[];
  /** Sides on which exposure may be added; reductions are allowed on both. */
  readonly sides: readonly ('buy' | 'sell')[];
  /** Notional of one order that adds exposure, USD. */
  readonly largestOrderUsd: number;
  /** Notional of a position with everything that waits to add to it, USD. */
  readonly largestPositionUsd: number;
  /** The daily loss after which nothing may be added, USD. */
  readonly lossPerDayUsd: number;
  /** Orders in any 60 seconds, regardless of their effect. */
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
   * Every held or possible position has a stop at most this far from its entry, as a share of the entry: 0.02 is 2%.
   * Infinity: a stop at any distance. Undefined: no stop is required.
   */
  readonly stopWithin?: number;
  /** How far above its nearest floor the account's equity must stay in the worst case, USD. */
  readonly roomLeftUsd?: number;
  /** When exposure may be added, in UTC; reductions are always allowed. Undefined: always. */
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

/** A term of a mandate; `writes`: writes that no mandate allows. */
export type Term = keyof Omit<Mandate, 'name' | 'approveAboveUsd' | 'approvalBps'> | 'writes';

/** A write as the contract reads it: checked, with its defaults, before ids are mapped. */
export interface GateWrite {
  readonly operation: WriteId;
  /** The account that it is about: the one in its path or body, or the owner of the order or position in its path. */
  readonly account: string;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An account's exposure, as last received. Undefined means unknown, never zero: then only what surely reduces is
 * allowed.
 */
export interface Exposed {
  readonly account: Account | undefined;
  /** Open positions. */
  readonly positions: readonly Position[] | undefined;
  /** All working orders: pending, resting and armed; rungs and slices too. */
  readonly working: readonly Order[] | undefined;
  /** Running TWAPs and VWAPs. */
  readonly twaps: readonly TwapOrder[] | undefined;
  /** Every copy group of the owner in which this account leads or follows. */
  readonly copies: readonly CopyTradingConfiguration[] | undefined;
  /** The exposure of the followers in groups that this account leads, by account. */
  readonly followers: ReadonlyMap<string, Exposed>;
  readonly policy: AccountTradingPolicy | undefined;
  /** By market id; also of markets that conditional orders watch. */
  readonly marks: Marks;
  /** By market id. */
  readonly markets: ReadonlyMap<string, Market>;
  /** The account's loss on this trading day, open positions included, USD; below zero: a profit. */
  readonly lostUsd: number | undefined;
  /** When orders were sent under the mandate, Unix ms; one entry per order. */
  readonly sentAt: readonly number[];
  /** Writes of any bot that are being sent, or whose effect isn't in the fields above yet, oldest first. */
  readonly pending: readonly GateWrite[];
}

/** The worst case of an allowed write. */
export interface Effect {
  /** It surely reduces exposure or leaves it unchanged. */
  readonly reduces: boolean;
  /** How many orders it counts as, for the orders a minute. */
  readonly orders: number;
  /** The exposure it adds; undefined for a write that adds none. */
  readonly adds?: {
    readonly market: string;
    readonly side: 'buy' | 'sell';
    /** Base asset. */
    readonly size: number;
    /** The worst price that is counted, USD. */
    readonly price: number;
    readonly usd: number;
    /** The value of that side's position if everything that waits to add to it fills, USD. */
    readonly positionUsd: number;
    /** The order's worst-case loss, USD; undefined if it is unlimited. */
    readonly lossUsd: number | undefined;
    /** The whole account's worst-case loss from now on, USD; undefined if it is unlimited. */
    readonly worstUsd: number | undefined;
    /** Equity's distance above the nearest floor now, USD; undefined: no floor is known. */
    readonly roomUsd: number | undefined;
  };
}

/**
 * Whether a mandate allows a write. If not: the refusing term, the reason in a sentence, and an allowed alternative, if
 * there is one; a `size` in it is accepted when it is sent instead.
 */
export type Verdict =
  | { readonly isAllowed: true; readonly needsApproval: boolean; readonly effect: Effect }
  | {
      readonly isAllowed: false;
      readonly term: Term;
      readonly why: string;
      readonly would: { readonly text: string; readonly size?: number } | undefined;
    };
