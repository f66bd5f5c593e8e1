import type { Ms } from '../../engine/model.ts';
import { Connection, type ConnectionStatus } from './connection.ts';
import type { FeedServices } from './feed-services.ts';
import { MarketFeed, type MarketStatus, type StandingGap } from './market-feed.ts';
import type { Outside } from './outside.ts';
import { RestClient, unreadable } from './rest-client.ts';
import type { TapeEntry } from './tape-lines.ts';
import {
  type Ask,
  type BookMessage,
  type Topic,
  type TradesMessage,
  urlOf,
  type Venue,
  type VenueMarket,
  type VenueName,
} from './venue.ts';
import { VenueClock } from './venue-clock.ts';

const tickMs = 1_000;
/** How often the venue's clock is compared with ours. */
const clockMs = 10 * 60_000;
/** The Date header is truncated to seconds. */
const headerResolutionMs = 500;

/** A venue's base addresses, to which its paths are added. */
export interface VenueAddress {
  wsUrl: string;
  restUrl: string;
}

/** The status of a venue's feed. */
export interface FeedStatus {
  venue: VenueName;
  connections: ConnectionStatus[];
  markets: MarketStatus[];
  /** Frames received in the last full second. */
  framesPerSecond: number;
  /** Milliseconds by which the venue's clock is ahead of ours; null if unknown. */
  skewMs: Ms | null;
  /** The venue's REST budget: used in the last minute, in total, and when requests are allowed again (0: now). */
  rest: { weight: number; weightPerMinute: number; pausedUntil: Ms };
}

/**
 * Writes a feed's lines to the tape. All lines of one call get the same time, which is returned; null if the tape can't
 * be written.
 */
export type WriteLines = (lines: readonly TapeEntry[]) => Ms | null;

interface Assigned {
  feed: MarketFeed;
  /** `extra` books add levels to the first one; the market works without them. */
  kind: 'books' | 'extra' | 'trades';
  connection: Connection;
}

/** The feed of one venue: subscribes the markets in use and writes their events to the tape. */
export class VenueFeed {
  readonly venue: Venue;
  private readonly address: VenueAddress;
  private readonly outside: Outside;
  private readonly write: WriteLines;
  private readonly clock = new VenueClock();
  private readonly rest: RestClient;
  private readonly markets = new Map<string, MarketFeed>();
  private readonly connections = new Map<string, Connection>();
  /** By topic: its market, and its connection. */
  private readonly topics = new Map<string, Assigned>();
  private isTicking = false;
  private clockAskedAt: Ms = Number.NEGATIVE_INFINITY;
  private framesBefore = 0;
  private framesPerSecond = 0;

  constructor(venue: Venue, address: VenueAddress, outside: Outside, write: WriteLines) {
    this.venue = venue;
    this.address = address;
    this.outside = outside;
    this.write = write;
    this.rest = new RestClient(venue, address.restUrl, outside, (time, sentAt, answeredAt) => {
      this.clock.learn(time, sentAt, answeredAt, headerResolutionMs);
    });
  }

  /** Sends the venue a REST request within its budget. */
  get ask(): Ask {
    return this.rest.ask;
  }

  /** Whether a market is subscribed. */
  has(marketId: string): boolean {
    return this.markets.get(marketId)?.state !== 'off' && this.markets.has(marketId);
  }

  /**
   * Subscribes to a market, unless it is already subscribed. `left`: the gap that the tape leaves it in, from before
   * this process.
   */
  want(market: VenueMarket, left: StandingGap | null = null): void {
    const { marketId } = market.definition;
    if (this.has(marketId)) return;
    let feed = this.markets.get(marketId);
    if (feed === undefined) {
      feed = new MarketFeed(market, this.venue, this.services());
      this.markets.set(marketId, feed);
      if (left !== null) feed.resume(left);
    }
    feed.start();
    const { books, trades } = this.venue.topics(market);
    for (const [at, topic] of books.entries()) this.assign(topic, feed, at === 0 ? 'books' : 'extra');
    this.assign(trades, feed, 'trades');
    if (!this.isTicking) this.outside.after(tickMs, () => this.tick());
    this.isTicking = true;
    this.askClock();
  }

  /** Unsubscribes from a market. */
  drop(marketId: string): void {
    const feed = this.markets.get(marketId);
    if (feed === undefined) return;
    for (const [name, topic] of this.topics) {
      if (topic.feed !== feed) continue;
      topic.connection.remove([name]);
      this.topics.delete(name);
    }
    feed.stop();
    for (const [name, connection] of this.connections) {
      if (connection.wanted.size > 0) continue;
      connection.close();
      this.connections.delete(name);
    }
  }

