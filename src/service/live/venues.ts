import { type VenueName, venueFacts } from '../../base/terms/venues.ts';
import type { VenueChoice } from '../../venues/live/live-feeds.ts';
import { VenueError } from '../../venues/live/protocols/venue.ts';
import { venues } from '../../venues/live/venues.ts';
import { SimulationError } from '../state/state-directory.ts';

/** A venue, with any addresses that differ from its public ones. */
export interface VenuePlace {
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
export function asSimulationError(error: unknown): unknown {
  if (!(error instanceof VenueError)) return error;
  return new SimulationError('unavailable', `${error.message}.`, 'perp doctor tries every venue.');
}
