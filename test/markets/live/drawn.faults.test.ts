import { test } from 'node:test';
import { seed } from '../../seed.ts';
import { trial, trialVenues } from './drawn-faults.ts';

const trials = 5_000;

for (const [at, venue] of trialVenues.entries()) {
  const count = trials / trialVenues.length;
  test(`${venue}: ${count} drawn faults: every market is in a gap or has the venue's book, and recovers`, async () => {
    for (let number = 0; number < count; number += 1) await trial(seed * trials + number * trialVenues.length + at);
  });
}
