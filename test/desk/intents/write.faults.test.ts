import { faultTrials } from './fault-trials.ts';

faultTrials({ trialsPerCommand: 8, isNetworkLost: true, atATime: 8, way: 'executable' });
