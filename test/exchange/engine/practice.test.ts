import { trial } from '../../tiers.ts';
import { practiceTrials } from './practice-trials.ts';

trial('the invariants hold for any commands; replaying in steps, skipping or reopening gives the same state', () => {
  practiceTrials(3);
});
