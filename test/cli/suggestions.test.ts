import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestionTrials } from './suggestion-trials.ts';

test('sizes that perp suggests are accepted when they are typed back: 5 trials', async () => {
  const { largest, max, risk } = await suggestionTrials(5);
  assert.ok(largest >= 3 && max + risk >= 4, JSON.stringify({ largest, max, risk }));
});
