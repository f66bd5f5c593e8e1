import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestionTrials } from './suggestion-trials.ts';

const trials = process.env.PERP_LONG === '1' ? 1_500 : 36;

test(`sizes that perp suggests are accepted when they are typed back: ${trials} trials`, {
  timeout: 3_600_000,
}, async () => {
  const tally = await suggestionTrials(trials);
  console.log(JSON.stringify(tally));
  assert.ok(tally.largest > trials / 2 && tally.max > 0 && tally.risk > 0, JSON.stringify(tally));
});
