import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coverHistory } from './cover-histories.ts';

test('the uncovered size of a position is what the exchange leaves of it', () => {
  const met = { positions: 0, partly: 0, crashes: 0, stopped: 0 };
  const numRuns = process.env.PERP_LONG ? 10_000 : 300;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => coverHistory(seed, met)),
    { numRuns, endOnFailure: true },
  );
  console.log(`${numRuns} histories: ${JSON.stringify(met)}`);
  assert.ok(met.partly > numRuns / 10 && met.stopped > numRuns / 20, JSON.stringify(met));
});
