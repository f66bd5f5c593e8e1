import { titleOf } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { StandingGap } from '../tape/summary.ts';
import type { TapeLine } from '../tape/tape-lines.ts';
import { listWatch } from './definitions.ts';
import type { FeedServices } from './feed-services.ts';
import { MarketFeed } from './market-feed.ts';
import type { Network } from './network.ts';
import {
  type Ask,
  type BookDepth,
  type BookMessage,
  type MarksMessage,
  type TradesMessage,
  urlOf,
  type Venue,
  type VenueMarket,
} from './protocols/venue.ts';
import { RestClient, unreadable } from './rest-client.ts';
import { VenueClock } from './venue-clock.ts';
import { VenueConnection } from './venue-connection.ts';

const tickMs = 500;
/** A tick this late means that this process was not running. */
const awayMs = 2_000;
/** The minimum frequency of reading the venue's clock, and the maximum while messages look late. */
const clockMs = 60_000;
const clockAgainMs = 2_000;
/** The Date header is truncated to seconds. */
const headerResolutionMs = 500;
/**
 * How often the venue's list of markets is read again, and how often while it refuses a market or lists one that
 * doesn't fit.
 */
const listMs = 3_600_000;
const listAgainMs = 60_000;
/** More markets than this that wait for a book are many. */
const manyWaiting = 30;
/** Proofs of prints leave enough of the venue's budget for markets to go live. */
const provingShare = 0.4;
/** A market refused this often may have left the venue's list. */
const manyRefusals = 3;

/** A venue's base addresses, to which its paths are added. */
export interface VenueAddress {
  wsUrl: string;
  restUrl: string;
}

/**
 * Writes a feed's lines to the tape. All lines of one call get the same time, which is returned; null if the tape can't
 * be written.
 */
type WriteLines = (lines: readonly TapeLine[]) => Ms | null;

/** The status of a venue's feed. */
export type FeedStatus = ReturnType<VenueFeed['status']>;

/** A market in use. */
interface Held {
  /** As the venue lists it now; its prices on the tape keep the units of the tape's definition. */
  market: VenueMarket;
  feed: MarketFeed;
  /** Refusals since it was last live. */
  refusals: number;
}

interface Assigned {
  held: Held;
  /** `extra` books add levels to the first one; the market works without them, and without the venue's own prices. */
  kind: 'books' | 'extra' | 'trades' | 'marks';
  connection: VenueConnection;
}

/** The feed of one venue: subscribes the markets in use and writes their events to the tape. */
export class VenueFeed {
  readonly venue: Venue;
  private readonly address: VenueAddress;
  private readonly network: Network;
  private readonly write: WriteLines;
  private readonly clock: VenueClock;
  private readonly rest: RestClient;
  private readonly markets = new Map<string, Held>();
  private readonly connections = new Map<string, VenueConnection>();
  /** By topic: its market, and its connection. */
  private readonly topics = new Map<string, Assigned>();
  /** The subscribed markets, by their names in the venue's channels. */
  private readonly channels = new Map<string, VenueMarket>();
  /** When the next tick is due; null before the first market. */
  private tickAt: Ms | null = null;
  private clockAskedAt: Ms = Number.NEGATIVE_INFINITY;
  readonly list: ReturnType<typeof listWatch>;
  private counted = { at: 0, frames: 0 };
  private framesPerSecond = 0;

  constructor(venue: Venue, address: VenueAddress, network: Network, write: WriteLines) {
    this.venue = venue;
    this.address = address;
    this.network = network;
    this.write = write;
    this.clock = new VenueClock(network);
    this.rest = new RestClient(venue, address.restUrl, network, (time, askedMsAgo) => {
      this.clock.learn(time, askedMsAgo, headerResolutionMs);
    });
    this.list = listWatch(venue, this.ask, network, (listed, isPartial) => {
      for (const held of this.markets.values())
        if (!isPartial || listed.has(held.market.definition.marketId)) this.follow(held, listed);
    });
  }

  /** Sends the venue a REST request within its budget. */
  get ask(): Ask {
    return this.rest.ask;
  }

  /** Whether a market is subscribed. */
  has(marketId: string): boolean {
    return (this.markets.get(marketId)?.feed.state ?? 'off') !== 'off';
  }

  /**
   * Subscribes to a market, unless it is already subscribed. `left`: the gap left by an earlier process. `now`: as the
   * venue lists it, and `taped`: as the tape does.
   */
  want(known: VenueMarket, left: StandingGap | null = null, now = known.definition, taped = known.definition): void {
    const { marketId } = known.definition;
    if (this.has(marketId)) return;
    const latest = this.list.latest.get(marketId);
    const market = latest ?? known;
    let held = this.markets.get(marketId);
    if (held === undefined) {
      const feed: MarketFeed = new MarketFeed(
        { ...market, definition: taped },
        this.venue,
        this.services(() => held!),
      );
      held = { market, feed, refusals: 0 };
      this.markets.set(marketId, held);
      if (left !== null) feed.resume(left);
      feed.redefine(latest?.definition ?? now);
    }
    held.feed.start();
    this.subscribe(held);
    if (this.tickAt === null) this.tickIn(tickMs);
  }

