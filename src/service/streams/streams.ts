import type { Changes } from '../../exchange/engine/commands.ts';
import type { Exchange } from '../../exchange/engine/exchange.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { barsOf } from '../../exchange/markets/played-bars.ts';
import { StoreError } from '../../exchange/store/errors.ts';
import { closeCodes } from '../../wire/contract/streams.ts';
import { AccountStream, type Resume } from '../../wire/hosting/account-stream.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import type { Outlet, StreamConnection } from '../../wire/hosting/stream-host.ts';
import { Turns } from '../../wire/hosting/turns.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation } from '../simulation/simulation.ts';
import type { StreamKind } from '../weather/survival.ts';
import type { Weather } from '../weather/weather.ts';
import { AccountFeed, HeldOutlet } from './account-feed.ts';
import { MarketHub } from './market-hub.ts';
import { MarketSession } from './market-session.ts';

/** How long a drained connection is still served, ms of the exchange's clock. */
const drainedMs: Ms = 10_000;
const reason = 'this connection is retired';

/** The weather's effect on open streams: drained connections, and subscriptions that end (simulation 6.4). */
class Storm {
  readonly #weather: Weather;
  readonly #sessions: ReadonlySet<MarketSession>;
  readonly #accounts: AccountHub;
  #position: Ms | null = null;
  /** Connections to close, and when. */
  #retiring: { at: Ms; close: () => void }[] = [];
  readonly #open = new Map<object, StreamKind>();
  readonly #drained = new WeakSet<object>();

  constructor(weather: Weather, sessions: ReadonlySet<MarketSession>, accounts: AccountHub) {
    this.#weather = weather;
    this.#sessions = sessions;
    this.#accounts = accounts;
  }

