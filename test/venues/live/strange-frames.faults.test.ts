import { test } from 'node:test';
import { seed } from '../../seed.ts';
import { trialVenues } from './drawn-faults.ts';
import { strangeFrames } from './strange-frames.ts';

/** Frames of each venue: 50,000 together in the long run. */
const count = process.env.PERP_LONG ? 10_000 : 400;

for (const venue of trialVenues) {
  test(`${venue}: ${count} drawn frames crash nothing; each that can't be read renews the connection`, async () => {
    const garbled = await strangeFrames(venue, seed + 1, count);
    console.log(`${venue}, seed ${seed + 1}: ${count} frames, ${garbled} could not be read`);
  });
}
