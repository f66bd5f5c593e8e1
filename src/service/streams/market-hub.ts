import type { Channel, Interval } from '../../contract/streams.ts';
import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { MarketSource, Tape } from '../../engine/source.ts';
import type { MarketData } from '../../markets/bars.ts';
import type { BarsOfMarket } from './candles.ts';
import { EventText } from './event-text.ts';
import { MarketFeed, staleAfterMs } from './market-feed.ts';
import { Audience, type Subscriber } from './subscribers.ts';

/** A clock that moves more than this at once has jumped: the time in between is not sent event by event. */
const longestPlayedMs: Ms = 60_000;
/** Shortest time between a market's books, ms of wall time. */
const bookEveryMs = 100;
const statusEveryMs = 1000;

/** The subject of a subscription: one channel of some markets. */
export interface Topic {
  channel: Channel;
  markets: readonly MarketDefinition[];
  intervals: readonly Interval[];
  /** For `status` without symbols: whole providers. */
  providers: readonly string[];
}

/**
 * Follows the markets that anyone reads, through its own cursor over the books and prints that fill orders, and sends
 * each event once to all of its readers. The engine is not affected: what it skips stays skipped.
 */
export class MarketHub {
  readonly source: MarketSource;
  readonly bars: Pick<MarketData, 'bars'>;
  readonly now: () => Ms;
  readonly #markets: ReadonlyMap<string, MarketDefinition>;
  readonly #feeds = new Map<string, MarketFeed>();
  readonly #audiences = new Map<string, Audience>();
  /** Audiences of `status`, with the last status sent for each provider or market. */
  readonly #statuses = new Map<Audience, { topic: Topic; published: Map<string, boolean> }>();
  #tape: Tape | null = null;
  #position: Ms = 0;
  #booksPublishedAt = Number.NEGATIVE_INFINITY;
  #statusPublishedAt = Number.NEGATIVE_INFINITY;
  #handles = 0;

  /** `now`: the time of the exchange's clock. */
  constructor(source: MarketSource, bars: Pick<MarketData, 'bars'>, now: () => Ms) {
    this.source = source;
    this.bars = bars;
    this.now = now;
    this.#markets = new Map(source.definitions.map((market) => [`${market.provider} ${market.coin}`, market]));
  }

  /** Exchange time up to which everything was sent, Unix ms. */
  get position(): Ms {
    return this.#position;
  }

  /** A market by its venue name. */
  market(provider: string, coin: string): MarketDefinition | undefined {
    return this.#markets.get(`${provider} ${coin}`);
  }

  nextHandle(): string {
    this.#handles += 1;
    return `s-${this.#handles.toString(36)}`;
  }

