import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import { barStart } from '../../exchange/markets/bars.ts';
import type { Interval } from '../../wire/contract/streams.ts';
import type { Outlet } from '../../wire/hosting/stream-host.ts';
import type { Pieces } from '../../wire/hosting/turns.ts';
import { candlesFrom, newestCandles } from './candles.ts';
import type { MarketFeed } from './market-feed.ts';
import type { MarketHub, Topic } from './market-hub.ts';
import { busyBytes, eventsFrame, frameTails, maxEventsPerFrame, type Subscriber } from './subscribers.ts';

/** Candles of one market and interval, to be replayed. */
interface Replay {
  market: MarketDefinition;
  interval: Interval;
}

/** One subscription of a connection: accepted, then its first events, then live. */
export class Subscription implements Subscriber {
  readonly handle: string;
  readonly #hub: MarketHub;
  readonly #outlet: Pick<Outlet, 'buffered' | 'send'>;
  readonly #id: number;
  readonly #topic: Topic;
  readonly #historyLimit: number;
  /** Candles, in order; events count from `#replayedAt` on. */
  #waiting: Replay[] = [];
  readonly #replayedAt = new Map<Replay, Ms>();
  /** While it joins, live events wait until everything before them was sent. */
  #state: 'replaying' | 'joining' | 'live' | 'ended' = 'replaying';
  #held: string[] = [];
  /** The replay waits until the reader has room. */
  #isParked = false;

  constructor(
    hub: MarketHub,
    outlet: Pick<Outlet, 'buffered' | 'send'>,
    id: number,
    topic: Topic,
    historyLimit: number,
  ) {
    this.handle = hub.nextHandle();
    this.#hub = hub;
    this.#outlet = outlet;
    this.#id = id;
    this.#topic = topic;
    this.#historyLimit = historyLimit;
  }

  get channel(): Topic['channel'] {
    return this.#topic.channel;
  }

  get buffered(): number {
    return this.#outlet.buffered;
  }

  send(text: string): void {
    if (this.#state === 'joining') this.#held.push(text);
    else this.#outlet.send(text);
  }

  /**
   * Accepts it. Prints and candles replay up to a boundary; the other channels are live at once. Returns the work that
   * the connection's next requests wait for; candles are replayed beside them.
   */
  begin(): Pieces | undefined {
    const { channel, markets, intervals } = this.#topic;
    const hasBoundary = channel === 'trades' || channel === 'candles';
    this.send(`{"op":"sub_ok","id":${this.#id},"sub":"${this.handle}","snapshotBoundary":${hasBoundary}}`);
    if (channel !== 'candles') return this.#start();
    this.#waiting = markets.flatMap((market) => intervals.map((interval) => ({ market, interval })));
    this.#hub.turns.spread(this.#outlet, this.#replay(this.#hub.reach()));
    return undefined;
  }

  present(): string[] {
    const { channel, markets, intervals } = this.#topic;
    if (channel === 'status') return this.#hub.presentStatus(this.#topic);
    const { position } = this.#hub;
    return markets.flatMap((market) => {
      const feed = this.#hub.feed(market);
      if (channel === 'ticks') return feed.presentTicks();
      if (channel === 'books') return feed.presentBook();
      if (channel === 'marketStats') return feed.presentStats(position);
      if (channel === 'trades') return feed.presentTrades();
      return intervals.flatMap((interval) => feed.forming(interval, position).current() ?? []);
    });
  }

  /** Continues a replay that waited for its reader. */
  goOn(): void {
    if (!this.#isParked || this.buffered > busyBytes) return;
    this.#isParked = false;
    this.#hub.turns.spread(this.#outlet, this.#replay());
  }

  end(): void {
    const wasJoined = this.#state === 'live' || this.#state === 'joining';
    this.#state = 'ended';
    this.#held = [];
    if (wasJoined) this.#hub.leave(this.#topic, this);
    else this.#hub.abandon(this.#topic);
  }

  /** Loads the markets, sends their current state, and goes live. */
  *#start(): Pieces {
    const { channel, markets } = this.#topic;
    const followed = channel === 'status' ? [] : markets;
    const feeds: MarketFeed[] = [];
    yield* this.#hub.reach();
    // Meanwhile, a jump of the clock may have emptied a feed, or its last reader may have left: then all is loaded
    // again.
    do {
      feeds.length = 0;
      for (const market of followed) {
        const feed = yield* this.#hub.open(market);
        feeds.push(feed);
        if (channel === 'trades') yield* feed.readTrades();
        if (channel === 'marketStats') yield* feed.prepareStats(this.#hub.position);
        if (this.#isEnded()) return;
      }
    } while (!feeds.every((feed) => this.#hub.isLoaded(feed)));
    const present = this.present();
    this.#hub.join(this.#topic, this);
    this.#state = 'joining';
    yield* this.#goLive(present, channel === 'trades');
  }

  /** Replays candles, as far as the reader has room, then joins. */
  *#replay(first?: Pieces): Pieces {
    if (first !== undefined) yield* first;
    while (this.#waiting.length > 0) {
      if (this.#isEnded()) return;
      if (this.buffered > busyBytes) {
        this.#isParked = true;
        return;
      }
      yield* this.#replayNext(this.#waiting.shift()!);
    }
    if (!this.#isEnded()) yield* this.#joinCandles();
  }

  *#replayNext(next: Replay): Pieces {
    const feed = yield* this.#hub.open(next.market);
    const { position } = this.#hub;
    const limit = this.#historyLimit;
    const candles = limit > 0 ? yield* newestCandles(feed, next.interval, limit, position) : [];
    yield* feed.prepareCandles(next.interval, position);
    if (this.#isEnded()) return;
    // Followed from now on, so that joining is quick.
    this.#hub.feed(next.market).forming(next.interval, this.#hub.position);
    this.#sendEvents(candles);
    if (limit > 0) this.#replayedAt.set(next, position);
  }

  /** Sends the bars that ended or started while others were replayed; live events come after them. */
  *#joinCandles(): Pieces {
    const { position } = this.#hub;
    this.#hub.join(this.#topic, this);
    this.#state = 'joining';
    const missed: string[] = [];
    for (const [{ market, interval }, replayedAt] of this.#replayedAt) {
      if (replayedAt === position) continue;
      const from = barStart(interval, replayedAt);
      missed.push(...(yield* candlesFrom(this.#hub.barsOf(market), interval, from, maxEventsPerFrame, position)));
    }
    yield* this.#goLive(missed, true);
  }

  /** Sends everything before the live events, in pieces, and then those that came in the meantime. */
  *#goLive(first: readonly string[], hasBoundary: boolean): Pieces {
    for (let at = 0; at < first.length && !this.#isEnded(); at += maxEventsPerFrame) {
      for (const tail of frameTails(first.slice(at, at + maxEventsPerFrame)))
        this.#outlet.send(eventsFrame(this.handle, tail));
      if (at + maxEventsPerFrame < first.length) yield;
    }
    // A reader that was disconnected in the meantime is sent nothing more.
    if (this.#isEnded()) return;
    const held = this.#held;
    this.#state = 'live';
    this.#held = [];
    if (hasBoundary) this.send(`{"op":"snapshot_end","id":${this.#id}}`);
    for (const text of held) if (!this.#isEnded()) this.send(text);
  }

  #isEnded(): boolean {
    return this.#state === 'ended';
  }

  #sendEvents(events: readonly string[]): void {
    for (const tail of frameTails(events)) this.send(eventsFrame(this.handle, tail));
  }
}
