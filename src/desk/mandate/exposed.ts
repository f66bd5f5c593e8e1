import type { WriteId } from '../../wire/client/writes.ts';
import type { Account, AccountTradingPolicy, CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import type { Marks } from '../risk/path-account.ts';
import type { Term } from './mandate.ts';

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