  /** Unsubscribes from a market. */
  drop(marketId: string): void {
    const held = this.markets.get(marketId);
    if (held === undefined) return;
    this.unsubscribe(held);
    held.feed.stop();
    for (const [name, connection] of this.connections) {
      if (connection.wanted.size > 0) continue;
      connection.close();
      this.connections.delete(name);
    }
  }

  /** A market's feed; null if it was never used. */
  market(marketId: string): MarketFeed | null {
    return this.markets.get(marketId)?.feed ?? null;
  }

  /** All markets with data on the tape. */
  feeds(): MarketFeed[] {
    return [...this.markets.values()].map(({ feed }) => feed);
  }

  status() {
    return {
      venue: this.venue.name,
      connections: [...this.connections.values()].map(({ status }) => status),
      markets: this.feeds()
        .filter(({ state }) => state !== 'off')
        .map((feed) => feed.status()),
      /** The parts of the venue's list that perp doesn't recognize. */
      unknown: this.list.unknown,
      /** Frames received in the last full second. */
      framesPerSecond: this.framesPerSecond,
      /** Milliseconds by which the venue's clock is ahead of ours; null if unknown. */
      skewMs: this.clock.aheadMs,
      rest: this.rest.usage,
    };
  }

  close(): void {
    this.rest.close();
    for (const connection of this.connections.values()) connection.close();
    this.connections.clear();
  }

  private services(held: () => Held): FeedServices {
    const { rest } = this.venue;
    const connection = () => {
      const [name] = this.venue.topics(held().market.channel).books;
      return this.topics.get(name!)?.connection;
    };
    const asked = <T>(answer: Promise<T>): Promise<T> =>
      answer.catch((error: unknown) => {
        throw unreadable(this.venue, error);
      });
    return {
      ...this.network,
      clock: this.clock,
      receivedUs: () => this.network.nowUs?.() ?? 1_000 * this.network.now(),
      write: this.write,
      askBook:
        rest.book === undefined
          ? null
          : (isTop) => asked(rest.book!(this.ask, held().market, isTop ? 'top' : this.depth)),
      askHistory:
        rest.history === undefined ? null : (missing) => asked(rest.history!(this.ask, held().market, missing)),
      sampleClock: () => this.sampleClock(clockAgainMs),
      isOverlapping: () => [...this.connections.values()].some(({ isOverlapping }) => isOverlapping),
      resubscribe: (to) => {
        const { books, trades, marks } = this.venue.topics(held().market.channel);
        for (const topic of { books: books.slice(0, 1), trades: [trades], marks }[to])
          this.topics.get(topic)?.connection.renew(topic);
      },
      mayProve: () => this.rest.usage.weight <= provingShare * this.venue.rest.weightPerMinute,
      misfit: (isMild) => {
        if (isMild) void this.list.read(listAgainMs);
        else this.list.readSoon();
      },
      reconnect: () => connection()?.reconnect('a stream has stopped'),
    };
  }

  /** While many markets wait for a book, each gets a smaller one: all are live sooner, within the venue's limit. */
  private get depth(): BookDepth {
    let waiting = 0;
    for (const { feed } of this.markets.values()) if (feed.state === 'waiting') waiting += 1;
    return waiting > manyWaiting ? 'lean' : 'full';
  }

  private subscribe(held: Held): void {
    this.channels.set(held.market.channel, held.market);
    const { books, trades } = this.venue.topics(held.market.channel);
    for (const [at, topic] of books.entries()) this.assign(topic, held, at === 0 ? 'books' : 'extra');
    this.assign(trades, held, 'trades');
  }

  /** The venue's own prices are requested once a market is live: they never delay one. */
  private subscribeMarks(held: Held): void {
    for (const topic of this.venue.topics(held.market.channel).marks)
      if (!this.topics.has(topic)) this.assign(topic, held, 'marks');
  }

  private unsubscribe(held: Held): void {
    this.channels.delete(held.market.channel);
    for (const [name, topic] of this.topics) {
      if (topic.held !== held) continue;
      topic.connection.remove([name]);
      this.topics.delete(name);
    }
  }

  private assign(topic: string, held: Held, kind: Assigned['kind']): void {
    const connection = this.connectionFor(this.venue.connectionOf?.(topic) ?? Object.keys(this.venue.paths)[0]!);
    this.topics.set(topic, { held, kind, connection });
    connection.add([topic], kind === 'marks');
  }

