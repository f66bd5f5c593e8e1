import type { Mandate } from '../../desk/mandate/mandate.ts';
import type { Session } from '../../desk/session/session.ts';
import type { RenewableTransport } from '../../wire/client/send.ts';
import type { OpenedStream, StreamEvents, WireRequest, WireResponse } from '../../wire/contract/wire.ts';

/** Dependencies of a gate. */
export interface GateOptions {
  /** The way to the service, with the credential that no bot sees: the gate's own session, which it does not close. */
  readonly session: Session;
  /** The mandates in force now, by the name of their bot: what a person signed, tightened by its file. */
  readonly mandates: () => ReadonlyMap<string, Mandate>;
  /** The gate's private folder: approvals, hashes of keys, and which bots are stopped. */
  readonly folder: string;
  /** Requests per minute that the service allows; undefined: not known. */
  readonly rateLimit?: number | undefined;
  /** How long a bot waits for the outcome of a write before it is told to ask again, ms. */
  readonly holdMs?: number | undefined;
  /** How long a bot waits for something that is read, ms. */
  readonly readMs?: number | undefined;
  /** How long a request that waits for a person is held before its bot is told so, ms. */
  readonly approvalHoldMs?: number | undefined;
  /** Takes a remark for the gate's owner, in a sentence. */
  note(text: string): void;
}

/** A gate as its callers see it: bots, its control channel, and the agent tools, which have one of their own. */
export interface RunningGate extends AsyncDisposable {
  /**
   * Answers one request of a bot, in the shapes of the API: judged by its mandate, sent with the gate's credential, and
   * answered with the bot's own ids. Its `authorization` header is not looked at. It rejects only for bugs.
   */
  handle(bot: string, request: WireRequest, signal?: AbortSignal): Promise<WireResponse>;
  /** `handle` for one bot as a transport, for a client in this process. */
  transport(bot: string): RenewableTransport;
  /** The account stream or the market stream as a bot sees it. */
  stream(bot: string, target: string, events: StreamEvents): OpenedStream;
  status(): GateStatus;
  /** No new exposure for a bot, or for all; what only reduces still passes. It lasts until `resume`. */
  stop(bot?: string): void;
  /** Undoes `stop`. Only ever called for a person at a terminal. */
  resume(bot?: string): void;
  /** Stops a bot, or all, then cancels its orders and closes its positions, beside everything else that goes on. */
  flatten(bot?: string): Promise<FlattenedAccount[]>;
}

/** The result of flattening an account. */
export interface FlattenedAccount {
  account_id: string;
  /** Everything is closed and canceled, as far as every list says. */
  is_flat: boolean;
  canceled: number;
  closed: number;
  /** The failures, in sentences. */
  failures: string[];
}

/** A gate's current state, as its owner reads it. */
export interface GateStatus {
  destination: string;
  /** Unix ms. */
  since: number;
  bots: BotStatus[];
  accounts: GateAccount[];
  /** Markets of mandates without a known mark: nothing is added in them until it is known. */
  unknown_marks: string[];
}

/** A gate's view of an account; null: not known now. */
interface GateAccount {
  account_id: string;
  is_current: boolean;
  open_positions: number | null;
  working_orders: number | null;
  running_twaps: number | null;
}

/** A gate's view of a bot. */
interface BotStatus {
  bot: string;
  accounts: readonly string[];
  /** Unix ms; null: it is not stopped. */
  stopped_since: number | null;
  /** When its key expires, Unix ms; null: it has no valid key. */
  key_expires_at: number | null;
  /** Unix ms; null: the mandate is not in force. */
  mandate_until: number | null;
  /** Requests in the last minute. */
  requests: number;
  /** Orders in the last minute, as the service shows them. */
  orders: number;
  refused: number;
  /** Writes whose outcome is not known yet. */
  open_writes: number;
}
