import { proofTrials, provable, provesStreams } from './proof-trials.ts';

for (const venue of provable) if (venue !== 'binance' && venue !== 'bybit') provesStreams(venue);
proofTrials(process.env.PERP_LONG ? 1_000 : 40);
