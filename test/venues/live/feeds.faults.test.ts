import { venueNames } from '../../../src/base/terms/venues.ts';
import { conformance, quickVenues } from './conformance.ts';

for (const venue of venueNames.filter((name) => !quickVenues.includes(name))) conformance(venue);
