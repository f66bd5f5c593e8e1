import { MarketFollower } from '../../wire/client/streams/market-follower.ts';
import type { StreamState, Subject } from '../../wire/client/streams/stream-state.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { AccountFrame, Channel, MarketStreamEvent } from '../../wire/contract/streams.ts';
import { openIn } from '../account/account-state.ts';
import { endingOf } from '../reading/endings.ts';
import { AccountFollow } from '../reading/follow.ts';
import { locksOf } from '../reading/locks.ts';
import { withOneR } from '../reading/one-r.ts';
import { exitMarks } from '../reading/prospects.ts';
import { marketHost } from '../reading/streams.ts';
import { gridOf } from '../resolve/grid.ts';
import { outlookOf } from '../risk/outlook.ts';
import type { Session } from '../session/session.ts';
import { type LiveModel, maxCandles } from './live-model.ts';
import { RestFeed } from './rest-feed.ts';

/** The reader's updates for the screen. */
interface FeedEvents {
  /** The model has changed. */
  changed(): void;
  /** Something to tell the user. */
  notice(text: string): void;
  /** The reader can't continue: the credential was revoked. */
  failed(error: unknown): void;
  /** A stream was lost, is silent, or has recovered. */
  state?(stream: Subject, state: StreamState): void;
  /** Whether the access may be replaced now; not while a command uses it. */
  mayReopen?(): boolean;
}

/** How often the exchange's time is requested. */
const timeMs = 5_000;
/** How often the parts of the account that no stream reports are read. */
const unstreamedMs = 5_000;
/** How often places in the queue are read. */
const queueMs = 1_000;
/** Own orders whose place in the queue is read. */
const maxQueued = 8;
/** How often copying relations are read. */
const copiesMs = 30_000;
/** How often to check whether a stream needs REST to take over, and how accounts have ended. */
const restMs = 1_000;
/** How often the guard's locks are read: together with a frame, a lock is on the screen within a second. */
const lockMs = 500;
/** How often to look for a lost simulation. */
const reopenMs = 1_000;

/** Feeds the model from both streams, and follows the displayed markets: the chosen one, and all watched ones. */
export class ModelReader {
  readonly #session: Session;
  readonly #model: LiveModel;
  readonly #events: FeedEvents;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The subscriptions of the chosen market, and their ends. */
  readonly #shown = new Map<'market' | 'candles', { readonly what: string; readonly ends: readonly (() => void)[] }>();
  /** Ids of the markets whose prices are subscribed. */
  readonly #priced = new Set<string>();
  #follower: MarketFollower | undefined;
  readonly #accounts: AccountFollow;
  #rest: RestFeed | undefined;
  #reopening: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Whether another run has begun since the streams were opened, regardless of their last messages. */
  #isOfAnother = false;

