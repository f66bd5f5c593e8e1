import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestionTrials } from './suggestion-trials.ts';

const accounts = process.env.PERP_LONG === '1' ? 50_000 : 150;

test(`what perp suggests is accepted when it is typed back, in ${accounts} accounts`, {
  timeout: 14_400_000,
}, async () => {
  const { typed, refused } = await suggestionTrials(3, accounts);
  console.log(JSON.stringify(typed));
  assert.deepEqual(refused, []);
  for (const [kind, count] of Object.entries(typed))
    assert.ok(count > (kind === 'line' ? 0 : accounts / 20), `${kind}: ${JSON.stringify(typed)}`);
});
