import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../../seed.ts';
import { accountFrames, marketFrames } from './frame-trials.ts';

/** Frames of each stream: 25,000 and 25,000 in the long run. */
const count = process.env.PERP_LONG ? 25_000 : 2_000;

for (const [name, trial] of [
  ['market', marketFrames],
  ['account', accountFrames],
] as const) {
  test(`${count} drawn frames on the ${name} stream crash nothing; each that can't be read is told once, and the connection renewed`, async () => {
    const counts = await trial(seed + 1, count);
    assert.equal(counts.frames, count);
    console.log(`seed ${seed + 1}: ${counts.frames} frames, ${counts.renewed} renewed`);
  });
}