  constructor(session: Session, model: LiveModel, events: FeedEvents) {
    this.#session = session;
    this.#model = model;
    this.#events = events;
    this.#accounts = new AccountFollow(session, model, {
      frame: (frame) => this.#took(frame),
      state: (state) => this.#stateChanged('account', state),
      ended: (error) => {
        this.#model.streams.took('account', { kind: 'ended', reason: error.message });
        if (this.#isSimulation) this.#lose();
        else this.#events.failed(error);
      },
      begun: () => this.#startAnew(),
    });
  }

  async open(): Promise<void> {
    const transport = await marketHost(this.#session);
    if (this.#isClosed) return;
    this.#follower = new MarketFollower({
      transport,
      onState: (state) => this.#stateChanged('market', state),
      onRun: (run) => this.#session.memory.tookRun(run),
    });
    this.follow();
    this.#every(timeMs, () => this.#askTime());
    this.#every(queueMs, () => this.#readQueues());
    this.#every(unstreamedMs, () => this.#readUnstreamed());
    this.#every(copiesMs, () => this.#readCopies());
    this.#rest = new RestFeed(this.#session, this.#model, this.#accounts, {
      changed: () => {
        this.follow();
        if (!this.#model.areLocksKnown) void this.#readLocks();
        this.#events.changed();
      },
      failed: (error) => this.#events.failed(error),
    });
    this.#every(lockMs, () => this.#readLocks());
    this.#every(restMs, async () => {
      this.#rest?.tick();
      await this.#lookAround();
    });
    if (!(await this.#accounts.open())) this.#model.streams.took('account', { kind: 'absent' });
  }

  #took(frame: AccountFrame): void {
    const model = this.#model;
    model.tookFrame(frame);
    if (model.streams.isLive('account')) model.streams.heard('account', 'stream');
    this.follow();
    const { type } = frame;
    if (type === 'snapshot_end') void this.#readFills();
    if (type === 'snapshot_end' || type === 'order' || type === 'position') void this.#readUnstreamed();
    if (type === 'snapshot_end' || type === 'account') {
      void this.#readLocks();
      void this.#lookAround();
    }
    this.#events.changed();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#reopening);
    this.#closeStreams();
    this.#accounts.close();
  }

  get #isSimulation(): boolean {
    return this.#session.settings.environment === 'sim';
  }

  #closeStreams(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
    this.#accounts.stop();
    this.#follower?.close();
    this.#rest?.close();
    this.#priced.clear();
    this.#shown.clear();
  }

  #stateChanged(stream: Subject, state: StreamState): void {
    this.#model.streams.took(stream, state);
    this.#events.state?.(stream, state);
    this.#events.changed();
    this.#rest?.tick();
    if (state.kind === 'reconnecting' && this.#isSimulation) this.#lose();
  }

  /** A lost simulation may have been stopped, served again under another address and key, or have started over. */
  #lose(): void {
    if (this.#isClosed) return;
    this.#reopening ??= setTimeout(async () => {
      if (!this.#isLive && (this.#events.mayReopen?.() ?? true))
        await this.#reopen().catch((error: Error) => this.#events.notice(error.message));
      this.#reopening = undefined;
      if (!this.#isLive) this.#lose();
    }, reopenMs);
  }

  get #isLive(): boolean {
    const { streams } = this.#model;
    return !this.#isOfAnother && streams.isLive('market') && streams.isLive('account');
  }

  async #reopen(): Promise<void> {
    this.#closeStreams();
    await this.#session.access('again');
    this.#model.startOver();
    this.#isOfAnother = false;
    await this.open();
  }

  /** The simulation was reset or restored: earlier data doesn't belong to this run. */
  #startAnew(): void {
    if (this.#isClosed) return;
    this.#isOfAnother = true;
    this.#closeStreams();
    this.#model.startAnew();
    this.#events.changed();
    this.#lose();
  }

  /** Subscribes to everything the model shows now, and reads the parts that no stream reports. */
  follow(): void {
    const { watched, chosen, interval, contextInterval, accountId } = this.#model;
    if (this.#model.unstreamedOf(accountId) === undefined) {
      void this.#readUnstreamed();
      void this.#readCopies();
    }
    for (const market of watched) {
      if (this.#priced.has(market.market_id)) continue;
      this.#priced.add(market.market_id);
      this.#subscribe('ticks', market);
      this.#subscribe('marketStats', market);
    }
    this.#show('market', chosen.market_id, () => {
      void this.#readGrid(chosen);
      return [this.#subscribe('books', chosen), this.#subscribe('trades', chosen)];
    });
    this.#show('candles', `${chosen.market_id} ${interval}`, () => [
      this.#subscribe('candles', chosen, {
        intervals: contextInterval === undefined ? [interval] : [interval, contextInterval],
        historyLimit: maxCandles,
      }),
    ]);
  }

  /**
   * Replaces the displayed subscription, unless it is the same: a subscription begins with the past, including prints.
   */
  #show(part: 'market' | 'candles', what: string, subscribe: () => (() => void)[]): void {
    const before = this.#shown.get(part);
    if (before?.what === what) return;
    for (const end of before?.ends ?? []) end();
    this.#shown.set(part, { what, ends: subscribe() });
  }

  /** Reads the price grid of the chosen market. */
  async #readGrid(market: Market): Promise<void> {
    const grid = await gridOf(this.#session, market).catch(() => undefined);
    if (this.#model.chosen.market_id !== market.market_id) return;
    this.#model.grid = grid;
    this.#changed();
  }

  /** Reads the queue ahead of own resting orders in the chosen market, which only the simulation reports. */
  readonly #readQueues = oneAtATime(async () => {
    const model = this.#model;
    const resting = model.orders.filter(
      ({ status, limit_price: limit }) => status === 'resting' && limit !== undefined,
    );
    if (resting.length === 0) model.ahead = new Map();
    // A lost simulation is reported by its streams.
    const access = this.#isSimulation && resting.length > 0 && (await this.#session.access().catch(() => undefined));
    if (!access) return;
    const reads = resting.slice(-maxQueued).map(async ({ id: order_id }) => {
      const { data } = await access.urgent.call('simExplainOrder', { path: { order_id } });
      return data.queue_ahead === undefined ? [] : [[order_id, data.queue_ahead] as const];
    });
    const read = await Promise.allSettled(reads);
    model.ahead = new Map(read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
    this.#changed();
  });

  #changed(): void {
    if (!this.#isClosed) this.#events.changed();
  }

  /** Resolves with the service's answer to a ping of its market stream. */
  async ping(): Promise<void> {
    if (this.#follower === undefined) throw new Error('not open');
    await this.#follower.request('ping');
  }

  /** Reads the last fills of all accounts: those from before the stream started. */
  async #readFills(): Promise<void> {
    for (const account_id of this.#model.accounts.keys()) {
      if (this.#isClosed) return;
      await this.#readInBackground(() => this.#accounts.read('fills', account_id));
    }
  }

  /**
   * Values of the account on the screen that no stream reports: its TWAPs, its policy, and the books' prices for its
   * exits.
   */
  readonly #readUnstreamed = oneAtATime(async () => {
    const model = this.#model;
    const { accountId: id } = model;
    if (id === undefined || this.#isClosed) return;
    await Promise.allSettled([this.#accounts.read('parents', id), this.#accounts.read('policy', id)]);
    const state = openIn(model.states.accounts.get(id));
    if (state === undefined || this.#isClosed) return;
    const holdings = { positions: [...state.positions.values()], working: [...state.orders.values()] };
    const { run } = model.states;
    const marks = await exitMarks(this.#session, { ...holdings, ...model.besides(id) }).catch(() => undefined);
    if (marks === undefined) return;
    const outlook = outlookOf(state.account, holdings, marks);
    const { oneR } = await withOneR(this.#session, outlook, { ...holdings, marks });
    if (this.#isClosed || run !== model.states.run) return;
    model.takeExits(id, marks, oneR);
    this.#events.changed();
  });

  /** Who copies whom. */
  readonly #readCopies = oneAtATime(async () => {
    const { accountId: id } = this.#model;
    if (id === undefined || this.#isClosed) return;
    await this.#accounts.read('copies', id).catch(() => {});
    this.#changed();
  });

  /** The guard's locks, which no stream reports. A slow access must not pile up reads. */
  readonly #readLocks = oneAtATime(async () => {
    const model = this.#model;
    const accounts = [...model.accounts.values()].map(({ account }) => account);
    const before = JSON.stringify([...model.locks]);
    model.locks = await locksOf(this.#session, accounts, model.time).catch(() => model.locks);
    if (this.#isClosed) return;
    const isFirst = accounts.length > 0 && !model.areLocksKnown;
    model.areLocksKnown ||= isFirst;
    if (isFirst || JSON.stringify([...model.locks]) !== before) this.#events.changed();
  });

  /** How accounts ended, which no stream reports. */
  readonly #lookAround = oneAtATime(() => this.#look().catch(() => {}));

  async #look(): Promise<void> {
    const model = this.#model;
    const accounts = [...model.accounts.values()].map(({ account }) => account);
    for (const account of accounts) {
      if (account.status === 'active' || model.endings.has(account.id) || this.#isClosed) continue;
      const ending = await endingOf(this.#session, account, accounts).catch(() => undefined);
      if (ending === undefined || this.#isClosed) continue;
      model.endings.set(account.id, ending);
      this.#events.changed();
    }
  }

  /** The exchange's time, which may stand still or run fast in a simulation. */
  async #askTime(): Promise<void> {
    const time = await this.#follower?.request('ping').catch(() => undefined);
    if (typeof time !== 'number' || this.#isClosed) return;
    this.#model.takeTime(time);
    this.#events.changed();
  }

  /** A read in the background: a failure becomes a notice, except that a refused credential ends the screen. */
  async #readInBackground(read: () => Promise<unknown>): Promise<void> {
    try {
      await read();
      this.#changed();
    } catch (error) {
      if (this.#isClosed) return;
      const { status, message } = error as Error & { status?: number };
      if (status === 401 || status === 403) this.#events.failed(error);
      else this.#events.notice(message);
    }
  }

  #subscribe(channel: Channel, { provider, coin }: Market, more: object = {}): () => void {
    return this.#follower!.subscribe(
      channel,
      { symbols: [coin], providers: [provider], ...more },
      {
        events: (events: MarketStreamEvent[]) => {
          this.#model.streams.heard('market', 'stream');
          this.#model.takeEvents(events);
          this.#events.changed();
        },
        refused: ({ message }) => this.#events.notice(`The stream refused ${channel} of ${coin}: ${message}`),
      },
    );
  }

  #every(ms: number, run: () => Promise<void>): void {
    void run();
    this.#timers.add(setInterval(() => void run(), ms));
  }
}

/** A job that never overlaps itself. A call during a run repeats it once, no matter how many calls there are. */
export function oneAtATime(job: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const run = async () => {
    do {
      isWanted = false;
      await job();
    } while (isWanted);
  };
  return () => {
    isWanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
