import { type VenueName, venueFacts } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { checkVenue, type VenueCheck } from '../../venues/live/ask-venue.ts';
import { examineVenue, type VenueExamination } from '../../venues/live/examine.ts';
import { type RecordEnd, type RecordProgress, recordMarkets } from '../../venues/live/record.ts';
import { type LiveOptions, marketsCache, realNetwork } from './open-markets.ts';
import { asSimulationError, venueChoices } from './venues.ts';

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
export async function recordLive(options: RecordLiveOptions): Promise<RecordEnd> {
  const { live, tape, markets, forMs, partBytes, signal, onProgress } = options;
  const opened = live.network === undefined ? await realNetwork() : null;
  try {
    return await recordMarkets({
      tape,
      venues: venueChoices(live.venues ?? ['binance'], live.places),
      network: live.network ?? opened!,
      cache: marketsCache(live),
      markets,
      forMs,
      signal,
      onProgress,
      ...(partBytes === undefined ? {} : { partBytes }),
    });
  } catch (error) {
    throw asSimulationError(error);
  } finally {
    await opened?.close();
  }
}

/**
 * Follows a few markets of these venues, in parallel, for this long; without names, of every venue that has addresses.
 */
export async function examineVenues(
  { places, network, venues }: Pick<LiveOptions, 'places' | 'network' | 'venues'>,
  forMs: Ms,
): Promise<VenueExamination[]> {
  const opened = network === undefined ? await realNetwork() : null;
  try {
    const choices = venueChoices(venues ?? withAddresses(places), places);
    return await Promise.all(choices.map((choice) => examineVenue(choice, network ?? opened!, forMs)));
  } catch (error) {
    throw asSimulationError(error);
  } finally {
    await opened?.close();
  }
}

function withAddresses(places: LiveOptions['places']): VenueName[] {
  return places.filter(({ name, restUrl }) => (restUrl ?? venueFacts[name].restUrl) !== null).map(({ name }) => name);
}

/** Tests both interfaces (REST and stream) of every venue that has addresses, in parallel, for up to `maxWaitMs`. */
export async function tryVenues({ places, network }: LiveOptions, maxWaitMs: number): Promise<VenueCheck[]> {
  const opened = network === undefined ? await realNetwork() : null;
  try {
    const choices = venueChoices(withAddresses(places), places);
    return await Promise.all(choices.map((choice) => checkVenue(choice, network ?? opened!, maxWaitMs)));
  } finally {
    await opened?.close();
  }
}
