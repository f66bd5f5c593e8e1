import { mandateTrials } from './mandate-trials.ts';

mandateTrials({ hostile: 5, ordinary: 5 });
