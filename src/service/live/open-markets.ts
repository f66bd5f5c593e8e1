import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { VenueName } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { type MarketsCache, marketsMaxAgeMs } from '../../venues/live/definitions.ts';
import type { LiveStatus } from '../../venues/live/live-feeds.ts';
import { LiveMarkets } from '../../venues/live/live-markets.ts';
import type { Network } from '../../venues/live/network.ts';
import { asSimulationError, type VenuePlace, venueChoices } from './venues.ts';

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

/** This machine's clock and network, which take long to load. */
export async function realNetwork() {
  const { openNetwork } = await import('../../venues/live/open-network.ts');
  return openNetwork();
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
  const { places, network } = options;
  const opened = network === undefined ? await realNetwork() : null;
  try {
    mkdirSync(dirname(tape), { recursive: true, mode: 0o700 });
    const markets = await LiveMarkets.open({
      tape,
      venues: venueChoices(names, places),
      network: network ?? opened!,
      cache: marketsCache(options),
    });
    let closing: Promise<void> | null = null;
    const close = async () => {
      await markets.close();
      await opened?.close();
    };
    const live: ServedMarkets = {
      ready: (marketId, timeoutMs) => markets.ready(marketId, timeoutMs),
      status: () => markets.status(),
      onEvents: (listener) => markets.onEvents(listener),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
    return { source: markets.source, live };
  } catch (error) {
    await opened?.close();
    throw asSimulationError(error);
  }
}
