import { type Channel, closeCodes } from '../../contract/streams.ts';
import type { StreamTransport } from '../../contract/wire.ts';
import { Backoff, type Outside, realOutside } from './backoff.ts';
import type { Silence } from './link.ts';
import { MarketConnection } from './market-connection.ts';
import { MarketRequests } from './market-requests.ts';
import { MarketSubscription, type SubscriptionEvents } from './market-subscription.ts';
import { reconnecting, type StreamEnding, type StreamState } from './stream-state.ts';

export interface MarketFollowerOptions {
  transport: StreamTransport;
  onState?: ((state: StreamState) => void) | undefined;
  outside?: Outside | undefined;
  silence?: Silence | undefined;
  firstRetryMs?: number | undefined;
}

const longestRetryMs = 30_000;
const pingMs = 20_000;
/** A ping is answered at once. */
const defaultSilence: Silence = { staleMs: 25_000, deadMs: 45_000 };
/** How long a retiring connection and its replacement may overlap. */
const overlapMs = 10_000;

/**
 * Follows the market stream until closed: reconnects with growing delays and subscribes to everything again; opens a
 * replacement before a draining connection ends; reports no event twice, and fills gaps between candles from history.
 */
export class MarketFollower {
  readonly #options: MarketFollowerOptions;
  readonly #outside: Outside;
  readonly #waits: Backoff;
  readonly #requests: MarketRequests;
  readonly #subscriptions = new Set<MarketSubscription>();
  #connection: MarketConnection | null = null;
  /** Replaces the connection that is draining. */
  #replacement: MarketConnection | null = null;
  #told: StreamState['kind'] | null = null;
  #cancelRetry = () => {};
  #cancelOverlap = () => {};
  #isClosed = false;

  constructor(options: MarketFollowerOptions) {
    this.#options = options;
    this.#outside = options.outside ?? realOutside;
    this.#waits = new Backoff(options.firstRetryMs ?? 1_000, longestRetryMs, () => this.#outside.random());
    this.#requests = new MarketRequests(this.#outside, (request) => {
      if (this.#connection?.isOpen !== true) return false;
      this.#connection.request(request);
      return true;
    });
    this.#connect();
  }

  /** Subscribes to a channel; returns a function that unsubscribes. */
  subscribe(channel: Channel, payload: object, events: SubscriptionEvents): () => void {
    const ask = (history: object) => this.request('candles.history', history);
    const subscription = new MarketSubscription(channel, payload, events, ask);
    this.#subscriptions.add(subscription);
    for (const connection of this.#open()) connection.subscribe(subscription, false);
    return () => {
      subscription.end();
      this.#subscriptions.delete(subscription);
      for (const connection of this.#open()) connection.unsubscribe(subscription);
    };
  }

  /** One request; rejects with StreamRefusal. If its connection is lost, it is sent again on the next. */
  request(method: string, payload?: object): Promise<unknown> {
    return this.#requests.ask(method, payload);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#cancelOverlap();
    this.#connection?.close();
    this.#replacement?.close();
    this.#requests.close();
  }

  #open(): MarketConnection[] {
    return [this.#connection, this.#replacement].filter((one) => one?.isOpen) as MarketConnection[];
  }

  #connect(): void {
    if (this.#isClosed) return;
    const connection: MarketConnection = this.#newConnection(true, {
      opened: () => this.#requests.again(),
      complete() {},
      lost: (end) => {
        if (connection !== this.#connection) return;
        this.#connection = null;
        if (this.#replacement === null) this.#retry(connection, end);
        else this.#promote();
      },
    });
    this.#connection = connection;
  }

  #newConnection(
    afterLoss: boolean,
    events: { opened(): void; complete(): void; lost(end: StreamEnding & { reason: string }): void },
  ): MarketConnection {
    const { transport, silence = defaultSilence } = this.#options;
    const options = { transport, outside: this.#outside, silence, pingMs };
    const connection: MarketConnection = new MarketConnection(options, {
      opened: () => {
        for (const subscription of this.#subscriptions)
          if (!subscription.isOver) connection.subscribe(subscription, afterLoss);
        events.opened();
      },
      accepted: () => this.#tell({ kind: 'live' }),
      stale: (silentMs) => this.#tell({ kind: 'stale', silentMs }),
      revived: () => {
        if (connection.isAccepted) this.#tell({ kind: 'live' });
      },
      complete: () => events.complete(),
      draining: () => this.#replace(connection),
      lost: (end) => events.lost(end),
    });
    return connection;
  }

  /** Opens a replacement for a retiring connection, which stays open until the replacement carries everything. */
  #replace(draining: MarketConnection): void {
    if (this.#isClosed || this.#replacement !== null || draining !== this.#connection) return;
    const replacement: MarketConnection = this.#newConnection(false, {
      opened: () => {
        if (this.#subscriptions.size === 0) this.#promote();
        else this.#cancelOverlap = this.#outside.after(overlapMs, () => this.#promote());
      },
      complete: () => {
        if (replacement === this.#replacement) this.#promote();
      },
      lost: (end) => {
        if (replacement === this.#replacement) this.#replacement = null;
        else if (replacement === this.#connection) {
          this.#connection = null;
          this.#retry(replacement, end);
        }
      },
    });
    this.#replacement = replacement;
  }

  /** Reports a state; live only once until it changes. */
  #tell(state: StreamState): void {
    if (state.kind === 'live' && this.#told === 'live') return;
    this.#told = state.kind;
    this.#options.onState?.(state);
  }

  #promote(): void {
    this.#cancelOverlap();
    this.#connection?.close();
    this.#connection = this.#replacement;
    this.#replacement = null;
    this.#requests.again();
  }

  /** A connection that worked makes the next attempt a first one, unless it sent what can't be read. */
  #retry({ isAccepted }: MarketConnection, end: StreamEnding & { reason: string }): void {
    if (this.#isClosed) return;
    if (isAccepted && end.code !== closeCodes.malformed) this.#waits.reset();
    const inMs = this.#waits.next();
    this.#tell(reconnecting(end, inMs));
    this.#cancelRetry = this.#outside.after(inMs, () => this.#connect());
  }
}
