import { MarketFollower } from '../../client/streams/market-follower.ts';
import type { StreamState } from '../../client/streams/stream-state.ts';
import type { Subject } from '../../client/streams/stream-table.ts';
import type { Market } from '../../contract/markets.ts';
import type { Channel, MarketStreamEvent } from '../../contract/streams.ts';
import { followAccounts } from '../reading/account-changes.ts';
import { type Ending, endingOf } from '../reading/endings.ts';
import { locksOf } from '../reading/locks.ts';
import { marketHost } from '../reading/streams.ts';
import type { Session } from '../session/session.ts';
import { LadderFeed, queueMs } from './ladder-feed.ts';
import { type LiveModel, maxCandles } from './live-model.ts';
import { UnstreamedReader } from './unstreamed.ts';

type Client = Awaited<ReturnType<Session['access']>>['client'];

interface RestFeedEvents {
  changed(): void;
  /** The credential was refused. */
  failed(error: unknown): void;
}

/** How often to read over REST, ms: at most 240 requests a minute, however many accounts and markets there are. */
const everyMs = 5_000;
const perRequestMs = 250;
/** Requests for one account. */
const accountRequests = 4;
/** Quotes of one round; the chosen market and those with positions come first. */
const maxQuotes = 8;

/**
 * Reads over REST what a stream does not deliver: a stream that the host does not have, refuses, or has lost for some
 * seconds. It stops when the stream is live.
 */
export class RestFeed {
  readonly #session: Session;
  readonly #model: LiveModel;
  readonly #events: RestFeedEvents;
  /** When each subject may be read again; Infinity while it is being read. */
  readonly #due: Record<Subject, number> = { market: 0, account: 0 };
  #isClosed = false;

  constructor(session: Session, model: LiveModel, events: RestFeedEvents) {
    this.#session = session;
    this.#model = model;
    this.#events = events;
  }

