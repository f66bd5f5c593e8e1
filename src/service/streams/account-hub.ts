import type { Changes } from '../../exchange/engine/commands.ts';
import type { Exchange } from '../../exchange/engine/exchange.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { AccountStream, type Resume } from '../../wire/hosting/account-stream.ts';
import type { Outlet } from '../../wire/hosting/stream-host.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation } from '../simulation/simulation.ts';
import { AccountFeed } from './account-feed.ts';
import { HeldOutlet } from './outlet.ts';

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

  /** What a client that starts over has missed; one that replaces an open connection has missed nothing. */
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
