import { drawnTrials } from './drawn-faults.ts';

drawnTrials('okx');
