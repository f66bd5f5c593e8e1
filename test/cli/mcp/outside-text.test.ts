import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostileTexts, obeyed } from './outside-text.ts';

it('text from outside is marked, has no control characters, and orders nothing, even if an agent does what it says', async () => {
  // One of each way to hide something.
  await obeyed(hostileTexts.filter((_, nth) => nth % 25 === 3));
});

it('there are 200 such texts', () => assert.equal(new Set(hostileTexts).size, 200));