  /** A market's feed; null if it was never used. */
  market(marketId: string): MarketFeed | null {
    return this.markets.get(marketId) ?? null;
  }

  /** All markets with data on the tape. */
  feeds(): IterableIterator<MarketFeed> {
    return this.markets.values();
  }

  status(): FeedStatus {
    return {
      venue: this.venue.name,
      connections: [...this.connections.values()].map(({ status }) => status),
      markets: [...this.markets.values()].filter(({ state }) => state !== 'off').map((market) => market.status()),
      framesPerSecond: this.framesPerSecond,
      skewMs: this.clock.offsetMs,
      rest: this.rest.usage,
    };
  }

  close(): void {
    this.rest.close();
    for (const connection of this.connections.values()) connection.close();
    this.connections.clear();
  }

  private services(): FeedServices {
    const { rest } = this.venue;
    const asked = <T>(answer: Promise<T>): Promise<T> =>
      answer.catch((error: unknown) => {
        throw unreadable(this.venue, error);
      });
    return {
      clock: this.clock,
      now: () => this.outside.now(),
      random: () => this.outside.random(),
      after: (ms, run) => this.outside.after(ms, run),
      write: this.write,
      askBook: rest.book === undefined ? null : (market, isTop) => asked(rest.book!(this.ask, market, isTop)),
      askHistory:
        rest.history === undefined ? null : (market, missing) => asked(rest.history!(this.ask, market, missing)),
      isOverlapping: () => [...this.connections.values()].some(({ isOverlapping }) => isOverlapping),
      resubscribe: (market) => {
        const { name } = this.venue.topics(market).books[0]!;
        this.topics.get(name)?.connection.renew(name);
      },
      reconnect: (market) => {
        const { name } = this.venue.topics(market).books[0]!;
        this.topics.get(name)?.connection.reconnect('a stream has stopped');
      },
    };
  }

  private assign({ connection: name, name: topic }: Topic, feed: MarketFeed, kind: Assigned['kind']): void {
    const connection = this.connectionFor(name);
    this.topics.set(topic, { feed, kind, connection });
    connection.add([topic]);
  }

  /** The first connection of that name with room for another topic, or a new one. */
  private connectionFor(name: string): Connection {
    for (let number = 1; ; number += 1) {
      const key = `${name} ${number}`;
      const known = this.connections.get(key);
      if (known === undefined) {
        const opened = this.openConnection(name);
        this.connections.set(key, opened);
        return opened;
      }
      if (known.wanted.size < this.venue.stream.topicsPerConnection) return known;
    }
  }

  private openConnection(name: string): Connection {
    const { path } = this.venue.connections.find((connection) => connection.name === name)!;
    const connection: Connection = new Connection(this.venue, name, urlOf(this.address.wsUrl, path), this.outside, {
      message: (message) => this.take(message),
      began: (topic) => {
        const known = this.topics.get(topic);
        if (known?.kind === 'books') known.feed.booksBegan();
        if (known?.kind === 'trades') known.feed.tradesBegan();
      },
      lost: () => {
        for (const one of this.topics.values()) if (one.connection === connection) loseTopic(one);
      },
      ended: (topic) => loseTopic(this.topics.get(topic)),
      refused: (topic, reason) => this.topics.get(topic)?.feed.refuse(reason),
      time: (time, sentAt, answeredAt) => this.clock.learn(time, sentAt, answeredAt, 0),
    });
    return connection;
  }

  private take(message: BookMessage | TradesMessage): void {
    const topic = this.topics.get(message.topic);
    if (message.kind === 'book') topic?.feed.takeBook(message, topic.kind === 'extra');
    else topic?.feed.takeTrades(message.trades);
  }

  private tick(): void {
    this.outside.after(tickMs, () => this.tick());
    for (const connection of this.connections.values()) connection.tick();
    for (const market of this.markets.values()) market.tick();
    const frames = [...this.connections.values()].reduce((sum, { status }) => sum + status.frames, 0);
    this.framesPerSecond = Math.max(0, frames - this.framesBefore);
    this.framesBefore = frames;
    this.askClock();
  }

  private askClock(): void {
    const { time } = this.venue.rest;
    const sentAt = this.outside.now();
    if (time === undefined || sentAt - this.clockAskedAt < clockMs) return;
    this.clockAskedAt = sentAt;
    time(this.ask).then(
      (venueMs) => this.clock.learn(venueMs, sentAt, this.outside.now(), 0),
      // Keep the known offset; other checks report the venue's problem.
      () => {},
    );
  }
}

function loseTopic(topic: Assigned | undefined): void {
  if (topic !== undefined && topic.kind !== 'extra') topic.feed.lose('connection', 'streams');
}
