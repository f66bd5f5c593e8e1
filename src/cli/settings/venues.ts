import { join } from 'node:path';
import { usageFailure } from '../../ground/failure/failure.ts';
import { stateFolder, type Variables, variable } from '../../ground/files/folders.ts';
import { addressedVenues, type VenueName, venueNames } from '../../terms/venues.ts';
import type { OptionSpec } from '../grammar/spec.ts';
import { readConfig } from './config-file.ts';
import { type ConfigValues, checkedPublicAddress } from './config-keys.ts';
import { baseUrlOf } from './settings.ts';

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
  return { venues: chosen, places: venuePlaces(variables, readConfig(variables)), cacheFolder };
}

/**
 * Addresses of venues: PERP_VENUES_BINANCE_WS_URL and the like, or the config's venues.binance.ws_url and the like. The
 * service's stream is at the live API's address.
 */
function venuePlaces(variables: Variables, config: ConfigValues): VenuePlace[] {
  const places: VenuePlace[] = addressedVenues.map((name) => {
    const address = (side: 'ws' | 'rest') => {
      const key = `venues.${name}.${side}_url` as const;
      const label = `PERP_${key.replaceAll('.', '_').toUpperCase()}`;
      const text = variable(variables, label);
      if (text !== undefined) return checkedPublicAddress(text, label, side === 'ws' ? 'ws' : 'http');
      return config[key] as string | undefined;
    };
    return { name, wsUrl: address('ws'), restUrl: address('rest') };
  });
  const restUrl = baseUrlOf('live', variables, config);
  // https becomes wss, http becomes ws.
  return [...places, { name: 'service', wsUrl: restUrl?.replace(/^http/, 'ws'), restUrl }];
}
