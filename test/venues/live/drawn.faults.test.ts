import { drawnTrials, trialVenues } from './drawn-faults.ts';

for (const venue of trialVenues) drawnTrials(venue);