  pulse(now: Ms): void {
    const from = this.#position ?? now;
    this.#position = now;
    const { survival } = this.#weather;
    const channel = this.#weather.endIn(from, now);
    if (channel !== null)
      for (const session of this.#sessions)
        for (let ended = session.endSubscriptions(channel); ended > 0; ended -= 1) survival.endedSubscription(channel);
    if (this.#weather.drainIn(from, now) !== null) this.#drain(now);
    const due = this.#retiring.filter(({ at }) => at <= now);
    this.#retiring = this.#retiring.filter(({ at }) => at > now);
    for (const { close } of due) close();
  }

  /** Nobody is connected: time passes without weather. */
  pause(): void {
    this.#position = null;
  }

  opened(kind: StreamKind, connection: object): void {
    this.#open.set(connection, kind);
    this.#weather.survival.opened(kind, performance.now());
  }

  closed(kind: StreamKind, connection: object): void {
    if (!this.#open.delete(connection)) return;
    this.#weather.survival.closed(kind, performance.now(), this.#drained.has(connection));
  }

  subscribed(channel: string): void {
    this.#weather.survival.subscribed(channel);
  }

  #drain(now: Ms): void {
    this.#weather.survival.thrown.drains += 1;
    for (const connection of this.#open.keys()) this.#drained.add(connection);
    for (const session of this.#sessions) {
      session.drain();
      this.#retiring.push({ at: now + drainedMs, close: () => session.close(closeCodes.goingAway, reason) });
    }
    this.#accounts.drain();
    const close = this.#accounts.retirement(closeCodes.goingAway, reason);
    this.#retiring.push({ at: now + drainedMs, close });
  }
}

/** How often time advances and events are sent, while anyone is connected. */
const pulseMs = 50;
const stopReason = 'the service is stopping';
const resetReason = 'the simulation starts over';

/** Both streams of one simulation, over any transport. While no one is connected, they cost nothing. */
export class Streams {
  readonly #simulation: Simulation;
  readonly #onError: (error: unknown) => void;
  readonly #markets: MarketHub;
  readonly #accounts: AccountHub;
  readonly #sessions = new Set<MarketSession>();
  readonly #storm: Storm | null;
  #timer: NodeJS.Timeout | null = null;
  #isStopping = false;
  #isEnded = false;

  /** `onError` is called for errors outside of any request. */
  constructor(simulation: Simulation, onError: (error: unknown) => void) {
    const { source, firstTime } = simulation.facts;
    this.#simulation = simulation;
    this.#onError = onError;
    const turns = new Turns((error) => this.#refuse(error));
    const bars = barsOf(source, firstTime);
    const played = () =>
      simulation.passage?.isAdvancing === true ? null : simulation.read((state) => state.exchange.time);
    this.#markets = new MarketHub(source, bars, () => simulation.time, turns, simulation.weather, played);
    this.#accounts = new AccountHub(simulation, () => performance.now(), onError);
    this.#storm = simulation.weather && new Storm(simulation.weather, this.#sessions, this.#accounts);
  }

  /** `doPingsCount`: whether WebSocket pings keep the connection, asked when nothing else does. */
  openMarket(outlet: Outlet, doPingsCount?: () => boolean): StreamConnection {
    const session: MarketSession = new MarketSession(this.#markets, outlet, performance.now(), {
      closed: () => {
        this.#sessions.delete(session);
        this.#storm?.closed('market', outlet);
      },
      subscribed: (channel) => this.#storm?.subscribed(channel),
      bug: this.#onError,
      ...(doPingsCount !== undefined && { doPingsCount }),
    });
    this.#sessions.add(session);
    this.#storm?.opened('market', outlet);
    this.#pulse();
    return {
      receive: (text) => this.#guarded(() => session.receive(text, performance.now())),
      pinged: () => session.pinged(performance.now()),
      get waiting() {
        return session.waiting;
      },
      end: () => session.end(),
    };
  }

  /** Returns a function to call when the connection is gone. Throws any error of reading the state. */
  openAccount(principal: Principal, outlet: Outlet, resume: Resume | null, isStillAllowed: () => boolean): () => void {
    const end = this.#accounts.open(principal, outlet, resume, isStillAllowed);
    this.#storm?.opened('account', outlet);
    this.#schedule();
    return () => {
      end();
      this.#storm?.closed('account', outlet);
    };
  }

  /** Notifies all clients that the service is stopping, gives them this long to leave, and disconnects the rest. */
  async stop(drainMs: number): Promise<void> {
    this.#isStopping = true;
    for (const session of this.#sessions) session.drain();
    this.#accounts.drain();
    const deadline = performance.now() + drainMs;
    while (this.#sessions.size + this.#accounts.connections > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, pulseMs));
    this.end();
  }

  /** Ends every connection now; the simulation is not used again. */
  end(reason = stopReason): void {
    this.#isStopping = true;
    this.#isEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const session of [...this.#sessions]) session.close(closeCodes.goingAway, reason);
    this.#accounts.close(closeCodes.goingAway, reason);
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  #schedule(): void {
    if (this.#sessions.size === 0 && !this.#accounts.isFollowed) this.#storm?.pause();
    if (this.#isEnded || this.#timer !== null || (this.#sessions.size === 0 && !this.#accounts.isFollowed)) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#pulse();
    }, pulseMs);
  }

  #pulse(): void {
    this.#guarded(() => {
      const { passage } = this.#simulation;
      passage?.catchUp()?.catch((error) => this.#refuse(error));
      const [now, showsVenueMarks] = this.#simulation.read(({ exchange }) => [exchange.time, exchange.showsVenueMarks]);
      const wallMs = performance.now();
      this.#accounts.pulse();
      this.#storm?.pulse(now);
      // While the manual clock is moving, its readers wait for where it stops.
      if (this.#sessions.size === 0 || passage?.isAdvancing === true) return;
      this.#markets.showsVenueMarks = showsVenueMarks;
      this.#markets.pulse(now, wallMs);
      for (const session of this.#sessions) session.pulse(wallMs);
    });
    this.#schedule();
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    // The state was reset or deleted while it was followed: nothing more will ever come.
    if (error instanceof Failure || (error instanceof StoreError && error.kind === 'moved')) this.end(resetReason);
    else this.#onError(error);
  }
}

/** All account streams, by owner. */
export class AccountHub {
  readonly #simulation: Simulation;
  readonly #wall: () => number;
  readonly #onBug: (error: unknown) => void;
  readonly #feeds = new Map<string, AccountFeed>();

  /** `wall`: any steady clock, ms. */
  constructor(simulation: Simulation, wall: () => number, onBug: (error: unknown) => void) {
    this.#simulation = simulation;
    this.#wall = wall;
    this.#onBug = onBug;
  }

  get isFollowed(): boolean {
    return this.#feeds.size > 0;
  }

  /** Connections that are open now. */
  get connections(): number {
    let connections = 0;
    for (const { streams } of this.#feeds.values())
      for (const stream of streams.values()) if (stream.isConnected) connections += 1;
    return connections;
  }

  /**
   * Connects a client to a stream: its previous one, resumed where it stopped, or a new one that begins with snapshots.
   * Returns a function to call when the connection is gone.
   */
  open(principal: Principal, to: Outlet, resume: Resume | null, isStillAllowed: () => boolean): () => void {
    const outlet = new HeldOutlet(to, () => this.#simulation.store.unsynced());
    const { owner, environment } = principal;
    const key = `${environment} ${owner}`;
    if (this.#feeds.size === 0) this.#simulation.listen(this.#listener);
    const feed = this.#feeds.get(key) ?? new AccountFeed(this.#simulation, owner, environment);
    const known = resume === null ? undefined : feed.streams.get(resume.streamId);
    if (known?.resume(outlet, isStillAllowed, resume!.lastSeq, this.#wall()))
      return () => known.disconnect(outlet, this.#wall());
    if (resume?.since == null) this.#countMissed(feed);
    const stream = this.#begin(feed, outlet, resume?.since ?? null, isStillAllowed);
    feed.streams.set(stream.id, stream);
    this.#feeds.set(key, feed);
    return () => stream.disconnect(outlet, this.#wall());
  }

  /** The events that a client missed if it starts over; one that replaces an open connection has missed nothing. */
  #countMissed({ streams }: AccountFeed): void {
    const all = [...streams.values()];
    if (all.some(({ isConnected }) => isConnected)) return;
    const missed = all.reduce((sum, stream) => sum + stream.takeUnseen(), 0);
    this.#simulation.weather?.survival.missedAccountEvents(missed);
  }

  #begin(feed: AccountFeed, outlet: Outlet, since: Ms | null, isStillAllowed: () => boolean): AccountStream {
    const stream = new AccountStream();
    try {
      this.#simulation.read(({ exchange }) => {
        const wallMs = this.#wall();
        stream.begin(outlet, isStillAllowed, feed.snapshots(exchange), wallMs);
        if (since !== null) for (const fill of feed.fillsSince(since, exchange)) stream.send(fill, wallMs);
      });
    } catch (error) {
      if (this.#feeds.size === 0) this.#simulation.listen(null);
      throw error;
    }
    return stream;
  }

  pulse(): void {
    const wallMs = this.#wall();
    for (const { streams } of this.#feeds.values())
      for (const [id, stream] of streams) if (stream.pulse(wallMs)) streams.delete(id);
    for (const [key, { streams }] of this.#feeds) if (streams.size === 0) this.#feeds.delete(key);
    if (this.#feeds.size === 0) this.#simulation.listen(null);
  }

  drain(): void {
    this.#each((stream) => stream.askToReconnect());
  }

  /** Closes, when it is called, the connections that are open now. */
  retirement(code: number, reason: string): () => void {
    const closing: (() => void)[] = [];
    this.#each((stream) => closing.push(stream.retirement(code, reason)));
    return () => {
      for (const close of closing) close();
    };
  }

  close(code: number, reason: string): void {
    this.#each((stream) => stream.close(code, reason));
    this.#forgetAll();
  }

  readonly #listener = {
    committed: (changes: readonly Changes[], exchange: Exchange) =>
      this.#publish(() => {
        for (const feed of this.#feeds.values()) feed.publish(changes, exchange, this.#wall());
      }),
    reloaded: (exchange: Exchange) =>
      this.#publish(() => {
        for (const feed of this.#feeds.values()) {
          const changes = feed.differences(exchange);
          if (changes === null) throw new RangeError('the state was reset');
          feed.publish([changes], exchange, this.#wall());
        }
      }),
    lost: () => this.#startOver(),
  };

  /** Makes streams start over if they can't be sent the changes, so that none is missed. */
  #publish(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onBug(error);
      this.#startOver();
    }
  }

  #startOver(): void {
    this.#each((stream) => {
      stream.askToReconnect();
      stream.close(1012, 'the stream must start over');
    });
    this.#forgetAll();
  }

  #each(act: (stream: AccountStream) => void): void {
    for (const { streams } of this.#feeds.values()) for (const stream of streams.values()) act(stream);
  }

  #forgetAll(): void {
    this.#feeds.clear();
    this.#simulation.listen(null);
  }
}
