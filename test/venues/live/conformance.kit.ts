/** Everything that must be true of one venue, `npm test -- venue NAME`: PERP_VENUE names it. */
import { type VenueName, venueNames } from '../../../src/base/terms/venues.ts';
import { conformance } from './conformance.ts';
import { drawnTrials } from './drawn-faults.ts';
import { gapTrials } from './gap-trials.ts';
import { proofTrials, provable, provesStreams } from './proof-trials.ts';

const venue = process.env.PERP_VENUE as VenueName;
if (!venueNames.includes(venue)) throw new Error(`There is no venue ${venue}; venues: ${venueNames.join(', ')}`);
conformance(venue);
drawnTrials(venue);
if (provable.includes(venue)) {
  provesStreams(venue);
  proofTrials(process.env.PERP_LONG ? 1_000 : 20, [venue]);
}
gapTrials(venue, process.env.PERP_LONG ? 1_000 : 50);
