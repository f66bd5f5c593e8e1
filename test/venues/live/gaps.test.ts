import { gapTrials } from './gap-trials.ts';

gapTrials('binance', 1);
