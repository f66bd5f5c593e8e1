import { replayTrials } from './replay-trials.ts';

replayTrials([2, 3, 4, 5, 6]);
