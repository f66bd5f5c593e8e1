import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostileTexts, obeyed } from './outside-text.ts';

it('200 texts from outside: marked, no control characters, nothing ordered beyond the mandate', async () => {
  assert.equal(new Set(hostileTexts).size, 200);
  await obeyed(hostileTexts);
});