  /** Sends what has happened until `now`; `wallMs` is any steady clock. */
  pulse(now: Ms, wallMs: number): void {
    if (now - this.#position > longestPlayedMs) this.#jump(now);
    else this.#play(now);
    if (wallMs - this.#booksPublishedAt >= bookEveryMs) {
      this.#booksPublishedAt = wallMs;
      for (const feed of this.#feeds.values()) feed.publishBook();
    }
    for (const feed of this.#feeds.values()) feed.publishStats(now);
    if (wallMs - this.#statusPublishedAt >= statusEveryMs) this.#publishStatus(now, wallMs);
    for (const audience of this.#audiences.values()) audience.flush();
  }

  /** Sends a subscriber everything of a topic from now on. */
  join(topic: Topic, subscriber: Subscriber): void {
    const key = keyOf(topic);
    let audience = this.#audiences.get(key);
    if (audience === undefined) {
      audience = new Audience();
      this.#audiences.set(key, audience);
      if (topic.channel === 'status') {
        const published = new Map(this.#statusesOf(topic, this.#position).map(({ name, isUp }) => [name, isUp]));
        this.#statuses.set(audience, { topic, published });
      } else this.#attach(topic, audience);
    }
    audience.subscribers.add(subscriber);
  }

  /** Sends it nothing more; a market without readers is no longer followed. */
  leave(topic: Topic, subscriber: Subscriber): void {
    const key = keyOf(topic);
    const audience = this.#audiences.get(key);
    if (audience === undefined) return;
    audience.leave(subscriber);
    if (audience.subscribers.size > 0) return;
    this.#audiences.delete(key);
    this.#statuses.delete(audience);
    if (topic.channel !== 'status') for (const { marketId } of topic.markets) this.#detach(topic, marketId, audience);
  }

  /** The feed of a market; it is followed from now on, until `release` finds that it has no readers. */
  feed(market: MarketDefinition): MarketFeed {
    const { marketId } = market;
    let feed = this.#feeds.get(marketId);
    if (feed === undefined) {
      this.#tape ??= this.source.open(this.#position);
      this.#tape.watch(marketId, true);
      feed = new MarketFeed(market, this.source, this.bars, this.#position);
      this.#feeds.set(marketId, feed);
    }
    return feed;
  }

  /** A market's bars, without following it. */
  barsOf(market: MarketDefinition): BarsOfMarket {
    return { marketId: market.marketId, text: new EventText(market), bars: this.bars };
  }

  release(marketId: string): void {
    if (this.#feeds.get(marketId)?.isRead !== false) return;
    this.#feeds.delete(marketId);
    if (this.#feeds.size === 0) this.#tape = null;
    else this.#tape!.watch(marketId, false);
  }

  /** The status of everything that a topic names, as events. */
  presentStatus(topic: Topic): string[] {
    return this.#statusesOf(topic, this.#position).map(({ text }) => text);
  }

  #play(now: Ms): void {
    const tape = this.#tape;
    if (tape !== null) {
      for (let event = tape.next(now); event !== null; event = tape.next(now))
        this.#feeds.get(event.marketId)?.take(event);
      for (const feed of this.#feeds.values()) feed.finishCandles(now);
    }
    this.#position = Math.max(this.#position, now);
  }

  #jump(now: Ms): void {
    const from = this.#position;
    this.#position = now;
    if (this.#tape === null) return;
    this.#tape = this.source.open(now);
    for (const [marketId, feed] of this.#feeds) {
      this.#tape.watch(marketId, true);
      feed.jump(from, now);
      feed.finishCandles(now);
    }
    this.#booksPublishedAt = Number.NEGATIVE_INFINITY;
  }

  #attach(topic: Topic, audience: Audience): void {
    for (const market of topic.markets) {
      const feed = this.feed(market);
      if (topic.channel !== 'candles') {
        audiencesOf(feed, topic.channel).add(audience);
        continue;
      }
      for (const interval of topic.intervals) {
        const audiences = feed.candles.get(interval) ?? new Set();
        feed.candles.set(interval, audiences.add(audience));
        feed.forming(interval, this.#position);
      }
    }
  }

  #detach(topic: Topic, marketId: string, audience: Audience): void {
    const feed = this.#feeds.get(marketId);
    if (feed === undefined) return;
    if (topic.channel !== 'candles') audiencesOf(feed, topic.channel).delete(audience);
    for (const interval of topic.intervals) {
      feed.candles.get(interval)?.delete(audience);
      if (feed.candles.get(interval)?.size === 0) feed.forgetCandles(interval);
    }
    this.release(marketId);
  }

  #publishStatus(now: Ms, wallMs: number): void {
    this.#statusPublishedAt = wallMs;
    for (const [audience, { topic, published }] of this.#statuses) {
      for (const { name, isUp, text } of this.#statusesOf(topic, now)) {
        if (published.get(name) === isUp) continue;
        published.set(name, isUp);
        audience.add(text, false);
      }
    }
  }

  #statusesOf(topic: Topic, now: Ms): { name: string; isUp: boolean; text: string }[] {
    const ofMarkets = topic.markets.map((market) => {
      const isUp = this.#isUp(market, now);
      return { name: market.marketId, isUp, text: new EventText(market).status(isUp ? 'up' : 'down', now) };
    });
    const ofProviders = topic.providers.map((provider) => {
      const markets = this.source.definitions.filter((market) => market.provider === provider);
      const isUp = markets.some((market) => this.#isUp(market, now));
      return {
        name: provider,
        isUp,
        text: JSON.stringify({ type: 'status', provider, status: isUp ? 'up' : 'down', time: now }),
      };
    });
    return [...ofMarkets, ...ofProviders];
  }

  #isUp({ marketId }: MarketDefinition, now: Ms): boolean {
    // A request for a market's status must not subscribe to it.
    const { source } = this;
    const book = source.glance === undefined ? source.book(marketId, now) : source.glance(marketId, now);
    return book !== null && now - book.time <= staleAfterMs;
  }
}

/** The readers of a market's channel; candles are read by interval, and status is not per feed. */
function audiencesOf({ ticks, books, trades, stats }: MarketFeed, channel: Channel): Set<Audience> {
  const audiences = {
    ticks,
    books,
    trades,
    marketStats: stats,
    candles: new Set<Audience>(),
    status: new Set<Audience>(),
  };
  return audiences[channel];
}

function keyOf({ channel, markets, intervals, providers }: Topic): string {
  const names = markets.map(({ marketId }) => marketId).sort();
  return JSON.stringify([channel, names, [...intervals].sort(), [...providers].sort()]);
}
