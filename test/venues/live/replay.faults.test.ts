import { replayTrials } from './replay-trials.ts';

replayTrials([1, 2, 3, 4, 5, 6], 'all');
