import { replayTrials } from './replay-trials.ts';

replayTrials([1], 'sample');
