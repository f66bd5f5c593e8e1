import { venueNames } from '../../../src/base/terms/venues.ts';
import { gapTrials } from './gap-trials.ts';

for (const venue of venueNames) gapTrials(venue, process.env.PERP_LONG ? 150 : 8);
