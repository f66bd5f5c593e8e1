import type { Interval } from '../../contract/streams.ts';
import type { MarketDefinition, Ms } from '../../engine/model.ts';
import { barStart } from '../../markets/bars.ts';
import { candlesFrom, newestCandles } from './candles.ts';
import type { MarketHub, Topic } from './market-hub.ts';
import { busyBytes } from './outlet.ts';
import { eventsFrame, frameTails, maxEventsPerFrame, type Subscriber } from './subscribers.ts';

/** How long candles are looked up before others get a turn, ms. */
const turnMs = 20;

/** The connection that a subscription belongs to. */
export interface Connection {
  readonly buffered: number;
  send(text: string): void;
}

/** Candles of one market and interval that are still to be replayed. */
interface Replay {
  market: MarketDefinition;
  interval: Interval;
}

/** One subscription of a connection: accepted, then its first events, then live. */
export class Subscription implements Subscriber {
  readonly handle: string;
  readonly #hub: MarketHub;
  readonly #connection: Connection;
  readonly #id: number;
  readonly #topic: Topic;
  readonly #historyLimit: number;
  /** Candles, in order; events count from `#replayedAt` on. */
  #waiting: Replay[] = [];
  readonly #replayedAt = new Map<Replay, Ms>();
  #state: 'replaying' | 'live' | 'ended' = 'replaying';
  #hasTurn = false;

  constructor(hub: MarketHub, connection: Connection, id: number, topic: Topic, historyLimit: number) {
    this.handle = hub.nextHandle();
    this.#hub = hub;
    this.#connection = connection;
    this.#id = id;
    this.#topic = topic;
    this.#historyLimit = historyLimit;
  }

  get buffered(): number {
    return this.#connection.buffered;
  }

  send(text: string): void {
    this.#connection.send(text);
  }

  /** Accepts it. Prints and candles replay up to a boundary; the other channels are live at once. */
  begin(): void {
    const { channel, markets, intervals } = this.#topic;
    const hasBoundary = channel === 'trades' || channel === 'candles';
    this.send(`{"op":"sub_ok","id":${this.#id},"sub":"${this.handle}","snapshotBoundary":${hasBoundary}}`);
    if (channel === 'candles' && this.#historyLimit > 0)
      this.#waiting = markets.flatMap((market) => intervals.map((interval) => ({ market, interval })));
    if (channel === 'candles') this.goOn();
    else this.#goLive();
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

  /** Continues the replay, as far as the reader has room. */
  goOn(): void {
    if (this.#state !== 'replaying' || this.#hasTurn) return;
    const startedAt = performance.now();
    while (this.#waiting.length > 0) {
      if (this.#isEnded()) return;
      if (this.buffered > busyBytes) return;
      if (performance.now() - startedAt > turnMs) {
        this.#hasTurn = true;
        setImmediate(() => {
          this.#hasTurn = false;
          this.goOn();
        });
        return;
      }
      const next = this.#waiting.shift()!;
      const { position } = this.#hub;
      this.#sendEvents(newestCandles(this.#hub.feed(next.market), next.interval, this.#historyLimit, position));
      this.#replayedAt.set(next, position);
    }
    this.#goLive();
  }

  end(): void {
    const wasLive = this.#state === 'live';
    this.#state = 'ended';
    if (wasLive) this.#hub.leave(this.#topic, this);
    else for (const { marketId } of this.#topic.markets) this.#hub.release(marketId);
  }

  #goLive(): void {
    const { channel } = this.#topic;
    const hasBoundary = channel === 'trades' || channel === 'candles';
    if (channel === 'candles') this.#sendMissed();
    else this.#sendEvents(this.present());
    if (hasBoundary) this.send(`{"op":"snapshot_end","id":${this.#id}}`);
    // A reader that was disconnected in the meantime is sent nothing more.
    if (this.#isEnded()) return;
    this.#hub.join(this.#topic, this);
    this.#state = 'live';
  }

  #isEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Bars that ended or started while others were replayed. */
  #sendMissed(): void {
    const { position } = this.#hub;
    for (const [{ market, interval }, replayedAt] of this.#replayedAt) {
      if (replayedAt === position) continue;
      const from = barStart(interval, replayedAt);
      this.#sendEvents(candlesFrom(this.#hub.feed(market), interval, from, maxEventsPerFrame, position));
    }
  }

  #sendEvents(events: readonly string[]): void {
    for (const tail of frameTails(events)) this.send(eventsFrame(this.handle, tail));
  }
}
