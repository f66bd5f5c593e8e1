import { test } from 'node:test';
import { quickVenues } from './conformance.ts';
import { trial, trialVenues } from './drawn-faults.ts';

for (const venue of quickVenues) {
  test(`${venue}: three drawn faults: every market is in a gap or has the venue's book, and recovers`, async () => {
    for (let number = 0; number < 3; number += 1) await trial(number * trialVenues.length + trialVenues.indexOf(venue));
  });
}

test('kraken: a restart while the venue is slow to answer: the answer to the closed feed changes nothing', async () => {
  await trial(3_010_257);
});
