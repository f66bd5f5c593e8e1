import type { VenueName } from '../../base/terms/venues.ts';
import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketSource } from '../../exchange/engine/source.ts';
import { askBook, listMarkets } from '../../venues/live/ask-venue.ts';
import type { MarketsCache } from '../../venues/live/definitions.ts';
import type { VenueChoice } from '../../venues/live/live-feeds.ts';
import type { Network } from '../../venues/live/network.ts';
import { VenueError, type VenueMarket } from '../../venues/live/protocols/venue.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { type LiveOptions, marketsCache, onNetwork, type ServedMarkets, venueChoices } from './open-markets.ts';

/**
 * Live markets without a feed: a market's book is requested once, when it is first needed, and never changes. For
 * reading, not for trading.
 */
export async function openGlance(names: readonly VenueName[], options: LiveOptions) {
  return await onNetwork(options.network, async (network, close) => {
    const glance = new Glance(network, marketsCache(options));
    for (const choice of venueChoices(names, options.places)) await glance.list(choice);
    const live: ServedMarkets = {
      ready: (marketId) => glance.look(marketId),
      status: () => {
        throw new Failure('conflict', 'There is no feed: each book was requested once.');
      },
      onEvents: () => () => {},
      close,
    };
    return { source: glance.source(), live };
  });
}

class Glance {
  private readonly network: Network;
  private readonly cache: MarketsCache;
  private readonly listed = new Map<string, { choice: VenueChoice; market: VenueMarket }>();
  private readonly books = new Map<string, BookSnapshot>();

  constructor(network: Network, cache: MarketsCache) {
    this.network = network;
    this.cache = cache;
  }

  async list(choice: VenueChoice): Promise<void> {
    const { markets } = await listMarkets(choice, this.network, this.cache);
    for (const market of markets) {
      const { marketId } = market.definition;
      if (!this.listed.has(marketId)) this.listed.set(marketId, { choice, market });
    }
  }

  async look(marketId: string): Promise<boolean> {
    const listed = this.listed.get(marketId);
    if (listed === undefined || this.books.has(marketId)) return listed !== undefined;
    try {
      const { bids, asks } = await askBook(listed.choice, marketId, this.network, this.cache);
      this.books.set(marketId, { time: this.network.now(), sequence: 1, bids, asks });
      return true;
    } catch (error) {
      if (!(error instanceof VenueError)) throw error;
      throw new Failure('unavailable', `${error.message}.`, { retryAfterSeconds: 5 });
    }
  }

  source(): MarketSource {
    const definitions: MarketDefinition[] = [...this.listed.values()].map(({ market }) => market.definition);
    const at = (book: BookSnapshot | undefined, time: Ms) => (book === undefined || book.time > time ? null : book);
    return {
      name: 'live',
      definitions,
      book: (marketId, time) => at(this.books.get(marketId), time),
      open: () => ({ watch() {}, peek: () => null, next: () => null }),
      volume: (_marketId, from, to) => to - from,
    };
  }
}
