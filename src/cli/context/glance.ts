import { randomUUID } from 'node:crypto';
import type { Transport } from '../../contract/wire.ts';
import { usageFailure } from '../failure/failure.ts';
import type { Variables } from '../files/folders.ts';
import { liveOptions } from '../settings/venues.ts';

/** What can be asked of markets alone. */
const aboutMarkets = /^\/v1(?:\/(?:markets|accounts)(?:[/?].*)?)?$/;

/** Live markets where no desk is being served: questions about markets are answered by one request each to the venue. */
export function glanceOptions(variables: Variables) {
  return {
    state: `glance-${randomUUID().slice(0, 8)}`,
    leavesNothing: true,
    glances: true,
    live: liveOptions(variables, undefined),
    says: 'No desk is being served: this is one snapshot over REST. perp sim serve --books live starts a desk.',
    readOnly(transport: Transport): Transport {
      return async (request, options) => {
        if (request.method === 'GET' && aboutMarkets.test(request.target)) return await transport(request, options);
        throw usageFailure(
          'Without a desk, live markets can be looked at only: perp quote, perp markets.',
          'Start a desk with: perp sim serve --books live',
        );
      };
    },
  };
}
