import { mandateTrials } from './mandate-trials.ts';

mandateTrials({ hostile: 3, ordinary: 3 });
