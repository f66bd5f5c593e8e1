import type { VenueName } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import { LiveBook } from '../tape/live-book.ts';
import { readList } from './definitions.ts';
import type { VenueChoice } from './live-feeds.ts';
import type { MarketFeed } from './market-feed.ts';
import { type Network, scoped } from './network.ts';
import type { RestBook, UnknownRows, VenueMarket } from './protocols/venue.ts';
import { unreadable } from './rest-client.ts';
import { type FeedStatus, VenueFeed } from './venue-feed.ts';
import { FieldCheck, type SeenMessages } from './venue-fields.ts';

/** Markets that are followed: the first of each category, and Bitcoin's and Ether's. */
const mostMarkets = 4;
const sampleMs = 100;
const compareMs = 10_000;
/** How long the stream has to show a book that the venue gave over REST. */
const catchUpMs = 2_500;
const comparedLevels = 5;

/** The venue's behavior while it was watched. Nothing in it is private: no address, no account. */
export interface VenueExamination {
  venue: VenueName;
  forMs: Ms;
  /** Why nothing could be watched; null if it was. */
  problem: string | null;
  /** How many markets it lists, and what of the list is unknown. */
  listed: number;
  unknown: readonly UnknownRows[];
  messages: readonly SeenMessages[];
  markets: readonly ExaminedMarket[];
  /** At the end. */
  feed: FeedStatus | null;
}

/** One of the markets that were followed. */
type ExaminedMarket = ReturnType<BookSamples['result']>;

/** Follows a few markets of a venue for some time, without a tape, and reports everything that can be checked. */
export async function examineVenue(choice: VenueChoice, outer: Network, forMs: Ms): Promise<VenueExamination> {
  const { venue, address } = choice;
  const fields = new FieldCheck(venue.name);
  const network = tapped(scoped(outer), (text) => fields.take(text));
  const prints = new Map<string, number>();
  const feed = new VenueFeed(venue, address, network, (lines) => {
    for (const { kind, marketId } of lines) if (kind === 'trade') prints.set(marketId, (prints.get(marketId) ?? 0) + 1);
    return network.now();
  });
  const blank = { venue: venue.name, forMs, messages: [], markets: [], feed: null, listed: 0, unknown: [] };
  try {
    const list = await readList(venue, feed.ask);
    feed.list.unknown = list.unknown;
    const { book } = venue.rest;
    const watches = chosen(list.markets).map((market) => {
      feed.want(market);
      const askTop = book === undefined ? null : () => book(feed.ask, market, 'top');
      return new BookSamples(market, feed.market(market.definition.marketId)!, network, askTop);
    });
    await new Promise<void>((resolve) => network.after(forMs, () => resolve()));
    // Changes by the venue in the meantime.
    await feed.list.read(0);
    const markets = watches.map((watch) => watch.result(prints));
    const unknown = feed.status().unknown;
    return {
      ...blank,
      problem: null,
      listed: list.markets.length,
      unknown,
      ...{ messages: fields.messages(), markets },
      feed: feed.status(),
    };
  } catch (error) {
    return { ...blank, problem: messageOf(unreadable(venue, error)) };
  } finally {
    feed.close();
    network.end();
  }
}

function chosen(markets: readonly VenueMarket[]): VenueMarket[] {
  const categories = new Set(markets.map(({ definition }) => definition.category));
  const firsts = [...categories].map((category) => markets.find(({ definition }) => definition.category === category)!);
  const known = ['BTC', 'ETH'].flatMap(
    (symbol) => markets.find(({ definition }) => definition.symbol === symbol) ?? [],
  );
  return [...new Set([...known, ...firsts.reverse()])].slice(0, mostMarkets);
}

function tapped<Net extends Network>(network: Net, frame: (text: string) => void): Net {
  return {
    ...network,
    connect: (url, events) =>
      network.connect(url, {
        ...events,
        onFrame: (text) => {
          frame(text);
          events.onFrame(text);
        },
      }),
  };
}

/**
 * Compares a market's stream with its book over REST: the stream must show the same best levels at about the same time.
 */
class BookSamples {
  private readonly market: VenueMarket;
  private readonly feed: MarketFeed;
  private readonly network: Network;
  private readonly askTop: (() => Promise<RestBook>) | null;
  private tops: { at: Ms; text: string }[] = [];
  /** How often its best levels were compared with those over REST, and how often the stream showed the same. */
  private compared = 0;
  private equal = 0;
  /** The latest that a message came, ms; null if unknown. */
  private mostLagMs: Ms | null = null;
  private askAt: Ms;
  private isAsking = false;

  /** `askTop`: asks for its best levels over REST; null if the venue has none there. */
  constructor(market: VenueMarket, feed: MarketFeed, network: Network, askTop: (() => Promise<RestBook>) | null) {
    this.market = market;
    this.feed = feed;
    this.network = network;
    this.askTop = askTop;
    this.askAt = network.uptime() + compareMs / 2;
    this.sample();
  }

  result(prints: ReadonlyMap<string, number>) {
    const { compared, equal, mostLagMs } = this;
    const status = this.feed.status();
    return { ...status, compared, equal, mostLagMs, printCount: prints.get(status.marketId) ?? 0 };
  }

  private sample(): void {
    const now = this.network.uptime();
    const { lagMs } = this.feed.status();
    if (lagMs !== null) this.mostLagMs = Math.max(this.mostLagMs ?? 0, lagMs);
    const text = this.feed.state === 'live' ? this.feed.book.top(comparedLevels) : null;
    if (text !== null && this.tops.at(-1)?.text !== text) this.tops.push({ at: now, text });
    // The last one before that is still shown then.
    while (this.tops.length > 1 && this.tops[1]!.at < now - 2 * catchUpMs) this.tops.shift();
    if (text !== null && now >= this.askAt && !this.isAsking) this.compare();
    this.network.after(sampleMs, () => this.sample());
  }

  private compare(): void {
    const { askTop } = this;
    if (askTop === null) return;
    this.isAsking = true;
    const done = () => {
      this.isAsking = false;
      this.askAt = this.network.uptime() + compareMs;
    };
    askTop().then((book) => {
      const shown = new LiveBook(this.market.definition);
      shown.take('book', book);
      const text = shown.top(comparedLevels);
      this.network.after(catchUpMs, () => {
        done();
        if (this.feed.state !== 'live') return;
        this.compared += 1;
        if (this.tops.some((top) => top.text === text)) this.equal += 1;
      });
    }, done);
  }
}
