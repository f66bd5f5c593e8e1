import { randomUUID } from 'node:crypto';
import { usageFailure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import type { VenueName } from '../../base/terms/venues.ts';
import type { Given } from '../../desk/intents/note.ts';
import type { Transport } from '../../wire/contract/wire.ts';
import { liveOptions } from './settings/venues.ts';

/** The operations that need only markets. */
const aboutMarkets = /^\/v1(?:\/(?:markets|accounts)(?:[/?].*)?)?$/;

/** Live markets without a served simulation: each question about a market is one request to the venue. */
export function glanceOptions(variables: Variables, given: Given | undefined) {
  const venues = (given?.input.venue ?? []) as readonly VenueName[];
  return {
    state: `glance-${randomUUID().slice(0, 8)}`,
    leavesNothing: true,
    glances: true,
    live: liveOptions(variables, venues.length > 0 ? venues : undefined),
    says: 'No simulation on live markets is being served, so this is a single REST snapshot. Start one with: perp sim serve --books live',
    readOnly(transport: Transport): Transport {
      return async (request, options) => {
        if (request.method === 'GET' && aboutMarkets.test(request.target)) return await transport(request, options);
        throw usageFailure(
          'Without a served simulation, only perp quote and perp markets work on live markets.',
          'Start one with: perp sim serve --books live',
        );
      };
    },
  };
}