  /** The first connection of that name with room for another topic, or a new one. */
  private connectionFor(name: string): VenueConnection {
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

  private openConnection(name: string): VenueConnection {
    const connection: VenueConnection = new VenueConnection(
      this.venue,
      name,
      urlOf(this.address.wsUrl, this.venue.paths[name]!),
      this.network,
      {
        marketOf: (channel) => this.channels.get(channel),
        message: (message) => this.take(message),
        began: (topic) => {
          const known = this.topics.get(topic);
          if (known?.kind === 'books') known.held.feed.booksBegan();
          if (known?.kind === 'trades') known.held.feed.tradesBegan();
        },
        // The size of contracts may have changed while the connection was lost.
        opened: (subscribe) => this.list.connected(this.hasContracts, subscribe),
        lost: () => {
          this.sampleClock(clockAgainMs);
          for (const one of this.topics.values()) if (one.connection === connection) loseTopic(one);
        },
        ended: (topic) => loseTopic(this.topics.get(topic)),
        refused: (topic, reason) => this.refuse(this.topics.get(topic), reason),
        time: (time, askedMsAgo) => this.clock.learn(time, askedMsAgo, 0),
      },
    );
    return connection;
  }

  private get hasContracts(): boolean {
    return [...this.markets.values()].some(({ market }) => market.contractSize !== null);
  }

  private take(message: BookMessage | TradesMessage | MarksMessage): void {
    const topic = this.topics.get(message.topic);
    if (message.kind === 'marks') {
      topic?.held.feed.marks.take(message);
      topic?.held.feed.prints.watch.tallied(message.volume);
    } else if (message.kind === 'book') topic?.held.feed.takeBook(message, topic.kind === 'extra');
    else topic?.held.feed.takeTrades(message.trades);
  }

  private tickIn(ms: Ms): void {
    this.tickAt = this.network.uptime() + ms;
    this.network.after(ms, () => this.tick());
  }

  private tick(): void {
    const now = this.network.uptime();
    const wasAway = now - this.tickAt! >= awayMs;
    this.tickIn(tickMs);
    for (const connection of this.connections.values()) connection.tick(wasAway);
    for (const held of this.markets.values()) {
      held.feed.tick();
      if (held.feed.state !== 'live') continue;
      held.refusals = 0;
      this.subscribeMarks(held);
    }
    if (now - this.counted.at >= 1_000) this.count(now);
    this.sampleClock(clockMs);
    const isOdd = ({ refusals, feed }: Held) =>
      refusals >= manyRefusals || (feed.grid.unfit !== null && feed.state !== 'off');
    void this.list.read([...this.markets.values()].some(isOdd) ? listAgainMs : listMs);
  }

  private count(now: Ms): void {
    const frames = [...this.connections.values()].reduce((sum, { status }) => sum + status.frames, 0);
    this.framesPerSecond = Math.round(Math.max(0, frames - this.counted.frames) / ((now - this.counted.at) / 1_000));
    this.counted = { at: now, frames };
  }

  /** Reads the venue's clock, unless that was done within this time. Venues without a clock date their answers. */
  private sampleClock(withinMs: Ms): void {
    const sentAt = this.network.uptime();
    if (sentAt - this.clockAskedAt < withinMs) return;
    const { time, book } = this.venue.rest;
    const [held] = this.markets.values();
    if (time === undefined && (book === undefined || held === undefined)) return;
    this.clockAskedAt = sentAt;
    const asked = time === undefined ? book!(this.ask, held!.market, 'top').then(() => null) : time(this.ask);
    asked.then(
      (venueMs) => {
        if (venueMs !== null) this.clock.learn(venueMs, this.network.uptime() - sentAt, 0);
      },
      // Keep the known offset; other checks report the venue's problem.
      () => {},
    );
  }

  private refuse(topic: Assigned | undefined, reason: string): void {
    if (topic === undefined) return;
    if (topic.kind === 'marks') {
      topic.held.feed.marks.problem = reason;
      return;
    }
    topic.held.refusals += 1;
    if (topic.kind !== 'extra') topic.held.feed.refuse(reason, topic.kind);
  }

  /**
   * Follows the venue's list: a market that it renamed is subscribed by its new name, one with another contract starts
   * over, one with another tick is redefined, and one that left ends.
   */
  private follow(held: Held, listed: ReadonlyMap<string, VenueMarket>): void {
    const { definition, channel, contractSize } = held.market;
    const now = listed.get(definition.marketId);
    if (held.feed.state === 'off') {
      held.market = { ...(now ?? held.market), definition };
      return;
    }
    const isSubscribed = [...this.topics.values()].some((topic) => topic.held === held);
    if (now === undefined) {
      this.unsubscribe(held);
      held.refusals = 0;
      held.feed.refuse(`${titleOf(this.venue.name)} no longer lists this market`, 'both');
    } else if (now.channel !== channel || now.contractSize !== contractSize || !isSubscribed) {
      this.unsubscribe(held);
      held.market = { ...now, definition };
      held.feed.refuse(`${titleOf(this.venue.name)} lists this market ${changeOf(held.market, channel)} now`, 'both');
      this.subscribe(held);
    }
    if (now !== undefined) held.feed.redefine(now.definition);
  }
}

/** How the market that was listed under this name before is listed now, in words. */
function changeOf({ channel, contractSize }: VenueMarket, before: string): string {
  return channel === before && contractSize !== null ? `with contracts of ${contractSize}` : `as ${channel}`;
}

function loseTopic(topic: Assigned | undefined): void {
  if (topic?.kind === 'books' || topic?.kind === 'trades') topic.held.feed.loseStream(topic.kind);
}
