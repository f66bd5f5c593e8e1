import { test } from 'node:test';
import { practiceTrials } from './practice-trials.ts';

test('the invariants hold for any commands; replaying in steps, skipping or reopening gives the same state', () => {
  practiceTrials(process.env.PERP_LONG ? 1_000 : 20);
});
