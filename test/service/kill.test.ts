import { killTrials } from './kill-trials.ts';

killTrials(1);
