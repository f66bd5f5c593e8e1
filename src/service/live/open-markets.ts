import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type VenueName, venueFacts } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { type MarketsCache, marketsMaxAgeMs } from '../../venues/live/definitions.ts';
import type { LiveStatus, VenueChoice } from '../../venues/live/live-feeds.ts';
import { LiveMarkets } from '../../venues/live/live-markets.ts';
import type { Network } from '../../venues/live/network.ts';
import { VenueError } from '../../venues/live/protocols/venue.ts';
import { venues } from '../../venues/live/venues.ts';
import { SimulationError } from '../state/state-directory.ts';

/** How live markets are opened. */
export interface LiveOptions {
  /** Default: the state's venues, or Binance for a new state. */
  venues?: readonly VenueName[] | undefined;
  /** Addresses that differ from the venues' public ones. */
  places: readonly VenuePlace[];
  /** Folder in which the venues' lists of markets are cached. */
  cacheFolder: string;
  /** Clock and network; default: this machine's. */
  network?: Network | undefined;
}

/** Live markets as the service uses them. */
export interface ServedMarkets {
  /** Resolves once a market has a tradable book, or after the timeout. Throws a Failure if that is impossible. */
  ready(marketId: string, timeoutMs: Ms): Promise<boolean>;
  status(): LiveStatus;
  /** Calls `listener` whenever there is a new event; returns a function that stops it. */
  onEvents(listener: () => void): () => void;
  /** Ends the feeds; everything that happened is then on the tape, and the tape is on disk. */
  close(): Promise<void>;
}

/**
 * Does work with the given clock and network, else with this machine's, which take long to load; `close` ends them.
 * Throws a SimulationError for a venue's failure.
 */
export async function onNetwork<T>(
  given: Network | undefined,
  work: (network: Network, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened = given === undefined ? await (await import('../../venues/live/open-network.ts')).openNetwork() : null;
  const close = async () => opened?.close();
  try {
    return await work(given ?? opened!, close);
  } catch (error) {
    await close();
    throw asSimulationError(error);
  }
}

/** The path of a state's tape. */
export function tapeOf(stateDir: string, state: string): string {
  return join(stateDir, 'tapes', `${state}.jsonl.gz`);
}

/** The cache of the venues' lists of markets. */
export function marketsCache({ cacheFolder }: Pick<LiveOptions, 'cacheFolder'>): MarketsCache {
  return { folder: cacheFolder, maxAgeMs: marketsMaxAgeMs };
}

/**
 * Opens feeds of these venues for a state, and continues its tape. Throws a SimulationError, a TapeError or a
 * RecordingError.
 */
export async function openMarkets(names: readonly VenueName[], options: LiveOptions, tape: string) {
  return await onNetwork(options.network, async (network, closeNetwork) => {
    mkdirSync(dirname(tape), { recursive: true, mode: 0o700 });
    const venues = venueChoices(names, options.places);
    const markets = await LiveMarkets.open({ tape, venues, network, cache: marketsCache(options) });
    let closing: Promise<void> | null = null;
    const live: ServedMarkets = {
      ready: (marketId, timeoutMs) => markets.ready(marketId, timeoutMs),
      status: () => markets.status(),
      onEvents: (listener) => markets.onEvents(listener),
      close: () => {
        closing ??= markets.close().then(closeNetwork);
        return closing;
      },
    };
    return { source: markets.source, live };
  });
}

/** A venue, with any addresses that differ from its public ones. */
interface VenuePlace {
  name: VenueName;
  wsUrl?: string | undefined;
  restUrl?: string | undefined;
}

/**
 * The venues with these names. Throws a SimulationError for the service if its address is not set, because it has no
 * default.
 */
export function venueChoices(names: readonly VenueName[], places: readonly VenuePlace[]): VenueChoice[] {
  return names.map((name) => {
    const { wsUrl, restUrl } = places.find((place) => place.name === name) ?? {};
    const { title, ...known } = venueFacts[name];
    const address = { wsUrl: wsUrl ?? known.wsUrl, restUrl: restUrl ?? known.restUrl };
    if (address.wsUrl === null || address.restUrl === null)
      throw new SimulationError('invalid', `The address of ${title} is not set.`);
    return { venue: venues[name], address: { wsUrl: address.wsUrl, restUrl: address.restUrl } };
  });
}

/** A venue's failure, as reported when live markets are opened. */
function asSimulationError(error: unknown): unknown {
  if (!(error instanceof VenueError)) return error;
  return new SimulationError('unavailable', `${error.message}.`, 'perp doctor tries every venue.');
}
