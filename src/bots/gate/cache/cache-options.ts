import type { Exposed, GateWrite } from '../../../desk/mandate/mandate.ts';
import type { Marks } from '../../../desk/risk/path-account.ts';
import type { Session } from '../../../desk/session/session.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import type { AccountFrame } from '../../../wire/contract/streams.ts';
import type { OpenedStream, StreamEvents } from '../../../wire/contract/wire.ts';

/** The accounts and markets of all mandates now, by id; more may come. */
export interface Wanted {
  readonly accounts: readonly string[];
  readonly markets: readonly string[];
  /** The markets in which a mandate limits possible losses. */
  readonly gaps: readonly string[];
}

/** The data that a cache follows. */
export interface CacheOptions {
  readonly session: Session;
  readonly wanted: () => Wanted;
  /** Unix ms, by a clock that is never set back. */
  readonly now: () => number;
  note(text: string): void;
}

/**
 * Exposure of a credential's accounts: the sum of the streams, the answers to the gate's own writes and a few reads. It
 * is never optimistic: with the writes that are pending, it covers whatever the service has.
 */
export interface OpenCache extends AsyncDisposable {
  /** An account's exposure from a bot's view. While the account stream is not current, most of it is undefined. */
  exposed(bot: string, account: string): Exposed;
  /**
   * A write is about to be sent: from now on it counts, until the frames show its effect. `orders`: the number of
   * orders it counts as against the rate of its bot. `clientOrderId`: the service's future id of its order.
   */
  sending(bot: string, write: GateWrite, orders: number, clientOrderId?: string): SentWrite;
  /** Resolves when frames show an account's pending writes and it is current, or after this long, ms. */
  caughtUp(account: string, forMs: number): Promise<void>;
  /** A bot's writes whose outcome is unknown or not shown yet. */
  open(bot: string): number;
  /** Counts orders that the bot sent before this cache was opened, and that the service's own orders don't show. */
  countSent(bot: string, at: readonly number[]): void;
  /** A working order, by the service's id or by its client order id at the service; undefined if there is none. */
  orderOf(id: string): Order | undefined;
  /** An open position; undefined if there is none. */
  positionOf(id: string): Position | undefined;
  /** Whether an account's known state is current: both streams deliver, and the other values were read. */
  isCurrent(account: string): boolean;
  /** Marks by market id; none while the market stream is not current. */
  readonly marks: Marks;
  /** Opens the market stream of the service; it has no credential. */
  market(target: string, events: StreamEvents): OpenedStream;
  /** Everything open in an account, according to frames; undefined while they aren't current. */
  stateOf(account: string): OpenState | undefined;
  /** All markets of the service, by id. */
  readonly markets: ReadonlyMap<string, Market>;
  /** The last known exchange time, Unix ms. */
  readonly time: number;
  /** Every frame of the account stream, after it was applied; returns a function that ends it. */
  listen(listener: (frame: AccountFrame) => void): () => void;
}

/** Everything open in an account. */
export interface OpenState {
  readonly account: Account;
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
}

/** A write that counts as pending. */
export interface SentWrite {
  /** The service has done it, and answered with this (`data`). */
  answered(data: unknown): void;
  /** It was certainly not done, and can't be anymore. */
  notDone(): void;
}