  /** Reads what is due; call every second, and when a stream changes its state. */
  tick(): void {
    void this.#readIfDue('account', (client) => this.#readAccounts(client));
    void this.#readIfDue('market', (client) => this.#readQuotes(client));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #readIfDue(subject: Subject, read: (client: Client) => Promise<number>): Promise<void> {
    const { streams } = this.#model;
    if (this.#isClosed || !streams.needsRest(subject) || performance.now() < this.#due[subject]) return;
    this.#due[subject] = Number.POSITIVE_INFINITY;
    let requests = 1;
    try {
      requests = await read((await this.#session.access()).client);
    } catch (error) {
      const { status, message } = error as Error & { status?: number };
      if (this.#isClosed) return;
      streams.notRead(subject, message);
      if (status === 401 || status === 403) this.#events.failed(error);
    }
    this.#due[subject] = performance.now() + Math.max(everyMs, requests * perRequestMs);
    if (!this.#isClosed) this.#events.changed();
  }

  /** Reads every account as a snapshot; returns the number of requests. */
  async #readAccounts(client: Client): Promise<number> {
    const { data: accounts } = await client.call('listAccounts', {});
    const frames = [];
    for (const { id: account_id } of accounts) {
      const query = { account_id };
      const [{ data: account }, { data: positions }, { data: orders }, { data: fills }] = await Promise.all([
        client.call('getAccount', { path: { account_id } }),
        client.call('listOpenPositions', { query }),
        client.call('listOrders', { query: { ...query, status: 'working', limit: 100 } }),
        client.call('listFills', { query }),
      ]);
      const time = account.risk?.observed_at ?? 0;
      frames.push({
        frame: { type: 'snapshot', seq: 0, time, account_id, account, positions, orders } as const,
        fills,
      });
    }
    // The stream is back: what it says is newer.
    if (this.#isClosed || this.#model.streams.isLive('account')) return 1;
    this.#model.takeFrame({ type: 'hello', stream_id: '', resumed: false });
    for (const { frame, fills } of frames) {
      this.#model.takeFrame(frame);
      this.#model.takeFills(fills);
    }
    this.#model.streams.heard('account', 'rest');
    this.#model.takeFrame({ type: 'snapshot_end' });
    return 1 + accounts.length * accountRequests;
  }

  /** Reads midpoints; returns the number of requests. */
  async #readQuotes(client: Client): Promise<number> {
    const { watched, chosen, accounts } = this.#model;
    const held = new Set(
      [...accounts.values()].flatMap(({ positions }) => [...positions.values()].map((one) => one.market_id)),
    );
    const rank = ({ market_id }: { market_id: string }) =>
      held.has(market_id) ? 0 : market_id === chosen.market_id ? 1 : 2;
    const wanted = watched.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxQuotes);
    const reads = wanted.map(({ market_id }) => client.call('getMarketQuote', { path: { market_id }, query: {} }));
    const answers = await Promise.allSettled(reads);
    if (this.#isClosed || this.#model.streams.isLive('market')) return 1;
    for (const [at, answer] of answers.entries()) {
      if (answer.status === 'rejected' || !Number.isFinite(answer.value.data.mid)) continue;
      const { mid, time } = answer.value.data;
      this.#model.takeMid(wanted[at]!.market_id, mid!, time);
      this.#model.streams.heard('market', 'rest');
    }
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined && answers.every(({ status }) => status === 'rejected')) throw failed.reason;
    return answers.length;
  }
}

/** What the reader tells the screen. */
export interface FeedEvents {
  /** The model has changed. */
  changed(): void;
  /** Something to tell the user. */
  notice(text: string): void;
  /** The reader can't continue: the credential was revoked. */
  failed(error: unknown): void;
  /** A stream was lost, is silent, or has recovered. */
  state?(stream: Subject, state: StreamState): void;
  /** An account has ended, or had ended before. */
  ended?(ending: Ending): void;
  /** Whether the access may be replaced now; not while a command uses it. */
  mayReopen?(): boolean;
}

/** How often the exchange's time is requested. */
const timeMs = 5_000;
/** How often what no stream tells of the account is read. */
const unstreamedMs = 5_000;
/** How often to see whether a stream needs REST to take over, and what the guard has locked. */
const restMs = 1_000;
/** How often to look for a lost simulation. */
const reopenMs = 1_000;

/** Feeds the model from both streams, and follows what the model shows: the chosen market, and all watched ones. */
export class ModelReader {
  readonly #session: Session;
  readonly #model: LiveModel;
  readonly #events: FeedEvents;
  readonly #ladder: LadderFeed;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Ends the subscriptions of the chosen market. */
  #leave = () => {};
  /** The chosen market and interval, as subscribed. */
  #shown = '';
  /** Ids of the markets whose prices are subscribed. */
  readonly #priced = new Set<string>();
  #follower: MarketFollower | undefined;
  #stopAccounts = () => {};
  #rest: RestFeed | undefined;
  #isLooking = false;
  #unstreamed: UnstreamedReader | undefined;
  #reopening: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(session: Session, model: LiveModel, events: FeedEvents) {
    this.#session = session;
    this.#model = model;
    this.#events = events;
    this.#ladder = new LadderFeed(session, model, () => {
      if (!this.#isClosed) events.changed();
    });
  }

  async open(): Promise<void> {
    const transport = await marketHost(this.#session);
    const { account } = await (await this.#session.access()).streams();
    if (this.#isClosed) return;
    this.#follower = new MarketFollower({ transport, onState: (state) => this.#stateChanged('market', state) });
    this.follow();
    this.#every(timeMs, () => this.#askTime());
    this.#every(queueMs, () => this.#ladder.readQueues());
    const unstreamed = new UnstreamedReader(this.#session, this.#model, () => this.#events.changed());
    this.#unstreamed = unstreamed;
    this.#every(unstreamedMs, () => unstreamed.read());
    this.#rest = new RestFeed(this.#session, this.#model, {
      changed: () => {
        this.follow();
        if (!this.#model.areLocksKnown) void this.#lookAround();
        if (this.#model.unstreamed?.account_id !== this.#model.accountId) void unstreamed.read();
        this.#events.changed();
      },
      failed: (error) => this.#events.failed(error),
    });
    if (account === undefined) this.#model.streams.took('account', { kind: 'absent' });
    this.#every(restMs, async () => {
      this.#rest?.tick();
      await this.#lookAround();
    });
    if (account === undefined) return;
    const stop = await followAccounts(this.#session, account, {
      onFrame: (frame) => {
        this.#model.takeFrame(frame);
        if (this.#model.streams.isLive('account')) this.#model.streams.heard('account', 'stream');
        this.follow();
        if (frame.type === 'snapshot_end') void this.#readFills();
        if (frame.type === 'snapshot_end' || frame.type === 'order' || frame.type === 'position')
          void unstreamed.read();
        if (frame.type === 'snapshot_end' || frame.type === 'account') void this.#lookAround();
        this.#events.changed();
      },
      onState: (state) => this.#stateChanged('account', state),
      onEnd: (error) => {
        this.#model.streams.took('account', { kind: 'ended', reason: error.message });
        if (this.#isSimulation) this.#lose();
        else this.#events.failed(error);
      },
    });
    if (this.#isClosed) stop();
    this.#stopAccounts = stop;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#reopening);
    this.#closeStreams();
  }

  get #isSimulation(): boolean {
    return this.#session.settings.environment === 'sim';
  }

  #closeStreams(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
    this.#stopAccounts();
    this.#follower?.close();
    this.#rest?.close();
    this.#unstreamed?.close();
    this.#priced.clear();
    this.#shown = '';
    this.#leave = () => {};
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
    return streams.isLive('market') && streams.isLive('account');
  }

  async #reopen(): Promise<void> {
    this.#closeStreams();
    await this.#session.access('again');
    this.#model.startOver();
    await this.open();
  }

  /** Subscribes to what the model shows now. */
  follow(): void {
    const { watched, chosen, interval, contextInterval } = this.#model;
    for (const market of watched) {
      if (this.#priced.has(market.market_id)) continue;
      this.#priced.add(market.market_id);
      this.#subscribe('ticks', market);
      this.#subscribe('marketStats', market);
    }
    const shown = `${chosen.market_id} ${interval}`;
    if (shown === this.#shown) return;
    void this.#ladder.readGrid(chosen);
    this.#shown = shown;
    this.#leave();
    const ends = [
      this.#subscribe('books', chosen),
      this.#subscribe('trades', chosen),
      this.#subscribe('candles', chosen, {
        intervals: contextInterval === undefined ? [interval] : [interval, contextInterval],
        historyLimit: maxCandles,
      }),
    ];
    this.#leave = () => {
      for (const end of ends) end();
    };
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
      await this.#readInBackground(async (client) => {
        const { data } = await client.call('listFills', { query: { account_id, limit: 100 } });
        this.#model.takeFills(data);
      });
    }
  }

  /** What no stream reports: how accounts ended, and the guard's locks. */
  async #lookAround(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.#look().catch(() => {});
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const model = this.#model;
    const accounts = [...model.accounts.values()].map(({ account }) => account);
    model.locks = await locksOf(this.#session, accounts).catch(() => model.locks);
    if (accounts.length > 0 && !model.areLocksKnown) {
      model.areLocksKnown = true;
      this.#events.changed();
    }
    for (const account of accounts) {
      if (account.status === 'active' || model.endings.has(account.id) || this.#isClosed) continue;
      const ending = await endingOf(this.#session, account, accounts).catch(() => undefined);
      if (ending === undefined || this.#isClosed) continue;
      model.endings.set(account.id, ending);
      this.#events.ended?.(ending);
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
  async #readInBackground(
    read: (client: Awaited<ReturnType<Session['access']>>['client']) => Promise<void>,
  ): Promise<void> {
    try {
      await read((await this.#session.access()).client);
      if (!this.#isClosed) this.#events.changed();
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
