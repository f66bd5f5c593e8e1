import { gapTrials } from './gap-trials.ts';

for (const venue of ['binance', 'kraken'] as const) gapTrials(venue, 2);
