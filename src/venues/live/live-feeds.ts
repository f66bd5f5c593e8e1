import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { GapReason } from '../../exchange/markets/recorded/line.ts';
import { openGap, type StandingGap } from '../tape/summary.ts';
import { definitionsOf } from '../tape/tape-source.ts';
import { type TapeOptions, TapeWriter } from '../tape/tape-writer.ts';
import { type MarketsCache, marketsOf, type VenueMarkets } from './definitions.ts';
import { inUnitsOf } from './grid-watch.ts';
import type { MarketFeed } from './market-feed.ts';
import { type Network, scoped } from './network.ts';
import { type Venue, VenueError, type VenueMarket } from './protocols/venue.ts';
import { SteadyClock } from './venue-clock.ts';
import { type VenueAddress, VenueFeed } from './venue-feed.ts';

const tickMs = 1_000;

/** A venue that provides markets, and its addresses. */
export interface VenueChoice {
  venue: Venue;
  address: VenueAddress;
}

/** Which venues to connect to, and the tape that is written. */
export interface LiveFeedsOptions {
  /** The tape's file, `day.jsonl.gz` or `day.jsonl`; an existing tape is continued. */
  tape: string;
  venues: readonly VenueChoice[];
  network: Network;
  /** Where the venues' lists of markets are cached; null to disable the cache. */
  cache: MarketsCache | null;
  /**
   * Receives the venues' lists, and why some have none, before the tape is opened. If it throws, the tape is not
   * opened.
   */
  onListed?(definitions: readonly MarketDefinition[], refused: readonly VenueError[]): void;
  /** Size at which a part of the tape is finished; default 64 MiB. */
  partBytes?: number;
  /** Writes the tape's bytes; default: node:fs. */
  write?: NonNullable<TapeOptions['write']>;
}

/** The status of all feeds and of the tape. */
export type LiveStatus = ReturnType<LiveFeeds['status']>;

type Scope = ReturnType<typeof scoped>;

interface Listed {
  feed: VenueFeed;
  market: VenueMarket;
  /** As the venue lists it now. */
  now: MarketDefinition;
  /** As the tape last defined it; absent if it does not have the market. */
  taped?: MarketDefinition | undefined;
}

/** The feeds of venues and the tape that they write. */
export class LiveFeeds {
  readonly writer: TapeWriter;
  /** The markets that each venue lists. */
  readonly listed: ReadonlyMap<string, VenueMarkets>;
  private readonly network: Scope;
  private readonly clock: SteadyClock;
  private readonly feeds: readonly VenueFeed[];
  private readonly markets = new Map<string, Listed>();

  /**
   * Finds out which markets the venues list and opens the tape. Throws a TapeError, or a VenueError if no venue can be
   * reached or has a cached list.
   */
  static async open(options: LiveFeedsOptions): Promise<LiveFeeds> {
    const { cache } = options;
    const clock = new SteadyClock(options.network);
    const network = { ...scoped(options.network), now: () => clock.now(), nowUs: () => clock.nowUs() };
    let feeds: LiveFeeds | null = null;
    const opened = options.venues.map(
      ({ venue, address }) => new VenueFeed(venue, address, network, (lines) => feeds!.writer.append(lines)),
    );
    try {
      const listed = new Map<string, VenueMarkets>();
      const refused: VenueError[] = [];
      for (const [at, { venue, address }] of options.venues.entries()) {
        try {
          listed.set(venue.name, await marketsOf(venue, address.restUrl, opened[at]!.ask, network.now(), cache));
        } catch (error) {
          if (!(error instanceof VenueError)) throw error;
          // The other markets continue without it.
          refused.push(error);
          listed.set(venue.name, {
            markets: [],
            unknown: [],
            ageMs: 0,
            problem: `${error.message}; its markets are missing until a restart`,
          });
        }
      }
      if (refused.length === options.venues.length && refused.length > 0) throw refused[0]!;
      const definitions = [...listed.values()].flatMap(({ markets }) => markets.map(({ definition }) => definition));
      options.onListed?.(definitions, refused);
      feeds = new LiveFeeds({ ...options, network }, clock, opened, listed);
      return feeds;
    } catch (error) {
      for (const feed of opened) feed.close();
      network.end();
      throw error;
    }
  }

