import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { MarketSource, Tape } from '../../exchange/engine/source.ts';
import type { BarSource } from '../../exchange/markets/bars.ts';
import type { Channel, Interval } from '../../wire/contract/streams.ts';
import { atOnce, type Pieces, type Sharing } from '../../wire/hosting/turns.ts';
import type { Weather } from '../weather/weather.ts';
import { type BarsOfMarket, EventText } from './candles.ts';
import { MarketFeed, staleAfterMs } from './market-feed.ts';
import { Audience, type Subscriber } from './subscribers.ts';

/** A clock that moves more than this at once has jumped: the time in between is not sent event by event. */
const longestPlayedMs: Ms = 60_000;
/** The exchange time played before checking whether the turn is over. */
const playedAtOnceMs: Ms = 250;
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
  readonly weather: Weather | null;
  readonly source: MarketSource;
  readonly bars: BarSource;
  readonly now: () => Ms;
  readonly #played: () => Ms | null;
  /** How readers share the event loop. */
  readonly turns: Sharing;
  readonly #markets: ReadonlyMap<string, MarketDefinition>;
  readonly #feeds = new Map<string, MarketFeed>();
  /** Feeds that must be reloaded after a jump of the clock, with the time up to which they were sent. */
  readonly #jumping = new Map<string, Ms>();
  readonly #audiences = new Map<string, Audience>();
  /** Audiences of `status`, with the last status sent for each provider or market. */
  readonly #statuses = new Map<Audience, { topic: Topic; published: Map<string, boolean> }>();
  #tape: Tape | null = null;
  #position: Ms = 0;
  /** Whether marks are the venue's own; else midpoints. */
  showsVenueMarks = false;
  /** The exchange's time at the last pulse, which the position reaches in pieces. */
  #target: Ms = 0;
  #isPlaying = false;
  #booksPublishedAt = Number.NEGATIVE_INFINITY;
  #statusPublishedAt = Number.NEGATIVE_INFINITY;
  #handles = 0;

  /** `now`: the time of the exchange's clock; `played`: that of its state, null while the clock is being moved. */
  constructor(
    source: MarketSource,
    bars: BarSource,
    now: () => Ms,
    turns: Sharing,
    weather: Weather | null = null,
    played: () => Ms | null = now,
  ) {
    this.#played = played;
    this.weather = weather;
    this.source = source;
    this.bars = bars;
    this.now = now;
    this.turns = turns;
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
    this.#moveTo(now);
    if (wallMs - this.#booksPublishedAt >= bookEveryMs) {
      this.#booksPublishedAt = wallMs;
      for (const [marketId, feed] of this.#feeds) if (!this.#jumping.has(marketId)) feed.publishBook();
    }
    for (const [marketId, feed] of this.#feeds) {
      if (feed.hasOldStats(this.#position)) this.turns.spread(feed, feed.refreshStats(this.#position));
      if (!this.#jumping.has(marketId)) feed.publishStats(this.#position);
    }
    if (wallMs - this.#statusPublishedAt >= statusEveryMs) this.#publishStatus(now, wallMs);
    for (const audience of this.#audiences.values()) audience.flush();
  }

  /** A new reader gets the current state, not the one of the last pulse. */
  *reach(): Pieces {
    const now = this.#played() ?? this.#position;
    if (now > this.#target) this.#moveTo(now);
    while (this.#position < now) yield 'wait';
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
    return this.#feeds.get(market.marketId) ?? atOnce(this.open(market));
  }

  /** The feed of a market, loaded in pieces. */
  *open(market: MarketDefinition): Pieces<MarketFeed> {
    const { marketId } = market;
    while (this.#jumping.has(marketId)) yield 'wait';
    const known = this.#feeds.get(marketId);
    if (known !== undefined) return known;
    const feed = new MarketFeed(market, this.source, this.bars, {
      showsVenueMarks: () => this.showsVenueMarks,
      weather: this.weather,
    });
    const loadedAt = yield* this.#loadedTo(() => feed.load(this.#position));
    const other = this.#feeds.get(marketId);
    // Another reader may have been faster.
    if (other !== undefined) return other;
    feed.follow(loadedAt, this.#position);
    this.#tape ??= this.source.open(this.#position);
    this.#tape.watch(marketId, true);
    this.#feeds.set(marketId, feed);
    return feed;
  }

  /** Whether a feed is its market's current one, and isn't being reloaded after a jump of the clock. */
  isLoaded(feed: MarketFeed): boolean {
    return this.#feeds.get(feed.marketId) === feed && !this.#jumping.has(feed.marketId);
  }

  /** Loads until it is nearly current; returns as of when. */
  *#loadedTo(load: () => Pieces): Pieces<Ms> {
    for (;;) {
      const at = this.#position;
      yield* load();
      if (this.#position - at <= longestPlayedMs) return at;
    }
  }

  /** A market's bars, without following it. */
  barsOf(market: MarketDefinition): BarsOfMarket {
    const text = new EventText(market, this.source.pricesSince?.(market.marketId));
    return { marketId: market.marketId, text, bars: this.bars };
  }

  /** A reader left before it joined. */
  abandon({ markets, intervals }: Topic): void {
    for (const { marketId } of markets) {
      for (const interval of intervals) this.#feeds.get(marketId)?.forgetCandles(interval);
      this.release(marketId);
    }
  }

  release(marketId: string): void {
    if (this.#feeds.get(marketId)?.isRead !== false) return;
    this.#feeds.delete(marketId);
    this.#jumping.delete(marketId);
    if (this.#feeds.size === 0) this.#tape = null;
    else this.#tape!.watch(marketId, false);
  }

  /** The status of everything that a topic names, as events. */
  presentStatus(topic: Topic): string[] {
    return this.#statusesOf(topic, this.#position).map(({ text }) => text);
  }

  #moveTo(now: Ms): void {
    const isJump = now - this.#target > longestPlayedMs || now - this.#position > 5 * longestPlayedMs;
    if (isJump) this.#jump(now);
    else this.#play(now);
  }

  /** Plays past events, as far as one turn allows, and the rest in pieces. */
  #play(now: Ms): void {
    this.#target = now;
    if (this.#tape === null) this.#position = Math.max(this.#position, now);
    if (this.#isPlaying) return;
    const playing = this.#playOn();
    const startedAt = performance.now();
    while (performance.now() - startedAt < this.turns.longestMs) if (playing.next().done === true) return;
    this.turns.spread(this, playing);
  }

  *#playOn(): Pieces {
    this.#isPlaying = true;
    try {
      while (this.#tape !== null && this.#position < this.#target) {
        const to = Math.min(this.#target, this.#position + playedAtOnceMs);
        for (let event = this.#tape.next(to); event !== null; event = this.#tape.next(to))
          this.#feeds.get(event.marketId)?.take(event);
        this.#position = to;
        yield;
      }
    } finally {
      this.#isPlaying = false;
    }
    for (const [marketId, feed] of this.#feeds) if (!this.#jumping.has(marketId)) feed.finishCandles(this.#position);
  }

  #jump(now: Ms): void {
    const from = this.#position;
    this.#position = now;
    this.#target = now;
    if (this.#tape === null) return;
    this.#tape = this.source.open(now);
    const isJumping = this.#jumping.size > 0;
    for (const marketId of this.#feeds.keys()) if (!this.#jumping.has(marketId)) this.#jumping.set(marketId, from);
    if (!isJumping) this.turns.spread(this, this.#reloadAll());
    this.#booksPublishedAt = Number.NEGATIVE_INFINITY;
  }

  *#reloadAll(): Pieces {
    for (const [marketId, from] of this.#jumping) {
      const feed = this.#feeds.get(marketId);
      if (feed === undefined) continue;
      const loadedAt = yield* this.#loadedTo(() => feed.reload(this.#position));
      if (this.#feeds.get(marketId) !== feed) continue;
      this.#jumping.delete(marketId);
      feed.announce(from);
      feed.follow(loadedAt, this.#position);
      this.#tape!.watch(marketId, true);
      feed.finishCandles(this.#position);
      feed.publishStats(this.#position);
    }
    this.#jumping.clear();
  }

  #attach(topic: Topic, audience: Audience): void {
    for (const market of topic.markets) {
      const feed = this.feed(market);
      if (topic.channel !== 'candles') {
        readersOf(feed, topic.channel)?.add(audience);
        continue;
      }
      for (const interval of topic.intervals) {
        feed.candles.set(interval, (feed.candles.get(interval) ?? new Set()).add(audience));
        feed.forming(interval, this.#position);
      }
    }
  }

  #detach(topic: Topic, marketId: string, audience: Audience): void {
    const feed = this.#feeds.get(marketId);
    if (feed === undefined) return;
    if (topic.channel !== 'candles') readersOf(feed, topic.channel)?.delete(audience);
    for (const interval of topic.intervals) {
      feed.candles.get(interval)?.delete(audience);
      feed.forgetCandles(interval);
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

/** Status has no readers of a feed. */
function readersOf({ readers }: MarketFeed, channel: Channel): Set<Audience> | undefined {
  return channel in readers ? readers[channel as keyof typeof readers] : undefined;
}

function keyOf({ channel, markets, intervals, providers }: Topic): string {
  const names = markets.map(({ marketId }) => marketId).sort();
  return JSON.stringify([channel, names, [...intervals].sort(), [...providers].sort()]);
}
