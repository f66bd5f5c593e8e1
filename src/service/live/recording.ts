import { type VenueName, venueFacts } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { checkVenue, type VenueCheck } from '../../venues/live/ask-venue.ts';
import { examineVenue, type VenueExamination } from '../../venues/live/examine.ts';
import type { Network } from '../../venues/live/network.ts';
import { type RecordEnd, type RecordProgress, recordMarkets } from '../../venues/live/record.ts';
import { type LiveOptions, marketsCache, onNetwork, venueChoices } from './open-markets.ts';

export { readBookmarks, setBookmark } from '../../venues/live/practice.ts';
export { unknownText } from '../../venues/live/protocols/venue.ts';
export type { RecordProgress } from '../../venues/live/record.ts';
export { listRecordings, listTapes } from '../../venues/live/tapes.ts';

/** How to record live markets. */
export interface RecordLiveOptions {
  live: LiveOptions;
  tape: string;
  /** Ids, symbols or coins. */
  markets: readonly string[];
  /** For how long, ms; null: until the signal aborts. */
  forMs: Ms | null;
  /** Size at which a part of the tape is finished, in bytes. */
  partBytes?: number | undefined;
  signal: AbortSignal;
  onProgress(progress: RecordProgress): void;
}

/** Records live markets for the given time, or until the signal aborts. Throws a SimulationError or a TapeError. */
export function recordLive({ live, partBytes, ...recorded }: RecordLiveOptions): Promise<RecordEnd> {
  return withNetwork(live.network, (network) =>
    recordMarkets({
      ...recorded,
      venues: venueChoices(live.venues ?? ['binance'], live.places),
      network,
      cache: marketsCache(live),
      ...(partBytes === undefined ? {} : { partBytes }),
    }),
  );
}

/**
 * Follows a few markets of these venues, in parallel, for this long; without names, of every venue that has addresses.
 */
export function examineVenues(
  { places, network: given, venues }: Pick<LiveOptions, 'places' | 'network' | 'venues'>,
  forMs: Ms,
): Promise<VenueExamination[]> {
  return withNetwork(given, (network) => {
    const choices = venueChoices(venues ?? withAddresses(places), places);
    return Promise.all(choices.map((choice) => examineVenue(choice, network, forMs)));
  });
}

function withAddresses(places: LiveOptions['places']): VenueName[] {
  return places.filter(({ name, restUrl }) => (restUrl ?? venueFacts[name].restUrl) !== null).map(({ name }) => name);
}

/** Tests both interfaces (REST and stream) of every venue that has addresses, in parallel, for up to `maxWaitMs`. */
export function tryVenues({ places, network: given }: LiveOptions, maxWaitMs: number): Promise<VenueCheck[]> {
  return withNetwork(given, (network) => {
    const choices = venueChoices(withAddresses(places), places);
    return Promise.all(choices.map((choice) => checkVenue(choice, network, maxWaitMs)));
  });
}

/** Does work with a network, and closes it. */
function withNetwork<T>(given: Network | undefined, work: (network: Network) => Promise<T>): Promise<T> {
  return onNetwork(given, async (network, close) => {
    const result = await work(network);
    await close();
    return result;
  });
}