  private constructor(
    { tape, network, partBytes, write }: LiveFeedsOptions & { network: Scope },
    clock: SteadyClock,
    feeds: readonly VenueFeed[],
    listed: ReadonlyMap<string, VenueMarkets>,
  ) {
    this.network = network;
    this.clock = clock;
    this.feeds = feeds;
    this.listed = listed;
    this.writer = TapeWriter.open(tape, {
      now: () => network.now(),
      ...(partBytes === undefined ? {} : { partBytes }),
      ...(write === undefined ? {} : { write }),
      standing: (marketId) => this.feed(marketId)?.standing() ?? null,
    });
    this.list();
    network.after(tickMs, () => this.tick());
  }

  /** The time of the tape, Unix ms: the machine's clock, but never going back. */
  now(): Ms {
    return this.clock.now();
  }

  /** All markets that can be subscribed. */
  get definitions(): readonly MarketDefinition[] {
    return [...this.markets.values()].map(({ market }) => market.definition);
  }

  /** A market as its venue lists it; null if no venue does. */
  market(marketId: string): VenueMarket | null {
    return this.markets.get(marketId)?.market ?? null;
  }

  /** Subscribes to a market, unless it is already subscribed or not listed. */
  want(marketId: string): void {
    const listed = this.markets.get(marketId);
    if (listed !== undefined && !listed.feed.has(marketId))
      listed.feed.want(listed.market, this.left(marketId), listed.now, listed.taped);
  }

  /** Ends a market's subscriptions. */
  drop(marketId: string): void {
    this.markets.get(marketId)?.feed.drop(marketId);
  }

  has(marketId: string): boolean {
    return this.markets.get(marketId)?.feed.has(marketId) ?? false;
  }

  /** Whether the tape is up to date with a market. */
  isLive(marketId: string): boolean {
    return this.feed(marketId)?.state === 'live';
  }

  /** A market's feed; null if it was never subscribed. */
  feed(marketId: string): MarketFeed | null {
    return this.markets.get(marketId)?.feed.market(marketId) ?? null;
  }

  /** The tape is writable again after a failure: what it missed becomes gaps. */
  repaired(): void {
    for (const feed of this.feeds) for (const market of feed.feeds()) market.tapeFailed();
  }

  /** `problem` of a feed: why its venue has no markets; null if it has. */
  status() {
    const feeds = this.feeds.map((feed) => {
      const listed = this.listed.get(feed.venue.name)!;
      return { ...feed.status(), problem: listed.markets.length === 0 ? listed.problem : null };
    });
    return { feeds, tape: this.writer.status };
  }

  /** Stops everything; afterward the recording is safely on disk. */
  async close(): Promise<void> {
    for (const feed of this.feeds) feed.close();
    this.network.end();
    await this.writer.close();
  }

  /** If the market is already on the tape, the tape's units apply, with the venue's current tick. */
  private list(): void {
    const known = new Map(definitionsOf(this.writer.summaries).map((definition) => [definition.marketId, definition]));
    for (const feed of this.feeds) {
      feed.list.unknown = this.listed.get(feed.venue.name)!.unknown;
      for (const market of this.listed.get(feed.venue.name)!.markets) {
        const { marketId } = market.definition;
        if (this.markets.has(marketId)) continue;
        const taped = known.get(marketId);
        const definition = taped === undefined ? market.definition : inUnitsOf(taped, market.definition).definition;
        this.markets.set(marketId, { feed, market: { ...market, definition }, now: market.definition, taped });
      }
    }
  }

  /** The gap left by an earlier process. */
  private left(marketId: string): StandingGap | null {
    const summary = this.writer.summaries.at(-1)?.markets[marketId];
    const gap = summary === undefined ? null : openGap(summary);
    if (summary === undefined || gap === null) return null;
    const printIds = this.writer.resumed.printIds.get(marketId) ?? [];
    return { since: gap.from, reason: gap.reason as GapReason, lastPrintAt: this.lastPrintAt(marketId), printIds };
  }

  private lastPrintAt(marketId: string): Ms | null {
    for (const { markets } of [...this.writer.summaries].reverse()) {
      const at = markets[marketId]?.lastPrintAt ?? null;
      if (at !== null) return at;
    }
    return null;
  }

  private tick(): void {
    this.network.after(tickMs, () => this.tick());
    const jumpedMs = this.clock.takeJump();
    if (jumpedMs !== 0) this.writer.noteJump(jumpedMs);
    this.writer.tick();
  }
}
