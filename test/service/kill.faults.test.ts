import { killTrials } from './kill-trials.ts';

killTrials(process.env.PERP_LONG ? 200 : 10);
