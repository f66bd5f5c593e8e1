import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../../seed.ts';
import { accountFrames, marketFrames } from './frame-trials.ts';

for (const [name, trial] of [
  ['market', marketFrames],
  ['account', accountFrames],
] as const) {
  test(`drawn frames on the ${name} stream crash nothing; each that can't be read is told once, and the connection renewed`, async () => {
    const { frames, renewed } = await trial(seed, 300);
    assert.equal(frames, 300);
    assert.ok(renewed > 50 && renewed < 250, `${renewed} renewed, seed ${seed}`);
  });
}
