import { join } from 'node:path';
import { usageFailure } from '../../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../../base/files/folders.ts';
import { addressedVenues, type VenueName, venueNames } from '../../../base/terms/venues.ts';
import type { OptionSpec } from '../grammar/spec.ts';
import { readConfig } from './config-file.ts';
import { Lookup } from './lookup.ts';

/** A venue of public data, with its addresses if a variable or the config sets them. */
interface VenuePlace {
  name: VenueName;
  wsUrl: string | undefined;
  restUrl: string | undefined;
}

/** Refuses `--venue` without live markets. */
export function checkVenue(venues: readonly VenueName[], books: string | undefined): void {
  if (venues.length > 0 && books !== 'live')
    throw usageFailure('--venue works only with live markets.', 'Add --books live, or omit --venue.');
}

/** The option `--venue` of commands that read live markets without a simulation. */
export const venueOption = {
  value: 'VENUE',
  choices: venueNames,
  repeat: true,
  summary: 'venue of --books live (default binance)',
} as const satisfies OptionSpec;

/** The venues chosen with `--venue` and their addresses, from which the service opens feeds. */
export function liveOptions(variables: Variables, chosen: readonly VenueName[] | undefined) {
  const cacheFolder = join(stateFolder(variables), 'venues');
  const lookup = new Lookup({}, variables, readConfig(variables), true);
  return { venues: chosen, places: venuePlaces(lookup), cacheFolder };
}

/**
 * Addresses of venues: PERP_VENUES_BINANCE_WS_URL and the like, or the config's venues.binance.ws_url and the like. The
 * service's stream is at the live API's address.
 */
function venuePlaces(lookup: Lookup): VenuePlace[] {
  const places: VenuePlace[] = addressedVenues.map((name) => {
    const address = (side: 'ws' | 'rest') => lookup.value(`venues.${name}.${side}_url`) as string | undefined;
    return { name, wsUrl: address('ws'), restUrl: address('rest') };
  });
  const restUrl = lookup.value('live.base_url') as string | undefined;
  // https becomes wss, http becomes ws.
  return [...places, { name: 'service', wsUrl: restUrl?.replace(/^http/, 'ws'), restUrl }];
}
