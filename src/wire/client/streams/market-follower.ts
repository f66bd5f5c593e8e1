import { type LinkReport, PersistentLink } from '../../../base/sockets/persistent-link.ts';
import { realTiming, type Timing } from '../../../base/sockets/timing.ts';
import { type Channel, closeCodes } from '../../contract/streams.ts';
import { type FollowerOptions, usualSilence } from './link.ts';
import { MarketConnection, MarketRequests } from './market-connection.ts';
import { MarketSubscription, type SubscriptionEvents } from './market-subscription.ts';
import { reconnecting, type StreamLoss, type StreamState } from './stream-state.ts';

const longestRetryMs = 30_000;
const pingMs = 20_000;
/** How long a retiring connection and its replacement may overlap. */
const overlapMs = 10_000;

/**
 * Follows the market stream until closed: reconnects with growing delays and subscribes to everything again; opens a
 * replacement before a draining connection ends; reports no event twice, and fills gaps between candles from history.
 */
export class MarketFollower {
  readonly #options: FollowerOptions;
  readonly #timing: Timing;
  readonly #link: PersistentLink<MarketConnection, StreamLoss>;
  readonly #requests: MarketRequests;
  readonly #subscriptions = new Set<MarketSubscription>();
  #run: string | undefined;
  #told: StreamState['kind'] | null = null;
  #cancelOverlap = () => {};

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#timing = options.timing ?? realTiming;
    const { firstRetryMs: firstMs = 1_000 } = options;
    const delays = { firstMs, longestMs: longestRetryMs, raceMs: null };
    this.#link = new PersistentLink(this.#timing, delays, {
      open: (report) => this.#connect(report),
      opened: (connection) => this.#opened(connection),
      lost: (connection, loss) => this.#retry(connection, loss),
      promoted: () => {
        this.#cancelOverlap();
        this.#requests.again();
      },
    });
    this.#requests = new MarketRequests(this.#timing, (request) => {
      if (this.#link.current?.isOpen !== true) return false;
      this.#link.current.request(request);
      return true;
    });
    this.#link.open();
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
    this.#cancelOverlap();
    this.#link.close();
    this.#requests.close();
  }

  #open(): MarketConnection[] {
    return [this.#link.current, this.#link.next].filter((one) => one?.isOpen) as MarketConnection[];
  }

  #connect(report: LinkReport<StreamLoss>): MarketConnection {
    const { transport, silence = usualSilence } = this.#options;
    const options = { transport, timing: this.#timing, silence, pingMs };
    const connection: MarketConnection = new MarketConnection(options, {
      opened: (headers) => {
        const run = headers?.['x-sim-run'];
        if (run !== undefined) this.#tookRun(run);
        report.opened();
      },
      accepted: () => this.#tell({ kind: 'live' }),
      stale: (silentMs) => this.#tell({ kind: 'stale', silentMs }),
      revived: () => {
        if (connection.isAccepted) this.#tell({ kind: 'live' });
      },
      complete: () => {
        if (connection === this.#link.next) this.#link.promote();
      },
      // The connection stays open until its replacement carries everything.
      draining: () => {
        if (connection === this.#link.current) this.#link.replace();
      },
      lost: (end) => report.lost(end),
    });
    return connection;
  }

  /** Times of another run don't apply to this one. */
  #tookRun(run: string): void {
    if (this.#run !== undefined && this.#run !== run)
      for (const subscription of this.#subscriptions) subscription.beginAnew();
    this.#run = run;
    this.#options.onRun?.(run);
  }

  #opened(connection: MarketConnection): void {
    const isReplacement = connection === this.#link.next;
    for (const subscription of this.#subscriptions)
      if (!subscription.isOver) connection.subscribe(subscription, !isReplacement);
    if (!isReplacement) this.#requests.again();
    else if (this.#subscriptions.size === 0) this.#link.promote();
    else this.#cancelOverlap = this.#timing.after(overlapMs, () => this.#link.promote());
  }

  /** Reports a state; live only once until it changes. */
  #tell(state: StreamState): void {
    if (state.kind === 'live' && this.#told === 'live') return;
    this.#told = state.kind;
    this.#options.onState?.(state);
  }

  /** A connection that worked resets the attempts, unless it sent an unreadable frame. */
  #retry({ isAccepted }: MarketConnection, end: StreamLoss): void {
    if (isAccepted && end.code !== closeCodes.malformed) this.#link.worked();
    if (end.retryAfterMs !== undefined) this.#link.holdOff(end.retryAfterMs);
    this.#tell(reconnecting(end, this.#link.retry()));
  }
}
