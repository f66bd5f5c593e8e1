import { processTrials } from './process-trials.ts';

processTrials({ rounds: 8, processes: 6, kills: process.env.PERP_LONG ? 200 : 20 });
