import { mandateTrials } from './mandate-trials.ts';

mandateTrials(process.env.PERP_LONG ? { hostile: 1_000, ordinary: 500 } : { hostile: 60, ordinary: 110 });
